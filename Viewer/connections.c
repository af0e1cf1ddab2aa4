/* Opening a database, as the browser does it: for reading, or as a copy in memory that may be changed. */
#include "viewer.h"

/* Instructions of SQLite's machine between two questions whether to go on: some 50 µs. */
#define INSTRUCTIONS 2000

/* Bytes of a value; a database that a report holds has none longer. */
#define LONGEST_VALUE (128 << 20)

static int stops(void *context) {
  (void)context;
  return viewer_stops();
}

/* Nothing can be attached, and nothing happens beside what a statement says. The schema may call every function: there is
   none here that reaches out of SQLite. */
static void guard(sqlite3 *database) {
  sqlite3_progress_handler(database, INSTRUCTIONS, stops, 0);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, 0, (int *)0);
}

/* Opens the database whose number is the name, for reading. The connection is there even where that failed, to ask it why. */
sqlite3 *EXPORT(viewer_open)(const char *name) {
  sqlite3 *database = 0;
  sqlite3_open_v2(name, &database, SQLITE_OPEN_READONLY, VIEWER_VFS);
  if (database) guard(database);
  return database;
}

/* Opens a copy in memory. The bytes are `sqlite3_malloc64`'s, and SQLite's from here on. */
sqlite3 *EXPORT(viewer_copy)(unsigned char *bytes, double count) {
  sqlite3 *database = 0;
  if (sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE, VIEWER_VFS) != SQLITE_OK) {
    sqlite3_free(bytes);
    return database;
  }
  for (int place = FORMAT_VERSIONS; place < FORMAT_VERSIONS + 2 && place < count; place++) {
    if (bytes[place] == 2) bytes[place] = 1;
  }
  sqlite3_deserialize(database, "main", bytes, (sqlite3_int64)count, (sqlite3_int64)count,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  guard(database);
  return database;
}
