#pragma once
#include <stddef.h>
#include <stdint.h>

#include "exhibit_trace.h"

/* A part of the ring that is a ring of its own. Called under the ring's lock, where there are chains. */

/* What the ring has: bytes that others can write, and where records begin in them. */
struct ring_view {
  const uint8_t *data;
  uint64_t room, first, end;
};

struct slice {
  /* Behind the bytes before it and the header: the records. */
  uint8_t *bytes;
  size_t count, capacity, begin;
};

/* Makes the records of one; the header is still to be written. Frees the bytes where it is not made. */
enum exhibit_slice exhibit_slice_records(
    struct slice *slice, const struct ring_view *ring, const struct exhibit_slice_wish *wish);
