#define _GNU_SOURCE
#include "callbacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "Trace/stacks.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "interpose.h"
#include "mode.h"
#include "own_work.h"
#include "process_lock.h"

/* An SQL function on each known connection, whose end tells us the connection's. */
#define EXHIBIT_FUNCTION "exhibit_watch_connection"

/* The error that the function raises, to restore it. */
static _Thread_local struct {
  int code, system_error;
  const char *message;
} error;

static void answer(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count, (void)values;
  if (!exhibit_own_work || !error.message) return sqlite3_result_null(context);
  sqlite3_result_error(context, error.message, -1);
  sqlite3_result_error_code(context, error.code);
  /* SQLite reads errno after errors of input and output. */
  errno = error.system_error;
}

/* Raising SQLITE_CORRUPT makes later writes of the transaction fail. SQLITE_IOERR_NOMEM would become SQLITE_NOMEM. */
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

/* By connection. The lock is taken with a connection's mutex held, never the other way round. */
static struct connection_callbacks *few[256];
static struct connection_callbacks **table = few;
static size_t places = sizeof few / sizeof *few, taken;
static struct process_lock lock = PROCESS_LOCK_INITIALIZER;

/* A callback went past us for want of memory. */
static _Atomic int is_incomplete;

static struct connection_callbacks **bucket(sqlite3 *db) {
  return &table[((uintptr_t)db >> 6) % places];
}

/* Thousands of tests may run at once. */
static void grow(void) {
  struct connection_callbacks **former = table, **grown = calloc(places * 2, sizeof *grown);
  if (!grown) return;
  size_t count = places;
  table = grown;
  places *= 2;
  for (size_t i = 0; i < count; i++)
    for (struct connection_callbacks *next, *moved = former[i]; moved; moved = next) {
      next = moved->next;
      moved->next = *bucket(moved->db);
      *bucket(moved->db) = moved;
    }
  if (former != few) free(former);
}

struct connection_callbacks *exhibit_known_callbacks_of(sqlite3 *db) {
  exhibit_lock(&lock);
  struct connection_callbacks *found = *bucket(db);
  while (found && found->db != db) found = found->next;
  exhibit_unlock(&lock);
  return found;
}

/* Called once, at the connection's real end, also that of a zombie of sqlite3_close_v2. */
static void end(void *context) {
  struct connection_callbacks *callbacks = context;
  exhibit_lock(&lock);
  struct connection_callbacks **place = bucket(callbacks->db);
  while (*place && *place != callbacks) place = &(*place)->next;
  if (*place) *place = callbacks->next, taken--;
  exhibit_unlock(&lock);
  exhibit_end_trace(callbacks->traced);
  if (callbacks->connection) exhibit_connection_ended(callbacks->db);
  free(callbacks->opened_at);
  free(callbacks);
}

struct connection_callbacks *exhibit_callbacks_of(sqlite3 *db) {
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  if (callbacks) return callbacks;
  callbacks = calloc(1, sizeof *callbacks);
  if (!callbacks) return NULL;
  callbacks->db = db;
  exhibit_lock(&lock);
  if (taken++ >= places) grow();
  callbacks->next = *bucket(db);
  *bucket(db) = callbacks;
  exhibit_unlock(&lock);
  int code = sqlite3_create_function_v2(
      db, EXHIBIT_FUNCTION, 0, SQLITE_UTF8, callbacks, answer, NULL, NULL, end);
  /* SQLite has called `end` when it refuses. */
  return code == SQLITE_OK ? callbacks : NULL;
}

struct connection_callbacks *exhibit_changed_callbacks(sqlite3 *db) {
  if (!db || exhibit_own_work || !exhibit_may_capture()) return NULL;
  struct connection_callbacks *callbacks = exhibit_callbacks_of(db);
  if (!callbacks) is_incomplete = 1;
  return callbacks;
}

static void tell_opening(struct connection_callbacks *callbacks) {
  uint64_t stack = exhibit_name_of_stack(callbacks->opened_at);
  exhibit_trace_mark(exhibit_trace_opened, 0, callbacks->traced->number, &stack, sizeof stack);
  free(callbacks->opened_at);
  callbacks->opened_at = NULL;
}

struct connection_trace *exhibit_trace_of(struct connection_callbacks *callbacks) {
  if (callbacks->traced || !callbacks->connection) return callbacks->traced;
  callbacks->traced = exhibit_make_trace(callbacks->connection);
  if (callbacks->traced && callbacks->opened_at) tell_opening(callbacks);
  return callbacks->traced;
}

void exhibit_trace_withhold(sqlite3 *db) {
  sqlite3_mutex_enter(sqlite3_db_mutex(db));
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  struct connection_trace *trace = callbacks ? exhibit_trace_of(callbacks) : NULL;
  if (trace) trace->is_withheld = 1;
  sqlite3_mutex_leave(sqlite3_db_mutex(db));
}

INTERPOSED_BELOW(sqlite3_set_authorizer);
INTERPOSED_BELOW(sqlite3_progress_handler);
INTERPOSED_BELOW(sqlite3_busy_handler);
INTERPOSED_BELOW(sqlite3_trace_v2);
INTERPOSED_BELOW(sqlite3_trace);
INTERPOSED_BELOW(sqlite3_profile);

int exhibit_reaches_callbacks(void) {
  return !is_incomplete && exhibit_is_interposed() && IS_INTERPOSED(sqlite3_set_authorizer) &&
         IS_INTERPOSED(sqlite3_progress_handler) && IS_INTERPOSED(sqlite3_busy_handler) &&
         IS_INTERPOSED(sqlite3_trace_v2) && IS_INTERPOSED(sqlite3_trace) && IS_INTERPOSED(sqlite3_profile);
}
