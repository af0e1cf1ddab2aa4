#pragma once
#include <stddef.h>
#include <stdint.h>

#include "record.h"

/* The record that is being overwritten, in memory that other processes cannot write. Under the ring's lock. */
extern struct passing_record {
  /* With its first kind, without EXHIBIT_AGAIN. */
  struct record_header header;
  /* Its first position. */
  uint64_t position;
  /* Behind the first position, where that is written. */
  const uint8_t *payload;
  /* Padding included. */
  size_t count;
  /* Whether it is in the share of a running test, or tells that test's beginning. */
  int is_needed;
} exhibit_passing __attribute__((visibility("hidden")));

/* Reads the record at a place; returns whether it is whole, and needed or to be counted. */
int exhibit_read_passing(const uint8_t *place, uint64_t room);
