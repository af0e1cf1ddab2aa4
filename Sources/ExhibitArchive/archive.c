#define _GNU_SOURCE
#include "exhibit_archive.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <xlocale.h>
static const char *const library_name = "/usr/lib/libarchive.2.dylib";
#else
static const char *const library_name = "libarchive.so.13";
#endif

static void *resolve(void *library, const char *name, const char **problem) {
  void *function = dlsym(library, name);
  if (!function && !*problem) *problem = dlerror();
  return function;
}

/* The library stays loaded: its functions are used until the process ends. */
const char *exhibit_archive_load(exhibit_archive_functions *functions) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  const char *problem = NULL;
#define EXHIBIT_RESOLVE(name) functions->name = resolve(library, #name, &problem);
  EXHIBIT_ARCHIVE_FUNCTIONS(EXHIBIT_RESOLVE)
#undef EXHIBIT_RESOLVE
  return problem;
}

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

bool exhibit_is_locked(int descriptor) {
#ifdef F_OFD_GETLK
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  /* What cannot be asked is taken for locked: nothing is touched then. */
  return fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
#else
  (void)descriptor;
  return true;
#endif
}
