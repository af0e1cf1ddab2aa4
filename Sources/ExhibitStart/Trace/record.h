#pragma once
#include <stddef.h>
#include <stdint.h>

#include "ring.h"

/* Writes a record at a place that has room for its size, which leaves 4 bytes behind the payload: it ends with a sum of
   what decides whose it is, so that what was written over, or in part, is known. */
void exhibit_put_record(uint8_t *place, const struct record_header *record, const void *payload, size_t count);

/* Fills the rest of a lap. */
void exhibit_pad(uint8_t *place, uint64_t position, uint64_t rest);
