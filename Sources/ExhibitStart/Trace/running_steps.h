#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "payload.h"
#include "privacy.h"

struct running_step {
  sqlite3_stmt *statement;
  uint64_t number;
  uint64_t text;
  uint64_t began;
  uint64_t rows, changes, unkept;
  /* Bytes in the ring. */
  uint64_t written;
  int total_changes;
  uint32_t test;
  uint16_t flags;
  int is_nested;
  /* Whether values, rows and changes may be recorded. */
  int is_open;
  /* Bound values are left out where inserted rows have them. */
  int lacks_values;
  uint64_t inserts;
  /* Whether it says IF [NOT] EXISTS, and SQLite's count of operations before. */
  int is_tentative;
  unsigned operations;
  /* The table last changed with a key of 0. */
  const char *keyless;
  int has_rowid;
  /* Whether SQLite may delete rows untold, and whether a trigger did. */
  int may_truncate, lacks_rows;
  /* A trigger's running statement, and the counts before it. */
  struct {
    int may_truncate, total_changes;
    uint64_t changes;
    /* An announced trigger, whose WHEN may be false. */
    const char *name;
  } trigger;
};

/* The trace of one connection, under its mutex. */
struct connection_trace {
  uint32_t number;
  int is_withheld;
  /* The innermost last. */
  struct running_step *running;
  size_t count, capacity;
  /* The last ended step, whose error a function may still return. */
  struct {
    uint64_t number;
    uint32_t test;
    int is_open, lacks_values;
  } last;
  /* The records' time; 0 asks the clock. */
  uint64_t now;
  struct payload payload;
  struct statement_privacy privacy;
};

struct connection_trace *exhibit_make_trace(const void *connection);
void exhibit_end_trace(struct connection_trace *trace);

/* The running step of a statement, or NULL. */
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

/* Whether the statement begins for the first time in this sqlite3_step. */
int exhibit_takes_begin(sqlite3_stmt *statement);

/* The step that a changed row belongs to, or NULL. */
struct running_step *exhibit_changing_step(struct connection_trace *trace);
