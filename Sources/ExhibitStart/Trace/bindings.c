#define _GNU_SOURCE
#include <string.h>

#include "../interpose.h"
#include "values.h"

static int bound(int code, sqlite3_stmt *statement, int parameter, int is_long) {
  if (code != SQLITE_OK) exhibit_forget_value(statement, parameter);
  else if (statement) exhibit_note_length(statement, parameter, is_long);
  return code;
}

static int is_long_text(const char *text, int count) {
  if (!text) return 0;
  return (count < 0 ? strnlen(text, EXHIBIT_LONG_VALUE + 1) : (size_t)count) > EXHIBIT_LONG_VALUE;
}

/* Looks at the value before SQLite may free it. */
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
  exhibit_forget_value(statement, 0);
  return NEXT(sqlite3_clear_bindings)(statement);
}

INTERPOSE(int, sqlite3_transfer_bindings, (sqlite3_stmt *from, sqlite3_stmt *to)) {
  exhibit_forget_value(from, 0);
  exhibit_forget_value(to, 0);
  return NEXT(sqlite3_transfer_bindings)(from, to);
}
