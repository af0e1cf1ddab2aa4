#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>

#include "interpose.h"
#include "mode.h"
#include "own_work.h"

/* The app's error log and extensions, which our connections would call too. */

static struct {
  void (*call)(void *, int, const char *);
  void *argument;
} app_log;

static void logged(void *context, int code, const char *message) {
  (void)context;
  if (!exhibit_own_work) app_log.call(app_log.argument, code, message);
}

INTERPOSED_BELOW(sqlite3_config);

static int configure_log(void (*call)(void *, int, const char *), void *argument) {
  if (!call || !exhibit_may_capture()) return NEXT(sqlite3_config)(SQLITE_CONFIG_LOG, call, argument);
  int code = NEXT(sqlite3_config)(SQLITE_CONFIG_LOG, logged, NULL);
  if (code != SQLITE_OK) return code;
  app_log.call = call;
  app_log.argument = argument;
  return code;
}

/* Options have at most three arguments, integers or pointers, which 64-bit Linux passes alike:
   https://sqlite.org/c3ref/c_config_covering_index_scan.html. */
INTERPOSE(int, sqlite3_config, (int option, ...)) {
  va_list arguments;
  va_start(arguments, option);
  void *first = va_arg(arguments, void *);
  void *second = va_arg(arguments, void *);
  void *third = va_arg(arguments, void *);
  va_end(arguments);
  if (option == SQLITE_CONFIG_LOG) return configure_log((void (*)(void *, int, const char *))first, second);
  return NEXT(sqlite3_config)(option, first, second, third);
}

/* SQLite knows only our extension, which calls the app's. */

typedef int entry_point(sqlite3 *, char **, const struct sqlite3_api_routines *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (**extensions)(void);
static size_t extension_count;

static entry_point *extension_at(size_t index) {
  pthread_mutex_lock(&lock);
  void (*found)(void) = index < extension_count ? extensions[index] : NULL;
  pthread_mutex_unlock(&lock);
  return (entry_point *)found;
}

static int extend(sqlite3 *db, char **message, const struct sqlite3_api_routines *api) {
  if (exhibit_own_work) return SQLITE_OK;
  entry_point *entry;
  for (size_t index = 0; (entry = extension_at(index)); index++) {
    int code = entry(db, message, api);
    if (code != SQLITE_OK) return code;
    sqlite3_free(*message);
    *message = NULL;
  }
  return SQLITE_OK;
}

static size_t place_of(void (*entry)(void)) {
  size_t index = 0;
  while (index < extension_count && extensions[index] != entry) index++;
  return index;
}

static int add(void (*entry)(void)) {
  pthread_mutex_lock(&lock);
  int code = SQLITE_OK;
  if (place_of(entry) == extension_count) {
    void *grown = realloc(extensions, (extension_count + 1) * sizeof *extensions);
    if (grown) {
      extensions = grown;
      extensions[extension_count++] = entry;
    } else {
      code = SQLITE_NOMEM;
    }
  }
  pthread_mutex_unlock(&lock);
  return code;
}

INTERPOSE(int, sqlite3_auto_extension, (void (*entry)(void))) {
  if (!exhibit_may_capture()) return NEXT(sqlite3_auto_extension)(entry);
  int code = NEXT(sqlite3_auto_extension)((void (*)(void))extend);
  return code == SQLITE_OK ? add(entry) : code;
}

INTERPOSE(int, sqlite3_cancel_auto_extension, (void (*entry)(void))) {
  if (!exhibit_may_capture()) return NEXT(sqlite3_cancel_auto_extension)(entry);
  pthread_mutex_lock(&lock);
  size_t place = place_of(entry);
  int is_found = place < extension_count;
  if (is_found) {
    extension_count--;
    memmove(extensions + place, extensions + place + 1, (extension_count - place) * sizeof *extensions);
  }
  pthread_mutex_unlock(&lock);
  return is_found;
}

INTERPOSE(void, sqlite3_reset_auto_extension, (void)) {
  pthread_mutex_lock(&lock);
  extension_count = 0;
  pthread_mutex_unlock(&lock);
  NEXT(sqlite3_reset_auto_extension)();
}
