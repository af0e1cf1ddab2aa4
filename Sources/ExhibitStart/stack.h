#pragma once
#include <stdint.h>

/* Finds this thread's stack, for the main thread in /proc; returns whether it is known. */
int exhibit_stack_bounds(uintptr_t *lowest, uintptr_t *highest);
