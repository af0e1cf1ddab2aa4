#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "exhibit_start.h"
#include "mode.h"

/* An amalgamation in the executable wins over libsqlite3 symbol by symbol: what it lacks comes from the library, which
   then runs on handles of the other build. These are the functions that are called on the app's connections. */
#define FUNCTION(name) {#name, (void *)name}
static const struct {
  const char *name;
  void *address;
} functions[] = {
    FUNCTION(sqlite3_create_function_v2), FUNCTION(sqlite3_db_filename), FUNCTION(sqlite3_db_mutex),
    FUNCTION(sqlite3_db_name), FUNCTION(sqlite3_errmsg), FUNCTION(sqlite3_exec),
    FUNCTION(sqlite3_extended_errcode), FUNCTION(sqlite3_file_control), FUNCTION(sqlite3_finalize),
    FUNCTION(sqlite3_free), FUNCTION(sqlite3_column_text), FUNCTION(sqlite3_mutex_leave),
    FUNCTION(sqlite3_mutex_try), FUNCTION(sqlite3_prepare_v2), FUNCTION(sqlite3_progress_handler),
    FUNCTION(sqlite3_result_null), FUNCTION(sqlite3_serialize), FUNCTION(sqlite3_step), FUNCTION(sqlite3_trace_v2),
    FUNCTION(sqlite3_txn_state), FUNCTION(sqlite3_vfs_find), FUNCTION(sqlite3_db_config), FUNCTION(sqlite3_db_status),
};

static void *image_of(void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* Where a connection really comes from: past our own function of that name. */
static void *opener(void) {
  void *next = exhibit_is_interposed() ? dlsym(RTLD_NEXT, "sqlite3_open_v2") : NULL;
  return next ? next : (void *)sqlite3_open_v2;
}

const char *exhibit_foreign_function(void) {
  void *image = image_of(opener());
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (image_of(functions[i].address) != image) return functions[i].name;
  return NULL;
}
