#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "exhibit_start.h"

/* What an amalgamation in the executable lacks would run in libsqlite3, on handles of another build. We call these
   functions on the app's connections. */
#define FUNCTION(name) {#name, (void *)name, 0}
#define INTERPOSED(name) {#name, (void *)name, 1}
static const struct {
  const char *name;
  void *address;
  int is_interposed;
} functions[] = {
    FUNCTION(sqlite3_backup_finish), FUNCTION(sqlite3_backup_init), FUNCTION(sqlite3_backup_pagecount),
    FUNCTION(sqlite3_backup_step), INTERPOSED(sqlite3_bind_blob), INTERPOSED(sqlite3_bind_double),
    INTERPOSED(sqlite3_bind_int64), INTERPOSED(sqlite3_bind_null), FUNCTION(sqlite3_bind_parameter_count),
    FUNCTION(sqlite3_blob_bytes), FUNCTION(sqlite3_blob_read), FUNCTION(sqlite3_busy_timeout), FUNCTION(sqlite3_changes), FUNCTION(sqlite3_column_blob),
    FUNCTION(sqlite3_column_bytes), FUNCTION(sqlite3_column_count), FUNCTION(sqlite3_column_double),
    FUNCTION(sqlite3_column_int64), FUNCTION(sqlite3_column_name), FUNCTION(sqlite3_column_text),
    FUNCTION(sqlite3_column_type), FUNCTION(sqlite3_column_value), FUNCTION(sqlite3_create_function_v2),
    FUNCTION(sqlite3_data_count), FUNCTION(sqlite3_db_config), FUNCTION(sqlite3_db_filename),
    FUNCTION(sqlite3_db_handle), FUNCTION(sqlite3_db_mutex), FUNCTION(sqlite3_db_name), FUNCTION(sqlite3_db_status),
    FUNCTION(sqlite3_errmsg), INTERPOSED(sqlite3_exec), FUNCTION(sqlite3_expanded_sql),
    FUNCTION(sqlite3_extended_errcode), FUNCTION(sqlite3_file_control), INTERPOSED(sqlite3_finalize),
    FUNCTION(sqlite3_free), FUNCTION(sqlite3_get_autocommit), INTERPOSED(sqlite3_limit), FUNCTION(sqlite3_stmt_busy), FUNCTION(sqlite3_mutex_enter),
    FUNCTION(sqlite3_mutex_leave), FUNCTION(sqlite3_mutex_try), INTERPOSED(sqlite3_prepare_v2),
    INTERPOSED(sqlite3_progress_handler), FUNCTION(sqlite3_reset), FUNCTION(sqlite3_result_error), FUNCTION(sqlite3_result_error_code),
    FUNCTION(sqlite3_result_null), FUNCTION(sqlite3_result_text), FUNCTION(sqlite3_serialize), INTERPOSED(sqlite3_sql),
    INTERPOSED(sqlite3_step), FUNCTION(sqlite3_stmt_readonly), INTERPOSED(sqlite3_stmt_status), FUNCTION(sqlite3_system_errno),
    FUNCTION(sqlite3_table_column_metadata),
    FUNCTION(sqlite3_total_changes), INTERPOSED(sqlite3_trace_v2), FUNCTION(sqlite3_txn_state),
    FUNCTION(sqlite3_user_data), FUNCTION(sqlite3_value_blob), FUNCTION(sqlite3_value_bytes),
    FUNCTION(sqlite3_value_double), FUNCTION(sqlite3_value_dup), FUNCTION(sqlite3_value_free),
    FUNCTION(sqlite3_value_int64), FUNCTION(sqlite3_value_text), FUNCTION(sqlite3_value_type),
    FUNCTION(sqlite3_vfs_find),
};

/* dladdr would take a hundred times as long, for a symbol's name. */
struct image {
  uintptr_t address, start, end;
};

static int note_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct image *image = context;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (first < start) start = first;
    if (first + info->dlpi_phdr[i].p_memsz > end) end = first + info->dlpi_phdr[i].p_memsz;
  }
  if (image->address < start || image->address >= end) return 0;
  image->start = start;
  image->end = end;
  return 1;
}

static void *opener(void) {
  void *next = exhibit_is_interposed() ? dlsym(RTLD_NEXT, "sqlite3_open_v2") : NULL;
  return next ? next : (void *)sqlite3_open_v2;
}

static const char *find_foreign_function(void) {
  struct image image = {.address = (uintptr_t)opener()};
  dl_iterate_phdr(note_image, &image);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    int is_next = functions[i].is_interposed && exhibit_is_interposed();
    uintptr_t address = (uintptr_t)(is_next ? dlsym(RTLD_NEXT, functions[i].name) : functions[i].address);
    if (address < image.start || address >= image.end) return functions[i].name;
  }
  return NULL;
}

const char *exhibit_foreign_function(void) {
  static int is_known;
  static const char *name;
  if (!is_known) {
    name = find_foreign_function();
    is_known = 1;
  }
  return name;
}
