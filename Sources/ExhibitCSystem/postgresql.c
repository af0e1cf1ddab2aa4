#define _GNU_SOURCE
#include "exhibit_postgresql.h"
#include "resolve.h"
#include <stddef.h>

#define EXHIBIT_RESOLVE(name) *(void **)&functions->name = exhibit_resolve(library, #name, &problem);

/* The library stays loaded: its functions are used until the process ends. */
const char *exhibit_postgresql_load(exhibit_postgresql_functions *functions) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  const char *problem = NULL;
  EXHIBIT_POSTGRESQL_FUNCTIONS(EXHIBIT_RESOLVE)
  return problem;
}

#undef EXHIBIT_RESOLVE

void exhibit_postgresql_ignore(void *context, const char *notice) { (void)context, (void)notice; }
