#include "handlers.h"

#include "callbacks.h"
#include "exhibit_start.h"
#include "interpose.h"
#include "own_work.h"

/* Keeps the app's `call` and `argument`, and sets ours. */
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
  return callbacks->authorizer.call(callbacks->authorizer.argument, action, first, second, database, inner);
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
  HOLDS_MUTEX_OF(db);
  STAND_IN(authorizer, authorized);
  struct connection_callbacks *asking = db && !call ? exhibit_known_callbacks_of(db) : NULL;
  /* Setting it again would have all statements prepared anew. */
  int stays = asking && asking->asks_for_tables;
  return stays ? SQLITE_OK : NEXT(sqlite3_set_authorizer)(db, call, argument);
}

static int progressed(void *context) {
  struct connection_callbacks *callbacks = context;
  return exhibit_own_work ? 0 : callbacks->progress.call(callbacks->progress.argument);
}

INTERPOSE(void, sqlite3_progress_handler, (sqlite3 *db, int steps, int (*call)(void *), void *argument)) {
  HOLDS_MUTEX_OF(db);
  if (steps < 1) call = NULL;
  STAND_IN(progress, progressed);
  NEXT(sqlite3_progress_handler)(db, steps, call, argument);
}

static int busy(void *context, int count) {
  struct connection_callbacks *callbacks = context;
  return exhibit_own_work ? 0 : callbacks->busy.call(callbacks->busy.argument, count);
}

/* sqlite3_busy_timeout comes here too where the library calls itself by symbols; else it replaces ours. */
INTERPOSE(int, sqlite3_busy_handler, (sqlite3 *db, int (*call)(void *, int), void *argument)) {
  HOLDS_MUTEX_OF(db);
  STAND_IN(busy, busy);
  return NEXT(sqlite3_busy_handler)(db, call, argument);
}
