#pragma once
#include <stddef.h>
#include <stdint.h>

/* Counts of overwritten steps, by statement and place in the code. Under the ring's lock. */

void exhibit_passed_limit(size_t kinds);

/* `text` and `stack` are names of kept records. */
void exhibit_passed_step(uint32_t test, uint32_t connection, uint64_t number, uint64_t text, uint64_t stack);

/* `rows` is UINT64_MAX where the step only read. */
void exhibit_passed_end(uint64_t number, uint64_t rows);

void exhibit_passed_rest(uint32_t test, uint64_t steps, uint64_t first, uint64_t last);

/* A record's payload; the names are -1 for steps not told apart. */
struct passed_counts {
  uint64_t text, stack;
  uint64_t steps, rows;
  uint64_t first, last;
};

typedef uint64_t passed_write(uint32_t test, uint32_t connection, const struct passed_counts *counts);
typedef void passed_rewrite(uint64_t position, const struct passed_counts *counts);

/* Writes new counts, and those before `first` again; updates others in place. */
void exhibit_passed_pass(uint64_t first, passed_write *write, passed_rewrite *rewrite);

void exhibit_passed_forget(void);

/* A count. The function finds the next one; it returns the place behind it, or 0. */
struct passed_kind {
  uint32_t test, connection;
  const struct passed_counts *counts;
};
size_t exhibit_passed_from(size_t from, struct passed_kind *kind);
