#define _GNU_SOURCE
#include "passing.h"

#include <stdlib.h>
#include <string.h>

#include "exhibit_trace.h"
#include "shares.h"

struct passing_record exhibit_passing;
static uint8_t *bytes;
static size_t capacity;

static int has_room(size_t size) {
  if (capacity >= size) return 1;
  uint8_t *grown = realloc(bytes, size);
  if (!grown) return 0;
  bytes = grown;
  capacity = size;
  return 1;
}

int exhibit_read_passing(const uint8_t *place, uint64_t room) {
  struct {
    struct record_header header;
    uint64_t first, step;
  } begin;
  struct record_header *record = &begin.header;
  if (room < sizeof *record + 8) return 0;
  memcpy(&begin, place, room < sizeof begin ? room : sizeof begin);
  size_t size = record->size, first = record->kind & EXHIBIT_AGAIN ? sizeof begin.first : 0;
  uint16_t kind = record->kind & ~EXHIBIT_AGAIN;
  if (size > room || size % 8 || size < sizeof *record + first + 8) return 0;
  if (kind < exhibit_trace_step || kind == exhibit_trace_passed || exhibit_has_ended(record->test)) return 0;
  uint64_t position = first ? begin.first : record->position;
  int is_needed = kind == exhibit_trace_began || exhibit_share_has(record->test, position);
  int is_of_step = kind > exhibit_trace_step && kind <= exhibit_trace_values;
  int cuts = is_of_step && (first ? begin.step : begin.first) > exhibit_share_cut(record->test);
  if (!is_needed && !cuts && kind != exhibit_trace_step && kind != exhibit_trace_end) return 0;
  if (!has_room(size)) return 0;
  memcpy(bytes, place, size);
  if (memcmp(bytes, &begin, sizeof *record + first) != 0 || !exhibit_has_sum(bytes, size)) return 0;
  uint8_t *payload = bytes + sizeof *record + first;
  memcpy(payload - sizeof position, &position, sizeof position);
  exhibit_passing = (struct passing_record){
      .header = *record, .position = position, .payload = payload,
      .count = size - sizeof *record - first - sizeof(uint32_t), .is_needed = is_needed};
  exhibit_passing.header.kind = kind;
  return 1;
}
