/* Linked into any test executable with `-Wl,--wrap=exhibit_walk`: compares each stack that is walked with that of
   backtrace(), taken at the same call, and writes what it found to $COMPARED_WALKS at the end of the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define DEEPEST (EXHIBIT_GREATEST_STACK + 64)
#define PLACES (1u << 20)

struct walked_stack *__real_exhibit_walk(const void *frame);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  unsigned long walks, passed_over, distinct, made_up, missing, depth;
} found;
static uint64_t known[PLACES];

static int is_new(const struct walked_stack *stack) {
  uint64_t sum = 1;
  for (size_t i = 0; i < stack->count; i++) sum = (sum ^ stack->addresses[i]) * 0x9FB21C651E98DF25u, sum ^= sum >> 32;
  size_t place = sum % PLACES;
  while (known[place] && known[place] != sum) place = (place + 1) % PLACES;
  int is_new = !known[place];
  known[place] = sum;
  return is_new;
}

static void tell(const char *what, const struct walked_stack *stack, void **truth, int count, int first) {
  fprintf(stderr, "exhibit_walk: %s in a stack of %zu, truth %d from %d\n", what, stack->count, count, first);
  for (size_t i = 0; i < stack->count || first + (int)i < count; i++)
    fprintf(stderr, "  %p %p\n", i < stack->count ? (void *)stack->addresses[i] : NULL,
            first + (int)i < count ? truth[first + (int)i] : NULL);
}

/* XCTest's function that calls a test, above which nothing is wanted. */
static int is_end(uintptr_t address) {
  Dl_info info;
  return dladdr((void *)(address - 1), &info) && info.dli_sname && strstr(info.dli_sname, "invokeTest");
}

static void compare(const struct walked_stack *stack) {
  void *truth[DEEPEST];
  int count = backtrace(truth, DEEPEST), first = 0;
  while (first < count && truth[first] != (void *)stack->addresses[0]) first++;
  size_t same = 0;
  while (same < stack->count && first + (int)same < count && truth[first + (int)same] == (void *)stack->addresses[same])
    same++;
  if (same < stack->count) {
    if (++found.made_up <= 10) tell("made up", stack, truth, count, first);
  } else if (same < EXHIBIT_GREATEST_STACK && first + (int)same < count && !is_end(stack->addresses[same - 1])) {
    if (++found.missing <= 10) tell("missing", stack, truth, count, first);
  }
}

struct walked_stack *__wrap_exhibit_walk(const void *frame) {
  struct walked_stack *stack = __real_exhibit_walk(frame);
  pthread_mutex_lock(&lock);
  found.walks++;
  if (!stack || stack->count == 0) found.passed_over++;
  else {
    if (is_new(stack)) found.distinct++;
    if (stack->count > found.depth) found.depth = stack->count;
    compare(stack);
  }
  pthread_mutex_unlock(&lock);
  return stack;
}

__attribute__((destructor)) static void write_down(void) {
  const char *path = getenv("COMPARED_WALKS");
  FILE *file = path && found.walks > 0 ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%lu walks, %lu passed over, %lu distinct stacks, the deepest of %lu; made up in %lu, missing in %lu\n",
          found.walks, found.passed_over, found.distinct, found.depth, found.made_up, found.missing);
  fclose(file);
}
