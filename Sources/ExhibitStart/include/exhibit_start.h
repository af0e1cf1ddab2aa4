#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <sys/types.h>

/* What the process may do, read once from $EXHIBIT_CAPTURE. */
enum exhibit_capture { exhibit_capture_all, exhibit_capture_registered, exhibit_capture_off };
enum exhibit_capture exhibit_capture_mode(void);

/* Whether SQLite's open and close pass through us; 0 when the executable carries its own SQLite. */
int exhibit_is_interposed(void);

/* Opens a connection of our own: it is not reported to exhibit_connection_opened. */
int exhibit_open_own(const char *path, sqlite3 **db, int flags, const char *vfs);

/* Has exhibit_connection_ended called at the connection's real end, and exhibit_connection_used before a
   statement, with `connection`; where the app's callbacks are out of reach, only until the app sets a trace of its
   own, and not at all unless the connection is new. Returns an SQLite result code. */
int exhibit_watch_connection(sqlite3 *db, const void *connection, int is_new);

/* Called when what exhibit_connection_used answers may be something else from now on: when a test or a case of one has
   begun or ended, and inside of what sets a task's test, at its beginning and at its end. */
void exhibit_owners_changed(void);

/* In between, nothing that this thread does calls the app's authorizers, progress and busy handlers, traces, error log
   or automatic extensions, as far as these are in reach. Calls may be nested. */
void exhibit_begin_own_work(void);
void exhibit_end_own_work(void);

/* Whether all those of the app's connections pass through us; 0 when the executable carries its own SQLite. */
int exhibit_reaches_callbacks(void);

/* Gives a watched connection back the error that it had: extended code, sqlite3_system_errno and text. Called in own
   work; returns whether it has it. */
int exhibit_restore_error(sqlite3 *db, int code, int system_error, const char *message);

/* Whether that can be done without harm. */
int exhibit_can_restore_error(int code);

/* A descriptor that only names a file (O_PATH): it keeps a deleted file reachable, and closing it drops no lock.
   Returns -1 and sets errno, EMFILE already when few descriptors are left. */
int exhibit_hold_path(const char *path);

/* The descriptor of a file of SQLite's VFS for Unix, as it was laid out so far; anything of another file. */
int exhibit_likely_descriptor(const sqlite3_file *file, const sqlite3_vfs *vfs);

/* Whether the process has more descriptors left than we leave to the app. */
int exhibit_has_descriptors(void);

/* The name of a function that does not come from the SQLite that opens the connections; NULL when there is one
   SQLite for all of them. Then no connection may be touched. */
const char *exhibit_foreign_function(void);

/* Bytes of stack that this thread has left; very many where that cannot be known. */
size_t exhibit_stack_left(void);

/* Runs `function` on a thread of its own with so many bytes of stack, to its end. Returns an error number. */
int exhibit_run_on_thread(size_t stack, void *context, void (*function)(void *));

/* The variable that makes of the test executable a process that only captures. */
#define EXHIBIT_HELPER "EXHIBIT_HELPER"

/* What this process is asked to capture; NULL in any other than a helper. */
const char *exhibit_helper_request(void);

/* Starts the executable again as a helper, which reads the request and writes to the pipe whose other end becomes
   `answer`. Returns an error number, ENOEXEC when starting it again would not lead here. */
int exhibit_spawn_helper(const char *request, pid_t *pid, int *answer);

/* The dispatch queue on which this runs; NULL when there is none of the app's own. */
void *exhibit_current_queue(void);
void exhibit_retain_queue(void *queue);
void exhibit_release_queue(void *queue);

/* Runs `function` on a queue of the app's, later, while nothing else does. */
void exhibit_run_alone(void *queue, void *context, void (*function)(void *));

/* The label of the dispatch queue that runs this, never null. */
const char *exhibit_current_queue_label(void);

/* Has the tests of Swift Testing in this process run by exhibit_run_tests, where the toolchain's entry point is known
   by its name and $EXHIBIT_ENTRY is not off. */
void exhibit_take_entry_point(void);

/* Has standard output written line by line. */
void exhibit_buffer_lines(void);

/* Swift Testing's: github.com/swiftlang/swift-testing, Sources/Testing/ABI/EntryPoints/ABIEntryPoint.swift. A
   function that runs the tests of this process and passes each event to a handler. */
const void *swt_abiv0_getEntryPoint(void) __attribute__((weak));

/* Implemented in Swift. exhibit_connection_opened is called for every connection of the app, watched or not. */
void exhibit_started(void);
/* Answers a request on standard output. */
void exhibit_help(const char *request);
void exhibit_connection_opened(sqlite3 *db);
/* Called where the test may be another one than at the connection's last statement. Returns the serial of the test
   that runs here, 0 when nobody knows of one. */
uint32_t exhibit_connection_used(void *connection);
void exhibit_connection_attaching(void *connection);
void exhibit_connection_closing(sqlite3 *db);
void exhibit_connection_ended(void *db);
