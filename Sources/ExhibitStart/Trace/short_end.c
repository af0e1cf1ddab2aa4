#define _GNU_SOURCE
#include "short_end.h"

#include <stdatomic.h>
#include <string.h>

#define OPEN 256

struct short_end {
  uint32_t nanoseconds, rows, changed;
  uint16_t changes, unkept;
  uint32_t ordinal;
  /* 0 while the step runs; then 1, plus 2 outside of a transaction, and the flags 8 bits higher. */
  _Atomic uint32_t state;
};

_Static_assert(sizeof(struct short_end) == EXHIBIT_SHORT_END, "as the format says");

struct numbers {
  uint64_t step, nanoseconds, rows, changed, changes, unkept;
};

static struct open_step steps[OPEN];

void exhibit_note_open_step(uint64_t number, uint64_t position, uint32_t size) {
  steps[number % OPEN] = (struct open_step){number, position, size};
}

int exhibit_is_open_step(uint64_t number) { return steps[number % OPEN].number == number; }
void exhibit_forget_open_steps(void) { memset(steps, 0, sizeof steps); }

int exhibit_find_open_step(const void *payload, size_t count, struct open_step *step) {
  struct numbers numbers;
  if (count != sizeof numbers + 1) return 0;
  memcpy(&numbers, payload, sizeof numbers);
  *step = steps[numbers.step % OPEN];
  return numbers.step && step->number == numbers.step;
}

static struct short_end *end_of(uint8_t *record, uint32_t size) {
  return (struct short_end *)(record + size - sizeof(uint32_t) - sizeof(struct short_end));
}

void exhibit_begin_short_end(uint8_t *record, uint32_t size, uint32_t ordinal) {
  memset(end_of(record, size), 0, sizeof(struct short_end));
  end_of(record, size)->ordinal = ordinal;
}

int exhibit_put_short_end(uint8_t *record, uint32_t size, uint16_t flags, const void *payload, size_t count) {
  struct numbers told;
  memcpy(&told, payload, sizeof told);
  uint64_t changed = told.changed == UINT64_MAX ? UINT32_MAX : told.changed;
  if (told.changed == UINT32_MAX || (told.nanoseconds | told.rows | changed) > UINT32_MAX) return 0;
  if ((told.changes | told.unkept) > UINT16_MAX) return 0;
  struct short_end *end = end_of(record, size);
  end->nanoseconds = (uint32_t)told.nanoseconds;
  end->rows = (uint32_t)told.rows;
  end->changed = (uint32_t)changed;
  end->changes = (uint16_t)told.changes;
  end->unkept = (uint16_t)told.unkept;
  uint32_t is_outside = ((const uint8_t *)payload)[count - 1] ? 2 : 0;
  atomic_store_explicit(&end->state, 1 | is_outside | (uint32_t)flags << 8, memory_order_release);
  steps[told.step % OPEN].number = 0;
  return 1;
}

uint64_t exhibit_short_end_changed(const void *payload, size_t count) {
  struct short_end end;
  if (count < sizeof end) return UINT64_MAX;
  memcpy(&end, (const uint8_t *)payload + count - sizeof end, sizeof end);
  return end.state && end.changed != UINT32_MAX ? end.changed : UINT64_MAX;
}
