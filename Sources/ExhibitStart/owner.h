#pragma once
#include <stdint.h>

#include "callbacks.h"

/* The serial of the test whose work runs here, on a watched connection whose mutex is held; 0 when nobody knows of one.
   Attach is told of the use where it cannot know of it. */
uint32_t exhibit_owner_of(struct connection_callbacks *callbacks);
