#pragma once
#include "exhibit_start.h"

/* Called once, where tests run; with more than one SQLite no connection is touched. */
void exhibit_runs_tests_in(enum exhibit_capture mode, int is_mixed);

int exhibit_watches_connections(void);

int exhibit_runs_tests(void);

/* Whether connections may be captured, watched or not. */
int exhibit_may_capture(void);
