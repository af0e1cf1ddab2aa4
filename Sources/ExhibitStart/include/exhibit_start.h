#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <sys/types.h>

/* $EXHIBIT_CAPTURE, read once. */
enum exhibit_capture { exhibit_capture_all, exhibit_capture_registered, exhibit_capture_off };
enum exhibit_capture exhibit_capture_mode(void);

/* Whether SQLite's open and close pass through us; 0 when the executable carries its own SQLite. */
int exhibit_is_interposed(void);

/* Opens a connection of which Attach does not hear. */
int exhibit_open_own(const char *path, sqlite3 **db, int flags, const char *vfs);

/* Has Attach hear of a connection's use and end. Returns an SQLite result code. */
int exhibit_watch_connection(sqlite3 *db, const void *connection, int is_new);

/* Forgets which test runs where. */
void exhibit_owners_changed(void);

/* Between these, this thread calls none of the app's callbacks that we reach. They nest. */
void exhibit_begin_own_work(void);
void exhibit_end_own_work(void);

int exhibit_reaches_callbacks(void);

/* Restores a connection's error, in own work; returns whether it worked. */
int exhibit_restore_error(sqlite3 *db, int code, int system_error, const char *message);

int exhibit_can_restore_error(int code);

/* Opens an O_PATH descriptor, which keeps a deleted file and whose closing drops no lock. Returns -1 with EMFILE
   already when few are left. */
int exhibit_hold_path(const char *path);

/* The descriptor of a file of SQLite's Unix VFS, by its layout so far. */
int exhibit_likely_descriptor(const sqlite3_file *file, const sqlite3_vfs *vfs);

int exhibit_has_descriptors(void);

/* A function that comes from another copy of SQLite than open does, or NULL. */
const char *exhibit_foreign_function(void);

/* Bytes of stack left to this thread; huge where not known. */
size_t exhibit_stack_left(void);

/* Runs `function` to its end on a new thread. Returns an error number. */
int exhibit_run_on_thread(size_t stack, void *context, void (*function)(void *));

/* Set in a helper: the test executable, started again to capture. */
#define EXHIBIT_HELPER "EXHIBIT_HELPER"

/* What this helper is to capture; NULL in other processes. */
const char *exhibit_helper_request(void);

/* The helper answers through the pipe. Returns an error number. */
int exhibit_spawn_helper(const char *request, pid_t *pid, int *answer);

/* The app's dispatch queue that runs this, or NULL. */
void *exhibit_current_queue(void);
void exhibit_retain_queue(void *queue);
void exhibit_release_queue(void *queue);

/* Runs `function` later, alone on the queue. */
void exhibit_run_alone(void *queue, void *context, void (*function)(void *));

const char *exhibit_current_queue_label(void);

/* Has exhibit_run_tests run Swift Testing's tests, unless $EXHIBIT_ENTRY is off. */
void exhibit_take_entry_point(void);

void exhibit_buffer_lines(void);

/* What Swift Testing's function for tools returns. It is called by C alone: Swift 6.0 has read of the module Testing that the
   function's result may be nil, and ends itself at another declaration. */
const void *exhibit_tests_entry_point(void);

/* Implemented in Swift. Called for every connection of the app, watched or not: */
void exhibit_started(void);
/* Answers on standard output. */
void exhibit_help(const char *request);
void exhibit_connection_opened(sqlite3 *db);
/* Called when the test may have changed. Returns the running test's serial, or 0. */
uint32_t exhibit_connection_used(void *connection);
void exhibit_connection_attaching(void *connection);
void exhibit_connection_closing(sqlite3 *db);
void exhibit_connection_ended(void *db);
