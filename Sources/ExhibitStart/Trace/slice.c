#define _GNU_SOURCE
#include "slice.h"

#include <stdlib.h>
#include <string.h>

#include "../room.h"
#include "chains.h"
#include "kept.h"
#include "passed.h"
#include "record.h"

#define FIRST_CAPACITY (16 << 10)
#define KNOWN 8
#define PLACES 4096

/* Kept from slice to slice, as most tests need the same. */
static struct {
  struct place {
    /* Its first position, which sorts, and its present one. */
    uint64_t first, position;
  } *places;
  size_t capacity;
  /* Indexes of the files found last. */
  size_t images[KNOWN], image_count, file_count;
} room;

struct making {
  struct exhibit_slices *slice;
  size_t begin;
  const struct ring_view *ring;
  const struct exhibit_slice_wish *wish;
  size_t place_count;
  size_t steps;
  /* Marks the kept records that it has. */
  uint32_t number;
  uint64_t last_lone;
  struct {
    uint64_t begin, end;
  } known[KNOWN];
  size_t known_count;
  int is_damaged, lacks_memory;
};

static uint8_t *add(struct making *making, size_t size) {
  struct exhibit_slices *slice = making->slice;
  if (slice->capacity - slice->count < size) {
    size_t capacity = slice->capacity ? slice->capacity * 2 : FIRST_CAPACITY;
    while (capacity - slice->count < size) capacity *= 2;
    uint8_t *grown = realloc(slice->bytes, capacity);
    if (!grown) {
      making->lacks_memory = 1;
      return NULL;
    }
    slice->bytes = grown;
    slice->capacity = capacity;
  }
  uint8_t *place = slice->bytes + slice->count;
  slice->count += size;
  return place;
}

static void settle(struct making *making, uint8_t *record) {
  exhibit_move_record(record, (uint64_t)(record - making->slice->bytes) - making->begin);
}

static void drop(struct making *making, const uint8_t *record) {
  making->slice->count = (size_t)(record - making->slice->bytes);
}

static void note(struct making *making, uint64_t position) {
  struct place *grown = exhibit_with_room(room.places, making->place_count, &room.capacity, sizeof *grown);
  if (!grown) {
    making->lacks_memory = 1;
    return;
  }
  room.places = grown;
  struct record_header record = {.size = 0};
  uint64_t first = position, place = position % making->ring->room;
  if (making->ring->room - place >= sizeof record + sizeof first) {
    memcpy(&record, making->ring->data + place, sizeof record);
    if (record.kind & EXHIBIT_AGAIN) memcpy(&first, making->ring->data + place + sizeof record, sizeof first);
  }
  grown[making->place_count++] = (struct place){first, position};
}

static void note_chain(struct making *making, uint32_t test, uint32_t connection) {
  const struct ring_view *ring = making->ring;
  uint64_t start = making->wish->start > ring->first ? making->wish->start : ring->first;
  uint64_t position = exhibit_chain_newest(test, connection);
  while (position != EXHIBIT_CHAIN_END && position >= start && position < ring->end && !making->lacks_memory) {
    note(making, position);
    position = exhibit_chain_before(position, ring->room);
  }
}

static int compare(const void *one, const void *other) {
  const struct place *a = one, *b = other;
  return a->first == b->first ? (a->position > b->position) - (a->position < b->position) : a->first < b->first ? -1 : 1;
}

static int is_sorted(const struct place *places, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (compare(&places[i - 1], &places[i]) > 0) return 0;
  return 1;
}

/* Chains lead from newest to oldest. Tests may share one, so records come twice. */
static void sort(struct making *making) {
  struct place *places = room.places;
  size_t count = 0;
  for (size_t i = 0; i < making->place_count / 2; i++) {
    struct place place = places[i];
    places[i] = places[making->place_count - 1 - i];
    places[making->place_count - 1 - i] = place;
  }
  if (!is_sorted(places, making->place_count)) qsort(places, making->place_count, sizeof *places, compare);
  for (size_t i = 0; i < making->place_count; i++)
    if (i == 0 || places[i].position != places[count - 1].position) places[count++] = places[i];
  making->place_count = count;
}

static int is_wanted(const struct exhibit_slice_wish *wish, const struct record_header *record) {
  if (record->test) return record->test == wish->test;
  if (!record->connection) return 1;
  for (size_t i = 0; i < wish->connection_count; i++)
    if (wish->connections[i] == record->connection) return 1;
  return 0;
}

/* Drops the first position, which means nothing in the slice. */
static uint8_t *as_written_first(struct making *making, uint8_t *copy, struct record_header *record) {
  if (!(record->kind & EXHIBIT_AGAIN)) return copy;
  uint8_t *payload = copy + sizeof *record;
  memmove(payload, payload + 8, record->size - sizeof *record - 8);
  record->kind &= ~EXHIBIT_AGAIN;
  record->size -= 8;
  memcpy(copy, record, sizeof *record);
  making->slice->count -= 8;
  return copy;
}

/* Only the copy is read, as other processes may write meanwhile. */
static uint8_t *copy(struct making *making, uint64_t position, struct record_header *record) {
  const struct ring_view *ring = making->ring;
  uint64_t place = position % ring->room, rest = ring->room - place;
  if (rest < sizeof *record) return NULL;
  memcpy(record, ring->data + place, sizeof *record);
  size_t size = record->size;
  size_t least = sizeof *record + (record->kind & EXHIBIT_AGAIN ? 16 : 8);
  if (size < least || size % 8 || size > rest) return NULL;
  uint8_t *copy = add(making, size);
  if (!copy) return NULL;
  memcpy(copy, ring->data + place, size);
  memcpy(record, copy, sizeof *record);
  if (record->position == position && exhibit_has_sum(copy, size)) return as_written_first(making, copy, record);
  drop(making, copy);
  return NULL;
}

static void write_kept(struct making *making, struct kept_record *kept) {
  const struct kept_content *content = exhibit_kept_content(kept);
  struct {
    struct record_header header;
    uint64_t name;
    uint32_t whole, count;
  } head = {.name = exhibit_kept_name(kept), .whole = content->whole, .count = content->count};
  size_t size = (sizeof head + content->count + sizeof(uint32_t) + 7) & ~(size_t)7;
  uint8_t *record = add(making, size);
  if (!record) return;
  head.header = (struct record_header){.size = (uint32_t)size, .kind = exhibit_kept_kind(kept)};
  memset(record + size - 16, 0, 16);
  memcpy(record, &head, sizeof head);
  if (content->count) memcpy(record + sizeof head, content->bytes, content->count);
  settle(making, record);
}

/* Without room among the kept ones, its name is its position. */
static void write_lone(struct making *making, uint16_t kind, uint64_t name) {
  if (name == making->last_lone || name < making->ring->first || name >= making->ring->end) return;
  making->last_lone = name;
  struct record_header record;
  uint8_t *place = copy(making, name, &record);
  if (!place) return;
  if (record.kind != kind || record.size < sizeof record + 2 * sizeof name) return drop(making, place);
  memcpy(place + sizeof record, &name, sizeof name);
  settle(making, place);
}

static int take_image(struct making *making, struct kept_record *image, uint64_t address) {
  uint64_t bounds[2];
  const struct kept_content *content = exhibit_kept_content(image);
  if (content->count < sizeof bounds) return 0;
  memcpy(bounds, content->bytes, sizeof bounds);
  if (address < bounds[0] || address >= bounds[1]) return 0;
  making->known[making->known_count % KNOWN].begin = bounds[0];
  making->known[making->known_count++ % KNOWN].end = bounds[1];
  if (exhibit_kept_take(image, making->number)) write_kept(making, image);
  return 1;
}

/* A file loaded later may have an unloaded one's addresses. */
static void forget_images(void) {
  if (!exhibit_kept_always(room.file_count) && (!room.file_count || exhibit_kept_always(room.file_count - 1))) return;
  room.image_count = room.file_count = 0;
  while (exhibit_kept_always(room.file_count)) room.file_count++;
}

static void need_image(struct making *making, uint64_t address) {
  for (size_t i = 0; i < making->known_count && i < KNOWN; i++)
    if (making->known[i].begin <= address && address < making->known[i].end) return;
  struct kept_record *image;
  /* Tests use the same few out of dozens. */
  for (size_t i = 0; i < KNOWN && i < room.image_count; i++)
    if ((image = exhibit_kept_always(room.images[i])) && take_image(making, image, address)) return;
  size_t found = 0, last = 0;
  for (size_t index = 0; (image = exhibit_kept_always(index)); index++) {
    if (!take_image(making, image, address)) continue;
    found++;
    last = index;
  }
  if (found == 1) room.images[room.image_count++ % KNOWN] = last;
}

static void need_images(struct making *making, const struct kept_content *stack) {
  for (uint32_t i = 0; i + 8 <= stack->count; i += 8) {
    uint64_t address;
    memcpy(&address, (const uint8_t *)stack->bytes + i, sizeof address);
    need_image(making, address);
  }
}

static void need(struct making *making, uint16_t kind, uint64_t name) {
  if (name == UINT64_MAX) return;
  struct kept_record *kept = exhibit_kept_named(name);
  if (!kept) return write_lone(making, kind, name);
  if (!exhibit_kept_take(kept, making->number)) return;
  write_kept(making, kept);
  if (exhibit_kept_kind(kept) == exhibit_trace_stack) need_images(making, exhibit_kept_content(kept));
}

/* By offsets, as writing others may move the bytes. */
static void need_named(struct making *making, size_t place, const struct record_header *record) {
  uint64_t words[3];
  const uint8_t *payload = making->slice->bytes + place + sizeof *record;
  size_t count = record->size - sizeof *record - sizeof(uint32_t);
  if (record->kind == exhibit_trace_step && count >= sizeof words) {
    memcpy(words, payload, sizeof words);
    need(making, exhibit_trace_text, words[1]);
    need(making, exhibit_trace_stack, words[2]);
  } else if ((record->kind == exhibit_trace_opened || record->kind == exhibit_trace_closed) && count >= sizeof *words) {
    memcpy(words, payload, sizeof *words);
    need(making, exhibit_trace_stack, words[0]);
  }
}

static void write_record(struct making *making, uint64_t position) {
  struct record_header record;
  uint8_t *place = copy(making, position, &record);
  if (!place) {
    making->is_damaged = !making->lacks_memory;
    return;
  }
  if (!is_wanted(making->wish, &record)) return drop(making, place);
  settle(making, place);
  if (record.kind == exhibit_trace_step) making->steps++;
  need_named(making, (size_t)(place - making->slice->bytes), &record);
}

static void write_passed(struct making *making) {
  struct passed_kind kind;
  for (size_t i = 0; (i = exhibit_passed_from(i, &kind)) != 0;) {
    struct record_header record = {
        .kind = exhibit_trace_passed, .test = kind.test, .connection = kind.connection,
        .size = (uint32_t)((sizeof record + sizeof *kind.counts + sizeof(uint32_t) + 7) & ~(size_t)7)};
    if (!is_wanted(making->wish, &record)) continue;
    uint8_t *place = add(making, record.size);
    if (!place) return;
    exhibit_put_record(place, &record, kind.counts, sizeof *kind.counts);
    settle(making, place);
    need(making, exhibit_trace_text, kind.counts->text);
    need(making, exhibit_trace_stack, kind.counts->stack);
  }
}

static enum exhibit_slice make(struct making *making) {
  if (!add(making, making->begin - making->slice->count)) return exhibit_slice_no_memory;
  forget_images();
  /* The record of a clearing has neither test nor connection. */
  note_chain(making, 0, 0);
  note_chain(making, making->wish->test, 0);
  for (size_t i = 0; i < making->wish->connection_count; i++) note_chain(making, 0, making->wish->connections[i]);
  sort(making);
  for (size_t i = 0; i < making->place_count && !making->is_damaged && !making->lacks_memory; i++)
    write_record(making, room.places[i].position);
  if (making->steps > 0 && !making->lacks_memory) write_passed(making);
  if (making->lacks_memory) return exhibit_slice_no_memory;
  if (making->is_damaged) return exhibit_slice_damaged;
  return making->steps == 0 ? exhibit_slice_empty : exhibit_slice_made;
}

enum exhibit_slice exhibit_slice_records(
    struct exhibit_slices *slices, const struct ring_view *ring, const struct exhibit_slice_wish *wish, size_t *begin) {
  static uint32_t last_number;
  if (!exhibit_chains_exist()) return exhibit_slice_empty;
  size_t before = slices->count;
  *begin = before + wish->before + EXHIBIT_SLICE_HEADER;
  struct making making = {
      .slice = slices, .begin = *begin, .ring = ring, .wish = wish, .number = ++last_number, .last_lone = UINT64_MAX};
  enum exhibit_slice outcome = make(&making);
  if (outcome != exhibit_slice_made) slices->count = before;
  if (room.capacity > PLACES) {
    free(room.places);
    room.places = NULL;
    room.capacity = 0;
  }
  return outcome;
}
