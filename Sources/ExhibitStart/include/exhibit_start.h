#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <sys/types.h>

/* The mode: $EXHIBIT_CAPTURE, read once. */
enum exhibit_capture { exhibit_capture_all, exhibit_capture_registered, exhibit_capture_off };
enum exhibit_capture exhibit_capture_mode(void);

/* Whether SQLite's open and close pass through us; 0 when the executable carries its own SQLite. */
int exhibit_is_interposed(void);

/* Opens a connection of our own: it is not reported to exhibit_connection_opened. */
int exhibit_open_own(const char *path, sqlite3 **db, int flags, const char *vfs);

/* Watches a connection: exhibit_connection_used is called before statements and exhibit_connection_ended at its real end,
   with `connection`. Where the app's callbacks are out of reach, only new connections, until the app sets its own trace.
   Returns an SQLite result code. */
int exhibit_watch_connection(sqlite3 *db, const void *connection, int is_new);

/* Forgets which test runs where: a test or case began or ended, or a task's test was set. */
void exhibit_owners_changed(void);

/* Between these, this thread calls none of the app's callbacks, error log and extensions, as far as we reach them. They
   nest. */
void exhibit_begin_own_work(void);
void exhibit_end_own_work(void);

/* Whether all these callbacks pass through us; 0 when the executable carries its own SQLite. */
int exhibit_reaches_callbacks(void);

/* Restores a watched connection's error: extended code, sqlite3_system_errno and text. Called in own work; returns
   whether it worked. */
int exhibit_restore_error(sqlite3 *db, int code, int system_error, const char *message);

/* Whether this error can be restored without harm. */
int exhibit_can_restore_error(int code);

/* Opens a descriptor that only names a file (O_PATH): it keeps a deleted file, and closing it drops no lock. Returns -1
   and sets errno, EMFILE already when few are left. */
int exhibit_hold_path(const char *path);

/* The descriptor of a file of SQLite's Unix VFS, by its layout so far; of other files a meaningless number. */
int exhibit_likely_descriptor(const sqlite3_file *file, const sqlite3_vfs *vfs);

/* Whether more descriptors are free than we leave to the app. */
int exhibit_has_descriptors(void);

/* A function of SQLite that comes from another copy than the one that opens connections; NULL for none. With two copies
   no connection may be touched. */
const char *exhibit_foreign_function(void);

/* Bytes of stack left to this thread; a huge number where that is not known. */
size_t exhibit_stack_left(void);

/* Runs `function` to its end on a new thread with so many bytes of stack. Returns an error number. */
int exhibit_run_on_thread(size_t stack, void *context, void (*function)(void *));

/* Set in a helper: the test executable, started again only to capture. */
#define EXHIBIT_HELPER "EXHIBIT_HELPER"

/* What this helper is to capture; NULL in other processes. */
const char *exhibit_helper_request(void);

/* Starts a helper, which reads the request and answers through the pipe. Returns an error number; ENOEXEC when starting
   the executable again would not lead here. */
int exhibit_spawn_helper(const char *request, pid_t *pid, int *answer);

/* The app's dispatch queue that runs this; NULL when there is none. */
void *exhibit_current_queue(void);
void exhibit_retain_queue(void *queue);
void exhibit_release_queue(void *queue);

/* Runs `function` later on a queue, with nothing else on it. */
void exhibit_run_alone(void *queue, void *context, void (*function)(void *));

/* The label of the dispatch queue that runs this, never null. */
const char *exhibit_current_queue_label(void);

/* Has exhibit_run_tests run the tests of Swift Testing, if the toolchain's entry point is found and $EXHIBIT_ENTRY is not
   off. */
void exhibit_take_entry_point(void);

/* Has standard output written line by line. */
void exhibit_buffer_lines(void);

/* Swift Testing's function for tools, which runs the tests and passes on events:
   Sources/Testing/ABI/EntryPoints/ABIEntryPoint.swift. */
const void *swt_abiv0_getEntryPoint(void) __attribute__((weak));

/* Implemented in Swift. Called for every connection of the app, watched or not: */
void exhibit_started(void);
/* Answers a request on standard output. */
void exhibit_help(const char *request);
void exhibit_connection_opened(sqlite3 *db);
/* Called when the test may be another than at the last statement. Returns the serial of the running test, 0 for none. */
uint32_t exhibit_connection_used(void *connection);
void exhibit_connection_attaching(void *connection);
void exhibit_connection_closing(sqlite3 *db);
void exhibit_connection_ended(void *db);
