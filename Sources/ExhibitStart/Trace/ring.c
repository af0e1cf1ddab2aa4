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

#include "exhibit_process.h"
#include "exhibit_trace.h"
#include "process.h"
#include "record.h"
#include "record_places.h"
#include "ring_file.h"

/* As it stands in the file, little endian. Others can write there: it is written, and never read. */
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

#define FIRST_ROOM (64 << 10)
#define LEAST_SIZE (64 << 10)
#define GREATEST_SIZE (1u << 30)
#define TEXT_SLOTS 1024
#define GREATEST_TEXT (64 << 10)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Read without the lock: a child of a fork stops before it would touch the lock. */
static _Atomic int is_on;

/* Under the lock. The mapping has room for `size` bytes of data, of which the file has as many as `ring` says. */
static struct ring_header *header;
static uint8_t *data;
static uint64_t size;
/* Set when the file could not grow: its room is what it has. */
static int is_full;
static int tells_changes;
/* What the header says, in memory that nobody else can write. */
static struct {
  uint64_t room, first, overwritten_steps;
  _Atomic uint64_t end;
  uint64_t made, made_at, pid, start_ticks;
} ring;

static struct {
  uint64_t hash;
  /* That of its record, and one more: 0 for none. */
  uint64_t place;
  uint32_t count;
} texts[TEXT_SLOTS];

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The whole header, of what is known. */
static void publish(void) {
  memcpy(header->magic, "Exhibit trace 1\n", sizeof header->magic);
  header->header_size = EXHIBIT_TRACE_HEADER;
  header->version = 1;
  header->room = ring.room;
  header->pid = ring.pid;
  header->start_ticks = ring.start_ticks;
  header->made = ring.made;
  header->made_at = ring.made_at;
  header->overwritten_steps = ring.overwritten_steps;
  header->tells_changes = (uint32_t)tells_changes;
  header->has_sums = 1;
  atomic_store_explicit(&header->first, ring.first, memory_order_release);
  atomic_store_explicit(&header->end, ring.end, memory_order_release);
}

static void make(void) {
  uint64_t wanted = exhibit_trace_size();
  size = wanted < LEAST_SIZE ? LEAST_SIZE : wanted > GREATEST_SIZE ? GREATEST_SIZE : wanted & ~(uint64_t)7;
  void *memory = mmap(
      NULL, EXHIBIT_TRACE_HEADER + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || !exhibit_record_places_make(size)) return;
  pthread_mutex_lock(&lock);
  header = memory;
  data = (uint8_t *)memory + EXHIBIT_TRACE_HEADER;
  ring.room = FIRST_ROOM;
  ring.made = now(CLOCK_MONOTONIC);
  ring.made_at = now(CLOCK_REALTIME) / 1000;
  ring.pid = (uint64_t)getpid();
  ring.start_ticks = exhibit_start_ticks();
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

/* Bytes of a file with so many of records. */
static uint64_t used(uint64_t bytes) { return EXHIBIT_TRACE_HEADER + bytes; }

int exhibit_trace_move(int descriptor, const char *path) {
  int code = ENOENT;
  if (exhibit_trace_exists()) {
    pthread_mutex_lock(&lock);
    code = exhibit_ring_file_take(descriptor, path, header, used(ring.room), used(size));
    pthread_mutex_unlock(&lock);
  }
  close(descriptor);
  return code;
}

/* Twice the room, as long as the first lap goes on. */
static void grow(void) {
  uint64_t room = ring.room * 2 > size ? size : ring.room * 2;
  if (exhibit_ring_file_extend(header, used(ring.room), used(room), used(size))) header->room = ring.room = room;
  else is_full = 1;
}

/* Passes over the oldest records until `count` bytes behind the end are free. */
static void free_room(uint64_t count) {
  uint64_t first = ring.first, end = ring.end;
  if (end + count - first <= ring.room) return;
  while (end + count - first > ring.room && first < end) {
    uint64_t place = first % ring.room;
    first += exhibit_forget_record(place, ring.room, &ring.overwritten_steps) - place;
  }
  ring.first = first < end ? first : end;
  header->overwritten_steps = ring.overwritten_steps;
  atomic_store_explicit(&header->first, ring.first, memory_order_release);
}

#define NOWHERE UINT64_MAX
/* Under the lock. Returns the record's position, NOWHERE when it takes too much of the room. */
static uint64_t append(struct record_header record, const void *payload, size_t count) {
  record.size = (uint32_t)((sizeof record + count + sizeof(uint32_t) + 7) & ~(size_t)7);
  uint64_t end = ring.end;
  while (end + record.size > ring.room && ring.room < size && !is_full) grow();
  if (record.size > ring.room / 4) return NOWHERE;
  uint64_t rest = ring.room - end % ring.room;
  int wraps = rest < record.size;
  free_room(wraps ? rest + record.size : record.size);
  if (wraps) {
    exhibit_pad(data + ring.room - rest, end, rest);
    end += rest;
  }
  record.position = end;
  if (record.time == 0) record.time = exhibit_ring_time();
  uint64_t place = wraps ? 0 : ring.room - rest;
  exhibit_note_record(place, record.kind == exhibit_trace_step);
  exhibit_put_record(data + place, &record, payload, count);
  atomic_store_explicit(&ring.end, end + record.size, memory_order_release);
  atomic_store_explicit(&header->end, end + record.size, memory_order_release);
  return end;
}

int exhibit_ring_append(struct record_header record, const void *payload, size_t count) {
  if (!exhibit_trace_exists() || count > size / 4) return 0;
  pthread_mutex_lock(&lock);
  uint64_t position = append(record, payload, count);
  pthread_mutex_unlock(&lock);
  return position != NOWHERE;
}

void exhibit_trace_mark(
    uint16_t kind, uint32_t test, uint32_t connection, const void *payload, size_t count) {
  exhibit_ring_append((struct record_header){.kind = kind, .test = test, .connection = connection}, payload, count);
}

uint64_t exhibit_trace_position(void) {
  return exhibit_trace_exists() ? atomic_load_explicit(&ring.end, memory_order_acquire) : 0;
}

/* Eight bytes at a time: of texts that are hundreds of bytes long, at each statement. */
static uint64_t hash_of(const char *text, size_t count) {
  uint64_t hash = count * 0x9E3779B97F4A7C15u;
  for (; count >= 8; text += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    hash = (hash ^ word) * 0x9FB21C651E98DF25u;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  memcpy(&word, text, count);
  hash = (hash ^ word) * 0x9FB21C651E98DF25u;
  return hash ^ hash >> 29;
}

/* Under the lock: whether the record of a slot is young enough and has this text. */
static int holds(size_t slot, const char *text, uint32_t count) {
  uint64_t place = texts[slot].place;
  if (place == 0 || place - 1 < ring.first || ring.end - (place - 1) > ring.room / 4) return 0;
  const uint8_t *payload = data + (place - 1) % ring.room + sizeof(struct record_header);
  return texts[slot].count == count && memcmp(payload + 8, text, count) == 0;
}

/* Under the lock: writes `kept` of the `count` bytes of a text; returns its position. */
static uint64_t write_text(const char *text, size_t count, uint32_t kept) {
  uint32_t whole = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
  uint8_t *payload = malloc(sizeof whole + sizeof kept + kept);
  if (!payload) return NOWHERE;
  memcpy(payload, &whole, sizeof whole);
  memcpy(payload + sizeof whole, &kept, sizeof kept);
  memcpy(payload + sizeof whole + sizeof kept, text, kept);
  uint64_t position =
      append((struct record_header){.kind = exhibit_trace_text}, payload, sizeof whole + sizeof kept + kept);
  free(payload);
  return position;
}

uint64_t exhibit_ring_text(const char *text, size_t count) {
  if (!exhibit_trace_exists()) return NOWHERE;
  uint64_t greatest = size / 16 < GREATEST_TEXT ? size / 16 : GREATEST_TEXT;
  uint32_t kept = (uint32_t)(count < greatest ? count : greatest);
  uint64_t hash = hash_of(text, kept);
  size_t slot = hash % TEXT_SLOTS;
  pthread_mutex_lock(&lock);
  if (texts[slot].hash != hash || !holds(slot, text, kept)) {
    texts[slot].hash = hash;
    texts[slot].count = kept;
    /* NOWHERE becomes none. */
    texts[slot].place = write_text(text, count, kept) + 1;
  }
  uint64_t found = texts[slot].place - 1;
  pthread_mutex_unlock(&lock);
  return found;
}

size_t exhibit_trace_copy(void **image) {
  *image = NULL;
  if (!exhibit_trace_exists()) return 0;
  pthread_mutex_lock(&lock);
  size_t count = EXHIBIT_TRACE_HEADER + ring.room;
  *image = malloc(count);
  if (*image) {
    /* Others may have written over it. */
    publish();
    memcpy(*image, header, count);
  }
  pthread_mutex_unlock(&lock);
  return *image ? count : 0;
}

void exhibit_trace_clear(const char *reason) {
  if (!exhibit_trace_exists()) return;
  uint32_t count = (uint32_t)strlen(reason);
  uint8_t *payload = malloc(sizeof count + count);
  pthread_mutex_lock(&lock);
  ring.first = ring.end;
  exhibit_forget_records(ring.room);
  publish();
  memset(data, 0, ring.room);
  memset(texts, 0, sizeof texts);
  if (payload) {
    memcpy(payload, &count, sizeof count);
    memcpy(payload + sizeof count, reason, count);
    append((struct record_header){.kind = exhibit_trace_cleared}, payload, sizeof count + count);
  }
  pthread_mutex_unlock(&lock);
  free(payload);
}

void exhibit_trace_stop(void) { atomic_store_explicit(&is_on, 0, memory_order_release); }
