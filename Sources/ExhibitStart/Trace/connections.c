#include <stdlib.h>

#include "../callbacks.h"
#include "exhibit_trace.h"
#include "ring.h"
#include "steps.h"

/* What the trace knows of each connection. */

struct connection_trace *exhibit_trace_of(struct connection_callbacks *callbacks) {
  if (callbacks->traced || !callbacks->connection || !exhibit_ring_is_on()) return callbacks->traced;
  callbacks->traced = calloc(1, sizeof *callbacks->traced);
  if (callbacks->traced) callbacks->traced->number = exhibit_connection_number((void *)callbacks->connection);
  return callbacks->traced;
}

void exhibit_trace_forget(struct connection_callbacks *callbacks) {
  struct connection_trace *trace = callbacks->traced;
  if (!trace) return;
  exhibit_trace_mark(exhibit_trace_closed, 0, trace->number, NULL, 0);
  callbacks->traced = NULL;
  exhibit_payload_free(&trace->payload);
  exhibit_privacy_free(&trace->privacy);
  free(trace->running);
  free(trace);
}

void exhibit_trace_withhold(sqlite3 *db) {
  sqlite3_mutex_enter(sqlite3_db_mutex(db));
  struct connection_callbacks *callbacks = exhibit_known_callbacks_of(db);
  struct connection_trace *trace = callbacks ? exhibit_trace_of(callbacks) : NULL;
  if (trace) trace->is_withheld = 1;
  sqlite3_mutex_leave(sqlite3_db_mutex(db));
}
