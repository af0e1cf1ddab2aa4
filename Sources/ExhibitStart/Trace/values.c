#define _GNU_SOURCE
#include "values.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "../interpose.h"
#include "../mode.h"
#include "../own_work.h"
#include "exhibit_trace.h"
#include "sql_text.h"

/* A cache of bound values and column names. sqlite3_expanded_sql parses the text each time, longer than a SELECT by
   key takes. Bound values cannot be read back, so few and short ones are kept. */

#define SLOTS 512
#define PARAMETERS 8
#define LONGEST_VALUE 64
#define LONGEST_TEXT 2048
#define LONGEST_NAMES 256

enum value_kind { unknown, null, integer, real, copied };

struct kept_value {
  enum value_kind kind;
  unsigned count;
  union {
    sqlite3_int64 integer;
    double real;
    char text[LONGEST_VALUE];
  };
};

/* A later statement takes the slot over. */
static struct slot {
  _Atomic int is_taken;
  /* Also read without taking the slot. */
  _Atomic(sqlite3_stmt *) statement;
  const char *text;
  size_t count;
  int parameters;
  unsigned short places[PARAMETERS];
  struct kept_value values[PARAMETERS];
  /* 0 for none. */
  _Atomic int long_parameter;
  unsigned short names_count;
  int names_prepared;
  uint8_t names[LONGEST_NAMES];
} slots[SLOTS];

static struct slot *slot_of(sqlite3_stmt *statement) {
  return &slots[((uintptr_t)statement >> 4) * 0x9E3779B97F4A7C15u >> 55];
}

/* Gives up: after a fork, the slot may be taken for ever. */
static int take(struct slot *slot) {
  for (int tries = 0; tries < 1000; tries++)
    if (!atomic_exchange_explicit(&slot->is_taken, 1, memory_order_acquire)) return 1;
  return 0;
}

static void give(struct slot *slot) { atomic_store_explicit(&slot->is_taken, 0, memory_order_release); }

static void begin(struct slot *slot, sqlite3_stmt *statement) {
  slot->statement = statement;
  slot->text = NULL;
  slot->names_count = 0;
  slot->long_parameter = 0;
  for (int i = 0; i < PARAMETERS; i++) slot->values[i].kind = unknown;
}

/* Takes the slot, unless it returns NULL. */
static struct kept_value *value_of(sqlite3_stmt *statement, int parameter) {
  if (!statement || parameter < 1 || parameter > PARAMETERS || exhibit_own_work) return NULL;
  if (exhibit_trace_mode() != exhibit_trace_all) return NULL;
  struct slot *slot = slot_of(statement);
  if (!take(slot)) return NULL;
  if (slot->statement != statement) begin(slot, statement);
  return &slot->values[parameter - 1];
}

void exhibit_keep_integer(sqlite3_stmt *statement, int parameter, sqlite3_int64 value) {
  struct kept_value *kept = value_of(statement, parameter);
  if (!kept) return;
  kept->kind = integer;
  kept->integer = value;
  give(slot_of(statement));
}

void exhibit_keep_real(sqlite3_stmt *statement, int parameter, double value) {
  struct kept_value *kept = value_of(statement, parameter);
  if (!kept) return;
  /* SQLite stores NaN as NULL. */
  kept->kind = value == value ? real : null;
  kept->real = value;
  give(slot_of(statement));
}

void exhibit_keep_null(sqlite3_stmt *statement, int parameter) {
  struct kept_value *kept = value_of(statement, parameter);
  if (!kept) return;
  kept->kind = null;
  give(slot_of(statement));
}

/* The same in every encoding, and without a NUL. */
static int is_ascii(const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (bytes[i] <= 0) return 0;
  return 1;
}

void exhibit_keep_text(
    sqlite3_stmt *statement, int parameter, const char *bytes, sqlite3_int64 count, void (*end)(void *)) {
  if (!bytes) return exhibit_keep_null(statement, parameter);
  size_t length = count < 0 ? strnlen(bytes, LONGEST_VALUE + 1) : (size_t)count;
  struct kept_value *kept = value_of(statement, parameter);
  if (!kept) return;
  /* The app may change what SQLite does not copy. */
  int is_kept = end != SQLITE_STATIC && length <= LONGEST_VALUE && is_ascii(bytes, length);
  kept->kind = is_kept ? copied : unknown;
  if (is_kept) {
    kept->count = (unsigned)length;
    memcpy(kept->text, bytes, length);
  }
  give(slot_of(statement));
}

void exhibit_forget_value(sqlite3_stmt *statement, int parameter) {
  if (!statement) return;
  struct slot *slot = slot_of(statement);
  if (parameter > PARAMETERS || slot->statement != statement || !take(slot)) return;
  if (slot->statement == statement && parameter > 0) slot->values[parameter - 1].kind = unknown;
  else if (slot->statement == statement) slot->statement = NULL;
  give(slot);
}

/* Does not take the slot: a wrong answer costs only time. */
int exhibit_has_long_value(sqlite3_stmt *statement) {
  struct slot *slot = slot_of(statement);
  return slot->statement == statement && slot->long_parameter > 0;
}

void exhibit_note_length(sqlite3_stmt *statement, int parameter, int is_long) {
  struct slot *slot = slot_of(statement);
  int is_known = slot->statement == statement && slot->long_parameter == parameter;
  if (is_long == is_known || exhibit_own_work || exhibit_trace_mode() != exhibit_trace_all || !take(slot)) return;
  if (slot->statement != statement) begin(slot, statement);
  slot->long_parameter = is_long ? parameter : 0;
  give(slot);
}

/* For texts whose only parameters are `?`, without comments. */
static int find_places(struct slot *slot, sqlite3_stmt *statement, const char *text) {
  slot->parameters = 0;
  slot->text = text;
  slot->count = 0;
  size_t length = strnlen(text, LONGEST_TEXT + 1);
  if (length > LONGEST_TEXT) return 0;
  int count = 0;
  for (const char *place = text; *(place += strcspn(place, "?'\"`[:@#$-/"));) {
    char sign = *place++;
    switch (sign) {
      case '?':
        if (count == PARAMETERS || exhibit_is_word(*place)) return 0;
        slot->places[count++] = (unsigned short)(place - 1 - text);
        break;
      /* A doubled quote ends one text and begins another. */
      case '\'': case '"': case '`': case '[':
        place = strchr(place, sign == '[' ? ']' : sign);
        if (!place++) return 0;
        break;
      case '-': case '/':
        if (*place == (sign == '-' ? '-' : '*')) return 0;
        break;
      default: return 0;
    }
  }
  if (count != sqlite3_bind_parameter_count(statement)) return 0;
  slot->count = length;
  slot->parameters = count;
  return 1;
}

static void put_integer(struct payload *payload, sqlite3_int64 value) {
  char digits[24], *place = digits + sizeof digits;
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do *--place = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) *--place = '-';
  exhibit_put(payload, place, (size_t)(digits + sizeof digits - place));
}

/* SQLite takes a quarter of a microsecond. Returns 0 where six decimals do not do. */
static int put_short_real(struct payload *payload, double value) {
  double size = value < 0 ? -value : value;
  if (!(size >= 1e-4 && size < 1e8)) return 0;
  sqlite3_int64 millionths = (sqlite3_int64)(value * 1e6 + (value < 0 ? -0.5 : 0.5));
  if ((double)millionths / 1e6 != value) return 0;
  uint64_t rest = millionths < 0 ? -(uint64_t)millionths : (uint64_t)millionths;
  char digits[32], *place = digits + sizeof digits, *end = place;
  for (int i = 0; i < 6; i++, rest /= 10) {
    if (place == end && rest % 10 == 0 && i < 5) continue;
    *--place = (char)('0' + rest % 10);
  }
  *--place = '.';
  do *--place = (char)('0' + rest % 10);
  while (rest /= 10);
  if (millionths < 0) *--place = '-';
  exhibit_put(payload, place, (size_t)(end - place));
  return 1;
}

static void put_quoted(struct payload *payload, const char *text, size_t count) {
  exhibit_put_8(payload, '\'');
  for (const char *quote; (quote = memchr(text, '\'', count)); text = quote + 1) {
    size_t part = (size_t)(quote - text) + 1;
    exhibit_put(payload, text, part);
    exhibit_put_8(payload, '\'');
    count -= part;
  }
  exhibit_put(payload, text, count);
  exhibit_put_8(payload, '\'');
}

static void put_value(struct payload *payload, const struct kept_value *value) {
  char number[40];
  switch (value->kind) {
    case integer: return put_integer(payload, value->integer);
    case real:
      if (put_short_real(payload, value->real)) return;
      sqlite3_snprintf(sizeof number, number, "%!.15g", value->real);
      return exhibit_put(payload, number, strlen(number));
    case copied: return put_quoted(payload, value->text, value->count);
    default: return exhibit_put(payload, "NULL", 4);
  }
}

static int are_known(const struct slot *slot) {
  for (int i = 0; i < slot->parameters; i++)
    if (slot->values[i].kind == unknown) return 0;
  return slot->parameters > 0;
}

int exhibit_put_expanded(struct payload *payload, sqlite3_stmt *statement, const char *text) {
  struct slot *slot = slot_of(statement);
  if (slot->statement != statement || !take(slot)) return 0;
  int is_known = slot->statement == statement && (slot->text == text || find_places(slot, statement, text)) && are_known(slot);
  if (is_known) {
    size_t begin = payload->count;
    const char *from = text;
    exhibit_put_32(payload, 0);
    for (int i = 0; i < slot->parameters; i++) {
      exhibit_put(payload, from, (size_t)(text + slot->places[i] - from));
      put_value(payload, &slot->values[i]);
      from = text + slot->places[i] + 1;
    }
    exhibit_put(payload, from, (size_t)(text + slot->count - from));
    uint32_t count = (uint32_t)(payload->count - begin - sizeof count);
    if (!payload->is_cut) memcpy(payload->bytes + begin, &count, sizeof count);
  }
  give(slot);
  return is_known;
}

int exhibit_put_names(struct payload *payload, sqlite3_stmt *statement) {
  struct slot *slot = slot_of(statement);
  if (slot->statement != statement || !take(slot)) return 0;
  int is_known = slot->statement == statement && slot->names_count > 0 && slot->names_prepared == exhibit_times_prepared(statement);
  if (is_known) exhibit_put(payload, slot->names, slot->names_count);
  give(slot);
  return is_known;
}

void exhibit_keep_names(sqlite3_stmt *statement, const uint8_t *names, size_t count) {
  struct slot *slot = slot_of(statement);
  if (count > LONGEST_NAMES || slot->statement != statement || !take(slot)) return;
  if (slot->statement == statement) {
    memcpy(slot->names, names, count);
    slot->names_count = (unsigned short)count;
    slot->names_prepared = exhibit_times_prepared(statement);
  }
  give(slot);
}

void exhibit_forget_names(sqlite3_stmt *statement) {
  struct slot *slot = slot_of(statement);
  if (slot->statement != statement || !take(slot)) return;
  if (slot->statement == statement) slot->names_count = 0;
  give(slot);
}

static _Atomic int names_in_utf16;

int exhibit_reads_names_in_utf16(void) { return names_in_utf16; }

INTERPOSE(const void *, sqlite3_column_name16, (sqlite3_stmt *statement, int column)) {
  names_in_utf16 = 1;
  return NEXT(sqlite3_column_name16)(statement, column);
}
