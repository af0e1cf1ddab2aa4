#define _GNU_SOURCE
#include "steps.h"

#include <stdlib.h>
#include <string.h>

#include "../interpose.h"
#include "../intervention.h"
#include "../owner.h"
#include "../process_lock.h"
#include "exhibit_trace.h"
#include "keys.h"
#include "ring.h"
#include "sql_text.h"
#include "stacks.h"
#include "truncation.h"
#include "values.h"

#define KEPT_ROWS 10
#define GREATEST_EXPANDED EXHIBIT_LONG_VALUE
#define GREATEST_MESSAGE 4096

#define IS_READ_ONLY 1
#define HAD_AUTOCOMMIT 2
#define IS_WITHHELD 4
#define WAS_IDLE 64

/* An idle CREATE IF NOT EXISTS or DROP IF EXISTS has at most 5 of SQLite's operations, others at least 16. */
#define FEW_OPERATIONS 10

static _Atomic uint64_t last_number;

static _Thread_local uint64_t last_step;

uint64_t exhibit_trace_last_step(void) { return last_number; }

int exhibit_step_append(
    struct connection_trace *trace, struct running_step *step, uint16_t kind, uint16_t flags) {
  if (trace->payload.is_cut || step->written + trace->payload.count > exhibit_ring_share()) return 0;
  struct record_header header = {
      .kind = kind, .flags = flags, .time = trace->now, .test = step->test, .connection = trace->number};
  if (!exhibit_ring_append(header, trace->payload.bytes, trace->payload.count)) return 0;
  step->written += sizeof header + trace->payload.count;
  return 1;
}

/* Statements inside of another one come with a text of their own. */
static int is_nested(sqlite3_stmt *statement, const char *text) { return text != exhibit_sql(statement); }

/* Held while a connection has our limit: sqlite3_limit does not wait for its mutex. */
static struct process_lock limits = PROCESS_LOCK_INITIALIZER;

INTERPOSE(int, sqlite3_limit, (sqlite3 *db, int limit, int value)) {
  exhibit_lock(&limits);
  int former = NEXT(sqlite3_limit)(db, limit, value);
  exhibit_unlock(&limits);
  return former;
}

/* NULL without parameters or when it is long. The limit is put back before anybody can see ours. */
static char *expanded(sqlite3_stmt *statement, const char *text) {
  /* An experiment's text is not the app's. */
  if (sqlite3_bind_parameter_count(statement) == 0 || exhibit_app_text(text) != text) return NULL;
  /* SQLite would read all of it first. */
  if (strnlen(text, 2 * GREATEST_EXPANDED) == 2 * GREATEST_EXPANDED) return NULL;
  if (exhibit_has_long_value(statement)) return NULL;
  sqlite3 *db = sqlite3_db_handle(statement);
  exhibit_lock(&limits);
  int limit = NEXT(sqlite3_limit)(db, SQLITE_LIMIT_LENGTH, GREATEST_EXPANDED);
  if (limit < GREATEST_EXPANDED) NEXT(sqlite3_limit)(db, SQLITE_LIMIT_LENGTH, limit);
  char *values = sqlite3_expanded_sql(statement);
  NEXT(sqlite3_limit)(db, SQLITE_LIMIT_LENGTH, limit);
  exhibit_unlock(&limits);
  return values;
}

/* Whether inserted rows show all bound values. */
static int is_told_by_rows(const char *text) {
  if (!exhibit_may_begin(text, -1, "ir")) return 0;
  const char *end = text + strlen(text);
  struct token word = exhibit_first_word(&text, end);
  if (!exhibit_is_the_word(word, "insert")) return exhibit_is_the_word(word, "replace");
  return !exhibit_is_the_word(exhibit_next_token(&text, end), "or") ||
         !exhibit_is_the_word(exhibit_next_token(&text, end), "ignore");
}

static int is_tentative(const char *text) {
  if (!exhibit_may_begin(text, -1, "cd")) return 0;
  const char *end = text + strlen(text);
  struct token token = exhibit_first_word(&text, end);
  if (!exhibit_is_the_word(token, "create") && !exhibit_is_the_word(token, "drop")) return 0;
  for (int i = 0; i < 3 && token.kind; i++) {
    token = exhibit_next_token(&text, end);
    if (!exhibit_is_the_word(token, "if")) continue;
    token = exhibit_next_token(&text, end);
    return exhibit_is_the_word(token, "exists") || exhibit_is_the_word(token, "not");
  }
  return 0;
}

/* A key may be in a bound value, too. */
static int tells_key(sqlite3_stmt *statement, const char *text) {
  if (exhibit_tells_key(text)) return 1;
  if (!exhibit_names_file(text) || sqlite3_bind_parameter_count(statement) == 0) return 0;
  char *values = sqlite3_expanded_sql(statement);
  int is_told = !values || exhibit_tells_key(values);
  sqlite3_free(values);
  return is_told;
}

static uint64_t position_without_literals(const char *text) {
  size_t count;
  char *told = text ? exhibit_without_literals(text, &count) : NULL;
  uint64_t position = told ? exhibit_ring_text(told, count) : UINT64_MAX;
  free(told);
  return position;
}

static uint64_t text_position(const struct running_step *step, const char *text) {
  return step->is_open ? exhibit_ring_text(text, strlen(text)) : position_without_literals(text);
}

static uint64_t refused_text_position(const struct running_step *step, const char *text, const char *message) {
  if (step->is_open) return text_position(step, text);
  char *readable = strndup(text, exhibit_readable_count(text, message));
  uint64_t position = position_without_literals(readable);
  free(readable);
  return position;
}

static struct payload *begin_payload(struct connection_trace *trace, const struct running_step *step) {
  exhibit_payload_begin(&trace->payload);
  exhibit_put_64(&trace->payload, step->number);
  return &trace->payload;
}

/* A trigger's WHEN is known to be true at its first statement. */
static void note_inner(struct connection_callbacks *callbacks, struct running_step *step, const char *text) {
  struct connection_trace *trace = callbacks->traced;
  exhibit_trigger_began(callbacks, step, text);
  if (step->is_nested || !step->is_open) return;
  if (strncmp(text, "-- TRIGGER ", 11) == 0) {
    step->trigger.name = text + 11;
    return;
  }
  /* A cascade begins with the statement's own text. */
  if (!step->trigger.name || !is_nested(step->statement, text)) return;
  struct payload *payload = begin_payload(trace, step);
  exhibit_put_text(payload, step->trigger.name);
  exhibit_step_append(trace, step, exhibit_trace_inner, 0);
  step->trigger.name = NULL;
}

static void write_step(struct connection_trace *trace, struct running_step *step, const char *text) {
  struct payload *payload = &trace->payload;
  exhibit_payload_begin(payload);
  uint64_t numbers[] = {step->number, step->text, exhibit_stack_here()};
  exhibit_put(payload, numbers, sizeof numbers);
  if (!text || !exhibit_put_expanded(payload, step->statement, text)) {
    char *values = text ? expanded(step->statement, text) : NULL;
    exhibit_put_text(payload, values);
    sqlite3_free(values);
  }
  exhibit_step_append(trace, step, exhibit_trace_step, step->flags);
}

static void write_end(struct connection_callbacks *callbacks, struct running_step *step);

void exhibit_step_began(
    struct connection_callbacks *callbacks, uint32_t test, sqlite3_stmt *statement, const char *text) {
  struct connection_trace *trace = exhibit_trace_of(callbacks);
  if (!trace) return;
  struct running_step *step = exhibit_running_step(trace, statement);
  int nested = is_nested(statement, text);
  if (step && !nested && exhibit_takes_begin(statement)) {
    /* It began anew without a word of its end. */
    write_end(callbacks, step);
    exhibit_pop_step(trace, step);
    step = NULL;
  }
  if (step) return note_inner(callbacks, step, text);
  if (nested && trace->count == 0) return;
  step = exhibit_push_step(trace);
  if (!step) return;
  step->statement = statement;
  step->test = test;
  step->is_nested = nested;
  if (nested) return;
  sqlite3 *db = callbacks->db;
  exhibit_takes_begin(statement);
  int is_read_only = sqlite3_stmt_readonly(statement);
  step->number = ++last_number;
  step->is_open = !trace->is_withheld && !tells_key(statement, text) && exhibit_privacy_allows(&trace->privacy, statement);
  step->flags = (uint16_t)((is_read_only ? IS_READ_ONLY : 0) | (sqlite3_get_autocommit(db) ? HAD_AUTOCOMMIT : 0) |
                           (step->is_open ? 0 : IS_WITHHELD));
  step->may_truncate = !is_read_only && exhibit_may_truncate(callbacks, text);
  step->is_tentative = is_tentative(text);
  if (step->is_tentative) step->operations = exhibit_counted_operations(statement);
  step->total_changes = sqlite3_total_changes(db);
  step->text = text_position(step, exhibit_app_text(text));
  int wants_values = step->is_open && exhibit_trace_mode() == exhibit_trace_all;
  step->lacks_values = wants_values && !is_read_only && callbacks->hooks.hears_changes && is_told_by_rows(text);
  write_step(trace, step, wants_values && !step->lacks_values ? text : NULL);
  step->began = exhibit_ring_time();
}

static void put_names(struct payload *payload, const struct running_step *step, int count) {
  size_t begin = payload->count;
  exhibit_put_16(payload, (uint16_t)count);
  int has_names = !exhibit_reads_names_in_utf16();
  for (int i = 0; i < count; i++) exhibit_put_text(payload, has_names ? sqlite3_column_name(step->statement, i) : NULL);
  if (has_names && !payload->is_cut)
    exhibit_keep_names(step->statement, payload->bytes + begin, payload->count - begin);
}

static void write_columns(struct connection_trace *trace, struct running_step *step, int count) {
  struct payload *payload = begin_payload(trace, step);
  if (exhibit_reads_names_in_utf16() || !exhibit_put_names(payload, step->statement)) put_names(payload, step, count);
  exhibit_step_append(trace, step, exhibit_trace_columns, 0);
}

void exhibit_step_gave_row(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  struct connection_trace *trace = callbacks->traced;
  struct running_step *step = trace ? exhibit_running_step(trace, statement) : NULL;
  if (!step || step->is_nested) return;
  int count = sqlite3_data_count(statement);
  if (count == 0) return;
  uint64_t ordinal = step->rows++;
  if (ordinal >= KEPT_ROWS || !step->is_open || exhibit_trace_mode() != exhibit_trace_all) return;
  trace->now = exhibit_ring_time();
  if (ordinal == 0) write_columns(trace, step, count);
  struct payload *payload = begin_payload(trace, step);
  exhibit_put_64(payload, ordinal);
  exhibit_put_16(payload, (uint16_t)count);
  for (int i = 0; i < count; i++) exhibit_put_column(payload, statement, i);
  exhibit_step_append(trace, step, exhibit_trace_row, 0);
  trace->now = 0;
}

static int has_select(const char *text) {
  for (const char *place = text; (place = strpbrk(place, "sS")); place++)
    if (sqlite3_strnicmp(place, "select", 6) == 0) return 1;
  return 0;
}

static void write_values(struct connection_trace *trace, struct running_step *step, sqlite3_stmt *statement) {
  step->lacks_values = 0;
  char *values = expanded(statement, exhibit_sql(statement));
  if (!values) return;
  struct payload *payload = begin_payload(trace, step);
  exhibit_put_text(payload, values);
  sqlite3_free(values);
  exhibit_step_append(trace, step, exhibit_trace_values, 0);
}

/* Rows have the values if each change was an insert, and none from a SELECT. */
static void write_values_of_ended(struct connection_trace *trace, struct running_step *step) {
  if (!step->lacks_values || sqlite3_bind_parameter_count(step->statement) == 0) return;
  int changes = sqlite3_changes(sqlite3_db_handle(step->statement));
  int are_told = step->inserts > 0 && step->inserts == (uint64_t)changes && step->unkept == 0;
  if (!are_told || has_select(exhibit_sql(step->statement))) write_values(trace, step, step->statement);
}

static void write_end(struct connection_callbacks *callbacks, struct running_step *step) {
  struct connection_trace *trace = callbacks->traced;
  sqlite3 *db = callbacks->db;
  int changed = sqlite3_total_changes(db) != step->total_changes ? sqlite3_changes(db) : 0;
  struct payload *payload = &trace->payload;
  trace->now = exhibit_ring_time();
  exhibit_payload_begin(payload);
  uint64_t counts[] = {
      step->number,
      trace->now - step->began,
      step->rows,
      step->flags & IS_READ_ONLY ? UINT64_MAX : (uint64_t)changed,
      step->changes,
      step->unkept,
  };
  exhibit_put(payload, counts, sizeof counts);
  exhibit_put_8(payload, (uint8_t)(sqlite3_get_autocommit(db) != 0));
  step->written = 0;
  int was_idle = step->is_tentative && exhibit_counted_operations(step->statement) - step->operations < FEW_OPERATIONS;
  uint16_t flags = exhibit_untold_rows(callbacks, step, changed) | (was_idle ? WAS_IDLE : 0);
  exhibit_step_append(trace, step, exhibit_trace_end, flags);
  trace->now = 0;
}

void exhibit_step_ended(struct connection_callbacks *callbacks, sqlite3_stmt *statement) {
  struct connection_trace *trace = callbacks->traced;
  struct running_step *step = trace ? exhibit_running_step(trace, statement) : NULL;
  if (!step) return;
  if (!step->is_nested) {
    write_values_of_ended(trace, step);
    write_end(callbacks, step);
    last_step = trace->last.number = step->number;
    trace->last.test = step->test;
    trace->last.is_open = step->is_open;
    trace->last.lacks_values = step->lacks_values;
  }
  exhibit_pop_step(trace, step);
}

static void begin_alone(
    struct connection_callbacks *callbacks, struct running_step *step, const char *text, int is_refused) {
  struct connection_trace *trace = callbacks->traced;
  step->number = ++last_number;
  step->test = exhibit_owner_of(callbacks);
  const char *message = is_refused ? sqlite3_errmsg(callbacks->db) : NULL;
  step->is_open = !trace->is_withheld && !exhibit_excludes_tables() && !(message && exhibit_may_tell_key(text, message));
  step->flags = (uint16_t)((sqlite3_get_autocommit(callbacks->db) ? HAD_AUTOCOMMIT : 0) | (step->is_open ? 0 : IS_WITHHELD));
  step->text = message ? refused_text_position(step, text, message) : exhibit_ring_text(text, strlen(text));
  step->total_changes = sqlite3_total_changes(callbacks->db);
  write_step(trace, step, NULL);
  step->began = exhibit_ring_time();
}

struct running_step *exhibit_step_without_statement(
    struct connection_callbacks *callbacks, const char *text, struct running_step *step) {
  if (!exhibit_trace_of(callbacks)) return NULL;
  memset(step, 0, sizeof *step);
  begin_alone(callbacks, step, text, 0);
  return step;
}

void exhibit_step_without_statement_ended(struct connection_callbacks *callbacks, struct running_step *step) {
  write_end(callbacks, step);
}

uint64_t exhibit_last_step(void) { return last_step; }

void exhibit_step_failed(sqlite3 *db, uint64_t before, const char *text, sqlite3_stmt *statement) {
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  struct connection_trace *trace = callbacks ? exhibit_trace_of(callbacks) : NULL;
  if (!trace) return;
  struct running_step step = {.number = 0};
  if (last_step != before && last_step == trace->last.number) {
    step.number = trace->last.number;
    step.test = trace->last.test;
    step.is_open = trace->last.is_open;
    if (trace->last.lacks_values && statement) write_values(trace, &step, statement);
    trace->last.lacks_values = 0;
  } else {
    begin_alone(callbacks, &step, text ? text : "", 1);
    write_end(callbacks, &step);
  }
  struct payload *payload = begin_payload(trace, &step);
  exhibit_put_32(payload, (uint32_t)sqlite3_extended_errcode(db));
  /* Messages may quote values. */
  exhibit_put_begin_of_text(payload, step.is_open ? sqlite3_errmsg(db) : "", GREATEST_MESSAGE);
  step.written = 0;
  exhibit_step_append(trace, &step, exhibit_trace_error, step.is_open ? 0 : IS_WITHHELD);
}
