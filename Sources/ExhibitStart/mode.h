#pragma once

/* Whether this is a process in which tests run and whose connections may be watched. */
int exhibit_watches_connections(void);

/* Whether tests may run in this process. */
int exhibit_runs_tests(void);

/* Sees connections where the interposers do not; returns an SQLite result code. */
int exhibit_register_extension(void);
