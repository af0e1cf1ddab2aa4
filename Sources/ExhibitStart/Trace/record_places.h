#pragma once
#include <stdint.h>

/* Where the records of the ring begin, and which of them are steps. The ring itself lies in a file that others can write,
   so nothing is read back from there. Places are multiples of 8; called under the ring's lock. */

/* Makes it for so many bytes of records; returns whether there was memory. */
int exhibit_record_places_make(uint64_t size);

void exhibit_note_record(uint64_t place, int is_step);

/* Forgets what begins at a place, and counts it if it was a step; returns where the next record of the lap begins, `room`
   when none does. */
uint64_t exhibit_forget_record(uint64_t place, uint64_t room, uint64_t *steps);

/* Forgets all. */
void exhibit_forget_records(uint64_t room);
