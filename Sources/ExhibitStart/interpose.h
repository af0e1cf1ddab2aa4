#pragma once
#include <stddef.h>

/* Weak definitions of SQLite's functions: the executable's symbols win over libsqlite3's, and a strong definition (an
   amalgamation in the executable) wins over ours. Nothing of SQLite runs before the app's own first call, so
   sqlite3_config keeps working.

   INTERPOSE(int, sqlite3_close, (sqlite3 *db)) { … NEXT(sqlite3_close)(db) … } defines one. */
#define INTERPOSE(result, name, parameters)                               \
  result exhibit_##name parameters;                                       \
  __attribute__((weak, alias("exhibit_" #name))) result name parameters;  \
  __attribute__((visibility("hidden"))) result exhibit_##name parameters

/* Lets NEXT stand before the definition. */
#define INTERPOSED_BELOW(name) extern __typeof__(name) exhibit_##name __attribute__((visibility("hidden")))

/* Whether calls of the app come to our function of that name. */
#define IS_INTERPOSED(name) exhibit_is_same((void *)name, (void *)exhibit_##name)

/* SQLite's own function behind ours; NULL when the library lacks it, which no app that was linked without us calls. */
#define NEXT(name)                                                                               \
  ({                                                                                             \
    static void *next;                                                                           \
    void *found = __atomic_load_n(&next, __ATOMIC_RELAXED);                                      \
    if (!found) found = exhibit_next(&next, #name, IS_INTERPOSED(name) ? NULL : (void *)name);   \
    (__typeof__(&name))found;                                                                    \
  })

/* Compared out of the compiler's sight, which takes both functions for different ones. */
int exhibit_is_same(const void *function, const void *own);

/* `strong`, or what comes after us under that name; looked up once and kept in `next`. */
void *exhibit_next(void **next, const char *name, void *strong);
