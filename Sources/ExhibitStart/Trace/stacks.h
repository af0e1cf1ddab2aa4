#pragma once
#include <stdint.h>

#include "frames.h"

/* The name of the stack from which the app called SQLite; UINT64_MAX where not known. */
uint64_t exhibit_stack_here(void);

/* A copy of that stack, which the caller frees, or NULL. */
struct walked_stack *exhibit_copy_of_stack(void);
uint64_t exhibit_name_of_stack(struct walked_stack *stack);

/* The frame of our function that was called last, or NULL. */
extern _Thread_local const void *exhibit_called_frame __attribute__((visibility("hidden")));

/* Has stacks begin behind the function that the app calls. */
#define CALLED_HERE                                                                                  \
  __attribute__((cleanup(exhibit_restore_frame))) const void *frame_before = exhibit_called_frame;   \
  exhibit_called_frame = __builtin_frame_address(0)

static inline void exhibit_restore_frame(const void **before) { exhibit_called_frame = *before; }
