#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../handlers.h"
#include "../interpose.h"
#include "../intervention.h"
#include "../own_work.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "preupdate.h"
#include "stacks.h"
#include "steps.h"
#include "truncation.h"
#include "values.h"

/* Calls of ours that this thread is in: SQLite itself calls them too. */
static _Thread_local int depth;
static _Thread_local unsigned told;

static int is_recorded(void) { return !exhibit_own_work && exhibit_trace_mode() != exhibit_trace_off; }

static int is_watched(void) { return depth == 0 && is_recorded(); }

static int is_error(int code) { return code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE; }

static void tell(sqlite3 *db, uint64_t before, const char *text, sqlite3_stmt *statement) {
  if (!db) return;
  exhibit_step_failed(db, before, text, statement);
  told++;
}

/* Holds the mutex until the error is read. */
struct call {
  sqlite3 *db;
  uint64_t before;
};

static struct call begin(sqlite3 *db) {
  struct call call = {.db = db};
  sqlite3_mutex_enter(sqlite3_db_mutex(db));
  call.before = exhibit_last_step();
  if (exhibit_excludes_tables()) exhibit_ask_for_tables(db);
  depth++;
  return call;
}

static void end(struct call *call) {
  depth--;
  sqlite3_mutex_leave(sqlite3_db_mutex(call->db));
}

INTERPOSED_BELOW(sqlite3_step);

static int stepped(sqlite3_stmt *statement) {
  int code = NEXT(sqlite3_step)(statement);
  exhibit_note_stepped(statement, code);
  return code;
}

static int step(sqlite3 *db, sqlite3_stmt *statement) {
  struct connection_callbacks *callbacks = sqlite3_stmt_busy(statement) ? NULL : exhibit_known_callbacks_of(db);
  int is_aside = callbacks && exhibit_begin_stepping(callbacks, statement);
  int code = stepped(statement);
  if (is_aside) exhibit_step_back(callbacks);
  return code;
}

/* A step from a function of the app's or a virtual table. */
static int step_inside(sqlite3 *db, sqlite3_stmt *statement) {
  HOLDS_MUTEX_OF(db);
  return step(db, statement);
}

/* Runs an experiment's text when a statement begins, not at its prepare: apps keep prepared statements. */
static void run_before(sqlite3_stmt *statement) {
  const char *text = exhibit_text_before(statement);
  if (!text || sqlite3_stmt_busy(statement)) return;
  sqlite3 *db = sqlite3_db_handle(statement);
  /* A transaction that wrote is the app's to commit. */
  if (strncmp(text, "COMMIT", 6) == 0 && sqlite3_txn_state(db, NULL) != SQLITE_TXN_READ) {
    exhibit_count_refused();
    return;
  }
  exhibit_apply(db, text);
}

INTERPOSE(int, sqlite3_step, (sqlite3_stmt *statement)) {
  if (statement && !exhibit_own_work) {
    if (exhibit_is_left_out(statement)) return SQLITE_DONE;
    run_before(statement);
  }
  sqlite3 *db = is_recorded() && statement ? sqlite3_db_handle(statement) : NULL;
  if (!db) return stepped(statement);
  CALLED_HERE;
  if (depth > 0) return step_inside(db, statement);
  struct call call = begin(db);
  struct stepping outer = exhibit_stepping;
  exhibit_stepping = (struct stepping){.statement = statement};
  int code = step(db, statement);
  exhibit_stepping = outer;
  if (is_error(code)) tell(db, call.before, sqlite3_sql(statement), statement);
  end(&call);
  return code;
}

static char *utf8(const void *text, int count) {
  if (!text) return NULL;
  return count < 0 ? strdup(text) : strndup(text, (size_t)count);
}

/* From UTF-16, with `?` for all that is not ASCII. */
static char *utf16(const void *text, int count) {
  if (!text) return NULL;
  const char *bytes = text;
  size_t units = 0, limit = count < 0 ? SIZE_MAX : (size_t)count / 2;
  while (units < limit && (bytes[units * 2] || bytes[units * 2 + 1])) units++;
  char *result = malloc(units + 1);
  for (size_t i = 0; result && i < units; i++) {
    uint16_t unit;
    memcpy(&unit, bytes + i * 2, sizeof unit);
    result[i] = unit < 0x80 ? (char)unit : '?';
  }
  if (result) result[units] = 0;
  return result;
}

/* Returns whether our hook was taken away. */
static int begin_preparing(
    struct connection_callbacks *callbacks, char *text(const void *, int), const void *sql, int count) {
  if (text == utf8) return exhibit_begin_preparing(callbacks, sql, count);
  char *copy = text(sql, count);
  int is_aside = exhibit_begin_preparing(callbacks, copy, -1);
  free(copy);
  return is_aside;
}

static int prepared(struct call *call, int code, char *text(const void *, int), const void *sql, int count,
                    sqlite3_stmt **statement) {
  if (is_error(code)) {
    char *copy = text(sql, count);
    tell(call->db, call->before, copy, NULL);
    free(copy);
  } else if (statement && *statement) {
    /* SQLite may have finalized an earlier statement at this address. */
    exhibit_forget_value(*statement, 0);
    if (exhibit_excludes_tables()) exhibit_tables_are_told(call->db, *statement);
  }
  end(call);
  return code;
}

INTERPOSED_BELOW(sqlite3_prepare);
INTERPOSED_BELOW(sqlite3_prepare_v2);
INTERPOSED_BELOW(sqlite3_prepare_v3);
INTERPOSED_BELOW(sqlite3_finalize);

/* Whether the app can bind to it and read from it. */
static int is_alike(sqlite3_stmt *own, sqlite3_stmt *other) {
  int columns = sqlite3_column_count(own);
  return sqlite3_bind_parameter_count(own) == sqlite3_bind_parameter_count(other) &&
         (columns == 0 || columns == sqlite3_column_count(other));
}

static int changed(int result, sqlite3 *db, sqlite3_stmt **statement, int is_legacy, unsigned flags) {
  if (result != SQLITE_OK || exhibit_own_work || !statement || !*statement) return result;
  const char *text = exhibit_text_for(*statement);
  if (!text) return result;
  sqlite3_stmt *other = NULL;
  int code = is_legacy ? exhibit_sqlite3_prepare(db, text, -1, &other, NULL)
                       : exhibit_sqlite3_prepare_v3(db, text, -1, flags, &other, NULL);
  int takes_place = code == SQLITE_OK && other && is_alike(*statement, other);
  sqlite3_stmt *unused = takes_place ? *statement : other;
  if (takes_place) *statement = other;
  exhibit_sqlite3_finalize(unused);
  if (takes_place) {
    exhibit_count_applied();
    return result;
  }
  exhibit_count_refused();
  /* Preparing the app's text removes the error of the refused one. */
  exhibit_begin_own_work();
  sqlite3_stmt *again = NULL;
  NEXT(sqlite3_prepare_v2)(db, exhibit_sql(*statement), -1, &again, NULL);
  NEXT(sqlite3_finalize)(again);
  exhibit_end_own_work();
  return result;
}

#define PREPARE(name, parameters, arguments, text, is_legacy, flags)                           \
  INTERPOSE(int, name, parameters) {                                                           \
    struct connection_callbacks *callbacks = db && is_recorded() ? exhibit_known_callbacks_of(db) : NULL; \
    if (!callbacks) return changed(NEXT(name) arguments, db, statement, is_legacy, flags);     \
    CALLED_HERE;                                                                               \
    HOLDS_MUTEX_OF(db);                                                                        \
    int is_aside = begin_preparing(callbacks, text, sql, count), code;                         \
    if (is_watched()) {                                                                        \
      struct call call = begin(db);                                                            \
      code = prepared(&call, NEXT(name) arguments, text, sql, count, statement);               \
    } else {                                                                                   \
      code = NEXT(name) arguments;                                                             \
    }                                                                                          \
    if (is_aside) exhibit_step_back(callbacks);                                                \
    return changed(code, db, statement, is_legacy, flags);                                     \
  }

PREPARE(sqlite3_prepare,
    (sqlite3 *db, const char *sql, int count, sqlite3_stmt **statement, const char **tail),
    (db, sql, count, statement, tail), utf8, 1, 0)
PREPARE(sqlite3_prepare_v2,
    (sqlite3 *db, const char *sql, int count, sqlite3_stmt **statement, const char **tail),
    (db, sql, count, statement, tail), utf8, 0, 0)
PREPARE(sqlite3_prepare_v3,
    (sqlite3 *db, const char *sql, int count, unsigned flags, sqlite3_stmt **statement, const char **tail),
    (db, sql, count, flags, statement, tail), utf8, 0, flags)
PREPARE(sqlite3_prepare16,
    (sqlite3 *db, const void *sql, int count, sqlite3_stmt **statement, const void **tail),
    (db, sql, count, statement, tail), utf16, 1, 0)
PREPARE(sqlite3_prepare16_v2,
    (sqlite3 *db, const void *sql, int count, sqlite3_stmt **statement, const void **tail),
    (db, sql, count, statement, tail), utf16, 0, 0)
PREPARE(sqlite3_prepare16_v3,
    (sqlite3 *db, const void *sql, int count, unsigned flags, sqlite3_stmt **statement, const void **tail),
    (db, sql, count, flags, statement, tail), utf16, 0, flags)

/* Debian's SQLite calls our prepare and step. Another build tells its errors only at the end. */
INTERPOSE(int, sqlite3_exec,
    (sqlite3 *db, const char *sql, int (*call)(void *, int, char **, char **), void *argument, char **message)) {
  struct connection_callbacks *callbacks = db && is_watched() ? exhibit_known_callbacks_of(db) : NULL;
  if (!callbacks) return NEXT(sqlite3_exec)(db, sql, call, argument, message);
  CALLED_HERE;
  HOLDS_MUTEX_OF(db);
  uint64_t before = exhibit_last_step();
  unsigned earlier = told;
  int code = NEXT(sqlite3_exec)(db, sql, call, argument, message);
  /* SQLITE_ABORT is the app's own wish. */
  if (is_error(code) && code != SQLITE_ABORT && told == earlier) tell(db, before, sql, NULL);
  return code;
}

/* The count tells a statement from a later one at its address. */
INTERPOSE(int, sqlite3_stmt_status, (sqlite3_stmt *statement, int counter, int is_reset)) {
  if (is_reset && statement && counter == SQLITE_STMTSTATUS_REPREPARE) exhibit_forget_names(statement);
  return NEXT(sqlite3_stmt_status)(statement, counter, is_reset);
}

INTERPOSE(int, sqlite3_finalize, (sqlite3_stmt *statement)) {
  exhibit_forget_value(statement, 0);
  return NEXT(sqlite3_finalize)(statement);
}
