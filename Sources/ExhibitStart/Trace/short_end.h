#pragma once
#include <stddef.h>
#include <stdint.h>

/* Most ends of steps fit into these bytes of the step's record, before its sum. Under the ring's lock. */
#define EXHIBIT_SHORT_END 24

struct open_step {
  uint64_t number, position;
  uint32_t size;
};
void exhibit_note_open_step(uint64_t number, uint64_t position, uint32_t size);
int exhibit_is_open_step(uint64_t number);
void exhibit_forget_open_steps(void);

int exhibit_find_open_step(const void *payload, size_t count, struct open_step *step);

/* `ordinal` counts the test's steps from 1, or is 0. */
void exhibit_begin_short_end(uint8_t *record, uint32_t size, uint32_t ordinal);

int exhibit_put_short_end(uint8_t *record, uint32_t size, uint16_t flags, const void *payload, size_t count);

/* The rows that the step changed; UINT64_MAX where not told. */
uint64_t exhibit_short_end_changed(const void *payload, size_t count);
