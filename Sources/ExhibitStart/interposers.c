#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "exhibit_start.h"
#include "mode.h"

/* Weak definitions of SQLite's open functions: the executable's symbols win over libsqlite3's, and a strong
   definition (an amalgamation in the executable) wins over ours. Nothing of SQLite runs before the app's own
   first call, so sqlite3_config keeps working. */

typedef int open_function(const char *, sqlite3 **);
typedef int open16_function(const void *, sqlite3 **);
typedef int open_v2_function(const char *, sqlite3 **, int, const char *);
typedef int close_function(sqlite3 *);

/* Above 0 while this thread opens a connection of ours. */
static _Thread_local int own_opens;

static int opened(int code, sqlite3 **db) {
  if (code == SQLITE_OK && !own_opens && exhibit_runs_tests()) exhibit_connection_opened(*db);
  return code;
}

static int open_utf8(const char *path, sqlite3 **db) {
  static open_function *next;
  if (!next) next = (open_function *)dlsym(RTLD_NEXT, "sqlite3_open");
  return next ? opened(next(path, db), db) : SQLITE_MISUSE;
}

static int open_utf16(const void *path, sqlite3 **db) {
  static open16_function *next;
  if (!next) next = (open16_function *)dlsym(RTLD_NEXT, "sqlite3_open16");
  return next ? opened(next(path, db), db) : SQLITE_MISUSE;
}

/* A connection without a mutex could not be read by the thread on which its test fails. */
static int open_v2(const char *path, sqlite3 **db, int flags, const char *vfs) {
  static open_v2_function *next;
  if (!next) next = (open_v2_function *)dlsym(RTLD_NEXT, "sqlite3_open_v2");
  if (!own_opens && exhibit_watches_connections() && (flags & SQLITE_OPEN_NOMUTEX))
    flags = (flags & ~SQLITE_OPEN_NOMUTEX) | SQLITE_OPEN_FULLMUTEX;
  return next ? opened(next(path, db, flags, vfs), db) : SQLITE_MISUSE;
}

/* The last look at a connection: it is whole, and its statements are finalised unless the close is going to be
   refused or put off. */
static void closing(sqlite3 *db) {
  if (db && exhibit_watches_connections()) exhibit_connection_closing(db);
}

static int close_v1(sqlite3 *db) {
  static close_function *next;
  if (!next) next = (close_function *)dlsym(RTLD_NEXT, "sqlite3_close");
  closing(db);
  return next ? next(db) : SQLITE_MISUSE;
}

static int close_v2(sqlite3 *db) {
  static close_function *next;
  if (!next) next = (close_function *)dlsym(RTLD_NEXT, "sqlite3_close_v2");
  closing(db);
  return next ? next(db) : SQLITE_MISUSE;
}

__attribute__((weak, alias("open_utf8"))) int sqlite3_open(const char *, sqlite3 **);
__attribute__((weak, alias("open_utf16"))) int sqlite3_open16(const void *, sqlite3 **);
__attribute__((weak, alias("open_v2"))) int sqlite3_open_v2(const char *, sqlite3 **, int, const char *);
__attribute__((weak, alias("close_v1"))) int sqlite3_close(sqlite3 *);
__attribute__((weak, alias("close_v2"))) int sqlite3_close_v2(sqlite3 *);

int exhibit_is_interposed(void) { return (void *)sqlite3_open_v2 == (void *)open_v2; }

int exhibit_open_own(const char *path, sqlite3 **db, int flags, const char *vfs) {
  own_opens++;
  int code = sqlite3_open_v2(path, db, flags, vfs);
  own_opens--;
  return code;
}

/* Where SQLite is in the executable its open functions are out of reach; this sees its connections too, at the
   price that a later sqlite3_config of the app returns SQLITE_MISUSE. */
static int extension(sqlite3 *db, const char **error, const void *api) {
  (void)error, (void)api;
  if (!own_opens) exhibit_connection_opened(db);
  return SQLITE_OK;
}

int exhibit_register_extension(void) { return sqlite3_auto_extension((void (*)(void))extension); }
