#pragma once
#include <stddef.h>
#include <stdint.h>

#include "record.h"

/* A record that is passed over, in memory that nobody else can write. Called under the ring's lock. */
extern struct passing_record {
  /* Of the kind that it had first. */
  struct record_header header;
  /* Where it was written first. */
  uint64_t position;
  /* The position is before it, too. */
  const uint8_t *payload;
  /* With what fills it up. */
  size_t count;
  /* Whether a test that runs has it in its share. That it began takes nothing of that. */
  int is_needed;
} exhibit_passing __attribute__((visibility("hidden")));

/* Takes what lies at a place; returns whether that is a record with a right sum, which is needed or counts. */
int exhibit_read_passing(const uint8_t *place, uint64_t room);
