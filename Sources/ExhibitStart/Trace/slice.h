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

/* Appends the records of one, from `begin` on: behind the bytes before it and the header, which is still to be written. */
enum exhibit_slice exhibit_slice_records(
    struct exhibit_slices *slices, const struct ring_view *ring, const struct exhibit_slice_wish *wish, size_t *begin);
