#define _GNU_SOURCE
#include "exhibit_process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_flag is_noted = ATOMIC_FLAG_INIT;
/* Not zero in the process that was noted. The kernel gives each child a page of zeros for it, also one that is made past
   the handlers of pthread_atfork. NULL before Linux 4.14. */
static const volatile char *_Atomic mark;
static _Atomic bool is_child;

static void note_child(void) { is_child = true; }

void exhibit_note_process(void) {
  if (atomic_flag_test_and_set(&is_noted)) return;
  pthread_atfork(NULL, NULL, note_child);
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (madvise(page, size, MADV_WIPEONFORK) != 0) {
    munmap(page, size);
    return;
  }
  *page = 1;
  mark = page;
}

bool exhibit_is_forked(void) {
  const volatile char *page = atomic_load_explicit(&mark, memory_order_relaxed);
  return page ? !*page : atomic_load_explicit(&is_child, memory_order_relaxed);
}
