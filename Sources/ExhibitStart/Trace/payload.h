#pragma once
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A record in the making; one for each connection, under its mutex. */
struct payload {
  uint8_t *bytes;
  size_t count, capacity;
  /* Without memory, or too long. */
  int is_cut;
};

void exhibit_payload_begin(struct payload *payload);
void exhibit_payload_free(struct payload *payload);

int exhibit_payload_grow(struct payload *payload, size_t count);

/* Inline: called some ten times a record. */
static inline void exhibit_put(struct payload *payload, const void *bytes, size_t count) {
  if (payload->capacity - payload->count < count && !exhibit_payload_grow(payload, count)) return;
  if (count) memcpy(payload->bytes + payload->count, bytes, count);
  payload->count += count;
}

static inline void exhibit_put_8(struct payload *payload, uint8_t value) { exhibit_put(payload, &value, sizeof value); }
static inline void exhibit_put_16(struct payload *payload, uint16_t value) { exhibit_put(payload, &value, sizeof value); }
static inline void exhibit_put_32(struct payload *payload, uint32_t value) { exhibit_put(payload, &value, sizeof value); }
static inline void exhibit_put_64(struct payload *payload, uint64_t value) { exhibit_put(payload, &value, sizeof value); }

void exhibit_put_text(struct payload *payload, const char *text);
void exhibit_put_begin_of_text(struct payload *payload, const char *text, size_t greatest);

/* Puts a value as it is, so that nothing is converted under the app's hands; long ones are cut. NULL is one that
   SQLite does not give. */
void exhibit_put_value(struct payload *payload, sqlite3_value *value);

void exhibit_put_column(struct payload *payload, sqlite3_stmt *statement, int column);
