#pragma once
#include <stddef.h>
#include <stdint.h>

#define EXHIBIT_GREATEST_STACK 128

struct walked_stack {
  uint64_t id;
  size_t count;
  /* Return addresses, innermost first, up to XCTest's call of the test. */
  uintptr_t addresses[EXHIBIT_GREATEST_STACK];
};

/* The calls that led to the function with this frame, this thread's until the next call. NULL on another stack, with
   little stack left, or on other processors. */
struct walked_stack *exhibit_walk(const void *frame);
