#include "truncation.h"

#include <string.h>

#include "../interpose.h"
#include "../intervention.h"
#include "../own_work.h"
#include "preupdate.h"
#include "sql_text.h"

/* The app would be called more often for rows than for the shortcut. */
static int is_observed(struct connection_callbacks *callbacks) {
  uint16_t observer = callbacks->hooks.has_update_hook ? EXHIBIT_UNTOLD_BESIDE_UPDATE_HOOK
                      : callbacks->progress.call       ? EXHIBIT_UNTOLD_BESIDE_PROGRESS_HANDLER
                                                       : 0;
  if (observer) callbacks->hooks.observer = observer;
  return observer != 0;
}

/* With a hook ANALYZE empties its tables by a DELETE, which is counted and can be refused. EXPLAIN shows what would
   run. */
static int is_noticed(struct connection_callbacks *callbacks, const char *text, int count) {
  if (is_observed(callbacks)) return 1;
  if (!text || !exhibit_may_begin(text, count, "ae")) return 0;
  return exhibit_begins_with(text, count, "ANALYZE") || exhibit_begins_with(text, count, "EXPLAIN");
}

int exhibit_begin_preparing(struct connection_callbacks *callbacks, const char *text, int count) {
  return is_noticed(callbacks, text, count) && exhibit_step_aside(callbacks, 0);
}

static int may_truncate(const char *text) {
  return exhibit_begins_with(text, -1, "DELETE") || exhibit_begins_with(text, -1, "WITH");
}

/* A WHERE outside of quotes, comments and parentheses. */
static int has_where(const char *text) {
  const char *end = text + strlen(text);
  int depth = 0;
  for (struct token token; (token = exhibit_next_token(&text, end)).kind;) {
    if (depth == 0 && exhibit_is_the_word(token, "where")) return 1;
    depth += (token.kind == '(') - (token.kind == ')');
  }
  return 0;
}

/* An expired statement is prepared anew before it begins, others behind that. For those the hook stays off only for
   a whole DELETE, and not beside an authorizer: GRDB's has SQLite delete row by row. */
int exhibit_begin_stepping(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  const char *text = exhibit_sql(statement);
  if (!text || !is_noticed(callbacks, text, -1)) return 0;
  int is_whole_delete = is_observed(callbacks) && may_truncate(text) && !has_where(text);
  return exhibit_step_aside(callbacks, !is_whole_delete || callbacks->authorizer.call);
}

int exhibit_may_truncate(struct connection_callbacks *callbacks, const char *text) {
  return callbacks->hooks.observer && may_truncate(text);
}

void exhibit_trigger_began(struct connection_callbacks *callbacks, struct running_step *step, const char *text) {
  if (!callbacks->hooks.observer) return;
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
  return step->lacks_rows || is_truncation ? callbacks->hooks.observer : 0;
}

INTERPOSE(void *, sqlite3_update_hook,
    (sqlite3 *db, void (*call)(void *, int, char const *, char const *, sqlite3_int64), void *argument)) {
  HOLDS_MUTEX_OF(db);
  struct connection_callbacks *callbacks = db && !exhibit_own_work ? exhibit_known_callbacks_of(db) : NULL;
  if (callbacks) callbacks->hooks.has_update_hook = call != NULL;
  return NEXT(sqlite3_update_hook)(db, call, argument);
}
