#pragma once
#include <stddef.h>
#include <stdlib.h>

/* `items` with room for one more, maybe moved; NULL without memory. */
static inline void *exhibit_with_room(void *items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return items;
  size_t greater = *capacity * 2 + 4;
  void *grown = realloc(items, greater * size);
  if (grown) *capacity = greater;
  return grown;
}
