#pragma once
#include <dlfcn.h>

/* A function of a loaded library; NULL when there is none, and why the first one is missing. */
static inline void *exhibit_resolve(void *library, const char *name, const char **problem) {
  void *function = dlsym(library, name);
  if (!function && !*problem) *problem = dlerror();
  return function;
}
