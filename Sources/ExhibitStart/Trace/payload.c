#define _GNU_SOURCE
#include "payload.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

/* Longer values are cut to KEPT bytes. */
#define WHOLE 1024
#define KEPT 256
#define NOT_TOLD 0

#define KEPT_CAPACITY (64 << 10)

void exhibit_payload_begin(struct payload *payload) {
  if (payload->capacity > KEPT_CAPACITY) {
    free(payload->bytes);
    payload->bytes = NULL;
    payload->capacity = 0;
  }
  payload->count = 0;
  payload->is_cut = 0;
}

void exhibit_payload_free(struct payload *payload) { free(payload->bytes); }

int exhibit_payload_grow(struct payload *payload, size_t count) {
  size_t capacity = payload->capacity ? payload->capacity : 256;
  int is_kept = !payload->is_cut && payload->count + count <= exhibit_ring_share();
  while (is_kept && capacity - payload->count < count) capacity *= 2;
  uint8_t *grown = is_kept ? realloc(payload->bytes, capacity) : NULL;
  if (!grown) {
    payload->is_cut = 1;
    return 0;
  }
  payload->bytes = grown;
  payload->capacity = capacity;
  return 1;
}

static void put_counted(struct payload *payload, const char *text, size_t count) {
  exhibit_put_32(payload, (uint32_t)count);
  exhibit_put(payload, text, count);
}

void exhibit_put_text(struct payload *payload, const char *text) {
  put_counted(payload, text, text ? strlen(text) : 0);
}

void exhibit_put_begin_of_text(struct payload *payload, const char *text, size_t greatest) {
  put_counted(payload, text, text ? strnlen(text, greatest) : 0);
}

static void put_bytes(struct payload *payload, uint8_t type, const void *bytes, int count) {
  /* NULL for an empty value, and without memory. */
  uint32_t whole = count > 0 ? (uint32_t)count : 0, kept = !bytes ? 0 : whole > WHOLE ? KEPT : whole;
  struct __attribute__((packed)) {
    uint8_t type;
    uint32_t whole, kept;
  } head = {type, whole, kept};
  exhibit_put(payload, &head, sizeof head);
  exhibit_put(payload, bytes, kept);
}

/* Since 3.40 only. */
static int (*encoding_of)(sqlite3_value *);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void look_up(void) {
  encoding_of = (__typeof__(encoding_of))dlsym(RTLD_DEFAULT, "sqlite3_value_encoding");
}

static int is_utf8(sqlite3_value *value) {
  pthread_once(&once, look_up);
  return encoding_of && encoding_of(value) == SQLITE_UTF8;
}

/* Reading it converts the copy only. */
static void put_copied_text(struct payload *payload, const sqlite3_value *value) {
  sqlite3_value *copy = sqlite3_value_dup(value);
  if (!copy) return exhibit_put_8(payload, NOT_TOLD);
  const void *text = sqlite3_value_text(copy);
  put_bytes(payload, SQLITE_TEXT, text, sqlite3_value_bytes(copy));
  sqlite3_value_free(copy);
}

static void put(struct payload *payload, sqlite3_value *value, int is_column) {
  int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER) {
    struct __attribute__((packed)) {
      uint8_t type;
      sqlite3_int64 value;
    } number = {SQLITE_INTEGER, sqlite3_value_int64(value)};
    exhibit_put(payload, &number, sizeof number);
  } else if (type == SQLITE_FLOAT) {
    struct __attribute__((packed)) {
      uint8_t type;
      double value;
    } number = {SQLITE_FLOAT, sqlite3_value_double(value)};
    exhibit_put(payload, &number, sizeof number);
  } else if (type == SQLITE_TEXT) {
    if (!is_utf8(value)) return put_copied_text(payload, value);
    /* Reading as text keeps a column marked as text, as when the app reads it. */
    const void *bytes = is_column ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value);
    put_bytes(payload, SQLITE_TEXT, bytes, sqlite3_value_bytes(value));
  } else if (type == SQLITE_BLOB) {
    /* SQLite would write out a long zeroblob. */
    int count = sqlite3_value_bytes(value);
    put_bytes(payload, SQLITE_BLOB, count > WHOLE * 64 ? NULL : sqlite3_value_blob(value), count);
  } else {
    exhibit_put_8(payload, SQLITE_NULL);
  }
}

void exhibit_put_value(struct payload *payload, sqlite3_value *value) {
  if (!value) return exhibit_put_8(payload, NOT_TOLD);
  put(payload, value, 0);
}

/* Asked for once, as each call takes the connection's mutex. */
void exhibit_put_column(struct payload *payload, sqlite3_stmt *statement, int column) {
  put(payload, sqlite3_column_value(statement, column), 1);
}
