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

#include "exhibit_trace.h"
#include "process.h"

/* As it stands in the file, little endian. */
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
};

_Static_assert(sizeof(struct ring_header) <= EXHIBIT_TRACE_HEADER, "the header has room for all of it");
_Static_assert(sizeof(struct record_header) == 32, "records begin as the format says");

#define FIRST_ROOM (64 << 10)
#define LEAST_SIZE (64 << 10)
#define GREATEST_SIZE (1u << 30)
#define TEXT_SLOTS 1024
#define GREATEST_TEXT (64 << 10)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Read without the lock: a child of a fork stops before it would touch the lock. */
static _Atomic int is_on;

/* Under the lock. The mapping has room for `size` bytes of data, of which the file has as many as the header says. */
static struct ring_header *header;
static uint8_t *data;
static uint64_t size;
static int file = -1;
/* Set when the file could not grow: its room is what it has. */
static int is_full;
static int tells_changes;

static struct {
  uint64_t hash;
  /* That of its record, and one more: 0 for none. */
  uint64_t place;
} texts[TEXT_SLOTS];

static uint64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void stop_in_child(void) { atomic_store_explicit(&is_on, 0, memory_order_relaxed); }

static void make(void) {
  uint64_t wanted = 4 << 20;
  int descriptor = exhibit_trace_make(&wanted);
  size = wanted < LEAST_SIZE ? LEAST_SIZE : wanted > GREATEST_SIZE ? GREATEST_SIZE : wanted & ~(uint64_t)7;
  void *memory = mmap(
      NULL, EXHIBIT_TRACE_HEADER + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || pthread_atfork(NULL, NULL, stop_in_child) != 0) {
    if (descriptor >= 0) close(descriptor);
    return;
  }
  pthread_mutex_lock(&lock);
  header = memory;
  header->tells_changes = (uint32_t)tells_changes;
  pthread_mutex_unlock(&lock);
  data = (uint8_t *)memory + EXHIBIT_TRACE_HEADER;
  memcpy(header->magic, "Exhibit trace 1\n", sizeof header->magic);
  header->header_size = EXHIBIT_TRACE_HEADER;
  header->version = 1;
  header->room = FIRST_ROOM;
  header->pid = (uint64_t)getpid();
  header->start_ticks = exhibit_start_ticks();
  header->made = now(CLOCK_MONOTONIC);
  header->made_at = now(CLOCK_REALTIME) / 1000;
  atomic_store_explicit(&is_on, 1, memory_order_release);
  if (descriptor >= 0) exhibit_trace_moved(exhibit_trace_move(descriptor));
}

int exhibit_ring_is_on(void) {
  if (exhibit_trace_mode() == exhibit_trace_off) return 0;
  pthread_once(&once, make);
  return atomic_load_explicit(&is_on, memory_order_relaxed);
}

static int exists(void) { return atomic_load_explicit(&is_on, memory_order_acquire); }

uint64_t exhibit_ring_time(void) { return now(CLOCK_MONOTONIC) - header->made; }

uint64_t exhibit_ring_share(void) { return size / 4; }

void exhibit_ring_tells_changes(void) {
  pthread_mutex_lock(&lock);
  tells_changes = 1;
  if (header) header->tells_changes = 1;
  pthread_mutex_unlock(&lock);
}

/* Takes room in a file by writing, so that the disk cannot be full when a page of the mapping is written back. */
static int take(int descriptor, const void *bytes, uint64_t count, uint64_t place) {
  for (uint64_t done = 0; done < count;) {
    ssize_t written = pwrite(descriptor, (const uint8_t *)bytes + done, count - done, (off_t)(place + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    done += (uint64_t)written;
  }
  return 0;
}

int exhibit_trace_move(int descriptor) {
  if (!exists()) {
    close(descriptor);
    return ENOENT;
  }
  pthread_mutex_lock(&lock);
  int code = file >= 0 ? EEXIST : take(descriptor, header, EXHIBIT_TRACE_HEADER + header->room, 0);
  if (code == 0) {
    void *moved = mmap(
        header, EXHIBIT_TRACE_HEADER + size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0);
    code = moved == MAP_FAILED ? errno : 0;
  }
  if (code == 0) file = descriptor;
  else close(descriptor);
  pthread_mutex_unlock(&lock);
  return code;
}

/* Twice the room, as long as the first lap goes on. */
static void grow(void) {
  static const uint8_t zeros[64 << 10];
  uint64_t room = header->room * 2 > size ? size : header->room * 2;
  for (uint64_t place = header->room; file >= 0 && place < room;) {
    uint64_t count = room - place < sizeof zeros ? room - place : sizeof zeros;
    if (take(file, zeros, count, EXHIBIT_TRACE_HEADER + place) != 0) {
      is_full = 1;
      return;
    }
    place += count;
  }
  header->room = room;
}

static struct record_header header_at(uint64_t position) {
  struct record_header record;
  memcpy(&record, data + position % header->room, sizeof record);
  return record;
}

/* Passes over the oldest records until `count` bytes behind the end are free. */
static void free_room(uint64_t count) {
  uint64_t first = header->first, end = header->end;
  while (end + count - first > header->room) {
    uint64_t rest = header->room - first % header->room;
    if (rest < sizeof(struct record_header)) {
      first += rest;
      continue;
    }
    struct record_header record = header_at(first);
    if (record.kind == exhibit_trace_step) header->overwritten_steps++;
    first += record.size;
  }
  atomic_store_explicit(&header->first, first, memory_order_release);
}

#define NOWHERE UINT64_MAX
/* Under the lock. Returns the record's position, NOWHERE when it takes too much of the room. */
static uint64_t append(struct record_header record, const void *payload, size_t count) {
  record.size = (uint32_t)((sizeof record + count + 7) & ~(size_t)7);
  uint64_t end = header->end;
  while (end + record.size > header->room && header->room < size && !is_full) grow();
  if (record.size > header->room / 4) return NOWHERE;
  uint64_t rest = header->room - end % header->room;
  int wraps = rest < record.size;
  free_room(wraps ? rest + record.size : record.size);
  if (wraps) {
    if (rest >= sizeof record) {
      struct record_header padding = {.size = (uint32_t)rest, .position = end};
      memcpy(data + end % header->room, &padding, sizeof padding);
    }
    end += rest;
  }
  record.position = end;
  if (record.time == 0) record.time = exhibit_ring_time();
  uint8_t *place = data + end % header->room;
  memcpy(place, &record, sizeof record);
  if (count) memcpy(place + sizeof record, payload, count);
  memset(place + sizeof record + count, 0, record.size - sizeof record - count);
  atomic_store_explicit(&header->end, end + record.size, memory_order_release);
  return end;
}

int exhibit_ring_append(struct record_header record, const void *payload, size_t count) {
  if (!exists() || count > size / 4) return 0;
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
  return exists() ? atomic_load_explicit(&header->end, memory_order_acquire) : 0;
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

/* Under the lock: whether the record at a place is young enough and has this text. */
static int holds(uint64_t place, const char *text, uint32_t count) {
  if (place == 0 || place - 1 < header->first || header->end - (place - 1) > header->room / 4) return 0;
  const uint8_t *payload = data + (place - 1) % header->room + sizeof(struct record_header);
  uint32_t kept;
  memcpy(&kept, payload + 4, sizeof kept);
  return kept == count && memcmp(payload + 8, text, count) == 0;
}

uint64_t exhibit_ring_text(const char *text, size_t count) {
  uint64_t greatest = size / 16 < GREATEST_TEXT ? size / 16 : GREATEST_TEXT;
  uint32_t kept = (uint32_t)(count < greatest ? count : greatest);
  uint64_t hash = hash_of(text, kept);
  if (!exists()) return NOWHERE;
  pthread_mutex_lock(&lock);
  uint64_t *place = &texts[hash % TEXT_SLOTS].place;
  if (texts[hash % TEXT_SLOTS].hash != hash || !holds(*place, text, kept)) {
    uint8_t payload[8];
    uint32_t whole = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
    memcpy(payload, &whole, 4);
    memcpy(payload + 4, &kept, 4);
    uint8_t *bytes = malloc(sizeof payload + kept);
    if (bytes) {
      memcpy(bytes, payload, sizeof payload);
      memcpy(bytes + sizeof payload, text, kept);
      /* NOWHERE becomes none. */
      *place = append((struct record_header){.kind = exhibit_trace_text}, bytes, sizeof payload + kept) + 1;
      texts[hash % TEXT_SLOTS].hash = hash;
      free(bytes);
    }
  }
  uint64_t found = *place ? *place - 1 : NOWHERE;
  pthread_mutex_unlock(&lock);
  return found;
}

size_t exhibit_trace_copy(void **image) {
  *image = NULL;
  if (!exists()) return 0;
  pthread_mutex_lock(&lock);
  size_t count = EXHIBIT_TRACE_HEADER + header->room;
  *image = malloc(count);
  if (*image) memcpy(*image, header, count);
  pthread_mutex_unlock(&lock);
  return *image ? count : 0;
}

void exhibit_trace_clear(const char *reason) {
  if (!exists()) return;
  uint32_t count = (uint32_t)strlen(reason);
  uint8_t *payload = malloc(sizeof count + count);
  pthread_mutex_lock(&lock);
  atomic_store_explicit(&header->first, header->end, memory_order_release);
  memset(data, 0, header->room);
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
