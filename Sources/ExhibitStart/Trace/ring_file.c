#define _GNU_SOURCE
#include "ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
  char *path;
  dev_t device;
  ino_t inode;
} file;

/* Written, so that the disk cannot be full when the mapping is written back. */
static int take(int descriptor, const void *bytes, uint64_t count, uint64_t place) {
  for (uint64_t done = 0; done < count;) {
    ssize_t written = pwrite(descriptor, (const uint8_t *)bytes + done, count - done, (off_t)(place + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    done += (uint64_t)written;
  }
  return 0;
}

int exhibit_ring_file_take(int descriptor, const char *path, void *memory, uint64_t count, uint64_t size) {
  if (file.path) return EEXIST;
  struct stat status;
  if (fstat(descriptor, &status) != 0) return errno;
  char *name = strdup(path);
  if (!name) return ENOMEM;
  int code = take(descriptor, memory, count, 0);
  if (code == 0 && mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED)
    code = errno;
  if (code != 0) {
    free(name);
    return code;
  }
  file.path = name;
  file.device = status.st_dev;
  file.inode = status.st_ino;
  return 0;
}

static int move_back(void *memory, uint64_t count, uint64_t size) {
  void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) return 0;
  memcpy(copy, memory, count);
  if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, memory) == MAP_FAILED) {
    munmap(copy, size);
    return 0;
  }
  free(file.path);
  file.path = NULL;
  return 1;
}

/* -1 with ENOENT where the name leads to it no more. */
static int open_again(void) {
  int descriptor = open(file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) {
    if (errno == ENOTDIR || errno == ELOOP) errno = ENOENT;
    return -1;
  }
  struct stat status;
  if (fstat(descriptor, &status) == 0 && status.st_dev == file.device && status.st_ino == file.inode) return descriptor;
  close(descriptor);
  errno = ENOENT;
  return -1;
}

int exhibit_ring_file_extend(void *memory, uint64_t count, uint64_t wanted, uint64_t size) {
  static const uint8_t zeros[64 << 10];
  if (!file.path) return 1;
  int before = errno, descriptor = open_again();
  int has_room = descriptor >= 0 || (errno == ENOENT && move_back(memory, count, size));
  if (descriptor >= 0) {
    for (uint64_t place = count; has_room && place < wanted;) {
      uint64_t step = wanted - place < sizeof zeros ? wanted - place : sizeof zeros;
      has_room = take(descriptor, zeros, step, place) == 0;
      place += step;
    }
    close(descriptor);
  }
  /* This runs amid a statement of the app's. */
  errno = before;
  return has_room;
}
