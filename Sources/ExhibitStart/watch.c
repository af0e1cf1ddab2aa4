#include <stddef.h>

#include "exhibit_start.h"

/* A function of ours, registered on the connection, whose destructor SQLite calls exactly once: at the
   connection's real end, also when sqlite3_close_v2 left it behind as a zombie. */
static void nothing(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count, (void)values;
  sqlite3_result_null(context);
}

static int statement_started(unsigned event, void *connection, void *statement, void *text) {
  (void)event, (void)statement, (void)text;
  exhibit_connection_used(connection);
  return 0;
}

int exhibit_watch_connection(sqlite3 *db, const void *connection) {
  int code = sqlite3_create_function_v2(
      db, "exhibit_watch_connection", 0, SQLITE_UTF8, db, nothing, NULL, NULL, exhibit_connection_ended);
  return code == SQLITE_OK ? sqlite3_trace_v2(db, SQLITE_TRACE_STMT, statement_started, (void *)connection) : code;
}
