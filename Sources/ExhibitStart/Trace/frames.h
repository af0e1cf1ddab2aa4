#pragma once
#include <stddef.h>
#include <stdint.h>

#define EXHIBIT_GREATEST_STACK 128

/* The calls that led to a function of ours. */
struct walked_stack {
  /* What the caller knows it by; 0 when it was just walked. */
  uint64_t id;
  size_t count;
  /* Return addresses, innermost first, up to the function of XCTest that calls the test. */
  uintptr_t addresses[EXHIBIT_GREATEST_STACK];
};

/* The calls that led to the function with this frame, __builtin_frame_address(0). It is this thread's until the next
   call; NULL where the stack is not the thread's own, has little left, or this processor's is not known. */
struct walked_stack *exhibit_walk(const void *frame);
