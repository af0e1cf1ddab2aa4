#pragma once
#include <stddef.h>
#include <stdint.h>

/* Most ends of steps are written into the record of the step's beginning, which has room for that before its sum. Called
   under the ring's lock. */
#define EXHIBIT_SHORT_END 24

/* A running step, and where its record is now. */
struct open_step {
  uint64_t number, position;
  uint32_t size;
};
void exhibit_note_open_step(uint64_t number, uint64_t position, uint32_t size);
int exhibit_is_open_step(uint64_t number);
void exhibit_forget_open_steps(void);

/* Finds the step of an end's payload; returns whether it is known. */
int exhibit_find_open_step(const void *payload, size_t count, struct open_step *step);

/* Marks the record's step as running; `ordinal` counts the steps of its test from 1, or is 0. */
void exhibit_begin_short_end(uint8_t *record, uint32_t size, uint32_t ordinal);

/* Writes the end into the record; returns whether its numbers fit. */
int exhibit_put_short_end(uint8_t *record, uint32_t size, uint16_t flags, const void *payload, size_t count);

/* The rows that the step of such a payload changed; UINT64_MAX where that is not there. */
uint64_t exhibit_short_end_changed(const void *payload, size_t count);
