#pragma once

/* Whether this is a process in which tests run and whose connections may be watched. */
int exhibit_watches_connections(void);

/* Whether tests may run in this process. */
int exhibit_runs_tests(void);

/* Whether connections may be captured in this process, watched or not. */
int exhibit_may_capture(void);

/* Sees connections where the interposers do not; returns an SQLite result code. */
int exhibit_register_extension(void);
