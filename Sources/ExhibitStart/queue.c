#include "exhibit_start.h"

/* libdispatch, which every Swift process with Foundation has; Swift does not see this function on Linux. */
extern const char *dispatch_queue_get_label(void *queue);

const char *exhibit_current_queue_label(void) { return dispatch_queue_get_label(0); }
