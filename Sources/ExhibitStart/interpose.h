#pragma once
#include <stddef.h>

/* Defines SQLite's function weakly: the executable's symbols win over libsqlite3's, and an amalgamation's strong
   ones over ours. No SQLite runs before the app's first call, so sqlite3_config keeps working. */
#define INTERPOSE(result, name, parameters)                               \
  result exhibit_##name parameters;                                       \
  __attribute__((weak, alias("exhibit_" #name))) result name parameters;  \
  __attribute__((visibility("hidden"))) result exhibit_##name parameters

#define INTERPOSED_BELOW(name) extern __typeof__(name) exhibit_##name __attribute__((visibility("hidden")))

/* Whether the app's calls come to our function. */
#define IS_INTERPOSED(name) exhibit_is_same((void *)name, (void *)exhibit_##name)

/* SQLite's function behind ours; NULL when the library lacks it. */
#define NEXT(name)                                                                               \
  ({                                                                                             \
    static void *next;                                                                           \
    void *found = __atomic_load_n(&next, __ATOMIC_RELAXED);                                      \
    if (!found) found = exhibit_next(&next, #name, IS_INTERPOSED(name) ? NULL : (void *)name);   \
    (__typeof__(&name))found;                                                                    \
  })

/* Hides the comparison from the compiler, which takes the two for different functions. */
int exhibit_is_same(const void *function, const void *own);

void *exhibit_next(void **next, const char *name, void *strong);
