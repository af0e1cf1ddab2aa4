#define _GNU_SOURCE
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#include "preupdate.h"

#include <dlfcn.h>
#include <pthread.h>

#include "../interpose.h"
#include "../own_work.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "ring.h"

struct preupdate exhibit_preupdate;

static preupdate_call *_Atomic ours;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *lack;

static _Thread_local int *reached;

INTERPOSED_BELOW(sqlite3_preupdate_hook);

/* A session takes the former hook's argument for a session, and would crash on ours. So none is set where its call
   goes past us. */
static int sessions_reach_us(void) {
  __typeof__(&sqlite3session_create) create = (__typeof__(create))dlsym(RTLD_DEFAULT, "sqlite3session_create");
  __typeof__(&sqlite3session_delete) delete = (__typeof__(delete))dlsym(RTLD_DEFAULT, "sqlite3session_delete");
  if (!create) return 1;
  sqlite3 *db = NULL;
  sqlite3_session *session = NULL;
  int has_come = 0;
  exhibit_begin_own_work();
  if (delete && sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
    reached = &has_come;
    if (create(db, "main", &session) == SQLITE_OK) delete(session);
    reached = NULL;
  }
  sqlite3_close(db);
  exhibit_end_own_work();
  return has_come;
}

static void look_up(void) {
  if (!sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK")) {
    lack = "This SQLite is built without SQLITE_ENABLE_PREUPDATE_HOOK.";
    return;
  }
  if (!IS_INTERPOSED(sqlite3_preupdate_hook) || !exhibit_reaches_callbacks()) {
    lack = "The executable carries its own SQLite, whose preupdate hook is out of reach.";
    return;
  }
  exhibit_preupdate.hook = NEXT(sqlite3_preupdate_hook);
  exhibit_preupdate.old = (__typeof__(exhibit_preupdate.old))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_old");
  exhibit_preupdate.new = (__typeof__(exhibit_preupdate.new))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_new");
  exhibit_preupdate.count = (__typeof__(exhibit_preupdate.count))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_count");
  exhibit_preupdate.depth = (__typeof__(exhibit_preupdate.depth))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_depth");
  exhibit_preupdate.blobwrite = (__typeof__(exhibit_preupdate.blobwrite))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_blobwrite");
  if (!exhibit_preupdate.hook || !exhibit_preupdate.old || !exhibit_preupdate.new || !exhibit_preupdate.count || !exhibit_preupdate.depth)
    lack = "This SQLite lacks functions of the preupdate hook.";
  else if (!sessions_reach_us())
    lack = "Sessions of this SQLite set their preupdate hook past us.";
  else exhibit_ring_tells_changes();
}

const char *exhibit_trace_lacks_changes(void) {
  if (exhibit_trace_mode() == exhibit_trace_statements) return "EXHIBIT_TRACE is statements.";
  pthread_once(&once, look_up);
  return lack;
}

void exhibit_set_preupdate_hook(struct connection_callbacks *callbacks, preupdate_call *call) {
  struct app_hooks *hooks = &callbacks->hooks;
  if (hooks->hears_changes || exhibit_trace_mode() != exhibit_trace_all || exhibit_trace_lacks_changes()) return;
  hooks->hears_changes = 1;
  ours = call;
  exhibit_preupdate.hook(callbacks->db, ours, callbacks);
}

int exhibit_step_aside(struct connection_callbacks *callbacks, int is_until_begin) {
  struct app_hooks *hooks = &callbacks->hooks;
  /* The app's own hook has rows told without us, too. */
  if (!hooks->hears_changes || hooks->is_aside || hooks->preupdate.call) return 0;
  hooks->is_aside = 1;
  hooks->is_until_begin = is_until_begin;
  exhibit_preupdate.hook(callbacks->db, NULL, NULL);
  return 1;
}

void exhibit_step_back(struct connection_callbacks *callbacks) {
  struct app_hooks *hooks = &callbacks->hooks;
  if (!hooks->is_aside) return;
  hooks->is_aside = 0;
  exhibit_preupdate.hook(callbacks->db, ours, callbacks);
}

INTERPOSE(void *, sqlite3_preupdate_hook,
    (sqlite3 *db, preupdate_call *call, void *argument)) {
  if (reached) *reached = 1;
  sqlite3_mutex *mutex = db ? sqlite3_db_mutex(db) : NULL;
  sqlite3_mutex_enter(mutex);
  struct connection_callbacks *callbacks = db && !exhibit_own_work ? exhibit_known_callbacks_of(db) : NULL;
  void *former;
  if (callbacks) {
    former = callbacks->hooks.preupdate.argument;
    callbacks->hooks.preupdate.call = call;
    callbacks->hooks.preupdate.argument = argument;
    if (!callbacks->hooks.hears_changes || callbacks->hooks.is_aside)
      NEXT(sqlite3_preupdate_hook)(db, call, argument);
  } else {
    former = NEXT(sqlite3_preupdate_hook)(db, call, argument);
  }
  sqlite3_mutex_leave(mutex);
  return former;
}
