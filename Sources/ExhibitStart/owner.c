#include "owner.h"

#include <stdatomic.h>

#include "callbacks.h"
#include "exhibit_start.h"

/* Swift says which test runs, in a microsecond. So each thread keeps the answer while its task is the same and no
   test has begun, ended or been set. Tasks are known by number, as addresses are used again. */

/* Swift's runtime: include/swift/Runtime/Concurrency.h. */
__attribute__((swiftcall, weak)) void *swift_task_getCurrent(void);
__attribute__((swiftcall, weak)) uint64_t swift_task_getJobTaskId(void *task);

static _Atomic uint64_t generation = 1;

static _Thread_local struct {
  uint64_t generation, task;
  uint32_t test;
} known;

void exhibit_owners_changed(void) { atomic_fetch_add_explicit(&generation, 1, memory_order_release); }

uint32_t exhibit_owner_of(struct connection_callbacks *callbacks) {
  struct known_use *use = &callbacks->use;
  uint64_t now = atomic_load_explicit(&generation, memory_order_acquire);
  int can_tell = swift_task_getCurrent && swift_task_getJobTaskId;
  void *task = can_tell ? swift_task_getCurrent() : NULL;
  uint64_t number = task ? swift_task_getJobTaskId(task) : 0;
  if (known.generation == now && known.task == number && use->generation == now && use->test == known.test)
    return known.test;
  uint32_t test = exhibit_connection_used((void *)callbacks->connection);
  if (!can_tell) return test;
  known.generation = now;
  known.task = number;
  known.test = test;
  use->test = test;
  /* Without a mutex each use is noted: it may be on another queue. */
  use->generation = sqlite3_db_mutex(callbacks->db) ? now : 0;
  return test;
}
