#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "../callbacks.h"
#include "../interpose.h"
#include "../mode.h"
#include "../own_work.h"
#include "exhibit_trace.h"
#include "steps.h"
#include "values.h"

/* Which statements have a long value bound. SQLite would write all of it out for the text with values, only to find that
   it is too long: 12 ns for each byte of a blob. */

#define SLOTS 256

/* One parameter of a statement. Where two statements meet in a slot the later one has it; what is then not known of
   the other costs time only. */
static struct {
  _Atomic(sqlite3_stmt *) statement;
  _Atomic int parameter;
} slots[SLOTS];

static size_t slot_of(sqlite3_stmt *statement) { return ((uintptr_t)statement >> 4) * 0x9E3779B97F4A7C15u >> 56; }

int exhibit_has_long_value(sqlite3_stmt *statement) {
  return atomic_load_explicit(&slots[slot_of(statement)].statement, memory_order_relaxed) == statement;
}

static void forget(sqlite3_stmt *statement) {
  if (!statement) return;
  size_t slot = slot_of(statement);
  if (atomic_load_explicit(&slots[slot].statement, memory_order_relaxed) == statement)
    atomic_store_explicit(&slots[slot].statement, NULL, memory_order_relaxed);
}

static int bound(int code, sqlite3_stmt *statement, int parameter, int is_long) {
  if (code != SQLITE_OK) exhibit_forget_value(statement, parameter);
  if (code != SQLITE_OK || !statement || exhibit_own_work) return code;
  size_t slot = slot_of(statement);
  if (is_long && exhibit_trace_mode() == exhibit_trace_all) {
    atomic_store_explicit(&slots[slot].parameter, parameter, memory_order_relaxed);
    atomic_store_explicit(&slots[slot].statement, statement, memory_order_relaxed);
  } else if (!is_long && atomic_load_explicit(&slots[slot].parameter, memory_order_relaxed) == parameter) {
    forget(statement);
  }
  return code;
}

static int is_long_text(const char *text, int count) {
  if (!text) return 0;
  return (count < 0 ? strnlen(text, EXHIBIT_LONG_VALUE + 1) : (size_t)count) > EXHIBIT_LONG_VALUE;
}

/* The value is kept, and its size asked for, before SQLite may free it. */
#define BIND(name, parameters, arguments, keep, long_when)                            \
  INTERPOSE(int, name, parameters) {                                                  \
    int is_long = long_when;                                                          \
    keep;                                                                             \
    return bound(NEXT(name) arguments, statement, parameter, is_long);                \
  }

BIND(sqlite3_bind_blob,
    (sqlite3_stmt *statement, int parameter, const void *value, int count, void (*end)(void *)),
    (statement, parameter, value, count, end), exhibit_forget_value(statement, parameter),
    value && count > EXHIBIT_LONG_VALUE)
BIND(sqlite3_bind_blob64,
    (sqlite3_stmt *statement, int parameter, const void *value, sqlite3_uint64 count, void (*end)(void *)),
    (statement, parameter, value, count, end), exhibit_forget_value(statement, parameter),
    value && count > EXHIBIT_LONG_VALUE)
BIND(sqlite3_bind_text,
    (sqlite3_stmt *statement, int parameter, const char *value, int count, void (*end)(void *)),
    (statement, parameter, value, count, end), exhibit_keep_text(statement, parameter, value, count, end),
    is_long_text(value, count))
/* A byte of UTF-16 is half a byte of UTF-8 at least. */
BIND(sqlite3_bind_text64,
    (sqlite3_stmt *statement, int parameter, const char *value, sqlite3_uint64 count, void (*end)(void *),
     unsigned char encoding),
    (statement, parameter, value, count, end, encoding), exhibit_forget_value(statement, parameter),
    value && count > 2 * EXHIBIT_LONG_VALUE)
BIND(sqlite3_bind_text16,
    (sqlite3_stmt *statement, int parameter, const void *value, int count, void (*end)(void *)),
    (statement, parameter, value, count, end), exhibit_forget_value(statement, parameter),
    value && count > 2 * EXHIBIT_LONG_VALUE)

BIND(sqlite3_bind_int, (sqlite3_stmt *statement, int parameter, int value), (statement, parameter, value),
    exhibit_keep_integer(statement, parameter, value), 0)
BIND(sqlite3_bind_int64, (sqlite3_stmt *statement, int parameter, sqlite3_int64 value), (statement, parameter, value),
    exhibit_keep_integer(statement, parameter, value), 0)
BIND(sqlite3_bind_double, (sqlite3_stmt *statement, int parameter, double value), (statement, parameter, value),
    exhibit_keep_real(statement, parameter, value), 0)
BIND(sqlite3_bind_null, (sqlite3_stmt *statement, int parameter), (statement, parameter),
    exhibit_keep_null(statement, parameter), 0)
BIND(sqlite3_bind_zeroblob, (sqlite3_stmt *statement, int parameter, int count), (statement, parameter, count),
    exhibit_forget_value(statement, parameter), count > EXHIBIT_LONG_VALUE)
BIND(sqlite3_bind_zeroblob64, (sqlite3_stmt *statement, int parameter, sqlite3_uint64 count),
    (statement, parameter, count), exhibit_forget_value(statement, parameter), count > EXHIBIT_LONG_VALUE)
BIND(sqlite3_bind_value, (sqlite3_stmt *statement, int parameter, const sqlite3_value *value),
    (statement, parameter, value), exhibit_forget_value(statement, parameter), 0)
BIND(sqlite3_bind_pointer,
    (sqlite3_stmt *statement, int parameter, void *value, const char *type, void (*end)(void *)),
    (statement, parameter, value, type, end), exhibit_forget_value(statement, parameter), 0)

INTERPOSE(int, sqlite3_clear_bindings, (sqlite3_stmt *statement)) {
  forget(statement);
  exhibit_forget_value(statement, 0);
  return NEXT(sqlite3_clear_bindings)(statement);
}

INTERPOSE(int, sqlite3_transfer_bindings, (sqlite3_stmt *from, sqlite3_stmt *to)) {
  forget(from);
  exhibit_forget_value(from, 0);
  exhibit_forget_value(to, 0);
  return NEXT(sqlite3_transfer_bindings)(from, to);
}

INTERPOSE(int, sqlite3_finalize, (sqlite3_stmt *statement)) {
  forget(statement);
  exhibit_forget_delete(statement);
  exhibit_time_ends(statement);
  exhibit_forget_value(statement, 0);
  return NEXT(sqlite3_finalize)(statement);
}
