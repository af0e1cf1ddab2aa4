#pragma once
#include <stddef.h>
#include <stdint.h>

#include "record.h"

/* A copy of the record being overwritten, safe from other processes. Under the ring's lock. */
extern struct passing_record {
  /* Without EXHIBIT_AGAIN. */
  struct record_header header;
  /* Its first position, also in front of `payload`. */
  uint64_t position;
  const uint8_t *payload;
  size_t count;
  int is_needed;
} exhibit_passing __attribute__((visibility("hidden")));

/* Whether the record there is whole, and needed or to be counted. */
int exhibit_read_passing(const uint8_t *place, uint64_t room);
