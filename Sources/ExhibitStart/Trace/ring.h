#pragma once
#include <stddef.h>
#include <stdint.h>

#include "record.h"

/* The ring: the latest records of this process. docs/artifacts-format.md, "The trace". Any thread may append. */

/* Whether there is a ring. The first call makes it. */
int exhibit_ring_is_on(void);

/* Nanoseconds since the ring was made. */
uint64_t exhibit_ring_time(void);

/* The most bytes that one statement may write. */
uint64_t exhibit_ring_share(void);

/* Appends a record; sets its size and position, and its time when that is 0. Returns whether there was room for it. */
int exhibit_ring_append(struct record_header header, const void *payload, size_t size);

/* The name of the record with this text or these bytes. It is written when it is new, and again before it would be
   overwritten while other records refer to it, or always. UINT64_MAX without room. */
uint64_t exhibit_ring_text(const char *text, size_t count);
uint64_t exhibit_ring_keep(uint16_t kind, const void *bytes, uint32_t count, int is_needed_always);

/* The name of an existing record; UINT64_MAX when there is none. */
uint64_t exhibit_ring_find(uint16_t kind, const void *bytes, uint32_t count);

/* Whether the named record exists. Called before another record refers to it. */
int exhibit_ring_use(uint64_t name);

/* Notes in this ring, or a later one, that row changes are recorded. */
void exhibit_ring_tells_changes(void);
