#pragma once
#include <stdint.h>

#include "callbacks.h"

/* The serial of the test whose work runs here, or 0. The connection is watched, and its mutex is held. */
uint32_t exhibit_owner_of(struct connection_callbacks *callbacks);
