#pragma once
#include <stdint.h>

struct connection_callbacks;

/* What Attach was told of a connection's use last; under the connection's mutex. */
struct known_use {
  /* Of the owners, from which on they may be others; 0 when Attach is to be told again. */
  uint64_t generation;
  uint32_t test;
};

/* The serial of the test whose work runs here, on a watched connection whose mutex is held; 0 when nobody knows of one.
   Attach is told of the use where it cannot know of it. */
uint32_t exhibit_owner_of(struct connection_callbacks *callbacks);
