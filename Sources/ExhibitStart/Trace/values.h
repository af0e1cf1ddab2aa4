#pragma once
#include <sqlite3.h>

#include "payload.h"

/* Called before a bind, which may free the value. */
void exhibit_keep_integer(sqlite3_stmt *statement, int parameter, sqlite3_int64 value);
void exhibit_keep_real(sqlite3_stmt *statement, int parameter, double value);
void exhibit_keep_null(sqlite3_stmt *statement, int parameter);
/* A negative `count` means up to a NUL. */
void exhibit_keep_text(
    sqlite3_stmt *statement, int parameter, const char *text, sqlite3_int64 count, void (*end)(void *));

/* Forgets a parameter's value; all with 0. */
void exhibit_forget_value(sqlite3_stmt *statement, int parameter);

/* Longer values stay out of texts: SQLite takes 12 ns for each byte of a blob. */
#define EXHIBIT_LONG_VALUE 4096

void exhibit_note_length(sqlite3_stmt *statement, int parameter, int is_long);
int exhibit_has_long_value(sqlite3_stmt *statement);

/* Puts the text with its values, as sqlite3_expanded_sql does; returns whether it can. */
int exhibit_put_expanded(struct payload *payload, sqlite3_stmt *statement, const char *text);

/* Puts the column names; returns whether they are known. */
int exhibit_put_names(struct payload *payload, sqlite3_stmt *statement);
void exhibit_keep_names(sqlite3_stmt *statement, const uint8_t *names, size_t count);
void exhibit_forget_names(sqlite3_stmt *statement);

/* Asking for UTF-8 would free the UTF-16 names that the app reads. */
int exhibit_reads_names_in_utf16(void);

/* The app can reset both counts. */
static inline int exhibit_times_prepared(sqlite3_stmt *statement) {
  return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0);
}

/* SQLite's operations in all runs. */
static inline unsigned exhibit_counted_operations(sqlite3_stmt *statement) {
  return (unsigned)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0);
}
