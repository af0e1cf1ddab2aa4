#include <stddef.h>
#include <string.h>

#include "exhibit_start.h"

/* libdispatch's, whose headers need blocks. */
__attribute__((weak)) void *dispatch_get_current_queue(void);
__attribute__((weak)) const char *dispatch_queue_get_label(void *);
__attribute__((weak)) void dispatch_barrier_async_f(void *queue, void *context, void (*function)(void *));
__attribute__((weak)) void dispatch_retain(void *);
__attribute__((weak)) void dispatch_release(void *);

static int begins(const char *label, const char *with) { return strncmp(label, with, strlen(with)) == 0; }

/* Global queues, where threads without a queue count too, run anything at once; the main thread's work may move to
   another. */
void *exhibit_current_queue(void) {
  if (!dispatch_get_current_queue || !dispatch_queue_get_label || !dispatch_barrier_async_f) return NULL;
  void *queue = dispatch_get_current_queue();
  const char *label = queue ? dispatch_queue_get_label(queue) : NULL;
  return label && (begins(label, "com.apple.root.") || begins(label, "com.apple.main-thread")) ? NULL : queue;
}

void exhibit_retain_queue(void *queue) {
  if (dispatch_retain) dispatch_retain(queue);
}

void exhibit_release_queue(void *queue) {
  if (dispatch_release) dispatch_release(queue);
}

void exhibit_run_alone(void *queue, void *context, void (*function)(void *)) {
  dispatch_barrier_async_f(queue, context, function);
}

const char *exhibit_current_queue_label(void) {
  const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(NULL) : NULL;
  return label ? label : "";
}
