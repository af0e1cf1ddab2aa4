#pragma once
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* What the trace keeps, read once from $EXHIBIT_TRACE; off unless connections are watched. */
enum exhibit_trace { exhibit_trace_off, exhibit_trace_statements, exhibit_trace_all };
enum exhibit_trace exhibit_trace_mode(void);

/* Whether steps tell where in the code they were run; read once from $EXHIBIT_TRACE_PLACES. */
int exhibit_trace_has_places(void);

/* Kinds of the trace's records: docs/artifacts-format.md, "The trace". */
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

/* Bytes of the ring's header, which the data follow. */
#define EXHIBIT_TRACE_HEADER 4096

/* Whether this process keeps its steps, which begins at its first statement. */
int exhibit_trace_exists(void);

/* Has the ring lie in the file at `path` from now on, which is empty and open for reading and writing; closes the
   descriptor. What the ring holds goes with it. Returns an error number, with which nothing has changed. */
int exhibit_trace_move(int descriptor, const char *path);

/* Appends a record of a kind that says something beside statements. Nothing happens while there is no ring. */
void exhibit_trace_mark(
    uint16_t kind, uint32_t test, uint32_t connection, const void *payload, size_t size);

/* The ring as its file would be: the header, and behind it all data. Freed by the caller; returns its size, 0 when
   there is no ring or no memory. */
size_t exhibit_trace_copy(void **image);

/* Has the records of each test be found without looking at those of all others; called before the first statement. */
void exhibit_trace_keep_tests(void);

/* What of the ring is wanted: the records of a test, and of connections those of nobody, from a position on. */
struct exhibit_slice_wish {
  uint64_t start;
  uint32_t test;
  const uint32_t *connections;
  size_t connection_count;
  /* Bytes to leave free before it. */
  size_t before;
};

enum exhibit_slice { exhibit_slice_made, exhibit_slice_empty, exhibit_slice_damaged, exhibit_slice_no_memory };

/* Room for slices one behind the other, all zeros at first; the bytes are freed by who has it. */
struct exhibit_slices {
  uint8_t *bytes;
  size_t count, capacity;
};

/* Appends a small ring with these records and all that they name, as a file of it would be, but with a header of
   EXHIBIT_SLICE_HEADER bytes. Nothing is appended unless it was made: it is empty where no step is in it, and damaged
   where somebody else has written into the ring. */
#define EXHIBIT_SLICE_HEADER 96
enum exhibit_slice exhibit_trace_slice(const struct exhibit_slice_wish *wish, struct exhibit_slices *slices);

/* The number of the latest step of this process. */
uint64_t exhibit_trace_last_step(void);

/* The position at which the next record will begin; 0 when there is no ring. */
uint64_t exhibit_trace_position(void);

/* Overwrites all that the ring holds, and says why. */
void exhibit_trace_clear(const char *reason);

/* From now on, statements that use one of the tables, or of whose tables nothing is known, keep their text with `?` for
   literals, and nothing else. Names end with a NUL, the last one with two; they are compared without ASCII case, and
   are added to those of earlier calls. */
void exhibit_trace_exclude(const char *tables);

/* Has all statements of a watched connection so. */
void exhibit_trace_withhold(sqlite3 *db);

/* Whether any statement of a text that SQLite has refused with this message tells the key of an encrypted database, or
   seems to where SQLite could not even parse it. */
int exhibit_may_tell_key(const char *text, const char *message);

/* Nothing is written any more. */
void exhibit_trace_stop(void);

/* Why changes of rows are not heard of; NULL when they are. */
const char *exhibit_trace_lacks_changes(void);

/* Implemented in Swift. */

/* Called at the first statement: returns the most bytes that the ring may have. */
uint64_t exhibit_trace_size(void);

/* Called when the ring is made, in memory. */
void exhibit_trace_made(void);

/* The number of a watched connection. */
uint32_t exhibit_connection_number(void *connection);
