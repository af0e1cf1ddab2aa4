#include "running_steps.h"

#include <string.h>

#include "../room.h"
#include "exhibit_trace.h"
#include "ring.h"
#include "stacks.h"

struct connection_trace *exhibit_make_trace(const void *connection) {
  struct connection_trace *trace = exhibit_ring_is_on() ? calloc(1, sizeof *trace) : NULL;
  if (trace) trace->number = exhibit_connection_number((void *)connection);
  return trace;
}

void exhibit_end_trace(struct connection_trace *trace) {
  if (!trace) return;
  uint64_t stack = exhibit_stack_here();
  exhibit_trace_mark(exhibit_trace_closed, 0, trace->number, &stack, sizeof stack);
  exhibit_payload_free(&trace->payload);
  exhibit_privacy_free(&trace->privacy);
  free(trace->running);
  free(trace);
}

struct running_step *exhibit_running_step(struct connection_trace *trace, sqlite3_stmt *statement) {
  for (size_t i = trace->count; i > 0; i--)
    if (trace->running[i - 1].statement == statement) return &trace->running[i - 1];
  return NULL;
}

struct running_step *exhibit_push_step(struct connection_trace *trace) {
  struct running_step *grown = exhibit_with_room(trace->running, trace->count, &trace->capacity, sizeof *grown);
  if (!grown) return NULL;
  trace->running = grown;
  struct running_step *step = &trace->running[trace->count++];
  memset(step, 0, sizeof *step);
  return step;
}

void exhibit_pop_step(struct connection_trace *trace, struct running_step *step) {
  size_t index = (size_t)(step - trace->running);
  trace->count--;
  memmove(step, step + 1, (trace->count - index) * sizeof *step);
}

_Thread_local struct stepping exhibit_stepping;

int exhibit_takes_begin(sqlite3_stmt *statement) {
  if (statement != exhibit_stepping.statement || exhibit_stepping.has_begun) return 0;
  exhibit_stepping.has_begun = 1;
  return 1;
}

struct running_step *exhibit_changing_step(struct connection_trace *trace) {
  struct running_step *stepping = exhibit_running_step(trace, exhibit_stepping.statement);
  if (stepping && !stepping->is_nested) return stepping;
  /* Without our sqlite3_step: statements between its rows began before it. */
  for (size_t i = trace->count; i > 0; i--)
    if (!trace->running[i - 1].is_nested) return &trace->running[i - 1];
  return NULL;
}
