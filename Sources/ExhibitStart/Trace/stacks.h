#pragma once
#include <stdint.h>

#include "frames.h"

/* The name of the ring's record with the calls that led to the call of SQLite that this thread is in; UINT64_MAX where
   that is not known. */
uint64_t exhibit_stack_here(void);

/* These calls, to be named later: freed by the caller, NULL where they are not known. */
struct walked_stack *exhibit_copy_of_stack(void);
uint64_t exhibit_name_of_stack(struct walked_stack *stack);

/* The frame of the function of ours that was called last, by the app or by SQLite; NULL in none. */
extern _Thread_local const void *exhibit_called_frame __attribute__((visibility("hidden")));

/* Stands in a function that the app calls: until the end of its scope, stacks begin behind it. */
#define CALLED_HERE                                                                                  \
  __attribute__((cleanup(exhibit_restore_frame))) const void *frame_before = exhibit_called_frame;   \
  exhibit_called_frame = __builtin_frame_address(0)

static inline void exhibit_restore_frame(const void **before) { exhibit_called_frame = *before; }
