#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "callbacks.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "interpose.h"
#include "Trace/first_word.h"
#include "own_work.h"

/* What EXHIBIT_FUNCTION fails with where we call it, so that the connection has that error again. */
static _Thread_local struct {
  int code, system_error;
  const char *message;
} error;

void exhibit_answer(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count, (void)values;
  if (!exhibit_own_work || !error.message) return sqlite3_result_null(context);
  sqlite3_result_error(context, error.message, -1);
  sqlite3_result_error_code(context, error.code);
  /* SQLite asks for it at errors of input and output. */
  errno = error.system_error;
}

/* A statement that fails with the first makes the connection refuse every later write of the transaction, and SQLite
   makes SQLITE_NOMEM of the second. */
int exhibit_can_restore_error(int code) { return code != SQLITE_CORRUPT && code != SQLITE_IOERR_NOMEM; }

int exhibit_restore_error(sqlite3 *db, int code, int system_error, const char *message) {
  if (code == SQLITE_OK) return 1;
  sqlite3_stmt *statement = NULL;
  error.code = code;
  error.system_error = system_error;
  error.message = message;
  int before = errno;
  if (sqlite3_prepare_v2(db, "SELECT " EXHIBIT_FUNCTION "()", -1, &statement, NULL) == SQLITE_OK)
    sqlite3_step(statement);
  sqlite3_finalize(statement);
  errno = before;
  error.message = NULL;
  return sqlite3_extended_errcode(db) == code && strcmp(sqlite3_errmsg(db), message) == 0;
}

/* Where close does not pass through us, its trace is the last look at a connection. */
unsigned exhibit_heard_events(void) {
  return SQLITE_TRACE_STMT | (exhibit_is_interposed() ? 0 : SQLITE_TRACE_CLOSE) |
         (exhibit_trace_mode() == exhibit_trace_off ? 0 : SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE);
}

static void attaching(struct connection_callbacks *callbacks) {
  exhibit_connection_attaching((void *)callbacks->connection);
  /* The next statement finds what is attached. */
  callbacks->use.generation = 0;
}

static void began(struct connection_callbacks *callbacks, sqlite3_stmt *statement, const char *text) {
  if (!callbacks->truncation.stepped.stays_aside) exhibit_step_back(callbacks);
  uint32_t test = exhibit_owner_of(callbacks);
  if (text && exhibit_begins_with(text, -1, "ATTACH")) attaching(callbacks);
  if (exhibit_trace_mode() != exhibit_trace_off) exhibit_step_began(callbacks, test, statement, text);
}

void exhibit_heard(struct connection_callbacks *callbacks, unsigned event, void *subject, const char *text) {
  if (!(event & exhibit_heard_events())) return;
  if (event == SQLITE_TRACE_STMT) began(callbacks, subject, text);
  else if (event == SQLITE_TRACE_ROW) exhibit_step_gave_row(callbacks, subject);
  else if (event == SQLITE_TRACE_PROFILE) exhibit_step_ended(callbacks, subject);
  /* Where close does not pass through us, its trace is the last look at a connection. */
  else exhibit_connection_closing(subject);
}

int exhibit_watch_connection(sqlite3 *db, const void *connection, int is_new) {
  sqlite3_mutex_enter(sqlite3_db_mutex(db));
  struct connection_callbacks *callbacks = exhibit_callbacks_of(db);
  int code = SQLITE_NOMEM;
  if (callbacks) {
    callbacks->connection = connection;
    callbacks->use.generation = 0;
    /* Out of our reach the app may have set a trace of its own by now, which ours would replace. */
    int is_free = is_new || exhibit_reaches_callbacks();
    code = is_free ? exhibit_apply_trace(callbacks) : SQLITE_OK;
    if (is_free) exhibit_hear_changes(callbacks);
  }
  sqlite3_mutex_leave(sqlite3_db_mutex(db));
  return code;
}
