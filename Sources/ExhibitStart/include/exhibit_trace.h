#pragma once
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* $EXHIBIT_TRACE, read once. Off unless connections are watched. */
enum exhibit_trace { exhibit_trace_off, exhibit_trace_statements, exhibit_trace_all };
enum exhibit_trace exhibit_trace_mode(void);

/* $EXHIBIT_TRACE_PLACES, read once. */
int exhibit_trace_has_places(void);

/* Kinds of records: docs/artifacts-format.md, "The trace". */
enum exhibit_trace_kind {
  exhibit_trace_padding = 0,
  exhibit_trace_text = 1,
  exhibit_trace_opened = 2,
  exhibit_trace_closed = 3,
  exhibit_trace_stack = 4,
  exhibit_trace_image = 5,
  exhibit_trace_step = 10,
  exhibit_trace_inner = 11,
  exhibit_trace_columns = 12,
  exhibit_trace_row = 13,
  exhibit_trace_change = 14,
  exhibit_trace_end = 15,
  exhibit_trace_error = 16,
  exhibit_trace_values = 17,
  exhibit_trace_passed = 18,
  exhibit_trace_began = 20,
  exhibit_trace_ended = 21,
  exhibit_trace_issue = 22,
  exhibit_trace_baseline = 23,
  exhibit_trace_cleared = 24,
};

/* Bytes before the data. */
#define EXHIBIT_TRACE_HEADER 4096

int exhibit_trace_exists(void);

/* Moves the ring into an empty file; closes the descriptor. Returns an error number, with which nothing has changed. */
int exhibit_trace_move(int descriptor, const char *path);

/* Appends a record about no statement. */
void exhibit_trace_mark(
    uint16_t kind, uint32_t test, uint32_t connection, const void *payload, size_t size);

/* Copies the ring as its file would be; the caller frees it. Returns its size, or 0. */
size_t exhibit_trace_copy(void **image);

/* Keeps chains for slices. Called before the first statement. */
void exhibit_trace_keep_tests(void);

/* The records of a slice: a test's, and those of connections without a test, from `start` on. */
struct exhibit_slice_wish {
  uint64_t start;
  uint32_t test;
  const uint32_t *connections;
  size_t connection_count;
  /* Bytes to leave free before it. */
  size_t before;
};

enum exhibit_slice { exhibit_slice_made, exhibit_slice_empty, exhibit_slice_damaged, exhibit_slice_no_memory };

/* Slices one behind the other; the owner frees them. */
struct exhibit_slices {
  uint8_t *bytes;
  size_t count, capacity;
};

/* Appends a small ring with these records and all that they name. Empty: without a step; damaged: overwritten by
   another process. */
#define EXHIBIT_SLICE_HEADER 96
enum exhibit_slice exhibit_trace_slice(const struct exhibit_slice_wish *wish, struct exhibit_slices *slices);

uint64_t exhibit_trace_last_step(void);

/* Where the next record begins; 0 without a ring. */
uint64_t exhibit_trace_position(void);

void exhibit_trace_clear(const char *reason);

/* Has only the text, with `?` for literals, recorded of statements that use these tables. Each name ends with a NUL,
   the last with two. */
void exhibit_trace_exclude(const char *tables);

/* The same for all statements of a connection. */
void exhibit_trace_withhold(sqlite3 *db);

/* Whether a refused text may have an encrypted database's key. */
int exhibit_may_tell_key(const char *text, const char *message);

void exhibit_trace_stop(void);

/* Why row changes are not recorded, or NULL. */
const char *exhibit_trace_lacks_changes(void);

/* Implemented in Swift. */

uint64_t exhibit_trace_size(void);

void exhibit_trace_made(void);

uint32_t exhibit_connection_number(void *connection);
