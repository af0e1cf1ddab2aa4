/* Preloaded: makes the Nth call of one kind fail, once or from then on, kills the process, or has somebody change a file
   before it; by whoever armed it, or by the environment in the whole process: FAULT is `kind n once|good|kill`,
   FAULT_BELOW a folder whose files are meant, and FAULT_COUNT a file that gets the number of calls at the end.
   FAULT_TRACE is a file that gets a line for each call: its kind and the file's path. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *kind;
static int nth, stays, seen;

/* The kernel, past our own syscall below. */
#define syscall ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))

/* Fails calls of `name` from the `at`-th on, from 1; with 0 they are only counted.
   `for_good` is 0 for that call alone, 1 from then on, 2 to kill the process instead, 3 to change a file before it. */
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

/* What another process could do at this moment: FAULT_CHANGE to the file FAULT_PATH, with FAULT_NEW in its place. */
static void change(void) {
  const char *how = getenv("FAULT_CHANGE"), *path = getenv("FAULT_PATH"), *new = getenv("FAULT_NEW");
  static char more[3 << 20];
  if (!how || !path) return;
  if (strcmp(how, "vanishes") == 0) syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (strcmp(how, "shrinks") == 0) syscall(SYS_truncate, path, 10L);
  if (strcmp(how, "is replaced") == 0 && new) syscall(SYS_renameat, AT_FDCWD, new, AT_FDCWD, path);
  if (strcmp(how, "grows") == 0) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND, 0);
    memset(more, 'g', sizeof more);
    syscall(SYS_write, file, more, sizeof more);
    syscall(SYS_close, file);
  }
}

static char all_kind[16], all_how[8];
static const char *below;
static int all_nth, all_seen;
static int trace = -1;

__attribute__((constructor)) static void arm_all(void) {
  const char *traced = getenv("FAULT_TRACE");
  if (traced) trace = (int)syscall(SYS_openat, AT_FDCWD, traced, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *fault = getenv("FAULT");
  if (fault && sscanf(fault, "%15s %d %7s", all_kind, &all_nth, all_how) == 3) below = getenv("FAULT_BELOW");
}

__attribute__((destructor)) static void count_all(void) {
  const char *path = getenv("FAULT_COUNT");
  char text[16];
  if (!below || !path) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  syscall(SYS_write, file, text, snprintf(text, sizeof text, "%d", all_seen));
  syscall(SYS_close, file);
}

/* The path, or without one that of a descriptor; NULL when there is none. */
static const char *path_of(const char *path, int file, char target[4096]) {
  char link[64];
  if (path) return path;
  snprintf(link, sizeof link, "/proc/thread-self/fd/%d", file);
  long count = syscall(SYS_readlinkat, AT_FDCWD, link, target, 4095);
  if (count < 0) return NULL;
  target[count] = 0;
  return target;
}

/* Whether a path, or without one a descriptor, leads below the folder. */
static int is_meant(const char *path, int file) {
  char target[4096];
  path = path_of(path, file, target);
  return path && strncmp(path, below, strlen(below)) == 0;
}

static void note(const char *name, const char *path, int file) {
  char target[4096], line[4200];
  int before = errno;
  path = path_of(path, file, target);
  if (path) syscall(SYS_write, trace, line, snprintf(line, sizeof line, "%s %s\n", name, path));
  errno = before;
}

static int fails_in_process(const char *name, int code, const char *path, int file) {
  int before = errno;
  int is_counted = strcmp(all_kind, name) == 0 && is_meant(path, file);
  errno = before;
  if (!is_counted) return 0;
  int number = __atomic_add_fetch(&all_seen, 1, __ATOMIC_RELAXED);
  if (all_nth == 0 || number < all_nth || (number > all_nth && strcmp(all_how, "good") != 0)) return 0;
  if (strcmp(all_how, "kill") == 0) kill(getpid(), SIGKILL);
  errno = code;
  return 1;
}

/* `path` is what the call is about, or `file` where it is NULL. */
static int fails(const char *name, int code, const char *path, int file) {
  if (trace >= 0) note(name, path, file);
  if (below) return fails_in_process(name, code, path, file);
  if (!kind || strcmp(kind, name) != 0) return 0;
  seen++;
  if (nth == 0 || seen < nth || (seen > nth && !stays)) return 0;
  if (stays == 2) kill(getpid(), SIGKILL);
  if (stays == 3) {
    if (seen == nth) change();
    return 0;
  }
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
    if (fails("open", EMFILE, path, -1)) return -1;                       \
    return NEXT(name)(path, flags, mode);                       \
  }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name)                                                                      \
  int name(int folder, const char *path, int flags, ...) {                                 \
    va_list list;                                                                          \
    va_start(list, flags);                                                                 \
    mode_t mode = va_arg(list, mode_t);                                                    \
    va_end(list);                                                                          \
    if (fails("openat", EMFILE, path[0] == '/' ? path : NULL, folder)) return -1;          \
    return NEXT(name)(folder, path, flags, mode);                                          \
  }
OPEN_AT(openat)
OPEN_AT(openat64)

DIR *opendir(const char *path) { return fails("list", EMFILE, path, -1) ? NULL : NEXT(opendir)(path); }
DIR *fdopendir(int file) { return fails("list", ENOMEM, NULL, file) ? NULL : NEXT(fdopendir)(file); }

#define NEXT_ENTRY(name, type)                                                             \
  struct type *name(DIR *folder) {                                                         \
    return fails("list", EIO, NULL, dirfd(folder)) ? NULL : NEXT(name)(folder);            \
  }
NEXT_ENTRY(readdir, dirent)
NEXT_ENTRY(readdir64, dirent64)

#define READ(name, offset_type)                                                    \
  ssize_t name(int file, void *bytes, size_t count, offset_type offset) {          \
    if (fails("read", EIO, NULL, file)) return -1;                                             \
    return NEXT(name)(file, bytes, count, offset);                                 \
  }
READ(pread, off_t)
READ(pread64, off64_t)

ssize_t read(int file, void *bytes, size_t count) {
  if (fails("read", EIO, NULL, file)) return -1;
  return NEXT(read)(file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (fails("write", ENOSPC, NULL, file)) return -1;
  return NEXT(write)(file, bytes, count);
}

#define WRITE(name, offset_type)                                                   \
  ssize_t name(int file, const void *bytes, size_t count, offset_type offset) {    \
    if (fails("write", ENOSPC, NULL, file)) return -1;                                         \
    return NEXT(name)(file, bytes, count, offset);                                 \
  }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define WRITE_PARTS(name, offset_type)                                             \
  ssize_t name(int file, const struct iovec *parts, int count, offset_type offset) { \
    if (fails("write", ENOSPC, NULL, file)) return -1;                                         \
    return NEXT(name)(file, parts, count, offset);                                 \
  }
WRITE_PARTS(pwritev, off_t)
WRITE_PARTS(pwritev64, off64_t)

ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *target, size_t count, unsigned flags) {
  if (fails("write", ENOSPC, NULL, to)) return -1;
  return NEXT(copy_file_range)(from, start, to, target, count, flags);
}

#define TRUNCATE(name, offset_type)             \
  int name(int file, offset_type size) {        \
    if (fails("write", ENOSPC, NULL, file)) return -1;      \
    return NEXT(name)(file, size);              \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int fsync(int file) { return fails("fsync", EIO, NULL, file) ? -1 : NEXT(fsync)(file); }
int fdatasync(int file) { return fails("fsync", EIO, NULL, file) ? -1 : NEXT(fdatasync)(file); }

int rename(const char *from, const char *to) { return fails("rename", EACCES, to, -1) ? -1 : NEXT(rename)(from, to); }

int mkdir(const char *path, mode_t mode) { return fails("mkdir", ENOSPC, path, -1) ? -1 : NEXT(mkdir)(path, mode); }
char *mkdtemp(char *template) { return fails("mkdir", ENOSPC, template, -1) ? NULL : NEXT(mkdtemp)(template); }

#define STAT(name, type)                                  \
  int name(const char *path, struct type *status) {       \
    if (fails("stat", EACCES, path, -1)) return -1;                 \
    return NEXT(name)(path, status);                      \
  }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

int unlink(const char *path) { return fails("unlink", EACCES, path, -1) ? -1 : NEXT(unlink)(path); }
int rmdir(const char *path) { return fails("unlink", EACCES, path, -1) ? -1 : NEXT(rmdir)(path); }

int close(int file) {
  int is_failing = fails("close", EIO, NULL, file);
  int code = errno;
  /* The descriptor is gone, as after a real failure. */
  int result = NEXT(close)(file);
  if (is_failing) errno = code;
  return is_failing ? -1 : result;
}

#undef syscall

/* Files that may be locked are opened past libc, on a thread whose descriptors are its own. */
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_openat && fails("open", EMFILE, (const char *)b, -1)) return -1;
  if (number == SYS_pread64 && fails("read", EIO, NULL, (int)a)) return -1;
  if (number == SYS_close && fails("close", EIO, NULL, (int)a)) return NEXT(syscall)(number, a), errno = EIO, -1;
  if (number == SYS_close_range || number == SYS_unshare)
    if (fails("separate", EPERM, NULL, 0)) return -1;
  return NEXT(syscall)(number, a, b, c, d, e, f);
}
