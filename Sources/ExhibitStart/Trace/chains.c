#define _GNU_SOURCE
#include "chains.h"

#include <stddef.h>
#include <sys/mman.h>

#define CHAINS 8192

/* No record is shorter. */
#define CELL 32

/* How far a record's chain goes back, in 8 bytes; 0 at its end. */
static uint32_t *steps_back;
/* Positions plus one. */
static uint64_t newest[CHAINS];

int exhibit_chains_make(uint64_t size) {
  void *memory = mmap(
      NULL, (size / CELL + 1) * sizeof *steps_back, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  steps_back = memory;
  return 1;
}

int exhibit_chains_exist(void) { return steps_back != NULL; }

/* Even for a test, odd for a connection. */
static uint64_t *chain_of(uint32_t test, uint32_t connection) {
  uint64_t number = test ? 2 * (uint64_t)test : 2 * (uint64_t)connection + 1;
  return &newest[number % CHAINS];
}

void exhibit_chain_record(uint64_t position, uint64_t room, uint32_t test, uint32_t connection) {
  uint64_t *last = chain_of(test, connection);
  uint64_t back = *last ? (position - (*last - 1)) / 8 : 0;
  steps_back[position % room / CELL] = back > UINT32_MAX ? 0 : (uint32_t)back;
  *last = position + 1;
}

uint64_t exhibit_chain_newest(uint32_t test, uint32_t connection) { return *chain_of(test, connection) - 1; }

uint64_t exhibit_chain_before(uint64_t position, uint64_t room) {
  uint64_t back = steps_back[position % room / CELL];
  return back ? position - back * 8 : EXHIBIT_CHAIN_END;
}
