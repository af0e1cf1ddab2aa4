#define _GNU_SOURCE
#include "frames.h"

#if defined(__x86_64__)

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "../stack.h"

/* Unwinding by the tables takes a microsecond a frame. A call site's code decides where its caller's return address
   lies, so each site is unwound once and followed with two loads afterwards. */

/* How the next return address is found. */
enum relation {
  /* Behind the word that the frame pointer points to. */
  relation_frame = 1,
  /* So many words above the inner one. */
  relation_fixed,
  relation_outermost,
  relation_irregular,
};

/* With relation_fixed, where the caller's frame pointer is: in the register, lost, or so many words below its return
   address. */
#define POINTER_KEPT 0
#define POINTER_LOST UINT16_MAX

struct site {
  _Atomic uintptr_t address;
  _Atomic uint64_t found;
};

#define PACKED(relation, up, pointer) ((uint64_t)(relation) << 56 | (uint64_t)(up) << 16 | (pointer))
#define RELATION_OF(found) ((found) >> 56)
#define UP_OF(found) ((found) >> 16 & 0xFFFFFFFF)
#define POINTER_OF(found) ((found)&0xFFFF)

#define SITES (1u << 14)
#define PROBES 16
/* Stack that the unwinder may need. */
#define LEAST_STACK (12 << 10)
/* Swift marks the saved frame pointer of an async function by another bit. */
#define FRAME_POINTER(word) ((word)&0x0FFFFFFFFFFFFFFF)
#define FRAME_POINTER_REGISTER 6

static struct site sites[SITES];

static inline size_t slot_of(uintptr_t address) { return (address * 0x9E3779B97F4A7C15u) >> 50; }

static uint64_t what_is_found(uintptr_t address) {
  size_t slot = slot_of(address);
  for (size_t i = slot; i < slot + PROBES; i++) {
    struct site *site = &sites[i % SITES];
    uintptr_t known = atomic_load_explicit(&site->address, memory_order_acquire);
    if (known == address) return atomic_load_explicit(&site->found, memory_order_relaxed);
    if (known == 0) return 0;
  }
  return 0;
}

static void keep(uintptr_t address, uint64_t found) {
  size_t slot = slot_of(address);
  for (size_t i = slot; i < slot + PROBES; i++) {
    struct site *site = &sites[i % SITES];
    uintptr_t known = atomic_load_explicit(&site->address, memory_order_acquire);
    uint64_t none = 0;
    if (known == 0) {
      /* Another thread may have taken the slot. */
      if (!atomic_compare_exchange_strong(&site->found, &none, found)) continue;
      atomic_store_explicit(&site->address, address, memory_order_release);
      return;
    }
    if (known != address) continue;
    if (atomic_load_explicit(&site->found, memory_order_relaxed) != found)
      atomic_store_explicit(&site->found, PACKED(relation_irregular, 0, 0), memory_order_relaxed);
    return;
  }
}

struct seen {
  const uintptr_t *place;
  uintptr_t word;
};

struct known_stack {
  struct walked_stack stack;
  const void *frame;
  size_t seen_count;
  struct seen seen[2 * EXHIBIT_GREATEST_STACK];
};

#define KNOWN_STACKS 4

static _Thread_local struct {
  uintptr_t lowest, highest;
  struct known_stack *known[KNOWN_STACKS];
} own;

static pthread_key_t at_end_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget(void *known) {
  (void)known;
  for (size_t i = 0; i < KNOWN_STACKS; i++) {
    free(own.known[i]);
    own.known[i] = NULL;
  }
}

static void make_key(void) { pthread_key_create(&at_end_of_thread, forget); }

struct frame {
  uintptr_t place, address, pointer;
};

struct unwinding {
  uintptr_t first;
  size_t count;
  int is_cut;
  struct frame frames[EXHIBIT_GREATEST_STACK + 1];
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument) {
  struct unwinding *unwinding = argument;
  uintptr_t place = _Unwind_GetCFA(context) - sizeof place;
  if (place < unwinding->first) return _URC_NO_REASON;
  unwinding->is_cut = unwinding->count == EXHIBIT_GREATEST_STACK + 1;
  uintptr_t address = _Unwind_GetIP(context);
  if (unwinding->is_cut || address == 0) return _URC_END_OF_STACK;
  unwinding->frames[unwinding->count++] =
      (struct frame){place, address, _Unwind_GetGR(context, FRAME_POINTER_REGISTER)};
  return _URC_NO_REASON;
}

__attribute__((no_sanitize("address", "thread")))
static uint64_t relation_between(const struct frame *inner, const struct frame *outer) {
  if (inner->pointer + sizeof(uintptr_t) == outer->place) return PACKED(relation_frame, 0, 0);
  uint64_t up = (outer->place - inner->place) / sizeof(uintptr_t);
  if (outer->place <= inner->place || outer->place > own.highest - sizeof(uintptr_t))
    return PACKED(relation_irregular, 0, 0);
  if (inner->pointer == outer->pointer) return PACKED(relation_fixed, up, POINTER_KEPT);
  const uintptr_t *place = (const uintptr_t *)outer->place;
  for (uint64_t below = 1; below < up && below < POINTER_LOST; below++)
    if (place[-(ptrdiff_t)below] == outer->pointer) return PACKED(relation_fixed, up, below);
  return PACKED(relation_fixed, up, POINTER_LOST);
}

/* XCTest's runner is above it. dladdr reads all names of a file, so each site is asked for once. */
static int calls_test(uintptr_t address) {
  uint64_t found = what_is_found(address);
  if (found && RELATION_OF(found) != relation_outermost) return 0;
  Dl_info info;
  return dladdr((const void *)(address - 1), &info) && info.dli_sname &&
         strcmp(info.dli_sname, "$s6XCTest0A4CaseC10invokeTestyyF") == 0;
}

static void unwind(uintptr_t first, struct walked_stack *stack) {
  struct unwinding unwinding = {.first = first};
  _Unwind_Backtrace(add_frame, &unwinding);
  const struct frame *frames = unwinding.frames;
  stack->count = 0;
  if (unwinding.count == 0 || frames[0].place != first) return;
  for (size_t i = 0; i < unwinding.count && stack->count < EXHIBIT_GREATEST_STACK; i++) {
    int is_last = i + 1 == unwinding.count ? !unwinding.is_cut : calls_test(frames[i].address);
    stack->addresses[stack->count++] = frames[i].address;
    if (is_last) keep(frames[i].address, PACKED(relation_outermost, 0, 0));
    else if (i + 1 < unwinding.count) keep(frames[i].address, relation_between(&frames[i], &frames[i + 1]));
    if (is_last) return;
  }
}

__attribute__((no_sanitize("address", "thread")))
static uintptr_t look(struct known_stack *known, uintptr_t place) {
  struct seen seen = {(const uintptr_t *)place, *(const uintptr_t *)place};
  known->seen[known->seen_count++] = seen;
  return seen.word;
}

/* Returns 0 where known sites do not reach the end. */
static int follow(struct known_stack *known, const void *frame) {
  struct walked_stack *stack = &known->stack;
  uintptr_t top = own.highest - sizeof(uintptr_t), place = (uintptr_t)frame + sizeof(uintptr_t);
  uintptr_t pointer = FRAME_POINTER(look(known, (uintptr_t)frame));
  for (stack->count = 0; stack->count < EXHIBIT_GREATEST_STACK;) {
    uintptr_t address = look(known, place);
    stack->addresses[stack->count++] = address;
    uint64_t found = what_is_found(address);
    uintptr_t next;
    if (RELATION_OF(found) == relation_outermost) return 1;
    if (stack->count == EXHIBIT_GREATEST_STACK) return found != 0;
    if (RELATION_OF(found) == relation_frame) {
      next = pointer + sizeof(uintptr_t);
      if (pointer % sizeof(uintptr_t) || next <= place || next > top) return 0;
      pointer = FRAME_POINTER(look(known, pointer));
    } else if (RELATION_OF(found) == relation_fixed) {
      next = place + UP_OF(found) * sizeof(uintptr_t);
      if (next > top) return 0;
      if (POINTER_OF(found) == POINTER_LOST) pointer = 0;
      else if (POINTER_OF(found) != POINTER_KEPT)
        pointer = FRAME_POINTER(look(known, next - POINTER_OF(found) * sizeof(uintptr_t)));
    } else {
      return 0;
    }
    place = next;
  }
  return 1;
}

/* Unrolled, for a build without optimisation. */
__attribute__((no_sanitize("address", "thread")))
static int is_same(const struct known_stack *known) {
  const struct seen *seen = known->seen, *end = seen + known->seen_count;
  for (; end - seen >= 4; seen += 4)
    if (*seen[0].place != seen[0].word || *seen[1].place != seen[1].word || *seen[2].place != seen[2].word ||
        *seen[3].place != seen[3].word)
      return 0;
  for (; seen != end; seen++)
    if (*seen->place != seen->word) return 0;
  return 1;
}

static struct known_stack *oldest(void) {
  struct known_stack *known = own.known[KNOWN_STACKS - 1];
  if (!known) {
    pthread_once(&once, make_key);
    known = malloc(sizeof *known);
    if (!known || pthread_setspecific(at_end_of_thread, known) != 0) {
      free(known);
      return NULL;
    }
  }
  return known;
}

struct walked_stack *exhibit_walk(const void *frame) {
  if (!own.highest && !exhibit_stack_bounds(&own.lowest, &own.highest)) own.lowest = own.highest = 1;
  if ((uintptr_t)frame < own.lowest + LEAST_STACK || (uintptr_t)frame + 2 * sizeof(uintptr_t) > own.highest) return NULL;
  for (size_t i = 0; i < KNOWN_STACKS && own.known[i]; i++) {
    struct known_stack *known = own.known[i];
    if (known->frame != frame || !is_same(known)) continue;
    memmove(own.known + 1, own.known, i * sizeof *own.known);
    own.known[0] = known;
    return &known->stack;
  }
  struct known_stack *known = oldest();
  if (!known) return NULL;
  memmove(own.known + 1, own.known, (KNOWN_STACKS - 1) * sizeof *own.known);
  own.known[0] = known;
  known->frame = frame;
  known->stack.id = 0;
  known->seen_count = 0;
  if (!follow(known, frame)) {
    known->frame = NULL;
    unwind((uintptr_t)frame + sizeof(uintptr_t), &known->stack);
  }
  return &known->stack;
}

#else

struct walked_stack *exhibit_walk(const void *frame) {
  (void)frame;
  return NULL;
}

#endif
