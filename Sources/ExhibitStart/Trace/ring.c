#define _GNU_SOURCE
#include "ring.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "chains.h"
#include "exhibit_process.h"
#include "exhibit_trace.h"
#include "kept.h"
#include "passed.h"
#include "passing.h"
#include "process.h"
#include "record.h"
#include "record_places.h"
#include "ring_file.h"
#include "shares.h"
#include "short_end.h"
#include "slice.h"

/* The file's header, little endian. It is never read back: other processes can write there. */
struct ring_header {
  char magic[16];
  uint32_t header_size;
  uint32_t version;
  uint64_t room;
  uint64_t pid;
  uint64_t start_ticks;
  uint64_t made;
  uint64_t made_at;
  _Atomic uint64_t first;
  _Atomic uint64_t end;
  uint64_t overwritten_steps;
  uint32_t tells_changes;
  uint32_t has_sums;
};

_Static_assert(sizeof(struct ring_header) <= EXHIBIT_TRACE_HEADER, "the header has room for all of it");
_Static_assert(sizeof(struct ring_header) == EXHIBIT_SLICE_HEADER, "a slice has all of it");

#define FIRST_ROOM (64 << 10)
#define LEAST_SIZE (64 << 10)
#define GREATEST_SIZE (1u << 30)
#define GREATEST_TEXT (64 << 10)
#define PATIENCE 16
/* Parts of the room: kept free; for texts and stacks; between a text and its step; for texts and running tests. */
#define FREE_PART 128
#define KEPT_PART 4
#define LATE_PART 32
#define SHARED_OF_4_PARTS 3
#define BYTES_OF_A_KIND 2048

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Read without the lock, which the child of a fork must not touch. */
static _Atomic int is_on;

/* Under the lock. `size` bytes are mapped; the file has `ring.room` of them. */
static struct ring_header *header;
static uint8_t *data;
static uint64_t size;
static int is_full;
static int tells_changes;
static int keeps_tests;
/* The header's values, where other processes cannot write. */
static struct {
  uint64_t room, first, overwritten_steps;
  _Atomic uint64_t end;
  uint64_t made, made_at, pid, start_ticks;
} ring;

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#define MAGIC "Exhibit trace 1\n"

static void describe(struct ring_header *head, uint64_t room) {
  memcpy(head->magic, MAGIC, sizeof head->magic);
  head->header_size = EXHIBIT_TRACE_HEADER;
  head->version = 3;
  head->room = room;
  head->pid = ring.pid;
  head->start_ticks = ring.start_ticks;
  head->made = ring.made;
  head->made_at = ring.made_at;
  head->overwritten_steps = ring.overwritten_steps;
  head->tells_changes = (uint32_t)tells_changes;
  head->has_sums = 1;
}

static void publish(void) {
  describe(header, ring.room);
  atomic_store_explicit(&header->first, ring.first, memory_order_release);
  atomic_store_explicit(&header->end, ring.end, memory_order_release);
}

static void set_limits(uint64_t room) {
  exhibit_kept_limit(room / KEPT_PART);
  exhibit_passed_limit(room / BYTES_OF_A_KIND);
}

static void make(void) {
  uint64_t wanted = exhibit_trace_size();
  size = wanted < LEAST_SIZE ? LEAST_SIZE : wanted > GREATEST_SIZE ? GREATEST_SIZE : wanted & ~(uint64_t)7;
  void *memory = mmap(
      NULL, EXHIBIT_TRACE_HEADER + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || !exhibit_record_places_make(size)) return;
  pthread_mutex_lock(&lock);
  if (keeps_tests && !exhibit_chains_exist()) exhibit_chains_make(size);
  header = memory;
  data = (uint8_t *)memory + EXHIBIT_TRACE_HEADER;
  ring.room = FIRST_ROOM;
  ring.made = now(CLOCK_MONOTONIC);
  ring.made_at = now(CLOCK_REALTIME) / 1000;
  ring.pid = (uint64_t)getpid();
  ring.start_ticks = exhibit_start_ticks();
  set_limits(size);
  exhibit_shares_settle(size / 4 * SHARED_OF_4_PARTS);
  publish();
  pthread_mutex_unlock(&lock);
  atomic_store_explicit(&is_on, 1, memory_order_release);
  exhibit_trace_made();
}

int exhibit_trace_exists(void) {
  return atomic_load_explicit(&is_on, memory_order_acquire) && !exhibit_is_forked();
}

int exhibit_ring_is_on(void) {
  if (exhibit_trace_mode() == exhibit_trace_off || exhibit_is_forked()) return 0;
  pthread_once(&once, make);
  return exhibit_trace_exists();
}

uint64_t exhibit_ring_time(void) { return now(CLOCK_MONOTONIC) - ring.made; }

uint64_t exhibit_ring_share(void) { return size / 4; }

void exhibit_ring_tells_changes(void) {
  if (exhibit_is_forked()) return;
  pthread_mutex_lock(&lock);
  tells_changes = 1;
  if (header) header->tells_changes = 1;
  pthread_mutex_unlock(&lock);
}

static uint64_t file_size(uint64_t bytes) { return EXHIBIT_TRACE_HEADER + bytes; }

int exhibit_trace_move(int descriptor, const char *path) {
  int code = ENOENT;
  if (exhibit_trace_exists()) {
    pthread_mutex_lock(&lock);
    code = exhibit_ring_file_take(descriptor, path, header, file_size(ring.room), file_size(size));
    pthread_mutex_unlock(&lock);
  }
  close(descriptor);
  return code;
}

/* Only before the first record is overwritten. */
static void grow(void) {
  uint64_t room = ring.room * 2 > size ? size : ring.room * 2;
  if (exhibit_ring_file_extend(header, file_size(ring.room), file_size(room), file_size(size))) header->room = ring.room = room;
  else {
    is_full = 1;
    set_limits(ring.room);
  }
}

/* Kinds that no chain has. */
static int is_named(uint16_t kind) {
  return kind == exhibit_trace_text || kind == exhibit_trace_stack || kind == exhibit_trace_image ||
         kind == exhibit_trace_passed;
}

#define NOWHERE UINT64_MAX

static uint64_t free_bytes(void) { return ring.room - (ring.end - ring.first); }
static uint64_t rest_of_lap(void) { return ring.room - ring.end % ring.room; }
static uint64_t taken_by(uint64_t count) { return rest_of_lap() < count ? rest_of_lap() + count : count; }

static void set_size(struct record_header *record, size_t count) {
  record->size = (uint32_t)((sizeof *record + count + sizeof(uint32_t) + 7) & ~(size_t)7);
}

static size_t tail_of(uint16_t kind) { return kind == exhibit_trace_step ? EXHIBIT_SHORT_END : 0; }

static uint64_t put_in_room(struct record_header *record, const void *payload, size_t count, uint32_t ordinal) {
  uint64_t end = ring.end, rest = rest_of_lap();
  if (rest < record->size) {
    exhibit_pad(data + ring.room - rest, end, rest);
    end += rest;
  }
  uint64_t place = end % ring.room;
  uint16_t kind = record->kind & ~EXHIBIT_AGAIN;
  record->position = end;
  exhibit_note_record(place, kind == exhibit_trace_step);
  if (exhibit_chains_exist() && !is_named(kind)) exhibit_chain_record(end, ring.room, record->test, record->connection);
  exhibit_put_record(data + place, record, payload, count);
  if (kind == record->kind && tail_of(kind)) exhibit_begin_short_end(data + place, record->size, ordinal);
  atomic_store_explicit(&ring.end, end + record->size, memory_order_release);
  atomic_store_explicit(&header->end, end + record->size, memory_order_release);
  return end;
}

static void write_passing_again(void) {
  struct record_header record = exhibit_passing.header;
  size_t count = sizeof exhibit_passing.position + exhibit_passing.count;
  record.kind |= EXHIBIT_AGAIN;
  set_size(&record, count);
  uint64_t names[3];
  uint64_t position = put_in_room(&record, exhibit_passing.payload - sizeof exhibit_passing.position, count, 0);
  if (exhibit_passing.header.kind != exhibit_trace_step || exhibit_passing.count < sizeof names) return;
  memcpy(names, exhibit_passing.payload, sizeof names);
  if (exhibit_is_open_step(names[0])) exhibit_note_open_step(names[0], position, record.size);
  struct kept_record *text = exhibit_kept_named(names[1]), *stack = exhibit_kept_named(names[2]);
  if (text) exhibit_kept_use(text, position);
  if (stack) exhibit_kept_use(stack, position);
}

static void count_passing(void) {
  uint64_t words[4] = {0};
  const struct record_header *record = &exhibit_passing.header;
  if (record->kind > exhibit_trace_values) return;
  memcpy(words, exhibit_passing.payload, exhibit_passing.count < sizeof words ? exhibit_passing.count : sizeof words);
  if (words[0] > exhibit_share_cut(record->test)) {
    exhibit_share_set_cut(record->test, words[0]);
    if (record->kind != exhibit_trace_step) exhibit_passed_rest(record->test, 0, words[0], words[0]);
  }
  if (record->kind == exhibit_trace_end) exhibit_passed_end(words[0], words[3]);
  if (record->kind != exhibit_trace_step) return;
  exhibit_passed_step(record->test, record->connection, words[0], words[1], words[2]);
  exhibit_passed_end(words[0], exhibit_short_end_changed(exhibit_passing.payload, exhibit_passing.count));
}

/* Has the oldest record overwritten; a needed one is written again first. */
static void pass_over(int may_be_needed) {
  uint64_t place = ring.first % ring.room, steps = 0;
  uint64_t next = exhibit_forget_record(place, ring.room, &steps);
  int is_record = exhibit_read_passing(data + place, next - place);
  int is_again = is_record && may_be_needed && exhibit_passing.is_needed;
  uint64_t wanted = is_again ? taken_by(exhibit_passing.header.size + sizeof exhibit_passing.position) : 0;
  int has_room = wanted <= free_bytes();
  if (is_again && has_room) write_passing_again();
  ring.first += next - place;
  atomic_store_explicit(&header->first, ring.first, memory_order_release);
  if (is_again && has_room) return;
  if (is_again && wanted <= free_bytes()) return write_passing_again();
  ring.overwritten_steps += steps;
  if (is_record) count_passing();
}

/* Frees some more: one by one, records would be written again that are soon not needed. */
static void free_room(uint64_t count) {
  uint64_t part = ring.room / FREE_PART, wanted = count + 2 * part;
  if (count + part <= free_bytes()) return;
  uint64_t shared = ring.room / 4 * SHARED_OF_4_PARTS, kept = exhibit_kept_bytes();
  exhibit_shares_settle(kept < shared ? shared - kept : 0);
  uint64_t last = ring.first + PATIENCE * wanted < ring.end ? ring.first + PATIENCE * wanted : ring.end;
  while (ring.first < last && free_bytes() < wanted) pass_over(1);
  while (ring.first < ring.end && free_bytes() < count + part) pass_over(0);
  header->overwritten_steps = ring.overwritten_steps;
}

static uint64_t put(struct record_header record, const void *payload, size_t count) {
  set_size(&record, count + tail_of(record.kind));
  while (ring.end + record.size + ring.room / FREE_PART > ring.room && ring.room < size && !is_full) grow();
  if (record.size > ring.room / 4) return NOWHERE;
  /* The first round may have moved the end. */
  for (int i = 0; i < 2; i++) free_room(taken_by(record.size));
  if (record.time == 0) record.time = exhibit_ring_time();
  int is_step = record.kind == exhibit_trace_step;
  uint32_t ordinal = 0;
  if (record.test && record.kind >= exhibit_trace_step && record.kind <= exhibit_trace_values)
    ordinal = exhibit_share_writes(record.test, ring.end, record.size + sizeof record.position, is_step);
  uint64_t number, position = put_in_room(&record, payload, count, ordinal);
  if (is_step) {
    memcpy(&number, payload, sizeof number);
    exhibit_note_open_step(number, position, record.size);
  }
  return position;
}

static uint64_t put_kept(uint16_t kind, uint64_t name, const struct kept_content *content) {
  struct {
    uint64_t name;
    uint32_t whole, count;
  } head = {name, content->whole, content->count};
  uint8_t *payload = malloc(sizeof head + content->count);
  if (!payload) return NOWHERE;
  memcpy(payload, &head, sizeof head);
  memcpy(payload + sizeof head, content->bytes, content->count);
  uint64_t position = put((struct record_header){.kind = kind}, payload, sizeof head + content->count);
  free(payload);
  return position;
}

static uint64_t put_passed(uint32_t test, uint32_t connection, const struct passed_counts *counts) {
  return put(
      (struct record_header){.kind = exhibit_trace_passed, .test = test, .connection = connection}, counts, sizeof *counts);
}

/* Whole words: a process that dies leaves each old or new. The sum does not cover them. */
static void put_counts(uint64_t position, const struct passed_counts *counts) {
  /* Writing others may have overwritten it. */
  if (position < ring.first) return;
  uint8_t *place = data + position % ring.room + sizeof(struct record_header);
  size_t names = offsetof(struct passed_counts, steps);
  memcpy(place + names, &counts->steps, sizeof *counts - names);
}

/* Under the lock. Writes again what is needed and was overwritten. That overwrites more, so it repeats, at most once
   through the ring. */
static void keep_needed(uint64_t first) {
  uint64_t end = ring.end + ring.room;
  while (ring.first != first && ring.end < end) {
    first = ring.first;
    /* A text comes a little before its step. */
    exhibit_kept_pass(first, first > ring.room / LATE_PART ? first - ring.room / LATE_PART : 0, put_kept);
    exhibit_passed_pass(first, put_passed, put_counts);
  }
}

static uint64_t append(struct record_header record, const void *payload, size_t count) {
  uint64_t first = ring.first, position = put(record, payload, count);
  keep_needed(first);
  return position;
}

int exhibit_ring_append(struct record_header record, const void *payload, size_t count) {
  if (!exhibit_trace_exists() || count > size / 4) return 0;
  pthread_mutex_lock(&lock);
  struct open_step step;
  int is_told = record.kind == exhibit_trace_end && exhibit_find_open_step(payload, count, &step) &&
                step.position >= ring.first &&
                exhibit_put_short_end(data + step.position % ring.room, step.size, record.flags, payload, count);
  if (!is_told) is_told = append(record, payload, count) != NOWHERE;
  pthread_mutex_unlock(&lock);
  return is_told;
}

static void end_test(uint32_t test) {
  if (!exhibit_trace_exists()) return;
  pthread_mutex_lock(&lock);
  exhibit_share_ended(test);
  pthread_mutex_unlock(&lock);
}

void exhibit_trace_mark(
    uint16_t kind, uint32_t test, uint32_t connection, const void *payload, size_t count) {
  if (kind == exhibit_trace_ended) end_test(test);
  exhibit_ring_append((struct record_header){.kind = kind, .test = test, .connection = connection}, payload, count);
}

uint64_t exhibit_trace_position(void) {
  return exhibit_trace_exists() ? atomic_load_explicit(&ring.end, memory_order_acquire) : 0;
}

/* Stands for the record's own position. */
#define NAMED_HERE UINT64_MAX

static uint64_t used(struct kept_record *kept) {
  if (!kept) return NOWHERE;
  exhibit_kept_use(kept, ring.end);
  return exhibit_kept_name(kept);
}

static uint64_t name_of(uint16_t kind, const struct kept_content *content, int is_needed_always) {
  struct kept_record *kept = exhibit_kept_find(kind, content);
  if (kept) return used(kept);
  uint64_t first = ring.first, name = put_kept(kind, NAMED_HERE, content);
  kept = name == NOWHERE ? NULL : exhibit_kept_add(kind, content, name);
  if (kept && is_needed_always) exhibit_kept_retain_always(kept);
  keep_needed(first);
  return name;
}

static uint64_t named(uint16_t kind, struct kept_content content, int is_needed_always) {
  if (!exhibit_trace_exists()) return NOWHERE;
  pthread_mutex_lock(&lock);
  uint64_t name = name_of(kind, &content, is_needed_always);
  pthread_mutex_unlock(&lock);
  return name;
}

uint64_t exhibit_ring_text(const char *text, size_t count) {
  uint64_t greatest = size / 16 < GREATEST_TEXT ? size / 16 : GREATEST_TEXT;
  uint32_t whole = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
  uint32_t kept = (uint32_t)(count < greatest ? count : greatest);
  return named(exhibit_trace_text, (struct kept_content){text, kept, whole}, 0);
}

uint64_t exhibit_ring_keep(uint16_t kind, const void *bytes, uint32_t count, int is_needed_always) {
  return named(kind, (struct kept_content){bytes, count, count}, is_needed_always);
}

uint64_t exhibit_ring_find(uint16_t kind, const void *bytes, uint32_t count) {
  if (!exhibit_trace_exists()) return NOWHERE;
  pthread_mutex_lock(&lock);
  uint64_t name = used(exhibit_kept_find(kind, &(struct kept_content){bytes, count, count}));
  pthread_mutex_unlock(&lock);
  return name;
}

int exhibit_ring_use(uint64_t name) {
  if (!exhibit_trace_exists()) return 0;
  pthread_mutex_lock(&lock);
  int is_there = used(exhibit_kept_named(name)) != NOWHERE;
  pthread_mutex_unlock(&lock);
  return is_there;
}

size_t exhibit_trace_copy(void **image) {
  *image = NULL;
  if (!exhibit_trace_exists()) return 0;
  pthread_mutex_lock(&lock);
  keep_needed(NOWHERE);
  size_t count = EXHIBIT_TRACE_HEADER + ring.room;
  *image = malloc(count);
  if (*image) {
    /* Other processes may have overwritten the header. */
    publish();
    memcpy(*image, header, count);
  }
  pthread_mutex_unlock(&lock);
  return *image ? count : 0;
}

void exhibit_trace_keep_tests(void) {
  pthread_mutex_lock(&lock);
  keeps_tests = 1;
  if (header && !exhibit_chains_exist()) exhibit_chains_make(size);
  pthread_mutex_unlock(&lock);
}

static void put_slice_header(uint8_t *records, uint64_t count) {
  struct ring_header head = {.end = count};
  describe(&head, count);
  memcpy(records - sizeof head, &head, sizeof head);
}

enum exhibit_slice exhibit_trace_slice(const struct exhibit_slice_wish *wish, struct exhibit_slices *slices) {
  if (!exhibit_trace_exists()) return exhibit_slice_empty;
  pthread_mutex_lock(&lock);
  struct ring_view view = {data, ring.room, ring.first, ring.end};
  size_t begin;
  enum exhibit_slice outcome = exhibit_slice_records(slices, &view, wish, &begin);
  if (outcome == exhibit_slice_made) put_slice_header(slices->bytes + begin, slices->count - begin);
  pthread_mutex_unlock(&lock);
  return outcome;
}

void exhibit_trace_clear(const char *reason) {
  if (!exhibit_trace_exists()) return;
  uint32_t count = (uint32_t)strlen(reason);
  uint8_t *payload = malloc(sizeof count + count);
  pthread_mutex_lock(&lock);
  ring.first = ring.end;
  exhibit_forget_records(ring.room);
  exhibit_forget_open_steps();
  exhibit_passed_forget();
  exhibit_kept_forget();
  publish();
  memset(data, 0, ring.room);
  if (payload) {
    memcpy(payload, &count, sizeof count);
    memcpy(payload + sizeof count, reason, count);
    append((struct record_header){.kind = exhibit_trace_cleared}, payload, sizeof count + count);
  }
  pthread_mutex_unlock(&lock);
  free(payload);
}

void exhibit_trace_stop(void) { atomic_store_explicit(&is_on, 0, memory_order_release); }
