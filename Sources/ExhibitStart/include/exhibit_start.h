#pragma once
#include <sqlite3.h>

/* What the process may do, read once from $EXHIBIT_CAPTURE. */
enum exhibit_capture { exhibit_capture_all, exhibit_capture_registered, exhibit_capture_off };
enum exhibit_capture exhibit_capture_mode(void);

/* Whether SQLite's open and close pass through us; 0 when the executable carries its own SQLite. */
int exhibit_is_interposed(void);

/* Opens a connection of our own: it is not reported to exhibit_connection_opened. */
int exhibit_open_own(const char *path, sqlite3 **db, int flags, const char *vfs);

/* Has exhibit_connection_ended called at the connection's real end, and exhibit_connection_used at each
   statement until the app sets a trace of its own. Returns an SQLite result code. */
int exhibit_watch_connection(sqlite3 *db);

/* A descriptor that only names a file (O_PATH): it keeps a deleted file reachable, and closing it drops no lock.
   Returns -1 and sets errno. */
int exhibit_hold_path(const char *path);

/* The label of the dispatch queue that runs this, never null. */
const char *exhibit_current_queue_label(void);

/* Implemented in Swift. exhibit_connection_opened is called for every connection of the app, watched or not. */
void exhibit_started(void);
void exhibit_connection_opened(sqlite3 *db);
void exhibit_connection_used(void *db);
void exhibit_connection_closing(sqlite3 *db);
void exhibit_connection_ended(void *db);
