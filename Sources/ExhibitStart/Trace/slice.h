#pragma once
#include <stddef.h>
#include <stdint.h>

#include "exhibit_trace.h"

/* Makes a part of the ring a ring of its own. Under the ring's lock, where there are chains. */

/* The ring, whose bytes other processes can write. */
struct ring_view {
  const uint8_t *data;
  uint64_t room, first, end;
};

/* Appends a slice's records, from `begin` on. */
enum exhibit_slice exhibit_slice_records(
    struct exhibit_slices *slices, const struct ring_view *ring, const struct exhibit_slice_wish *wish, size_t *begin);
