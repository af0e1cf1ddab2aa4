/* Compares the stacks that exhibit_walk finds with those of backtrace(), taken at the same call: deep and shallow, with
   functions that have no frame pointer, on threads of all sizes, in fibers, and in signal handlers. Prints how many were
   compared, how many were not looked at, and how many were other ones; returns 1 where some were. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "frames.h"

static _Atomic unsigned long compared, passed_over, others;
static _Thread_local unsigned seed = 1;

static unsigned next_random(void) { return seed = seed * 1103515245 + 12345, seed >> 16; }

__attribute__((noinline)) static void compare(void) {
  struct walked_stack *stack = exhibit_walk(__builtin_frame_address(0));
  compared++;
  if (!stack) {
    passed_over++;
    return;
  }
  void *truth[EXHIBIT_GREATEST_STACK + 8];
  int count = backtrace(truth, EXHIBIT_GREATEST_STACK + 8), first = 0;
  while (first < count && truth[first] != (void *)stack->addresses[0]) first++;
  size_t left = (size_t)(count - first) < EXHIBIT_GREATEST_STACK ? (size_t)(count - first) : EXHIBIT_GREATEST_STACK;
  if (left != stack->count || memcmp(truth + first, stack->addresses, left * sizeof *truth)) others++;
}

int go(int depth);

/* As a library in between has it. */
__attribute__((noinline, optnone)) static int with_frame(int depth) { return go(depth - 1) + 1; }
int without_frame(int depth, int (*function)(int));

__attribute__((noinline)) int go(int depth) {
  volatile char room[64];
  room[0] = (char)depth;
  if (depth <= 0) {
    compare();
    return 0;
  }
  switch (next_random() % 5) {
  case 0: return go(depth - 1) + room[0];
  case 1: {
    volatile char *more = __builtin_alloca(next_random() % 300 + 8);
    more[0] = 1;
    return go(depth - 1) + more[0];
  }
  case 2: return without_frame(depth, go) + 1;
  case 3: {
    int result = with_frame(depth);
    compare();
    return result;
  }
  default: return without_frame(depth, go) + without_frame(depth, go) + room[0];
  }
}

static void *walk(void *depth) {
  seed = (unsigned)(size_t)depth;
  for (int i = 0; i < 50; i++) go((int)(next_random() % (unsigned)(size_t)depth));
  return NULL;
}

static void *look_once(void *unused) {
  compare();
  return unused;
}

static void on_thread(size_t stack, void *(*function)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  if (pthread_create(&thread, &attributes, function, argument) == 0) pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

static ucontext_t outside, fiber;

static void in_fiber(void) {
  compare();
  go(5);
}

static void on_signal(int number) {
  (void)number;
  compare();
}

static void raise_with(int flags) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

int main(int count, char **arguments) {
  static char fiber_stack[1 << 16], signal_stack[1 << 16];
  seed = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
  for (int i = 0; i < 300; i++) go((int)(next_random() % 14));
  for (size_t depth = 6; depth < 12; depth++) on_thread(1 << 20, walk, (void *)depth);
  on_thread(16 << 10, look_once, NULL);
  on_thread(64 << 10, look_once, NULL);
  getcontext(&fiber);
  fiber.uc_stack = (stack_t){.ss_sp = fiber_stack, .ss_size = sizeof fiber_stack};
  fiber.uc_link = &outside;
  makecontext(&fiber, in_fiber, 0);
  swapcontext(&outside, &fiber);
  sigaltstack(&(stack_t){.ss_sp = signal_stack, .ss_size = sizeof signal_stack}, NULL);
  raise_with(SA_ONSTACK);
  raise_with(0);
  printf("%lu compared, %lu passed over, %lu other ones\n", compared, passed_over, others);
  return others != 0;
}
