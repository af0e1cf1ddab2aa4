#pragma once
#include <sqlite3.h>

#include "payload.h"

/* The values of bound parameters. */

/* Called before a bind, as the value may be freed by it. */
void exhibit_keep_integer(sqlite3_stmt *statement, int parameter, sqlite3_int64 value);
void exhibit_keep_real(sqlite3_stmt *statement, int parameter, double value);
void exhibit_keep_null(sqlite3_stmt *statement, int parameter);
/* A negative `count` means up to a NUL; `end` is SQLite's destructor. */
void exhibit_keep_text(
    sqlite3_stmt *statement, int parameter, const char *text, sqlite3_int64 count, void (*end)(void *));

/* Forgets a parameter's value; all with 0. */
void exhibit_forget_value(sqlite3_stmt *statement, int parameter);

/* Longer values are not written into a statement's text: SQLite takes 12 ns for each byte of a blob. */
#define EXHIBIT_LONG_VALUE 4096

/* Notes after a bind whether the value is that long; and whether any of a statement's is, as far as known. */
void exhibit_note_length(sqlite3_stmt *statement, int parameter, int is_long);
int exhibit_has_long_value(sqlite3_stmt *statement);

/* Puts the text with its values, as sqlite3_expanded_sql writes it. Returns 0, and puts nothing, when it cannot. */
int exhibit_put_expanded(struct payload *payload, sqlite3_stmt *statement, const char *text);

/* Puts the kept column names. Returns 0, and puts nothing, without them or when it was prepared anew. */
int exhibit_put_names(struct payload *payload, sqlite3_stmt *statement);
void exhibit_keep_names(sqlite3_stmt *statement, const uint8_t *names, size_t count);
void exhibit_forget_names(sqlite3_stmt *statement);

/* Whether the app reads column names in UTF-16: asking for UTF-8 would free those. */
int exhibit_reads_names_in_utf16(void);

/* How often it was prepared anew; the app can reset the count. */
static inline int exhibit_times_prepared(sqlite3_stmt *statement) {
  return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0);
}

/* SQLite's operations in all its runs; the app can reset the count. */
static inline unsigned exhibit_counted_operations(sqlite3_stmt *statement) {
  return (unsigned)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
}
