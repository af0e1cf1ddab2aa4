#pragma once
#include <stdint.h>

/* The clock ticks after boot at which this process started; 0 when they cannot be read. */
uint64_t exhibit_start_ticks(void);
