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
   statement, with `connection`, until the app sets a trace of its own. Returns an SQLite result code. */
int exhibit_watch_connection(sqlite3 *db, const void *connection);

/* A descriptor that only names a file (O_PATH): it keeps a deleted file reachable, and closing it drops no lock.
   Returns -1 and sets errno. */
int exhibit_hold_path(const char *path);

/* Implemented in Swift. */
void exhibit_started(void);
void exhibit_connection_opened(sqlite3 *db);
void exhibit_connection_used(void *connection);
void exhibit_connection_closing(sqlite3 *db);
void exhibit_connection_ended(void *db);
