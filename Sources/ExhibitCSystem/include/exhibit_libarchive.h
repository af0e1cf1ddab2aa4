#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What is used of libarchive, so that building needs none of its headers: archive.h and archive_entry.h of libarchive 3,
   whose ABI is stable. A test compiles this file together with those. */

#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_RETRY (-10)
#define ARCHIVE_WARN (-20)
#define ARCHIVE_FAILED (-25)
#define ARCHIVE_FATAL (-30)

struct archive;
struct archive_entry;

int archive_errno(struct archive *);
const char *archive_error_string(struct archive *);
struct archive_entry *archive_entry_new(void);
struct archive_entry *archive_entry_clear(struct archive_entry *);
void archive_entry_free(struct archive_entry *);
void archive_entry_set_pathname_utf8(struct archive_entry *, const char *);
void archive_entry_set_filetype(struct archive_entry *, unsigned int);
void archive_entry_set_perm(struct archive_entry *, mode_t);
void archive_entry_set_size(struct archive_entry *, int64_t);
void archive_entry_set_symlink(struct archive_entry *, const char *);
const char *archive_entry_pathname(struct archive_entry *);
mode_t archive_entry_filetype(struct archive_entry *);
int64_t archive_entry_size(struct archive_entry *);
const char *archive_entry_symlink(struct archive_entry *);
struct archive *archive_write_new(void);
int archive_write_set_format_pax_restricted(struct archive *);
int archive_write_set_format_zip(struct archive *);
int archive_write_add_filter_zstd(struct archive *);
int archive_write_set_options(struct archive *, const char *);
int archive_write_set_bytes_per_block(struct archive *, int);
int archive_write_open_fd(struct archive *, int);
int archive_write_header(struct archive *, struct archive_entry *);
ssize_t archive_write_data(struct archive *, const void *, size_t);
int archive_write_close(struct archive *);
int archive_write_fail(struct archive *);
int archive_write_free(struct archive *);
struct archive *archive_read_new(void);
int archive_read_support_format_zip_seekable(struct archive *);
int archive_read_support_format_tar(struct archive *);
int archive_read_support_filter_zstd(struct archive *);
int archive_read_open_fd(struct archive *, int, size_t);
int archive_read_next_header(struct archive *, struct archive_entry **);
int archive_read_free(struct archive *);
