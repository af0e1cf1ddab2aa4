#define _GNU_SOURCE
#include "shares.h"

/* Further running tests have no share. */
#define SHARES 1024
#define MARKS 32
#define MARKS_OF_A_SHARE 16
#define TESTS (1u << 20)
#define ROUNDS 4

static struct share {
  uint32_t test, steps;
  uint64_t cut;
  /* Bytes so far, and at each mark; `mark` is the latest. */
  uint64_t written;
  struct {
    uint64_t position, written;
  } marks[MARKS];
  uint32_t mark, mark_count;
  /* The share begins here. */
  uint64_t since;
} shares[SHARES];

static uint16_t running[SHARES];
static uint32_t count;
/* Bytes for all, and for each. */
static uint64_t whole, level;
static uint64_t ended[TESTS / 64];

int exhibit_has_ended(uint32_t test) { return test < TESTS && ended[test / 64] >> test % 64 & 1; }

static struct share *share_of(uint32_t test) {
  struct share *share = &shares[test % SHARES];
  return test && share->test == test ? share : 0;
}

static struct share *make(uint32_t test) {
  struct share *share = &shares[test % SHARES];
  if (!test || test >= TESTS || share->test || exhibit_has_ended(test)) return 0;
  *share = (struct share){.test = test};
  running[count++] = (uint16_t)(test % SHARES);
  if (whole / count < level) level = whole / count;
  return share;
}

uint32_t exhibit_share_writes(uint32_t test, uint64_t position, uint64_t size, int is_step) {
  struct share *share = share_of(test);
  if (!share && !(share = make(test))) return 0;
  if (share->mark_count == 0 || share->written - share->marks[share->mark].written >= level / MARKS_OF_A_SHARE) {
    share->mark = (share->mark + 1) % MARKS;
    share->marks[share->mark].position = position;
    share->marks[share->mark].written = share->written;
    if (share->mark_count < MARKS) share->mark_count++;
  }
  share->written += size;
  return share->steps += is_step != 0;
}

static uint64_t beginning(const struct share *share) {
  if (share->written <= level) return 0;
  uint64_t position = share->marks[share->mark].position;
  for (uint32_t i = 1; i < share->mark_count; i++) {
    uint32_t mark = (share->mark + MARKS - i) % MARKS;
    if (share->written - share->marks[mark].written > level) break;
    position = share->marks[mark].position;
  }
  return position;
}

void exhibit_shares_settle(uint64_t bytes) {
  whole = bytes;
  level = count ? bytes / count : bytes;
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t left = bytes;
    uint32_t large = 0;
    for (uint32_t i = 0; i < count; i++) {
      uint64_t written = shares[running[i]].written;
      if (written > level) large++;
      else left -= written;
    }
    if (large == 0 || left / large == level) break;
    level = left / large;
  }
  for (uint32_t i = 0; i < count; i++) shares[running[i]].since = beginning(&shares[running[i]]);
}

int exhibit_share_has(uint32_t test, uint64_t position) {
  struct share *share = share_of(test);
  return share && position >= share->since;
}

void exhibit_share_ended(uint32_t test) {
  if (test > 0 && test < TESTS) ended[test / 64] |= (uint64_t)1 << test % 64;
  struct share *share = share_of(test);
  if (!share) return;
  share->test = 0;
  for (uint32_t i = 0; i < count; i++)
    if (running[i] == test % SHARES) running[i] = running[--count];
}

uint64_t exhibit_share_cut(uint32_t test) {
  struct share *share = share_of(test);
  return share ? share->cut : UINT64_MAX;
}

void exhibit_share_set_cut(uint32_t test, uint64_t step) {
  struct share *share = share_of(test);
  if (share && step > share->cut) share->cut = step;
}
