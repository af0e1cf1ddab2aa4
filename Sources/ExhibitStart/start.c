#include <stdlib.h>
#include <string.h>

#include "exhibit_start.h"
#include "mode.h"

static enum exhibit_capture mode;
static int is_inert = 1;

enum exhibit_capture exhibit_capture_mode(void) { return mode; }
int exhibit_runs_tests(void) { return !is_inert; }
int exhibit_watches_connections(void) { return !is_inert && mode == exhibit_capture_all; }

static enum exhibit_capture read_mode(const char *text) {
  if (text && strcmp(text, "off") == 0) return exhibit_capture_off;
  if (text && strcmp(text, "registered") == 0) return exhibit_capture_registered;
  return exhibit_capture_all;
}

/* A process that only lists tests, and the child of an exit test, whose issues its parent reports. */
static int runs_no_tests(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--dump-tests-json") == 0 || strcmp(argv[i], "--list-tests") == 0) return 1;
  return getenv("SWT_EXIT_TEST_ID") != NULL;
}

/* glibc hands constructors the arguments of main. */
__attribute__((constructor)) static void start(int argc, char **argv, char **environment) {
  (void)environment;
  if (runs_no_tests(argc, argv)) return;
  is_inert = 0;
  mode = read_mode(getenv("EXHIBIT_CAPTURE"));
  if (exhibit_watches_connections() && !exhibit_is_interposed()) exhibit_register_extension();
  exhibit_started();
}
