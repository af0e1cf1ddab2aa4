#include "mode.h"

#include <stdlib.h>
#include <string.h>

#include "exhibit_trace.h"

static enum exhibit_capture mode;
static int is_running, is_mixed;

void exhibit_runs_tests_in(enum exhibit_capture set_mode, int has_others) {
  mode = set_mode;
  is_running = 1;
  is_mixed = has_others;
}

enum exhibit_capture exhibit_capture_mode(void) { return mode; }
int exhibit_runs_tests(void) { return is_running && !is_mixed; }
int exhibit_may_capture(void) { return exhibit_runs_tests() && mode != exhibit_capture_off; }
int exhibit_watches_connections(void) { return exhibit_runs_tests() && mode == exhibit_capture_all; }

static _Atomic int known;

enum exhibit_trace exhibit_trace_mode(void) {
  int found = known;
  if (found == 0) {
    const char *text = getenv("EXHIBIT_TRACE");
    found = 1 + (!exhibit_watches_connections()                ? exhibit_trace_off
                : text && strcmp(text, "off") == 0        ? exhibit_trace_off
                : text && strcmp(text, "statements") == 0 ? exhibit_trace_statements
                                                          : exhibit_trace_all);
    known = found;
  }
  return (enum exhibit_trace)(found - 1);
}

static _Atomic int known_places;

int exhibit_trace_has_places(void) {
  int has = known_places;
  if (has == 0) {
    const char *text = getenv("EXHIBIT_TRACE_PLACES");
    known_places = has = text && strcmp(text, "off") == 0 ? 1 : 2;
  }
  return has == 2;
}
