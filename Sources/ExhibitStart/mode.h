#pragma once
#include "exhibit_start.h"

/* Called once, where tests run in this process. Connections of more than one SQLite are not touched. */
void exhibit_runs_tests_in(enum exhibit_capture mode, int is_mixed);

/* Whether this is a process in which tests run and whose connections may be watched. */
int exhibit_watches_connections(void);

/* Whether tests may run in this process. */
int exhibit_runs_tests(void);

/* Whether connections may be captured in this process, watched or not. */
int exhibit_may_capture(void);
