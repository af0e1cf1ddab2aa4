#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import. */
static inline int exhibit_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int exhibit_db_config(sqlite3 *db, int option, int on) {
  int now;
  return sqlite3_db_config(db, option, on, &now);
}

/* The same, for blobs and for results of functions; an empty blob needs an address too. */
static inline int exhibit_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline void exhibit_result_text(sqlite3_context *context, const char *text, int bytes) {
  sqlite3_result_text(context, text, bytes, SQLITE_TRANSIENT);
}
