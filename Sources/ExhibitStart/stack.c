#define _GNU_SOURCE
#include "stack.h"

#include <pthread.h>
#include <signal.h>

#include "exhibit_start.h"

int exhibit_stack_bounds(uintptr_t *lowest, uintptr_t *highest) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *start;
  size_t size;
  int code = pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  if (code != 0) return 0;
  *lowest = (uintptr_t)start;
  *highest = *lowest + size;
  return 1;
}

static _Thread_local uintptr_t lowest;

size_t exhibit_stack_left(void) {
  uintptr_t highest;
  if (!lowest && !exhibit_stack_bounds(&lowest, &highest)) lowest = 1;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here > lowest ? here - lowest : 0;
}

struct call {
  void *context;
  void (*function)(void *);
};

static void *run(void *call) {
  ((struct call *)call)->function(((struct call *)call)->context);
  return NULL;
}

/* Signals stay with the app's threads. */
int exhibit_run_on_thread(size_t stack, void *context, void (*function)(void *)) {
  struct call call = {context, function};
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  int code = pthread_attr_init(&attributes);
  if (code != 0) return code;
  pthread_attr_setstacksize(&attributes, stack);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  code = pthread_create(&thread, &attributes, run, &call);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return code == 0 ? pthread_join(thread, NULL) : code;
}
