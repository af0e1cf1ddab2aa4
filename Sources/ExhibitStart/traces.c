#include <stdlib.h>
#include <string.h>

#include "callbacks.h"
#include "exhibit_start.h"
#include "interpose.h"
#include "own_work.h"

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
  exhibit_enter(db);
  struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);
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
  exhibit_leave(db);
  return code;
}

INTERPOSE(void *, sqlite3_trace, (sqlite3 *db, void (*call)(void *, const char *), void *argument)) {
  exhibit_enter(db);
  struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);
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
  exhibit_leave(db);
  return former;
}

INTERPOSE(void *, sqlite3_profile,
    (sqlite3 *db, void (*call)(void *, const char *, sqlite3_uint64), void *argument)) {
  exhibit_enter(db);
  struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);
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
  exhibit_leave(db);
  return former;
}
