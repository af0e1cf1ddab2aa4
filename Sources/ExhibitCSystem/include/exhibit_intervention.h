#pragma once
#include <stddef.h>
#include <stdint.h>

/* What `reporter explain` has a test process change: a file that $EXHIBIT_INTERVENTION names. The process maps it and
   counts in it, so that the counts stay when it dies. Behind the head stand two texts, each with a 0 behind it. */

#pragma clang assume_nonnull begin

#define EXHIBIT_INTERVENTION "EXHIBIT_INTERVENTION"

enum exhibit_intervention_kind {
  /* Where the app prepares a statement whose text is the first one, the second one is prepared. */
  exhibit_changes_statement = 1,
  /* The second text is run on each connection that the app opens, before the app has it. */
  exhibit_sets_connection = 2,
  /* Each time that a statement of the app's whose text is the first one begins, the second text is run before. */
  exhibit_runs_before = 3,
  /* One run of a statement of the app's whose text is the first one does nothing, and ends as if it were done. */
  exhibit_leaves_out = 4,
};

typedef struct {
  /* EXHIBIT_INTERVENTION_MAGIC, without the 0 at its end. */
  char magic[8];
  uint32_t kind;
  uint32_t first_size, second_size;
  /* The number of the run that is left out, from 1. */
  uint32_t run;
  /* How often it was applied, and how often SQLite refused the second text or it is another in parameters or columns. */
  uint64_t applied, refused;
  /* The rows that a changed statement returned, and those that it wrote itself. */
  uint64_t rows, written;
} exhibit_intervention;

#define EXHIBIT_INTERVENTION_MAGIC "EXHINTV3"

/* The largest file that is read. */
static const size_t exhibit_intervention_limit = 1 << 20;

#pragma clang assume_nonnull end
