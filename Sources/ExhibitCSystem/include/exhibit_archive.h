#pragma once
#include <stdbool.h>
#include "exhibit_libarchive.h"

/* libarchive is loaded when it is first needed: linked, it would cost every test process its start. */

#define EXHIBIT_ARCHIVE_FUNCTIONS(F) \
  F(archive_errno) \
  F(archive_error_string) \
  F(archive_entry_new) \
  F(archive_entry_clear) \
  F(archive_entry_free) \
  F(archive_entry_set_pathname_utf8) \
  F(archive_entry_set_filetype) \
  F(archive_entry_set_perm) \
  F(archive_entry_set_size) \
  F(archive_entry_set_symlink) \
  F(archive_entry_pathname) \
  F(archive_entry_filetype) \
  F(archive_entry_size) \
  F(archive_entry_symlink) \
  F(archive_write_new) \
  F(archive_write_set_format_pax_restricted) \
  F(archive_write_set_format_zip) \
  F(archive_write_add_filter_zstd) \
  F(archive_write_set_options) \
  F(archive_write_set_bytes_per_block) \
  F(archive_write_open_fd) \
  F(archive_write_header) \
  F(archive_write_data) \
  F(archive_write_close) \
  F(archive_write_fail) \
  F(archive_write_free) \
  F(archive_read_new) \
  F(archive_read_support_format_zip_seekable) \
  F(archive_read_support_format_tar) \
  F(archive_read_support_filter_zstd) \
  F(archive_read_open_fd) \
  F(archive_read_next_header) \
  F(archive_read_free)

#pragma clang assume_nonnull begin

typedef struct {
#define EXHIBIT_DECLARE(name) __typeof__(name) *name;
  EXHIBIT_ARCHIVE_FUNCTIONS(EXHIBIT_DECLARE)
#undef EXHIBIT_DECLARE
} exhibit_archive_functions;

/* Finds the functions in the system's libarchive. Returns NULL when all are there, else what is wrong. */
const char *_Nullable exhibit_archive_load(exhibit_archive_functions *functions);

/* Makes this thread alone read and write names as UTF-8; gives back what exhibit_locale_restore takes. */
void *_Nullable exhibit_locale_use_utf8(void);
void exhibit_locale_restore(void *_Nullable previous);

#pragma clang assume_nonnull end
