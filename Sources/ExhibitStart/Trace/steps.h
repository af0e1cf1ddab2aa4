#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "payload.h"
#include "privacy.h"

/* A statement that runs, once begun and not yet at its end. */
struct running_step {
  sqlite3_stmt *statement;
  /* That of the statement around it, where SQLite or a function of the app's runs this one inside of another. */
  uint64_t number;
  uint64_t text;
  uint64_t began;
  uint64_t rows, changes, unkept;
  /* Bytes of rows and changes that it has written. */
  uint64_t written;
  int total_changes;
  uint32_t test;
  uint16_t flags;
  int is_nested;
  /* Whether its rows, values and changes may be told. */
  int is_open;
  /* Whether it is a DELETE that SQLite may have run as a truncation, and whether a trigger's was. */
  int may_truncate, lacks_rows;
  /* The statement of a trigger that runs, and what SQLite and we had counted when it began. */
  struct {
    int may_truncate, total_changes;
    uint64_t changes;
  } trigger;
};

/* What the trace knows of one connection; under its mutex. */
struct connection_trace {
  uint32_t number;
  int is_withheld;
  /* The innermost last. */
  struct running_step *running;
  size_t count, capacity;
  /* The step that ended last, to which an error belongs that its function returns. */
  struct {
    uint64_t number;
    uint32_t test;
    int is_open;
  } last;
  /* The time of the records that are being written, where it is known already; else 0. */
  uint64_t now;
  struct payload payload;
  struct statement_privacy privacy;
};

struct connection_callbacks;

/* That of a watched connection, made when there is none; NULL without a trace or memory. Its mutex is held. */
struct connection_trace *exhibit_trace_of(struct connection_callbacks *callbacks);
void exhibit_trace_forget(struct connection_callbacks *callbacks);

/* SQLITE_TRACE_STMT, _ROW and _PROFILE. */
void exhibit_step_began(
    struct connection_callbacks *callbacks, uint32_t test, sqlite3_stmt *statement, const char *text);
void exhibit_step_gave_row(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
void exhibit_step_ended(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

/* The statement to whose step a change of a row belongs; NULL when none runs. */
struct running_step *exhibit_changing_step(struct connection_trace *trace);

/* A step that no statement makes: a write through sqlite3_blob. Its end is told right behind its change. */
struct running_step *exhibit_step_without_statement(
    struct connection_callbacks *callbacks, const char *text, struct running_step *step);
void exhibit_step_without_statement_ended(struct connection_callbacks *callbacks, struct running_step *step);

/* Writes the trace's payload as a record of a step, unless the step has its share of the ring. */
int exhibit_step_append(
    struct connection_trace *trace, struct running_step *step, uint16_t kind, uint16_t flags);

/* The number of the step that ended last on this thread. */
uint64_t exhibit_last_step(void);

/* An error that a function returned, with the connection's mutex held: of the step that has ended since `before` was
   the last one, else of `text`, which could not be prepared or begun. */
void exhibit_step_failed(sqlite3 *db, uint64_t before, const char *text);

/* The statement that this thread steps, outside of all others; NULL where steps do not pass through us. */
extern _Thread_local sqlite3_stmt *exhibit_stepping __attribute__((visibility("hidden")));

/* Whether a call that steps the statement goes on, in which it has not begun yet; it has, from now on. */
int exhibit_takes_begin(sqlite3_stmt *statement);

/* Longer values are too long for the text of a statement with its values. */
#define EXHIBIT_LONG_VALUE 4096

/* Whether a value that long is bound to the statement, as far as is known. */
int exhibit_has_long_value(sqlite3_stmt *statement);

/* Whether the app has asked for names of columns in UTF-16, which asking for them in UTF-8 would free. */
int exhibit_reads_names_in_utf16(void);
