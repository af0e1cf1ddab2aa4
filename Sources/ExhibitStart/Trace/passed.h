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

/* The test has ended: its steps are needed no longer. */
void exhibit_passed_ended(uint32_t test);

typedef uint64_t passed_write(uint32_t test, uint32_t connection, const void *payload, size_t count);

/* Writes what was counted since, and again what lies before `first`. */
void exhibit_passed_pass(uint64_t first, passed_write *write);

void exhibit_passed_forget(void);

/* What is counted of a test from a kind on, as its records have it; returns the kind behind that, 0 when there is none. */
struct passed_kind {
  uint32_t connection;
  const void *payload;
  size_t size;
};
size_t exhibit_passed_of(uint32_t test, size_t from, struct passed_kind *kind);
