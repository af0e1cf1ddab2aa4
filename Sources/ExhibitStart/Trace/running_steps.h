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
  /* Whether its rows are hoped to tell what is bound to it, and how many it has inserted itself. */
  int lacks_values;
  uint64_t inserts;
  /* Whether it says IF EXISTS or IF NOT EXISTS, and the operations of the statement's earlier runs. */
  int is_tentative;
  unsigned operations;
  /* The table that it changed last with a key of 0, and whether that has rowids. */
  const char *keyless;
  int has_rowid;
  /* Whether it is a DELETE that SQLite may have run as a truncation, and whether a trigger's was. */
  int may_truncate, lacks_rows;
  /* The statement of a trigger that runs, and what SQLite and we had counted when it began. */
  struct {
    int may_truncate, total_changes;
    uint64_t changes;
    /* The announcement of one of which no statement has begun: its WHEN may be false. */
    const char *name;
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
    int is_open, lacks_values;
  } last;
  /* The time of the records that are being written, where it is known already; else 0. */
  uint64_t now;
  struct payload payload;
  struct statement_privacy privacy;
};

/* That of a watched connection, made for it; NULL without a trace or memory. */
struct connection_trace *exhibit_make_trace(const void *connection);
void exhibit_end_trace(struct connection_trace *trace);

/* The step of a statement that runs; NULL when it does not. */
struct running_step *exhibit_running_step(struct connection_trace *trace, sqlite3_stmt *statement);

/* Adds one, the innermost, which is empty; NULL without memory. */
struct running_step *exhibit_push_step(struct connection_trace *trace);
void exhibit_pop_step(struct connection_trace *trace, struct running_step *step);

/* The statement that this thread steps, outside of all others; NULL where steps do not pass through us. */
struct stepping {
  sqlite3_stmt *statement;
  int has_begun;
};
extern _Thread_local struct stepping exhibit_stepping __attribute__((visibility("hidden")));

/* Whether a call that steps the statement goes on, in which it has not begun yet; it has, from now on. */
int exhibit_takes_begin(sqlite3_stmt *statement);

/* The statement to whose step a change of a row belongs; NULL when none runs. */
struct running_step *exhibit_changing_step(struct connection_trace *trace);
