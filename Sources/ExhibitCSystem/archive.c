#define _GNU_SOURCE
#include "exhibit_archive.h"
#include "resolve.h"
#include <locale.h>
#include <stdlib.h>

static const char *const archive_library = "libarchive.so.13";

#define EXHIBIT_RESOLVE(name) functions->name = exhibit_resolve(library, #name, &problem);

/* The libraries stay loaded: their functions are used until the process ends. */
const char *exhibit_archive_load(exhibit_archive_functions *functions) {
  void *library = dlopen(archive_library, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  const char *problem = NULL;
  EXHIBIT_ARCHIVE_FUNCTIONS(EXHIBIT_RESOLVE)
  return problem;
}

#undef EXHIBIT_RESOLVE

struct saved_locale {
  locale_t previous, used;
};

void *exhibit_locale_use_utf8(void) {
  struct saved_locale *saved = malloc(sizeof *saved);
  if (!saved) return NULL;
  saved->used = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!saved->used) {
    free(saved);
    return NULL;
  }
  saved->previous = uselocale(saved->used);
  return saved;
}

void exhibit_locale_restore(void *previous) {
  struct saved_locale *saved = previous;
  if (!saved) return;
  uselocale(saved->previous);
  freelocale(saved->used);
  free(saved);
}
