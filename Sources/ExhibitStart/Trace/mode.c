#include <stdlib.h>
#include <string.h>

#include "../mode.h"
#include "exhibit_trace.h"

static _Atomic int known;

enum exhibit_trace exhibit_trace_mode(void) {
  int mode = known;
  if (mode == 0) {
    const char *text = getenv("EXHIBIT_TRACE");
    mode = 1 + (!exhibit_watches_connections()                ? exhibit_trace_off
                : text && strcmp(text, "off") == 0        ? exhibit_trace_off
                : text && strcmp(text, "statements") == 0 ? exhibit_trace_statements
                                                          : exhibit_trace_all);
    known = mode;
  }
  return (enum exhibit_trace)(mode - 1);
}
