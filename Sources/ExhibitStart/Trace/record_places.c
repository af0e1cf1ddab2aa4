#define _GNU_SOURCE
#include "record_places.h"

#include <string.h>
#include <sys/mman.h>

/* A bit for each 8 bytes of the ring. */
static uint64_t *beginnings, *steps;

int exhibit_record_places_make(uint64_t size) {
  uint64_t words = size / 512 + 1;
  void *memory = mmap(
      NULL, 2 * words * sizeof *beginnings, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  beginnings = memory;
  steps = beginnings + words;
  return 1;
}

void exhibit_note_record(uint64_t place, int is_step) {
  uint64_t bit = (uint64_t)1 << place / 8 % 64;
  beginnings[place / 512] |= bit;
  if (is_step) steps[place / 512] |= bit;
}

uint64_t exhibit_forget_record(uint64_t place, uint64_t room, uint64_t *count) {
  uint64_t word = place / 512, bit = (uint64_t)1 << place / 8 % 64;
  if (steps[word] & bit) {
    steps[word] &= ~bit;
    (*count)++;
  }
  beginnings[word] &= ~bit;
  uint64_t bits = beginnings[word] & ~(bit - 1);
  while (bits == 0 && ++word * 512 < room) bits = beginnings[word];
  uint64_t next = bits ? word * 512 + (uint64_t)__builtin_ctzll(bits) * 8 : room;
  return next < room ? next : room;
}

void exhibit_forget_records(uint64_t room) {
  memset(beginnings, 0, (room / 512 + 1) * sizeof *beginnings);
  memset(steps, 0, (room / 512 + 1) * sizeof *steps);
}
