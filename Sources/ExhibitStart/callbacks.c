#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "callbacks.h"
#include "exhibit_start.h"
#include "interpose.h"
#include "mode.h"
#include "own_work.h"
#include "process_lock.h"

/* By connection. The lock is taken with a connection's mutex held, never the other way round. */
static struct connection_callbacks *few[256];
static struct connection_callbacks **table = few;
static size_t places = sizeof few / sizeof *few, taken;
static struct process_lock lock = PROCESS_LOCK_INITIALIZER;

/* Whether a callback of the app was set past us, for want of memory. */
static _Atomic int is_incomplete;

static struct connection_callbacks **bucket(sqlite3 *db) {
  return &table[((uintptr_t)db >> 6) % places];
}

/* Under the lock. Thousands of tests that run at once have thousands of connections. */
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

/* Called by SQLite exactly once: at the connection's real end, also when sqlite3_close_v2 left it behind as a zombie. */
static void end(void *context) {
  struct connection_callbacks *callbacks = context;
  exhibit_lock(&lock);
  struct connection_callbacks **place = bucket(callbacks->db);
  while (*place && *place != callbacks) place = &(*place)->next;
  if (*place) *place = callbacks->next, taken--;
  exhibit_unlock(&lock);
  exhibit_trace_forget(callbacks);
  if (callbacks->connection) exhibit_connection_ended(callbacks->db);
  exhibit_forget_times(callbacks);
  exhibit_forget_deletes(callbacks);
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
      db, EXHIBIT_FUNCTION, 0, SQLITE_UTF8, callbacks, exhibit_answer, NULL, NULL, end);
  /* SQLite has called `end` when it refuses. */
  return code == SQLITE_OK ? callbacks : NULL;
}

/* Those that a setter of the app is to change; NULL where its call is none of our business, or has to pass as it is. */
struct connection_callbacks *exhibit_changed_callbacks(sqlite3 *db) {
  if (!db || exhibit_own_work || !exhibit_may_capture()) return NULL;
  struct connection_callbacks *callbacks = exhibit_callbacks_of(db);
  if (!callbacks) is_incomplete = 1;
  return callbacks;
}

/* Authorizer, progress handler, busy handler */

/* Keeps the function `call` that the app sets, with its `argument`, and puts `ours` in its place, which calls it. */
#define STAND_IN(kind, ours)                                      \
  do {                                                            \
    struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);         \
    if (!callbacks) break;                                        \
    callbacks->kind.call = call;                                  \
    callbacks->kind.argument = argument;                          \
    if (call) call = ours, argument = callbacks;                  \
  } while (0)

static int authorized(
    void *context, int action, const char *first, const char *second, const char *database, const char *inner) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work) return SQLITE_OK;
  if (callbacks->traced && exhibit_excludes_tables()) {
    exhibit_privacy_note(&callbacks->traced->privacy, first);
    exhibit_privacy_note(&callbacks->traced->privacy, second);
  }
  if (!callbacks->authorizer.call) return SQLITE_OK;
  int code = callbacks->authorizer.call(callbacks->authorizer.argument, action, first, second, database, inner);
  if (action == SQLITE_DELETE) exhibit_delete_is_allowed(callbacks, code == SQLITE_OK);
  return code;
}

INTERPOSED_BELOW(sqlite3_set_authorizer);

void exhibit_ask_for_tables(sqlite3 *db) {
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  struct connection_trace *trace = callbacks ? exhibit_trace_of(callbacks) : NULL;
  if (!trace || !exhibit_reaches_callbacks()) return;
  exhibit_privacy_begin(&trace->privacy);
  if (callbacks->authorizer.call || callbacks->asks_for_tables) return;
  callbacks->asks_for_tables = NEXT(sqlite3_set_authorizer)(db, authorized, callbacks) == SQLITE_OK;
}

void exhibit_tables_are_told(sqlite3 *db, sqlite3_stmt *statement) {
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  if (callbacks && callbacks->traced) exhibit_privacy_prepared(&callbacks->traced->privacy, statement);
}

INTERPOSE(int, sqlite3_set_authorizer,
    (sqlite3 *db, int (*call)(void *, int, const char *, const char *, const char *, const char *), void *argument)) {
  exhibit_enter(db);
  STAND_IN(authorizer, authorized);
  struct connection_callbacks *asking = db && !call ? exhibit_known_callbacks_of(db) : NULL;
  /* Ours stays set: setting it again would have all statements prepared anew. */
  int stays = asking && asking->asks_for_tables;
  int code = stays ? SQLITE_OK : NEXT(sqlite3_set_authorizer)(db, call, argument);
  exhibit_leave(db);
  return code;
}

static int progressed(void *context) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work || exhibit_hides_progress(callbacks)) return 0;
  return callbacks->progress.call(callbacks->progress.argument);
}

INTERPOSE(void, sqlite3_progress_handler, (sqlite3 *db, int steps, int (*call)(void *), void *argument)) {
  exhibit_enter(db);
  struct connection_callbacks *observed = exhibit_changed_callbacks(db);
  if (observed) observed->progress.steps = call && steps > 0 ? (unsigned)steps : 0;
  exhibit_note_observer(observed);
  STAND_IN(progress, progressed);
  NEXT(sqlite3_progress_handler)(db, steps, call, argument);
  exhibit_leave(db);
}

static int busy(void *context, int count) {
  struct connection_callbacks *callbacks = context;
  return exhibit_own_work ? 0 : callbacks->busy.call(callbacks->busy.argument, count);
}

/* sqlite3_busy_timeout comes here too where the library calls itself through its symbols; else it replaces ours. */
INTERPOSE(int, sqlite3_busy_handler, (sqlite3 *db, int (*call)(void *, int), void *argument)) {
  exhibit_enter(db);
  STAND_IN(busy, busy);
  int code = NEXT(sqlite3_busy_handler)(db, call, argument);
  exhibit_leave(db);
  return code;
}

INTERPOSED_BELOW(sqlite3_trace_v2);
INTERPOSED_BELOW(sqlite3_trace);
INTERPOSED_BELOW(sqlite3_profile);

int exhibit_reaches_callbacks(void) {
  return !is_incomplete && exhibit_is_interposed() && IS_INTERPOSED(sqlite3_set_authorizer) &&
         IS_INTERPOSED(sqlite3_progress_handler) && IS_INTERPOSED(sqlite3_busy_handler) &&
         IS_INTERPOSED(sqlite3_trace_v2) && IS_INTERPOSED(sqlite3_trace) && IS_INTERPOSED(sqlite3_profile);
}
