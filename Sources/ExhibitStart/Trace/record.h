#pragma once
#include <stddef.h>
#include <stdint.h>

/* What stands at the beginning of each record. */
struct record_header {
  uint32_t size;
  uint16_t kind;
  uint16_t flags;
  uint64_t position;
  uint64_t time;
  uint32_t test;
  uint32_t connection;
};

/* Added to the kind of a record that is written again: the position where it was first is before its payload. */
#define EXHIBIT_AGAIN 0x8000

/* Writes a record at a place that has room for its size, which leaves 4 bytes behind the payload: it ends with a sum of
   what decides whose it is, so that what was written over, or in part, is known. */
void exhibit_put_record(uint8_t *place, const struct record_header *record, const void *payload, size_t count);

/* Fills the rest of a lap. */
void exhibit_pad(uint8_t *place, uint64_t position, uint64_t rest);

/* Whether what lies at a place is a record of that size, with a sum that is right. */
int exhibit_has_sum(const uint8_t *place, size_t size);

/* Gives a whole record another position, and the sum that is right then. */
void exhibit_move_record(uint8_t *place, uint64_t position);
