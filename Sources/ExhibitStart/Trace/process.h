#pragma once
#include <stdint.h>

/* Clock ticks from boot to this process's start, or 0. */
uint64_t exhibit_start_ticks(void);
