#pragma once
#include <stdint.h>

/* Where records and steps begin: the ring's file is not trusted for that. Places are multiples of 8. Under the
   ring's lock. */

int exhibit_record_places_make(uint64_t size);

void exhibit_note_record(uint64_t place, int is_step);

/* Counts a step that it forgets; returns the next record's place, or `room`. */
uint64_t exhibit_forget_record(uint64_t place, uint64_t room, uint64_t *steps);

void exhibit_forget_records(uint64_t room);
