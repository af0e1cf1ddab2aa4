#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exhibit_process.h"
#include "exhibit_start.h"
#include "interposers.h"
#include "intervention.h"
#include "mode.h"

static enum exhibit_capture read_mode(const char *text) {
  if (text && strcmp(text, "off") == 0) return exhibit_capture_off;
  if (text && strcmp(text, "registered") == 0) return exhibit_capture_registered;
  return exhibit_capture_all;
}

/* The parent reports an exit test's issues. */
static int runs_no_tests(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--dump-tests-json") == 0 || strcmp(argv[i], "--list-tests") == 0) return 1;
  return getenv("SWT_EXIT_TEST_ID") != NULL;
}

/* glibc hands constructors main's arguments. */
__attribute__((constructor)) static void start(int argc, char **argv, char **environment) {
  (void)environment;
  const char *request = exhibit_helper_request();
  if (request) {
    exhibit_help(request);
    _exit(0);
  }
  if (runs_no_tests(argc, argv)) return;
  exhibit_note_process();
  exhibit_read_intervention();
  enum exhibit_capture mode = read_mode(getenv("EXHIBIT_CAPTURE"));
  exhibit_runs_tests_in(mode, mode == exhibit_capture_all && exhibit_foreign_function() != NULL);
  if (exhibit_watches_connections() && !exhibit_is_interposed()) exhibit_register_extension();
  exhibit_started();
}
