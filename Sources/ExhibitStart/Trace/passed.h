#pragma once
#include <stddef.h>
#include <stdint.h>

/* Counts of overwritten steps, by statement and place in the code; each count is a record of the ring. Called under the
   ring's lock. */

/* Limits how many kinds are counted apart. */
void exhibit_passed_limit(size_t kinds);

/* Counts an overwritten step. `text` and `stack` are names of kept records. */
void exhibit_passed_step(uint32_t test, uint32_t connection, uint64_t number, uint64_t text, uint64_t stack);

/* Counts an overwritten end of a step; `rows` is UINT64_MAX where it only read. */
void exhibit_passed_end(uint64_t number, uint64_t rows);

/* Counts steps of a test, from one number to another, that are not told apart. */
void exhibit_passed_rest(uint32_t test, uint64_t steps, uint64_t first, uint64_t last);

/* The payload of the record. The names are -1 for steps that are not told apart. */
struct passed_counts {
  uint64_t text, stack;
  uint64_t steps, rows;
  uint64_t first, last;
};

typedef uint64_t passed_write(uint32_t test, uint32_t connection, const struct passed_counts *counts);
typedef void passed_rewrite(uint64_t position, const struct passed_counts *counts);

/* Writes new counts, and again those before `first`; updates the others where they are. */
void exhibit_passed_pass(uint64_t first, passed_write *write, passed_rewrite *rewrite);

void exhibit_passed_forget(void);

/* The next count from a place on; returns the place behind it, 0 at the end. */
struct passed_kind {
  uint32_t test, connection;
  const struct passed_counts *counts;
};
size_t exhibit_passed_from(size_t from, struct passed_kind *kind);
