#pragma once
#include <stdint.h>

/* Where the stack of this thread lies; returns whether that is known. Asking takes the main thread a look into /proc. */
int exhibit_stack_bounds(uintptr_t *lowest, uintptr_t *highest);
