#pragma once
#include <sqlite3.h>

#include "payload.h"

/* The values that are bound to statements, as they pass through us. */

/* Around a bind, before it: the value may be gone behind it. */
void exhibit_keep_integer(sqlite3_stmt *statement, int parameter, sqlite3_int64 value);
void exhibit_keep_real(sqlite3_stmt *statement, int parameter, double value);
void exhibit_keep_null(sqlite3_stmt *statement, int parameter);
/* `count` is negative where a NUL ends the text; `end` is what SQLite is to do with it. */
void exhibit_keep_text(
    sqlite3_stmt *statement, int parameter, const char *text, sqlite3_int64 count, void (*end)(void *));

/* The value of the parameter is not known from now on; of all parameters with 0. */
void exhibit_forget_value(sqlite3_stmt *statement, int parameter);

/* Longer values are too long for the text of a statement with its values: SQLite would write all of them out, only to
   find that, 12 ns for each byte of a blob. */
#define EXHIBIT_LONG_VALUE 4096

/* Notes behind a bind whether its value is that long, and whether any of the statement's is, as far as is known. */
void exhibit_note_length(sqlite3_stmt *statement, int parameter, int is_long);
int exhibit_has_long_value(sqlite3_stmt *statement);

/* Puts the text of a statement with its values, as sqlite3_expanded_sql writes it; returns 0 and puts nothing when they
   are not known, or it is no simple text. */
int exhibit_put_expanded(struct payload *payload, sqlite3_stmt *statement, const char *text);

/* Puts the names of a statement's columns as they were kept; returns 0 and puts nothing when they were not, or it was
   prepared anew since. */
int exhibit_put_names(struct payload *payload, sqlite3_stmt *statement);
void exhibit_keep_names(sqlite3_stmt *statement, const uint8_t *names, size_t count);
void exhibit_forget_names(sqlite3_stmt *statement);

/* Whether the app has asked for names of columns in UTF-16, which asking for them in UTF-8 would free. */
int exhibit_reads_names_in_utf16(void);

/* How often a statement was prepared anew, by SQLite and unless the app sets that back: since then it may be another one. */
static inline int exhibit_times_prepared(sqlite3_stmt *statement) {
  return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0);
}

/* The operations of all runs of a statement, unless the app sets that back; SQLite counts beyond the largest number. */
static inline unsigned exhibit_counted_operations(sqlite3_stmt *statement) {
  return (unsigned)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
}
