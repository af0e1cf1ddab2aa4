#pragma once
#include <stdint.h>

/* Where records begin in the ring, and which are steps: the file is never read for that, as other processes can write it.
   Places are multiples of 8. Called under the ring's lock. */

/* Makes the table for so many bytes; returns whether there was memory. */
int exhibit_record_places_make(uint64_t size);

void exhibit_note_record(uint64_t place, int is_step);

/* Forgets the record at a place, and counts it if it is a step. Returns the place of the next one, `room` at the end. */
uint64_t exhibit_forget_record(uint64_t place, uint64_t room, uint64_t *steps);

void exhibit_forget_records(uint64_t room);
