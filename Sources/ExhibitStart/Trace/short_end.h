#pragma once
#include <stddef.h>
#include <stdint.h>

/* How a step ends, as most do, is written into the record of its beginning, which has room for it before its sum: that takes
   a third of a record of its own. Called under the ring's lock. */
#define EXHIBIT_SHORT_END 24

/* A step runs whose record of so many bytes is at a position, and maybe elsewhere later. */
struct open_step {
  uint64_t number, position;
  uint32_t size;
};
void exhibit_note_open_step(uint64_t number, uint64_t position, uint32_t size);
int exhibit_is_open_step(uint64_t number);
void exhibit_forget_open_steps(void);

/* The step of which the payload of an end is; returns whether it is known. */
int exhibit_find_open_step(const void *payload, size_t count, struct open_step *step);

/* Says in a record that its step runs, and which of its test's it is, from 1; 0 where that is not known. */
void exhibit_begin_short_end(uint8_t *record, uint32_t size, uint32_t ordinal);

/* Says in a record how its step ended. Returns whether it has room for these numbers. */
int exhibit_put_short_end(uint8_t *record, uint32_t size, uint16_t flags, const void *payload, size_t count);

/* The rows that a step changed, by its payload with what fills it up; UINT64_MAX where that is not there. */
uint64_t exhibit_short_end_changed(const void *payload, size_t count);
