#define _GNU_SOURCE
#include "passed.h"

#include <string.h>

#include "kept.h"
#include "shares.h"

#define KINDS 1024
#define CHAINS 1024
/* For steps that are not told apart. */
#define KINDS_FOR_REST (KINDS / 8)
/* Passed steps whose ends may still come. */
#define OPEN 64
#define CANDIDATES 64

/* The steps of one statement at one place in the code. */
struct kind {
  uint32_t test, connection;
  struct kept_record *text, *stack;
  struct passed_counts told;
  uint64_t position;
  /* An index plus one. */
  uint16_t next;
  /* `is_given_up`: its record is to be made one of no steps. */
  uint8_t is_used, is_given_up, is_changed;
};

static struct kind kinds[KINDS];
static uint16_t chains[CHAINS];
static size_t end, used, limit = KINDS - KINDS_FOR_REST, candidate;

static struct {
  uint64_t number;
  size_t kind;
} open[OPEN];

void exhibit_passed_limit(size_t greatest) {
  limit = greatest < KINDS - KINDS_FOR_REST ? greatest : KINDS - KINDS_FOR_REST;
}

static uint16_t *chain_of(uint32_t test, uint32_t connection, uint64_t text, uint64_t stack) {
  uint64_t hash = (text ^ (stack << 17) ^ test ^ ((uint64_t)connection << 20)) * 0x9E3779B97F4A7C15u;
  return &chains[(hash >> 32) % CHAINS];
}

static uint16_t *chain_of_kind(const struct kind *kind) {
  return chain_of(kind->test, kind->connection, kind->told.text, kind->told.stack);
}

static void forget(struct kind *kind) {
  uint16_t index = (uint16_t)(kind - kinds + 1), *link = chain_of_kind(kind);
  while (*link != index) link = &kinds[*link - 1].next;
  *link = kind->next;
  if (kind->text) exhibit_kept_release(kind->text);
  if (kind->stack) exhibit_kept_release(kind->stack);
  kind->is_used = 0;
  used--;
  for (size_t i = 0; i < OPEN; i++)
    if (open[i].kind + 1 == index) open[i].number = 0;
}

static struct kind *find(uint32_t test, uint32_t connection, uint64_t text, uint64_t stack) {
  for (uint16_t i = *chain_of(test, connection, text, stack); i; i = kinds[i - 1].next) {
    struct kind *kind = &kinds[i - 1];
    if (kind->told.text == text && kind->told.stack == stack && kind->test == test && kind->connection == connection)
      return kind;
  }
  return NULL;
}

static struct kind *add(uint32_t test, uint32_t connection, uint64_t text, uint64_t stack) {
  size_t i = used == end ? end : 0;
  while (i < end && (kinds[i].is_used || kinds[i].is_given_up)) i++;
  if (i == KINDS) return NULL;
  if (i == end) end++;
  used++;
  uint16_t *chain = chain_of(test, connection, text, stack);
  kinds[i] = (struct kind){
      .test = test, .connection = connection, .text = exhibit_kept_named(text), .stack = exhibit_kept_named(stack),
      .told = {.text = text, .stack = stack}, .position = UINT64_MAX, .next = *chain, .is_used = 1};
  *chain = (uint16_t)(i + 1);
  if (kinds[i].text) exhibit_kept_retain(kinds[i].text);
  if (kinds[i].stack) exhibit_kept_retain(kinds[i].stack);
  return &kinds[i];
}

void exhibit_passed_rest(uint32_t test, uint64_t steps, uint64_t first, uint64_t last) {
  struct kind *kind = find(test, 0, UINT64_MAX, UINT64_MAX);
  if (!kind && !(kind = add(test, 0, UINT64_MAX, UINT64_MAX))) return;
  if (kind->told.steps == 0 || first < kind->told.first) kind->told.first = first;
  if (last > kind->told.last) kind->told.last = last;
  kind->told.steps += steps;
  kind->is_changed = 1;
}

/* Writing it may give up others, but not it. */
static const struct kind *writing;

/* Gives up first what ran once or belongs to no test. */
static int has_room(void) {
  for (int i = 0; used >= limit && i < CANDIDATES; i++) {
    struct kind *kind = &kinds[candidate++ % end];
    if (kind == writing || !kind->is_used || !kind->text || (kind->test && kind->told.steps > 1)) continue;
    forget(kind);
    kind->is_given_up = kind->position != UINT64_MAX;
    struct passed_counts gone = kind->told;
    uint32_t test = kind->test;
    kind->told.steps = kind->told.rows = 0;
    if (test) exhibit_passed_rest(test, gone.steps, gone.first, gone.last);
  }
  return used < limit;
}

void exhibit_passed_step(uint32_t test, uint32_t connection, uint64_t number, uint64_t text, uint64_t stack) {
  if (exhibit_has_ended(test)) return;
  struct kind *kind = find(test, connection, text, stack);
  if (!kind) {
    int can_add = exhibit_kept_named(text) && has_room();
    kind = can_add ? add(test, connection, text, stack) : NULL;
    if (!kind && test) exhibit_passed_rest(test, 1, number, number);
    if (!kind) return;
  }
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

void exhibit_passed_pass(uint64_t first, passed_write *write, passed_rewrite *rewrite) {
  for (size_t i = 0; i < end; i++)
    if (kinds[i].is_used && exhibit_has_ended(kinds[i].test)) forget(&kinds[i]);
  for (size_t i = 0; i < end; i++) {
    struct kind *kind = &kinds[i];
    if (kind->is_given_up && kind->position >= first) rewrite(kind->position, &kind->told);
    kind->is_given_up = 0;
    if (!kind->is_used) continue;
    if (kind->position == UINT64_MAX || kind->position < first) {
      writing = kind;
      kind->position = write(kind->test, kind->connection, &kind->told);
      writing = NULL;
    } else if (kind->is_changed) rewrite(kind->position, &kind->told);
    kind->is_changed = 0;
  }
  while (end > 0 && !kinds[end - 1].is_used) end--;
}

size_t exhibit_passed_from(size_t from, struct passed_kind *kind) {
  for (size_t i = from; i < end; i++) {
    if (!kinds[i].is_used) continue;
    *kind = (struct passed_kind){kinds[i].test, kinds[i].connection, &kinds[i].told};
    return i + 1;
  }
  return 0;
}

void exhibit_passed_forget(void) {
  memset(kinds, 0, end * sizeof *kinds);
  memset(chains, 0, sizeof chains);
  memset(open, 0, sizeof open);
  end = used = candidate = 0;
}
