#define _GNU_SOURCE
#include "passed.h"

#include <string.h>

#include "kept.h"

#define KINDS 256
/* Steps whose ends are looked for: a statement of which rows are read meanwhile begins before others. */
#define OPEN 64
/* Tests that are known to have ended. */
#define TESTS (1u << 16)

/* Steps of one statement at one place of the code. */
struct kind {
  uint32_t test, connection;
  struct kept_record *text, *stack;
  /* As the record has it. */
  struct payload {
    uint64_t text, stack;
    uint64_t steps, rows;
    uint64_t first, last;
  } told;
  uint64_t position;
  int is_changed;
};

static struct kind kinds[KINDS];
static size_t count, limit = KINDS;
static uint64_t ended[TESTS / 64];

/* The kinds of steps that were passed last, by number. */
static struct {
  uint64_t number;
  size_t kind;
} open[OPEN];

void exhibit_passed_limit(size_t greatest) { limit = greatest < KINDS ? greatest : KINDS; }

static int has_ended(uint32_t test) { return test < TESTS && ended[test / 64] >> test % 64 & 1; }

void exhibit_passed_ended(uint32_t test) {
  if (test > 0 && test < TESTS) ended[test / 64] |= (uint64_t)1 << test % 64;
}

static void forget(size_t index) {
  exhibit_kept_release(kinds[index].text);
  if (kinds[index].stack) exhibit_kept_release(kinds[index].stack);
  kinds[index] = kinds[--count];
  /* The last one has moved. */
  memset(open, 0, sizeof open);
}

/* One that ran once only makes room: what repeats itself is worth more. */
static int has_room(void) {
  if (count < limit) return 1;
  size_t i = 0;
  while (i < count && kinds[i].told.steps > 1) i++;
  if (i < count) forget(i);
  return count < limit;
}

static struct kind *kind_of(uint32_t test, uint32_t connection, uint64_t text, uint64_t stack) {
  for (size_t i = count; i > 0; i--) {
    struct kind *kind = &kinds[i - 1];
    if (kind->told.text == text && kind->told.stack == stack && kind->test == test && kind->connection == connection)
      return kind;
  }
  struct kept_record *kept = exhibit_kept_named(text);
  if (!kept || !has_room()) return NULL;
  struct kind *kind = &kinds[count++];
  *kind = (struct kind){
      .test = test, .connection = connection, .text = kept, .stack = exhibit_kept_named(stack),
      .told = {.text = text, .stack = stack}, .position = UINT64_MAX};
  exhibit_kept_retain(kind->text);
  if (kind->stack) exhibit_kept_retain(kind->stack);
  return kind;
}

void exhibit_passed_step(uint32_t test, uint32_t connection, uint64_t number, uint64_t text, uint64_t stack) {
  struct kind *kind = has_ended(test) ? NULL : kind_of(test, connection, text, stack);
  if (!kind) return;
  if (kind->told.steps++ == 0) kind->told.first = number;
  kind->told.last = number;
  kind->is_changed = 1;
  open[number % OPEN].number = number;
  open[number % OPEN].kind = (size_t)(kind - kinds);
}

void exhibit_passed_end(uint64_t number, uint64_t rows) {
  if (open[number % OPEN].number != number || rows == UINT64_MAX) return;
  struct kind *kind = &kinds[open[number % OPEN].kind];
  kind->told.rows += rows;
  kind->is_changed = 1;
}

void exhibit_passed_pass(uint64_t first, passed_write *write) {
  for (size_t i = count; i > 0; i--)
    if (has_ended(kinds[i - 1].test)) forget(i - 1);
  for (size_t i = 0; i < count; i++) {
    struct kind *kind = &kinds[i];
    if (!kind->is_changed && kind->position >= first) continue;
    kind->is_changed = 0;
    kind->position = write(kind->test, kind->connection, &kind->told, sizeof kind->told);
  }
}

size_t exhibit_passed_of(uint32_t test, size_t from, struct passed_kind *kind) {
  for (size_t i = from; i < count; i++) {
    if (kinds[i].test != test) continue;
    *kind = (struct passed_kind){kinds[i].connection, &kinds[i].told, sizeof kinds[i].told};
    return i + 1;
  }
  return 0;
}

void exhibit_passed_forget(void) {
  count = 0;
  memset(open, 0, sizeof open);
}
