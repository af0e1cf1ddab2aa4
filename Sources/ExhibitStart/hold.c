#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exhibit_start.h"

static const rlim_t reserve = 32;

/* The kernel gives the lowest free number, so a high one means a full table. */
static int is_high(int descriptor) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         (rlim_t)descriptor + reserve >= limit.rlim_cur;
}

int exhibit_hold_path(const char *path) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0 || !is_high(descriptor)) return descriptor;
  close(descriptor);
  errno = EMFILE;
  return -1;
}

int exhibit_has_descriptors(void) {
  int descriptor = exhibit_hold_path("/");
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

/* Its beginning: https://sqlite.org/src/file/src/os_unix.c, struct unixFile. */
struct unix_file {
  const sqlite3_io_methods *methods;
  sqlite3_vfs *vfs;
  void *inode;
  int descriptor;
};

int exhibit_likely_descriptor(const sqlite3_file *file, const sqlite3_vfs *vfs) {
  if (!file || !file->pMethods || !vfs || (size_t)vfs->szOsFile < sizeof(struct unix_file)) return -1;
  return ((const struct unix_file *)file)->descriptor;
}
