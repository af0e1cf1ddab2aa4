#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the capture of files needs and Swift cannot see, or cannot do fast in a debug build. */

#pragma clang assume_nonnull begin

/* Makes the empty file `to` the same as the first `bytes` of `from`, in the file system if it can share blocks,
   else in the kernel. Returns 0, or the errno; both descriptors' offsets are moved. */
int exhibit_clone_file(int from, int to, size_t bytes);

/* When the file was created, in nanoseconds since 1970; false when the file system does not know. */
bool exhibit_birth_time(const char *path, int64_t *nanoseconds);

/* Whether a file's bytes, once written, are changed where they lie, so that changing them takes no room of the disk: a
   page of a mapped file that finds none kills the process. Not so in file systems that copy on write, and not known of
   those that lie over others. */
bool exhibit_changes_in_place(int descriptor);

/* Gives this thread a table of descriptors of its own, in which only the standard streams are open. Closing a file in
   it drops no POSIX lock of the process, which has its own with its own table. False where the system does not allow
   it; nothing has changed then. */
bool exhibit_separate_descriptors(void);

/* Calls on such a thread's descriptors, which return what the system does, or the negative errno. A status is a
   `struct stat`, whose declaration here would hide that of Glibc from Swift. */
int exhibit_separate_open(const char *path, int flags);
int exhibit_separate_status(int file, void *status);
intptr_t exhibit_separate_read(int file, void *bytes, size_t count, int64_t offset);
void exhibit_separate_close(int file);

typedef struct {
  uint32_t first, second;
} exhibit_wal_checksum;

/* Continues a checksum of a WAL (https://www.sqlite.org/fileformat2.html, section 4.2) over `count` bytes, a
   multiple of 8 at an address that is a multiple of 4. */
exhibit_wal_checksum exhibit_wal_checksum_add(
  exhibit_wal_checksum sum, const void *bytes, size_t count, bool big_endian);

#pragma clang assume_nonnull end
