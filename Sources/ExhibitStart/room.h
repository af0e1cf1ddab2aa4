#pragma once
#include <stddef.h>
#include <stdlib.h>

/* Items, of which there are `count`, with room for one more of so many bytes; NULL without memory, and nothing has
   changed. */
static inline void *exhibit_with_room(void *items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return items;
  size_t greater = *capacity * 2 + 4;
  void *grown = realloc(items, greater * size);
  if (grown) *capacity = greater;
  return grown;
}
