#pragma once
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* What is recorded: $EXHIBIT_TRACE, read once. Off unless connections are watched. */
enum exhibit_trace { exhibit_trace_off, exhibit_trace_statements, exhibit_trace_all };
enum exhibit_trace exhibit_trace_mode(void);

/* Whether steps record their stacks: $EXHIBIT_TRACE_PLACES, read once. */
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

/* Bytes of the header, before the data. */
#define EXHIBIT_TRACE_HEADER 4096

/* Whether there is a ring. It is made at the first statement. */
int exhibit_trace_exists(void);

/* Moves the ring into the empty file at `path`, open for reading and writing; closes the descriptor. Returns an error
   number, with which nothing has changed. */
int exhibit_trace_move(int descriptor, const char *path);

/* Appends a record that is about no statement, if there is a ring. */
void exhibit_trace_mark(
    uint16_t kind, uint32_t test, uint32_t connection, const void *payload, size_t size);

/* Copies the ring as its file would be. The caller frees it. Returns its size, 0 without a ring or memory. */
size_t exhibit_trace_copy(void **image);

/* Has the records of a test be found without reading those of all. Called before the first statement. */
void exhibit_trace_keep_tests(void);

/* Which records a slice has: those of a test, and those of connections that belong to no test, from a position on. */
struct exhibit_slice_wish {
  uint64_t start;
  uint32_t test;
  const uint32_t *connections;
  size_t connection_count;
  /* Bytes to leave free before it. */
  size_t before;
};

enum exhibit_slice { exhibit_slice_made, exhibit_slice_empty, exhibit_slice_damaged, exhibit_slice_no_memory };

/* Slices one behind the other. Room is zeroed; the owner frees the bytes. */
struct exhibit_slices {
  uint8_t *bytes;
  size_t count, capacity;
};

/* Appends a small ring with these records and all that they refer to; its header has EXHIBIT_SLICE_HEADER bytes. Appends
   nothing unless it was made: empty means without a step, damaged that another process wrote into the ring. */
#define EXHIBIT_SLICE_HEADER 96
enum exhibit_slice exhibit_trace_slice(const struct exhibit_slice_wish *wish, struct exhibit_slices *slices);

/* The number of the latest step of this process. */
uint64_t exhibit_trace_last_step(void);

/* Where the next record begins; 0 without a ring. */
uint64_t exhibit_trace_position(void);

/* Empties the ring, and records why. */
void exhibit_trace_clear(const char *reason);

/* Excludes tables: of statements that use one, or whose tables are not known, only the text with `?` for literals is kept
   from now on. Names end with a NUL, the last with two; they ignore ASCII case and add to earlier ones. */
void exhibit_trace_exclude(const char *tables);

/* The same for all statements of a connection. */
void exhibit_trace_withhold(sqlite3 *db);

/* Whether a text that SQLite refused with this message has, or may have, the key of an encrypted database. */
int exhibit_may_tell_key(const char *text, const char *message);

/* Stops recording. */
void exhibit_trace_stop(void);

/* Why row changes are not recorded; NULL when they are. */
const char *exhibit_trace_lacks_changes(void);

/* Implemented in Swift. */

/* The largest size of the ring; asked at the first statement. */
uint64_t exhibit_trace_size(void);

/* Called when the ring was made, in memory. */
void exhibit_trace_made(void);

/* The number of a watched connection. */
uint32_t exhibit_connection_number(void *connection);
