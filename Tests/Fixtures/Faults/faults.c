/* Preloaded: makes the Nth call of one kind on the calling thread fail, once or from then on, or kills the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static __thread const char *kind;
static __thread int nth, stays, seen;

/* Fails calls of `name` from the `at`-th on, from 1; with 0 they are only counted.
   `for_good` is 0 for that call alone, 1 from then on, 2 to kill the process instead. */
void fault_arm(const char *name, int at, int for_good) {
  seen = 0;
  nth = at;
  stays = for_good;
  kind = name;
}

/* Returns how many calls there were. */
int fault_disarm(void) {
  kind = NULL;
  return seen;
}

static int fails(const char *name, int code) {
  if (!kind || strcmp(kind, name) != 0) return 0;
  seen++;
  if (nth == 0 || seen < nth || (seen > nth && !stays)) return 0;
  if (stays == 2) kill(getpid(), SIGKILL);
  errno = code;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                              \
  int name(const char *path, int flags, ...) {                  \
    va_list list;                                               \
    va_start(list, flags);                                      \
    mode_t mode = va_arg(list, mode_t);                         \
    va_end(list);                                               \
    if (fails("open", EMFILE)) return -1;                       \
    return NEXT(name)(path, flags, mode);                       \
  }
OPEN(open)
OPEN(open64)

#define READ(name, offset_type)                                                    \
  ssize_t name(int file, void *bytes, size_t count, offset_type offset) {          \
    if (fails("read", EIO)) return -1;                                             \
    return NEXT(name)(file, bytes, count, offset);                                 \
  }
READ(pread, off_t)
READ(pread64, off64_t)

ssize_t read(int file, void *bytes, size_t count) {
  if (fails("read", EIO)) return -1;
  return NEXT(read)(file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (fails("write", ENOSPC)) return -1;
  return NEXT(write)(file, bytes, count);
}

#define WRITE(name, offset_type)                                                   \
  ssize_t name(int file, const void *bytes, size_t count, offset_type offset) {    \
    if (fails("write", ENOSPC)) return -1;                                         \
    return NEXT(name)(file, bytes, count, offset);                                 \
  }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define WRITE_PARTS(name, offset_type)                                             \
  ssize_t name(int file, const struct iovec *parts, int count, offset_type offset) { \
    if (fails("write", ENOSPC)) return -1;                                         \
    return NEXT(name)(file, parts, count, offset);                                 \
  }
WRITE_PARTS(pwritev, off_t)
WRITE_PARTS(pwritev64, off64_t)

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *target, size_t count, unsigned flags) {
  if (fails("write", ENOSPC)) return -1;
  return NEXT(copy_file_range)(from, start, to, target, count, flags);
}

#define TRUNCATE(name, offset_type)             \
  int name(int file, offset_type size) {        \
    if (fails("write", ENOSPC)) return -1;      \
    return NEXT(name)(file, size);              \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int fsync(int file) { return fails("fsync", EIO) ? -1 : NEXT(fsync)(file); }
int fdatasync(int file) { return fails("fsync", EIO) ? -1 : NEXT(fdatasync)(file); }

int rename(const char *from, const char *to) { return fails("rename", EACCES) ? -1 : NEXT(rename)(from, to); }

int mkdir(const char *path, mode_t mode) { return fails("mkdir", ENOSPC) ? -1 : NEXT(mkdir)(path, mode); }
char *mkdtemp(char *template) { return fails("mkdir", ENOSPC) ? NULL : NEXT(mkdtemp)(template); }

#define STAT(name, type)                                  \
  int name(const char *path, struct type *status) {       \
    if (fails("stat", EACCES)) return -1;                 \
    return NEXT(name)(path, status);                      \
  }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

int unlink(const char *path) { return fails("unlink", EACCES) ? -1 : NEXT(unlink)(path); }
int rmdir(const char *path) { return fails("unlink", EACCES) ? -1 : NEXT(rmdir)(path); }

int close(int file) {
  /* The descriptor is gone, as after a real failure. */
  int result = NEXT(close)(file);
  return fails("close", EIO) ? -1 : result;
}
