#pragma once
#include <stddef.h>
#include <stdint.h>

#include "record.h"

/* The latest records of this process: docs/artifacts-format.md, "The trace". Any thread may append. */

/* Whether there is a ring, which the first call makes. */
int exhibit_ring_is_on(void);

/* Nanoseconds since the ring was made. */
uint64_t exhibit_ring_time(void);

/* The most bytes that one statement may write. */
uint64_t exhibit_ring_share(void);

/* Appends a record; sets its size and position, and its time when that is 0. Returns whether there was room for it. */
int exhibit_ring_append(struct record_header header, const void *payload, size_t size);

/* The name of a record with this text, or these bytes, which is written where it is new, and again before it is
   overwritten as long as records refer to it, or always; UINT64_MAX when there is no room for it. */
uint64_t exhibit_ring_text(const char *text, size_t count);
uint64_t exhibit_ring_keep(uint16_t kind, const void *bytes, uint32_t count, int is_needed_always);

/* The name of a record that is there; UINT64_MAX when there is none. */
uint64_t exhibit_ring_find(uint16_t kind, const void *bytes, uint32_t count);

/* Whether there is a record of the name, to which another one is going to refer. */
int exhibit_ring_use(uint64_t name);

/* Says that changes of rows are told, of this ring or of one that is made later. */
void exhibit_ring_tells_changes(void);
