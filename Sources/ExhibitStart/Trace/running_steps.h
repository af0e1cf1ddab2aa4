#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "payload.h"
#include "privacy.h"

/* A statement from its beginning to its end. */
struct running_step {
  sqlite3_stmt *statement;
  /* Of a nested statement, the number of the one around it. */
  uint64_t number;
  uint64_t text;
  uint64_t began;
  uint64_t rows, changes, unkept;
  /* Bytes of its rows and changes in the ring. */
  uint64_t written;
  int total_changes;
  uint32_t test;
  uint16_t flags;
  int is_nested;
  /* Whether its values, rows and changes may be recorded. */
  int is_open;
  /* Whether its bound values are left out, as the rows it inserts have them, and how many it inserted itself. */
  int lacks_values;
  uint64_t inserts;
  /* Whether it says IF [NOT] EXISTS, and SQLite's count of operations before this run. */
  int is_tentative;
  unsigned operations;
  /* The table that it changed last with a key of 0, and whether that table has rowids. */
  const char *keyless;
  int has_rowid;
  /* Whether SQLite may delete without telling rows in it, and whether a trigger's DELETE did. */
  int may_truncate, lacks_rows;
  /* The running statement of a trigger, and the counts when it began. */
  struct {
    int may_truncate, total_changes;
    uint64_t changes;
    /* The trigger that was announced but has not run a statement: its WHEN may be false. */
    const char *name;
  } trigger;
};

/* The trace of one connection; under its mutex. */
struct connection_trace {
  uint32_t number;
  int is_withheld;
  /* The innermost last. */
  struct running_step *running;
  size_t count, capacity;
  /* The last step that ended: an error that a function then returns is its. */
  struct {
    uint64_t number;
    uint32_t test;
    int is_open, lacks_values;
  } last;
  /* The time for the records being written; 0 has the clock asked. */
  uint64_t now;
  struct payload payload;
  struct statement_privacy privacy;
};

/* Makes the trace of a watched connection; NULL without a ring or memory. */
struct connection_trace *exhibit_make_trace(const void *connection);
void exhibit_end_trace(struct connection_trace *trace);

/* The running step of a statement; NULL when it does not run. */
struct running_step *exhibit_running_step(struct connection_trace *trace, sqlite3_stmt *statement);

/* Adds an empty step as the innermost; NULL without memory. */
struct running_step *exhibit_push_step(struct connection_trace *trace);
void exhibit_pop_step(struct connection_trace *trace, struct running_step *step);

/* The outermost statement that this thread steps; NULL where sqlite3_step does not pass through us. */
struct stepping {
  sqlite3_stmt *statement;
  int has_begun;
};
extern _Thread_local struct stepping exhibit_stepping __attribute__((visibility("hidden")));

/* Whether the statement begins for the first time in this thread's sqlite3_step; it has, from now on. */
int exhibit_takes_begin(sqlite3_stmt *statement);

/* The step that a changed row belongs to; NULL when none runs. */
struct running_step *exhibit_changing_step(struct connection_trace *trace);
