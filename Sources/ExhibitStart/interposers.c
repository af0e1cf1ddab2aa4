#include "interposers.h"

#include "Trace/stacks.h"
#include "exhibit_start.h"
#include "interpose.h"
#include "intervention.h"
#include "mode.h"
#include "own_work.h"

static void set(sqlite3 *db) {
  const char *setting = exhibit_connection_setting();
  if (setting) exhibit_apply(db, setting);
}

static int opened(int code, sqlite3 **db) {
  if (code == SQLITE_OK && !exhibit_own_work) set(*db);
  if (code == SQLITE_OK && !exhibit_own_work && exhibit_runs_tests()) exhibit_connection_opened(*db);
  return code;
}

INTERPOSE(int, sqlite3_open, (const char *path, sqlite3 **db)) {
  CALLED_HERE;
  return opened(NEXT(sqlite3_open)(path, db), db);
}

INTERPOSE(int, sqlite3_open16, (const void *path, sqlite3 **db)) {
  CALLED_HERE;
  return opened(NEXT(sqlite3_open16)(path, db), db);
}

/* Without a mutex, the thread on which the test fails could not read the connection. */
INTERPOSE(int, sqlite3_open_v2, (const char *path, sqlite3 **db, int flags, const char *vfs)) {
  CALLED_HERE;
  if (!exhibit_own_work && exhibit_watches_connections() && (flags & SQLITE_OPEN_NOMUTEX))
    flags = (flags & ~SQLITE_OPEN_NOMUTEX) | SQLITE_OPEN_FULLMUTEX;
  return opened(NEXT(sqlite3_open_v2)(path, db, flags, vfs), db);
}

/* The last look at a whole connection. */
static void closing(sqlite3 *db) {
  if (db && exhibit_watches_connections()) exhibit_connection_closing(db);
}

INTERPOSE(int, sqlite3_close, (sqlite3 *db)) {
  CALLED_HERE;
  closing(db);
  return NEXT(sqlite3_close)(db);
}

INTERPOSE(int, sqlite3_close_v2, (sqlite3 *db)) {
  CALLED_HERE;
  closing(db);
  return NEXT(sqlite3_close_v2)(db);
}

int exhibit_is_interposed(void) { return IS_INTERPOSED(sqlite3_open_v2); }

int exhibit_open_own(const char *path, sqlite3 **db, int flags, const char *vfs) {
  exhibit_begin_own_work();
  int code = sqlite3_open_v2(path, db, flags, vfs);
  exhibit_end_own_work();
  return code;
}

/* For an SQLite in the executable, whose open functions are out of reach. The price: the app's later sqlite3_config
   returns SQLITE_MISUSE. */
static int extension(sqlite3 *db, const char **error, const void *api) {
  (void)error, (void)api;
  if (!exhibit_own_work) exhibit_connection_opened(db);
  return SQLITE_OK;
}

int exhibit_register_extension(void) { return sqlite3_auto_extension((void (*)(void))extension); }
