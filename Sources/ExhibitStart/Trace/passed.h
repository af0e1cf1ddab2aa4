#pragma once
#include <stddef.h>
#include <stdint.h>

/* Steps whose records are overwritten: those of one statement at one place of the code are counted together, and what is
   counted is a record of the ring. Called under the ring's lock. */

/* Has so many kinds of them be told apart at most. */
void exhibit_passed_limit(size_t kinds);

/* A step is overwritten. `text` and `stack` are the names of kept records. */
void exhibit_passed_step(uint32_t test, uint32_t connection, uint64_t number, uint64_t text, uint64_t stack);

/* The end of a step is overwritten; `rows` is UINT64_MAX where it only read. */
void exhibit_passed_end(uint64_t number, uint64_t rows);

/* So many steps of a test are overwritten or gone that are not told apart, from one number to another. */
void exhibit_passed_rest(uint32_t test, uint64_t steps, uint64_t first, uint64_t last);

/* As a record has them. The names are -1 where steps are not told apart. */
struct passed_counts {
  uint64_t text, stack;
  uint64_t steps, rows;
  uint64_t first, last;
};

typedef uint64_t passed_write(uint32_t test, uint32_t connection, const struct passed_counts *counts);
typedef void passed_rewrite(uint64_t position, const struct passed_counts *counts);

/* Writes what is new, and again what lies before `first`; what was counted since is written where the record is. */
void exhibit_passed_pass(uint64_t first, passed_write *write, passed_rewrite *rewrite);

void exhibit_passed_forget(void);

/* What is counted from a place on; returns the place behind that, 0 when there is none. */
struct passed_kind {
  uint32_t test, connection;
  const struct passed_counts *counts;
};
size_t exhibit_passed_from(size_t from, struct passed_kind *kind);
