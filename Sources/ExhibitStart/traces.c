#include "callbacks.h"

#include <string.h>

#include "Trace/changes.h"
#include "Trace/preupdate.h"
#include "Trace/sql_text.h"
#include "Trace/stacks.h"
#include "Trace/steps.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "interpose.h"
#include "intervention.h"
#include "own_work.h"
#include "owner.h"

/* Where close does not pass through us, its trace is the last look at a connection. */
static unsigned heard_events(void) {
  return SQLITE_TRACE_STMT | (exhibit_is_interposed() ? 0 : SQLITE_TRACE_CLOSE) |
         (exhibit_trace_mode() == exhibit_trace_off ? 0 : SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE);
}

static void attaching(struct connection_callbacks *callbacks) {
  exhibit_connection_attaching((void *)callbacks->connection);
  callbacks->use.generation = 0;
}

static void began(struct connection_callbacks *callbacks, sqlite3_stmt *statement, const char *text) {
  if (callbacks->hooks.is_until_begin) exhibit_step_back(callbacks);
  uint32_t test = exhibit_owner_of(callbacks);
  if (text && exhibit_begins_with(text, -1, "ATTACH")) attaching(callbacks);
  if (exhibit_trace_mode() != exhibit_trace_off) exhibit_step_began(callbacks, test, statement, text);
}

static void heard(struct connection_callbacks *callbacks, unsigned event, void *subject, const char *text) {
  if (!(event & heard_events())) return;
  if (event == SQLITE_TRACE_STMT) began(callbacks, subject, text);
  else if (event == SQLITE_TRACE_ROW) exhibit_step_gave_row(callbacks, subject);
  else if (event == SQLITE_TRACE_PROFILE) exhibit_step_ended(callbacks, subject);
  else exhibit_connection_closing(subject);
}

/* SQLite's rules for the three functions below: https://sqlite.org/src/file/src/main.c, sqlite3_trace. */

/* The text that sqlite3_trace gives; freed with sqlite3_free. */
static char *legacy_text(sqlite3_stmt *statement, const char *text) {
  return text == exhibit_sql(statement) ? sqlite3_expanded_sql(statement) : sqlite3_mprintf("%s", text);
}

static int traced(unsigned event, void *context, void *subject, void *detail) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work) return 0;
  if (callbacks->connection) heard(callbacks, event, subject, detail);
  if (event == SQLITE_TRACE_STMT && callbacks->trace.legacy) {
    char *text = legacy_text(subject, detail);
    callbacks->trace.legacy(callbacks->trace.argument, text);
    sqlite3_free(text);
    return 0;
  }
  if (!(callbacks->trace.events & event)) return 0;
  return callbacks->trace.call(event, callbacks->trace.argument, subject, detail);
}

/* SQLite calls it while anybody, as we do, wants times. */
static void profiled(void *context, const char *text, sqlite3_uint64 nanoseconds) {
  struct connection_callbacks *callbacks = context;
  int is_wanted = callbacks->profile.is_on || (callbacks->trace.events & SQLITE_TRACE_PROFILE);
  if (exhibit_own_work || !callbacks->profile.call || !is_wanted) return;
  callbacks->profile.call(callbacks->profile.argument, text, nanoseconds);
}

INTERPOSED_BELOW(sqlite3_trace_v2);
INTERPOSED_BELOW(sqlite3_trace);
INTERPOSED_BELOW(sqlite3_profile);

static int apply_trace(struct connection_callbacks *callbacks) {
  unsigned events = callbacks->trace.events | (callbacks->trace.legacy ? SQLITE_TRACE_STMT : 0) |
                    (callbacks->connection ? heard_events() : 0);
  int code = NEXT(sqlite3_trace_v2)(callbacks->db, events, events ? traced : NULL, callbacks);
  if (callbacks->profile.is_on) NEXT(sqlite3_profile)(callbacks->db, profiled, callbacks);
  return code;
}

INTERPOSE(int, sqlite3_trace_v2,
    (sqlite3 *db, unsigned events, int (*call)(unsigned, void *, void *, void *), void *argument)) {
  HOLDS_MUTEX_OF(db);
  struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);
  if (!callbacks) return NEXT(sqlite3_trace_v2)(db, events, call, argument);
  const unsigned all = SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW | SQLITE_TRACE_CLOSE;
  callbacks->trace.events = call ? events & all : 0;
  callbacks->trace.call = callbacks->trace.events ? call : NULL;
  callbacks->trace.legacy = NULL;
  callbacks->trace.argument = argument;
  callbacks->profile.is_on = 0;
  return apply_trace(callbacks);
}

INTERPOSE(void *, sqlite3_trace, (sqlite3 *db, void (*call)(void *, const char *), void *argument)) {
  HOLDS_MUTEX_OF(db);
  struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);
  if (!callbacks) return NEXT(sqlite3_trace)(db, call, argument);
  void *former = callbacks->trace.argument;
  callbacks->trace.events = 0;
  callbacks->trace.call = NULL;
  callbacks->trace.legacy = call;
  callbacks->trace.argument = argument;
  callbacks->profile.is_on = 0;
  apply_trace(callbacks);
  return former;
}

INTERPOSE(void *, sqlite3_profile,
    (sqlite3 *db, void (*call)(void *, const char *, sqlite3_uint64), void *argument)) {
  HOLDS_MUTEX_OF(db);
  struct connection_callbacks *callbacks = exhibit_changed_callbacks(db);
  if (!callbacks) return NEXT(sqlite3_profile)(db, call, argument);
  void *former = callbacks->profile.argument;
  callbacks->profile.call = call;
  callbacks->profile.argument = argument;
  callbacks->profile.is_on = call != NULL;
  callbacks->trace.legacy = NULL;
  if (!call) NEXT(sqlite3_profile)(db, NULL, NULL);
  apply_trace(callbacks);
  return former;
}

int exhibit_watch_connection(sqlite3 *db, const void *connection, int is_new) {
  sqlite3_mutex_enter(sqlite3_db_mutex(db));
  struct connection_callbacks *callbacks = exhibit_callbacks_of(db);
  int code = SQLITE_NOMEM;
  if (callbacks) {
    callbacks->connection = connection;
    callbacks->use.generation = 0;
    if (is_new && !callbacks->opened_at && exhibit_trace_mode() != exhibit_trace_off)
      callbacks->opened_at = exhibit_copy_of_stack();
    /* Where we do not see it, the app may have set its own trace. */
    int is_free = is_new || exhibit_reaches_callbacks();
    code = is_free ? apply_trace(callbacks) : SQLITE_OK;
    if (is_free) exhibit_hear_changes(callbacks);
  }
  sqlite3_mutex_leave(sqlite3_db_mutex(db));
  return code;
}
