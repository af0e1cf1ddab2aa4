#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "callbacks.h"
#include "exhibit_start.h"
#include "interpose.h"
#include "mode.h"
#include "own_work.h"

/* By connection. The lock is taken with a connection's mutex held, never the other way round. */
static struct connection_callbacks *table[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether a callback of the app was set past us, for want of memory. */
static _Atomic int is_incomplete;

static struct connection_callbacks **bucket(sqlite3 *db) {
  return &table[((uintptr_t)db >> 6) % (sizeof table / sizeof *table)];
}

struct connection_callbacks *exhibit_known_callbacks_of(sqlite3 *db) {
  pthread_mutex_lock(&lock);
  struct connection_callbacks *found = *bucket(db);
  while (found && found->db != db) found = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

/* Called by SQLite exactly once: at the connection's real end, also when sqlite3_close_v2 left it behind as a zombie. */
static void end(void *context) {
  struct connection_callbacks *callbacks = context;
  pthread_mutex_lock(&lock);
  struct connection_callbacks **place = bucket(callbacks->db);
  while (*place && *place != callbacks) place = &(*place)->next;
  if (*place) *place = callbacks->next;
  pthread_mutex_unlock(&lock);
  exhibit_trace_forget(callbacks);
  if (callbacks->connection) exhibit_connection_ended(callbacks->db);
  free(callbacks->begun_before.statements);
  free(callbacks);
}

struct connection_callbacks *exhibit_callbacks_of(sqlite3 *db) {
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  if (callbacks) return callbacks;
  callbacks = calloc(1, sizeof *callbacks);
  if (!callbacks) return NULL;
  callbacks->db = db;
  pthread_mutex_lock(&lock);
  callbacks->next = *bucket(db);
  *bucket(db) = callbacks;
  pthread_mutex_unlock(&lock);
  int code = sqlite3_create_function_v2(
      db, EXHIBIT_FUNCTION, 0, SQLITE_UTF8, callbacks, exhibit_answer, NULL, NULL, end);
  /* SQLite has called `end` when it refuses. */
  return code == SQLITE_OK ? callbacks : NULL;
}

/* Those that a setter of the app is to change; NULL where its call is none of our business, or has to pass as it is. */
static struct connection_callbacks *changed(sqlite3 *db) {
  if (!db || exhibit_own_work || !exhibit_may_capture()) return NULL;
  struct connection_callbacks *callbacks = exhibit_callbacks_of(db);
  if (!callbacks) is_incomplete = 1;
  return callbacks;
}

static void enter(sqlite3 *db) {
  if (db) sqlite3_mutex_enter(sqlite3_db_mutex(db));
}

static void leave(sqlite3 *db) {
  if (db) sqlite3_mutex_leave(sqlite3_db_mutex(db));
}

/* Authorizer, progress handler, busy handler */

/* Keeps the function `call` that the app sets, with its `argument`, and puts `ours` in its place, which calls it. */
#define STAND_IN(kind, ours)                                      \
  do {                                                            \
    struct connection_callbacks *callbacks = changed(db);         \
    if (!callbacks) break;                                        \
    callbacks->kind.call = call;                                  \
    callbacks->kind.argument = argument;                          \
    exhibit_apply_preupdate(callbacks);                           \
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
  if (action == SQLITE_DELETE && code == SQLITE_OK) exhibit_step_aside(callbacks);
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

void exhibit_expire_statements(struct connection_callbacks *callbacks) {
  NEXT(sqlite3_set_authorizer)(callbacks->db, authorized, callbacks);
  if (!callbacks->authorizer.call && !callbacks->asks_for_tables)
    NEXT(sqlite3_set_authorizer)(callbacks->db, NULL, NULL);
}

INTERPOSE(int, sqlite3_set_authorizer,
    (sqlite3 *db, int (*call)(void *, int, const char *, const char *, const char *, const char *), void *argument)) {
  enter(db);
  STAND_IN(authorizer, authorized);
  struct connection_callbacks *asking = db && !call ? exhibit_known_callbacks_of(db) : NULL;
  if (asking && asking->asks_for_tables) call = authorized, argument = asking;
  int code = NEXT(sqlite3_set_authorizer)(db, call, argument);
  leave(db);
  return code;
}

static int progressed(void *context) {
  struct connection_callbacks *callbacks = context;
  return exhibit_own_work ? 0 : callbacks->progress.call(callbacks->progress.argument);
}

INTERPOSE(void, sqlite3_progress_handler, (sqlite3 *db, int steps, int (*call)(void *), void *argument)) {
  enter(db);
  STAND_IN(progress, progressed);
  NEXT(sqlite3_progress_handler)(db, steps, call, argument);
  leave(db);
}

static int busy(void *context, int count) {
  struct connection_callbacks *callbacks = context;
  return exhibit_own_work ? 0 : callbacks->busy.call(callbacks->busy.argument, count);
}

/* sqlite3_busy_timeout comes here too where the library calls itself through its symbols; else it replaces ours. */
INTERPOSE(int, sqlite3_busy_handler, (sqlite3 *db, int (*call)(void *, int), void *argument)) {
  enter(db);
  STAND_IN(busy, busy);
  int code = NEXT(sqlite3_busy_handler)(db, call, argument);
  leave(db);
  return code;
}

/* Trace and profile. What each of the three does to the others is SQLite's:
   https://sqlite.org/src/file/src/main.c, sqlite3_trace and what follows it. */

/* The text that sqlite3_trace gives: values in place of the parameters, a trigger's name as it is, or each line of what
   runs inside a statement behind `-- `; freed with sqlite3_free. */
static char *legacy_text(sqlite3_stmt *statement, const char *text) {
  if (text == sqlite3_sql(statement)) return sqlite3_expanded_sql(statement);
  if (strncmp(text, "-- TRIGGER ", 11) == 0) return sqlite3_mprintf("%s", text);
  size_t count = 1, lines = 0;
  for (const char *c = text; *c; c++, count++) lines += *c == '\n';
  char *result = sqlite3_malloc64(count + 3 * lines), *place = result;
  for (const char *c = text; result && *c; c++) {
    *place++ = *c;
    if (*c == '\n' && c[1]) {
      memcpy(place, "-- ", 3);
      place += 3;
    }
  }
  if (result) *place = 0;
  return result;
}

/* SQLite takes the time of a statement that begins while somebody wants it, and tells whoever is there at its end. */

static int wants_time(const struct connection_callbacks *callbacks) {
  return callbacks->profile.is_on || (callbacks->trace.events & SQLITE_TRACE_PROFILE);
}

/* Takes a statement out of those that began under another wish, if it is one. */
static int forget_begun_before(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  for (size_t i = 0; i < callbacks->begun_before.count; i++) {
    if (callbacks->begun_before.statements[i] != statement) continue;
    callbacks->begun_before.statements[i] = callbacks->begun_before.statements[--callbacks->begun_before.count];
    return 1;
  }
  return 0;
}

static void remember_begun_before(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  if (callbacks->begun_before.count == callbacks->begun_before.capacity) {
    size_t capacity = callbacks->begun_before.capacity * 2 + 4;
    sqlite3_stmt **grown = realloc(callbacks->begun_before.statements, capacity * sizeof *grown);
    if (!grown) return;
    callbacks->begun_before.statements = grown;
    callbacks->begun_before.capacity = capacity;
  }
  callbacks->begun_before.statements[callbacks->begun_before.count++] = statement;
}

/* Called when the app has set a trace or a profile. */
static void note_wish(struct connection_callbacks *callbacks) {
  if (wants_time(callbacks) == callbacks->wanted_time) return;
  callbacks->wanted_time = !callbacks->wanted_time;
  for (sqlite3_stmt *statement = NULL; (statement = sqlite3_next_stmt(callbacks->db, statement));)
    if (sqlite3_stmt_busy(statement) && !forget_begun_before(callbacks, statement))
      remember_begun_before(callbacks, statement);
}

/* Whether the time of a statement that ends would have been taken without us. */
static int is_timed(const struct connection_callbacks *callbacks, const char *text) {
  if (!callbacks->connection || !(exhibit_heard_events() & SQLITE_TRACE_PROFILE)) return 1;
  for (size_t i = 0; i < callbacks->begun_before.count; i++)
    if (sqlite3_sql(callbacks->begun_before.statements[i]) == text) return !callbacks->wanted_time;
  return callbacks->wanted_time;
}

static int traced(unsigned event, void *context, void *subject, void *detail) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work) return 0;
  if (callbacks->connection) exhibit_heard(callbacks, event, subject, detail);
  if (event == SQLITE_TRACE_STMT && callbacks->trace.legacy) {
    char *text = legacy_text(subject, detail);
    callbacks->trace.legacy(callbacks->trace.argument, text);
    sqlite3_free(text);
    return 0;
  }
  if (event == SQLITE_TRACE_PROFILE) {
    int is_told = is_timed(callbacks, sqlite3_sql(subject));
    forget_begun_before(callbacks, subject);
    if (!is_told) return 0;
  }
  if (!(callbacks->trace.events & event)) return 0;
  return callbacks->trace.call(event, callbacks->trace.argument, subject, detail);
}

static void profiled(void *context, const char *text, sqlite3_uint64 nanoseconds) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work || !callbacks->profile.call || !is_timed(callbacks, text)) return;
  callbacks->profile.call(callbacks->profile.argument, text, nanoseconds);
}

INTERPOSED_BELOW(sqlite3_trace_v2);
INTERPOSED_BELOW(sqlite3_trace);
INTERPOSED_BELOW(sqlite3_profile);

int exhibit_apply_trace(struct connection_callbacks *callbacks) {
  unsigned events = callbacks->trace.events | (callbacks->trace.legacy ? SQLITE_TRACE_STMT : 0) |
                    (callbacks->connection ? exhibit_heard_events() : 0);
  int code = NEXT(sqlite3_trace_v2)(callbacks->db, events, events ? traced : NULL, callbacks);
  if (callbacks->profile.is_on) NEXT(sqlite3_profile)(callbacks->db, profiled, callbacks);
  return code;
}

INTERPOSE(int, sqlite3_trace_v2,
    (sqlite3 *db, unsigned events, int (*call)(unsigned, void *, void *, void *), void *argument)) {
  enter(db);
  struct connection_callbacks *callbacks = changed(db);
  int code;
  if (callbacks) {
    const unsigned all = SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW | SQLITE_TRACE_CLOSE;
    callbacks->trace.events = call ? events & all : 0;
    callbacks->trace.call = callbacks->trace.events ? call : NULL;
    callbacks->trace.legacy = NULL;
    callbacks->trace.argument = argument;
    callbacks->profile.is_on = 0;
    note_wish(callbacks);
    code = exhibit_apply_trace(callbacks);
  } else {
    code = NEXT(sqlite3_trace_v2)(db, events, call, argument);
  }
  leave(db);
  return code;
}

INTERPOSE(void *, sqlite3_trace, (sqlite3 *db, void (*call)(void *, const char *), void *argument)) {
  enter(db);
  struct connection_callbacks *callbacks = changed(db);
  void *former;
  if (callbacks) {
    former = callbacks->trace.argument;
    callbacks->trace.events = 0;
    callbacks->trace.call = NULL;
    callbacks->trace.legacy = call;
    callbacks->trace.argument = argument;
    callbacks->profile.is_on = 0;
    note_wish(callbacks);
    exhibit_apply_trace(callbacks);
  } else {
    former = NEXT(sqlite3_trace)(db, call, argument);
  }
  leave(db);
  return former;
}

INTERPOSE(void *, sqlite3_profile,
    (sqlite3 *db, void (*call)(void *, const char *, sqlite3_uint64), void *argument)) {
  enter(db);
  struct connection_callbacks *callbacks = changed(db);
  void *former;
  if (callbacks) {
    former = callbacks->profile.argument;
    callbacks->profile.call = call;
    callbacks->profile.argument = argument;
    callbacks->profile.is_on = call != NULL;
    callbacks->trace.legacy = NULL;
    note_wish(callbacks);
    if (!call) NEXT(sqlite3_profile)(db, NULL, NULL);
    exhibit_apply_trace(callbacks);
  } else {
    former = NEXT(sqlite3_profile)(db, call, argument);
  }
  leave(db);
  return former;
}

int exhibit_reaches_callbacks(void) {
  return !is_incomplete && exhibit_is_interposed() && IS_INTERPOSED(sqlite3_set_authorizer) &&
         IS_INTERPOSED(sqlite3_progress_handler) && IS_INTERPOSED(sqlite3_busy_handler) &&
         IS_INTERPOSED(sqlite3_trace_v2) && IS_INTERPOSED(sqlite3_trace) && IS_INTERPOSED(sqlite3_profile);
}
