/* SQLite's files in the browser: one database, read only, whose bytes a script gives. It has no other file: temporary
   ones are in memory. */
#include "viewer.h"

struct pages {
  sqlite3_file base;
  int number;
};

static int number_of(sqlite3_file *file) { return ((struct pages *)file)->number; }

/* A database in WAL mode says so in its header. It is read without a WAL, as one with a journal. */
static void hide_wal(unsigned char *bytes, int count, sqlite3_int64 offset) {
  for (sqlite3_int64 place = FORMAT_VERSIONS; place < FORMAT_VERSIONS + 2; place++) {
    if (place < offset || place >= offset + count) continue;
    if (bytes[place - offset] == 2) bytes[place - offset] = 1;
  }
}

static int read_pages(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_int64 size = (sqlite3_int64)viewer_size(number_of(file));
  int there = offset >= size ? 0 : offset + count > size ? (int)(size - offset) : count;
  if (there > 0 && viewer_read(number_of(file), bytes, there, (double)offset) != 0) return SQLITE_IOERR_READ;
  hide_wal(bytes, there, offset);
  if (there == count) return SQLITE_OK;
  memset((char *)bytes + there, 0, (size_t)(count - there));
  return SQLITE_IOERR_SHORT_READ;
}

static int size_of_pages(sqlite3_file *file, sqlite3_int64 *size) {
  *size = (sqlite3_int64)viewer_size(number_of(file));
  return SQLITE_OK;
}

static int close_pages(sqlite3_file *file) {
  (void)file;
  return SQLITE_OK;
}

static int refuse_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  (void)file, (void)bytes, (void)count, (void)offset;
  return SQLITE_READONLY;
}

static int refuse_truncation(sqlite3_file *file, sqlite3_int64 size) {
  (void)file, (void)size;
  return SQLITE_READONLY;
}

static int allow(sqlite3_file *file, int flags) {
  (void)file, (void)flags;
  return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file, int *result) {
  (void)file;
  *result = 0;
  return SQLITE_OK;
}

static int control(sqlite3_file *file, int operation, void *argument) {
  (void)file, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file) {
  (void)file;
  return 4096;
}

static int characteristics(sqlite3_file *file) {
  (void)file;
  return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
    1,           close_pages, read_pages, refuse_write, refuse_truncation, allow,           size_of_pages,
    allow,       allow,       is_reserved, control,     sector_size,       characteristics,
};

/* The name of a database is the number that the script gave it. */
static int open_pages(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
  (void)vfs;
  file->pMethods = 0;
  if (!(flags & SQLITE_OPEN_MAIN_DB) || !name) return SQLITE_CANTOPEN;
  int number = 0;
  for (; *name >= '0' && *name <= '9'; name++) number = number * 10 + (*name - '0');
  if (viewer_size(number) < 0) return SQLITE_CANTOPEN;
  ((struct pages *)file)->number = number;
  file->pMethods = &methods;
  if (result) *result = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

static int refuse_removal(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs, (void)name, (void)sync;
  return SQLITE_READONLY;
}

static int is_there(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs, (void)name, (void)flags;
  *result = 0;
  return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int count, char *result) {
  (void)vfs;
  sqlite3_snprintf(count, result, "%s", name);
  return SQLITE_OK;
}

static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  viewer_random(bytes, count);
  return count;
}

static int do_not_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

/* Days from the Julian epoch to that of Unix. */
#define UNIX_EPOCH 2440587.5
#define MILLISECONDS_OF_A_DAY 86400000.0

static int julian_day(sqlite3_vfs *vfs, double *day) {
  (void)vfs;
  *day = viewer_now() / MILLISECONDS_OF_A_DAY + UNIX_EPOCH;
  return SQLITE_OK;
}

static int julian_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  (void)vfs;
  *milliseconds = (sqlite3_int64)(viewer_now() + UNIX_EPOCH * MILLISECONDS_OF_A_DAY);
  return SQLITE_OK;
}

static int last_error(sqlite3_vfs *vfs, int count, char *text) {
  (void)vfs, (void)count, (void)text;
  return 0;
}

static sqlite3_vfs vfs = {
    .iVersion = 2,
    .szOsFile = sizeof(struct pages),
    .mxPathname = 64,
    .zName = VIEWER_VFS,
    .xOpen = open_pages,
    .xDelete = refuse_removal,
    .xAccess = is_there,
    .xFullPathname = full_name,
    .xRandomness = randomness,
    .xSleep = do_not_sleep,
    .xCurrentTime = julian_day,
    .xGetLastError = last_error,
    .xCurrentTimeInt64 = julian_milliseconds,
};

int sqlite3_os_init(void) { return sqlite3_vfs_register(&vfs, 1); }
int sqlite3_os_end(void) { return SQLITE_OK; }
