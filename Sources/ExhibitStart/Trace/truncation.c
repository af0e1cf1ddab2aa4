#define _GNU_SOURCE
#include "truncation.h"

#include <string.h>

#include "../interpose.h"
#include "../intervention.h"
#include "../own_work.h"
#include "../room.h"
#include "exhibit_start.h"
#include "preupdate.h"
#include "sql_text.h"
#include "values.h"

struct whole_delete {
  sqlite3_stmt *statement;
  /* How often it had been prepared anew: since then it may be another one. */
  int preparations;
  /* Runs that came to their end, the operations of all others, and what SQLite had counted of both as this one began. */
  unsigned runs, operations, counted;
  /* Whether it is known in this run to be one. */
  int is_known;
  /* Calls of the app's progress handler that this run has made, and still makes. */
  unsigned called, calls;
};

static uint16_t observer(const struct connection_callbacks *callbacks) {
  if (callbacks->hooks.update.call) return EXHIBIT_UNTOLD_BESIDE_UPDATE_HOOK;
  if (callbacks->progress.steps > 0) return EXHIBIT_UNTOLD_BESIDE_PROGRESS_HANDLER;
  return callbacks->hooks.had_wal_hook ? EXHIBIT_UNTOLD_BESIDE_WAL_HOOK : 0;
}

void exhibit_note_observer(struct connection_callbacks *callbacks) {
  uint16_t now = callbacks ? observer(callbacks) : 0;
  if (now) callbacks->truncation.observer = now;
}

/* ANALYZE empties its tables by a DELETE, which is counted and an authorizer hears of, and EXPLAIN shows what would be
   run. */
int exhibit_begin_preparing(struct connection_callbacks *callbacks, const char *text, int count) {
  callbacks->truncation.is_refused = 0;
  if (!callbacks->hooks.hears_changes || callbacks->hooks.is_aside) return 0;
  int is_noticed = observer(callbacks) || (text && exhibit_begins_with(text, count, "EXPLAIN")) ||
                   (text && exhibit_begins_with(text, count, "ANALYZE"));
  return is_noticed && exhibit_step_aside(callbacks);
}

void exhibit_end_preparing(struct connection_callbacks *callbacks) { exhibit_step_back(callbacks); }

/* A step prepares anew behind its beginning where the schema has changed meanwhile: then no rows of it are told. */
void exhibit_delete_is_allowed(struct connection_callbacks *callbacks, int is_allowed) {
  if (!is_allowed) callbacks->truncation.is_refused = 1;
  if (!is_allowed || !observer(callbacks) || !exhibit_step_aside(callbacks)) return;
  struct running_step *step = callbacks->traced ? exhibit_changing_step(callbacks->traced) : NULL;
  if (step) step->lacks_rows = 1;
}

int exhibit_begin_executing(struct connection_callbacks *callbacks) {
  callbacks->truncation.executing++;
  return observer(callbacks) && exhibit_step_aside(callbacks);
}

void exhibit_end_executing(struct connection_callbacks *callbacks, int has_stepped_aside) {
  callbacks->truncation.executing--;
  if (has_stepped_aside) exhibit_step_back(callbacks);
}

void exhibit_step_aside_again(struct connection_callbacks *callbacks) {
  if (callbacks->truncation.executing > 0 && callbacks->traced && callbacks->traced->count == 0 && observer(callbacks))
    exhibit_step_aside(callbacks);
}

/* Deletes that are prepared before the app sets what would notice. */

static struct whole_delete *find(struct truncation *truncation, sqlite3_stmt *statement) {
  for (size_t i = 0; i < truncation->count; i++)
    if (truncation->deletes[i].statement == statement) return &truncation->deletes[i];
  return NULL;
}

static void forget(struct truncation *truncation, struct whole_delete *delete) {
  if (!delete) return;
  if (truncation->stepped.delete == delete->statement) truncation->stepped.delete = NULL;
  *delete = truncation->deletes[--truncation->count];
  exhibit_noted_statements--;
}

/* SQLite's program of the statement, as it is without any hook: how many operations a truncation has, each of which runs
   once; 0 when it is none. */
static unsigned operations_of_truncation(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  const char *sql = exhibit_sql(statement);
  char *text = sqlite3_mprintf("EXPLAIN %s", exhibit_first_word(&sql, sql + strlen(sql)).begin);
  sqlite3_stmt *program = NULL;
  unsigned count = 0, is_truncation = 0;
  __typeof__(callbacks->hooks.preupdate) app = callbacks->hooks.preupdate;
  callbacks->hooks.preupdate.call = NULL;
  int has_stepped_aside = exhibit_step_aside(callbacks);
  exhibit_begin_own_work();
  if (text && sqlite3_prepare_v2(callbacks->db, text, -1, &program, NULL) == SQLITE_OK) {
    for (; sqlite3_step(program) == SQLITE_ROW; count++) {
      /* The programs of triggers follow, each with addresses of its own. */
      if (count > 0 && sqlite3_column_int64(program, 0) == 0) break;
      const char *operation = (const char *)sqlite3_column_text(program, 1);
      if (operation && strcmp(operation, "Clear") == 0) is_truncation = 1;
    }
  }
  sqlite3_finalize(program);
  exhibit_end_own_work();
  if (has_stepped_aside) exhibit_step_back(callbacks);
  callbacks->hooks.preupdate = app;
  sqlite3_free(text);
  return is_truncation ? count : 0;
}

static int may_truncate(const char *text) {
  return exhibit_begins_with(text, -1, "DELETE") || exhibit_begins_with(text, -1, "WITH");
}

/* Whether the statement has a WHERE of its own, outside of quotes, comments and parentheses. */
static int has_where(const char *text) {
  const char *end = text + strlen(text);
  int depth = 0;
  for (struct token token; (token = exhibit_next_token(&text, end)).kind;) {
    if (depth == 0 && exhibit_is_the_word(token, "where")) return 1;
    depth += (token.kind == '(') - (token.kind == ')');
  }
  return 0;
}

static int is_whole_delete(const char *text) { return text && may_truncate(text) && !has_where(text); }

void exhibit_note_delete(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  struct truncation *truncation = &callbacks->truncation;
  if (truncation->count > 0) forget(truncation, find(truncation, statement));
  if (!callbacks->hooks.hears_changes || callbacks->hooks.is_aside || callbacks->hooks.preupdate.call) return;
  if (truncation->is_refused || !is_whole_delete(exhibit_sql(statement))) return;
  struct whole_delete *grown = exhibit_with_room(
      truncation->deletes, truncation->count, &truncation->capacity, sizeof *grown);
  if (!grown) return;
  truncation->deletes = grown;
  grown[truncation->count++] = (struct whole_delete){
      .statement = statement, .preparations = exhibit_times_prepared(statement)};
  exhibit_noted_statements++;
}

struct stepped_statement exhibit_begin_delete(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  struct truncation *truncation = &callbacks->truncation;
  struct stepped_statement outer = truncation->stepped;
  struct whole_delete *delete = truncation->count > 0 ? find(truncation, statement) : NULL;
  if (delete && delete->preparations != exhibit_times_prepared(statement)) {
    forget(truncation, delete);
    delete = NULL;
  }
  /* A schema that has changed is found behind its beginning, and it is prepared anew. */
  truncation->stepped = (struct stepped_statement){
      .delete = delete ? statement : NULL,
      .stays_aside = !delete && observer(callbacks) && !callbacks->authorizer.call && is_whole_delete(exhibit_sql(statement)),
  };
  if (!delete) return outer;
  delete->counted = exhibit_counted_operations(statement);
  delete->is_known = 0;
  delete->called = 0;
  return outer;
}

/* Looks once a run, at the first call that the app might not have had. What SQLite counts as changed meanwhile, the
   statement counts anew. */
static struct whole_delete *stepped(struct connection_callbacks *callbacks) {
  struct truncation *truncation = &callbacks->truncation;
  struct whole_delete *delete = truncation->stepped.delete ? find(truncation, truncation->stepped.delete) : NULL;
  if (!delete) return NULL;
  if (delete->preparations != exhibit_times_prepared(delete->statement)) {
    /* The schema has changed, and SQLite has prepared it anew behind its beginning. */
    if (truncation->is_refused) return NULL;
    delete->preparations = exhibit_times_prepared(delete->statement);
    delete->is_known = 0;
  }
  if (delete->is_known) return delete;
  /* Up to its transaction, which others may refuse it, it runs as it would without us. */
  if (sqlite3_txn_state(callbacks->db, NULL) != SQLITE_TXN_WRITE) return NULL;
  unsigned operations = operations_of_truncation(callbacks, delete->statement);
  if (operations == 0) {
    forget(truncation, delete);
    return NULL;
  }
  unsigned steps = callbacks->progress.steps, before = delete->runs * operations + delete->operations;
  unsigned calls = steps > 0 ? (before % steps + operations) / steps : 0;
  delete->calls = calls > delete->called ? calls - delete->called : 0;
  delete->is_known = 1;
  return delete;
}

void exhibit_end_delete(
    struct connection_callbacks *callbacks, sqlite3_stmt *statement, int code, struct stepped_statement outer) {
  struct truncation *truncation = &callbacks->truncation;
  truncation->stepped = outer;
  struct whole_delete *delete = truncation->count > 0 ? find(truncation, statement) : NULL;
  if (!delete) return;
  /* SQLite has prepared it anew as it began, for an authorizer or a schema that has changed. */
  if (delete->preparations != exhibit_times_prepared(statement)) {
    exhibit_note_delete(callbacks, statement);
    delete = find(truncation, statement);
  }
  if (delete && code == SQLITE_DONE) delete->runs++;
  else if (delete) delete->operations += exhibit_counted_operations(statement) - delete->counted;
}

void exhibit_delete_counts_anew(struct connection_callbacks *callbacks, sqlite3_stmt *statement, int counter) {
  struct whole_delete *delete = find(&callbacks->truncation, statement);
  if (!delete) return;
  if (counter == SQLITE_STMTSTATUS_REPREPARE) delete->preparations = 0;
  if (counter == SQLITE_STMTSTATUS_VM_STEP) delete->runs = delete->operations = 0;
}

void exhibit_forget_delete(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  forget(&callbacks->truncation, find(&callbacks->truncation, statement));
}

int exhibit_hides_rows(struct connection_callbacks *callbacks) { return stepped(callbacks) != NULL; }

int exhibit_hides_progress(struct connection_callbacks *callbacks) {
  struct whole_delete *delete = stepped(callbacks);
  if (delete && delete->calls == 0) return 1;
  if (delete) delete->calls--;
  else if ((delete = find(&callbacks->truncation, callbacks->truncation.stepped.delete))) delete->called++;
  return 0;
}

/* What was truncated is counted by SQLite, and no row of it was told. */

int exhibit_may_truncate(struct connection_callbacks *callbacks, const char *text) {
  return callbacks->truncation.observer && may_truncate(text);
}

void exhibit_trigger_began(struct connection_callbacks *callbacks, struct running_step *step, const char *text) {
  if (!callbacks->truncation.observer) return;
  exhibit_settle_trigger(callbacks, step);
  step->trigger.may_truncate = strncmp(text, "-- ", 3) == 0 && may_truncate(text + 3);
  step->trigger.total_changes = sqlite3_total_changes(callbacks->db);
  step->trigger.changes = step->changes;
}

static void settle_trigger(struct running_step *step, int total_changes) {
  if (!step->trigger.may_truncate) return;
  step->trigger.may_truncate = 0;
  if (total_changes != step->trigger.total_changes && step->changes == step->trigger.changes) step->lacks_rows = 1;
}

void exhibit_settle_trigger(struct connection_callbacks *callbacks, struct running_step *step) {
  settle_trigger(step, sqlite3_total_changes(callbacks->db));
}

uint16_t exhibit_untold_rows(struct connection_callbacks *callbacks, struct running_step *step, int changed) {
  if (!callbacks->hooks.hears_changes) return 0;
  /* SQLite adds the statement's own changes at its end. */
  settle_trigger(step, sqlite3_total_changes(callbacks->db) - changed);
  int is_truncation = changed > 0 && step->changes == 0 && step->may_truncate;
  return step->lacks_rows || is_truncation ? callbacks->truncation.observer : 0;
}

/* The app's functions that would notice. */

static void updated(void *context, int operation, char const *schema, char const *table, sqlite3_int64 key) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work || exhibit_hides_rows(callbacks)) return;
  callbacks->hooks.update.call(callbacks->hooks.update.argument, operation, schema, table, key);
}

INTERPOSE(void *, sqlite3_update_hook,
    (sqlite3 *db, void (*call)(void *, int, char const *, char const *, sqlite3_int64), void *argument)) {
  HOLDS_MUTEX_OF(db);
  struct connection_callbacks *callbacks = db && !exhibit_own_work ? exhibit_known_callbacks_of(db) : NULL;
  if (!callbacks) return NEXT(sqlite3_update_hook)(db, call, argument);
  void *former = NEXT(sqlite3_update_hook)(db, call ? updated : NULL, call ? (void *)callbacks : argument);
  if (former == callbacks) former = callbacks->hooks.update.argument;
  callbacks->hooks.update.call = call;
  callbacks->hooks.update.argument = argument;
  exhibit_note_observer(callbacks);
  return former;
}

/* Whether a WAL hook is being set that is SQLite's own. */
static _Thread_local int is_autocheckpoint;

INTERPOSE(int, sqlite3_wal_autocheckpoint, (sqlite3 *db, int frames)) {
  int outer = is_autocheckpoint;
  is_autocheckpoint = 1;
  int code = NEXT(sqlite3_wal_autocheckpoint)(db, frames);
  is_autocheckpoint = outer;
  return code;
}

INTERPOSE(void *, sqlite3_wal_hook,
    (sqlite3 *db, int (*call)(void *, sqlite3 *, const char *, int), void *argument)) {
  HOLDS_MUTEX_OF(db);
  struct connection_callbacks *callbacks = db && !exhibit_own_work ? exhibit_known_callbacks_of(db) : NULL;
  if (callbacks) {
    /* One that is set again tells of the frames that were written meanwhile. */
    if (call && !is_autocheckpoint) callbacks->hooks.had_wal_hook = 1;
    exhibit_note_observer(callbacks);
  }
  return NEXT(sqlite3_wal_hook)(db, call, argument);
}
