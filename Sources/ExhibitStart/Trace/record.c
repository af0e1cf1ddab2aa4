#include "record.h"

#include <string.h>

_Static_assert(sizeof(struct record_header) == 32, "records begin as the format says");

#define MIX(word) sum = (sum ^ (word)) * 0x9FB21C651E98DF25u, sum ^= sum >> 32

/* Unrolled, as Attach is mostly built without optimisation. */
static uint32_t sum_of(const struct record_header *record, const void *payload, size_t count) {
  uint64_t words[6], sum = 0x9E3779B97F4A7C15u;
  memcpy(words, record, sizeof *record);
  if (count >= 16) {
    memcpy(words + 4, payload, 16);
  } else {
    words[4] = words[5] = 0;
    if (count) memcpy(words + 4, payload, count);
  }
  MIX(words[0]);
  MIX(words[1]);
  MIX(words[2]);
  MIX(words[3]);
  MIX(words[4]);
  MIX(words[5]);
  return (uint32_t)sum;
}

void exhibit_put_record(uint8_t *place, const struct record_header *record, const void *payload, size_t count) {
  uint32_t sum = sum_of(record, payload, count);
  uint8_t *end = place + record->size;
  memset(end - 16, 0, 16);
  memcpy(place, record, sizeof *record);
  if (count) memcpy(place + sizeof *record, payload, count);
  memcpy(end - sizeof sum, &sum, sizeof sum);
}

int exhibit_has_sum(const uint8_t *place, size_t size) {
  struct record_header record;
  uint32_t sum;
  if (size < sizeof record + sizeof sum) return 0;
  memcpy(&record, place, sizeof record);
  memcpy(&sum, place + size - sizeof sum, sizeof sum);
  return record.size == size && sum == sum_of(&record, place + sizeof record, size - sizeof record - sizeof sum);
}

void exhibit_move_record(uint8_t *place, uint64_t position) {
  struct record_header record;
  memcpy(&record, place, sizeof record);
  record.position = position;
  memcpy(place, &record, sizeof record);
  uint32_t sum = sum_of(&record, place + sizeof record, record.size - sizeof record - sizeof sum);
  memcpy(place + record.size - sizeof sum, &sum, sizeof sum);
}

void exhibit_pad(uint8_t *place, uint64_t position, uint64_t rest) {
  struct record_header padding = {.size = (uint32_t)rest, .position = position};
  /* The sum covers these bytes of older records. */
  if (rest >= sizeof padding + 16) memset(place + sizeof padding, 0, 16);
  if (rest > sizeof padding) exhibit_put_record(place, &padding, NULL, 0);
  else if (rest == sizeof padding) memcpy(place, &padding, sizeof padding);
}
