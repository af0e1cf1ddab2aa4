#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exhibit_start.h"

/* Descriptors that stay free for the app. */
static const rlim_t reserve = 32;

/* The kernel gives the lowest free number, so a high one tells how full the table is. */
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
