#pragma once
#include <stddef.h>
#include <stdint.h>

struct record_header {
  uint32_t size;
  uint16_t kind;
  uint16_t flags;
  uint64_t position;
  uint64_t time;
  uint32_t test;
  uint32_t connection;
};

/* Added to the kind of a record that was written again: its first position stands before the payload. */
#define EXHIBIT_AGAIN 0x8000

/* Writes a record, and at its end a checksum of its header and first bytes, which shows when it was overwritten in part.
   Its size leaves at least 4 bytes behind the payload. */
void exhibit_put_record(uint8_t *place, const struct record_header *record, const void *payload, size_t count);

/* Fills the rest of the room. */
void exhibit_pad(uint8_t *place, uint64_t position, uint64_t rest);

/* Whether a record of that size lies there with the right checksum. */
int exhibit_has_sum(const uint8_t *place, size_t size);

/* Changes the position of a record, and its checksum. */
void exhibit_move_record(uint8_t *place, uint64_t position);
