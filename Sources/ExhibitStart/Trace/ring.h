#pragma once
#include <stddef.h>
#include <stdint.h>

#include "record.h"

/* The latest records of this process: docs/artifacts-format.md, "The trace". Any thread may append. */

int exhibit_ring_is_on(void);

/* Nanoseconds since the ring was made. */
uint64_t exhibit_ring_time(void);

/* The most bytes that one statement may write. */
uint64_t exhibit_ring_share(void);

/* Appends a record; sets its size, position and a time of 0. Returns whether there was room. */
int exhibit_ring_append(struct record_header header, const void *payload, size_t size);

/* The name of the record with this content; UINT64_MAX without room. */
uint64_t exhibit_ring_text(const char *text, size_t count);
uint64_t exhibit_ring_keep(uint16_t kind, const void *bytes, uint32_t count, int is_needed_always);

uint64_t exhibit_ring_find(uint16_t kind, const void *bytes, uint32_t count);

/* Called before another record names it; returns whether it exists. */
int exhibit_ring_use(uint64_t name);

void exhibit_ring_tells_changes(void);
