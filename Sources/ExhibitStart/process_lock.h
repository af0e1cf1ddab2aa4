#pragma once
#include <pthread.h>

#include "exhibit_process.h"

/* A mutex that is another one in the child of a fork, where its holder is gone. */
struct process_lock {
  pthread_mutex_t mutex, in_child;
};

#define PROCESS_LOCK_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}

static inline pthread_mutex_t *exhibit_mutex_of(struct process_lock *lock) {
  return exhibit_is_forked() ? &lock->in_child : &lock->mutex;
}

static inline void exhibit_lock(struct process_lock *lock) { pthread_mutex_lock(exhibit_mutex_of(lock)); }
static inline void exhibit_unlock(struct process_lock *lock) { pthread_mutex_unlock(exhibit_mutex_of(lock)); }
