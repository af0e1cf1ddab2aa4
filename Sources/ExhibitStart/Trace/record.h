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

/* Marks a record written again, whose first position precedes the payload. */
#define EXHIBIT_AGAIN 0x8000

/* Writes a record and a checksum of its header and first bytes, for which its size leaves 4 bytes at least. */
void exhibit_put_record(uint8_t *place, const struct record_header *record, const void *payload, size_t count);

void exhibit_pad(uint8_t *place, uint64_t position, uint64_t rest);

int exhibit_has_sum(const uint8_t *place, size_t size);

void exhibit_move_record(uint8_t *place, uint64_t position);
