#define _GNU_SOURCE
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "changes.h"

#include "../callbacks.h"
#include "../interpose.h"
#include "../mode.h"
#include "../own_work.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "ring.h"
#include "steps.h"
#include "truncation.h"

/* Changes of rows, as the preupdate hook tells them. SQLite can be built without it, so its functions are looked up. */
static struct {
  __typeof__(&sqlite3_preupdate_hook) hook;
  __typeof__(&sqlite3_preupdate_old) old;
  __typeof__(&sqlite3_preupdate_new) new;
  __typeof__(&sqlite3_preupdate_count) count;
  __typeof__(&sqlite3_preupdate_depth) depth;
  /* Since 3.34 only. */
  int (*blobwrite)(sqlite3 *);
} preupdate;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *lack;

/* Set while a session is made to see whether its hook comes to us. */
static _Thread_local int *reached;

INTERPOSED_BELOW(sqlite3_preupdate_hook);

static void put_values(struct connection_trace *trace, sqlite3 *db, int count, __typeof__(&sqlite3_preupdate_old) get) {
  /* Told instead of the default of a column that was added later than the row; SQLite has one such value. */
  sqlite3_value *none = sqlite3_column_value(NULL, 0);
  for (int i = 0; i < count; i++) {
    sqlite3_value *value = NULL;
    if (get(db, i, &value) != SQLITE_OK || value == none) value = NULL;
    exhibit_put_value(&trace->payload, value);
  }
}

/* The blob that this thread writes to: bytes of all of it and of what is written; 0 where that is not known. */
static _Thread_local struct {
  sqlite3_int64 all, written;
  /* Its row is no longer there, so the write will be refused. */
  int is_gone;
} blob_write;

INTERPOSE(int, sqlite3_blob_write, (sqlite3_blob *blob, const void *bytes, int count, int place)) {
  char none;
  int is_recorded = blob && !exhibit_own_work && exhibit_trace_mode() == exhibit_trace_all;
  blob_write.all = is_recorded ? sqlite3_blob_bytes(blob) : 0;
  blob_write.written = count;
  /* Another write to the table has the blob's cursor look for its row again, which SQLite does only behind the preupdate
     hook: that would read from pages that are freed. Reading nothing finds the row before. A write beyond the end comes
     to no hook, and leaves the code that closing the blob returns. */
  int is_within = count >= 0 && place >= 0 && (sqlite3_int64)place + count <= blob_write.all;
  blob_write.is_gone = is_recorded && is_within && sqlite3_blob_read(blob, &none, 0, 0) != SQLITE_OK;
  int code = NEXT(sqlite3_blob_write)(blob, bytes, count, place);
  blob_write.all = blob_write.written = blob_write.is_gone = 0;
  return code;
}

/* SQLite reads the whole row for its first value: what is written piece by piece would cost the square of its size. */
static int is_long_blob(int blob) {
  return blob >= 0 && blob_write.all > EXHIBIT_LONG_VALUE + 16 * blob_write.written;
}

static int withhold_value(sqlite3 *db, int column, sqlite3_value **value) {
  (void)db, (void)column, (void)value;
  return SQLITE_MISUSE;
}

static void put_change(
    struct connection_trace *trace, struct running_step *step, sqlite3 *db, int operation, int blob,
    const char *schema, const char *table, sqlite3_int64 key, sqlite3_int64 new_key) {
  struct payload *payload = &trace->payload;
  exhibit_payload_begin(payload);
  int depth = preupdate.depth(db), count = preupdate.count(db);
  struct {
    uint64_t step;
    uint8_t operation, depth;
    uint16_t blob;
    uint32_t keys[4];
  } head = {step->number, (uint8_t)operation, (uint8_t)(depth > 255 ? 255 : depth), (uint16_t)blob, {0}};
  memcpy(head.keys, &key, sizeof key);
  memcpy(head.keys + 2, &new_key, sizeof new_key);
  exhibit_put(payload, &head, 28);
  exhibit_put_text(payload, schema);
  exhibit_put_text(payload, table);
  exhibit_put_16(payload, (uint16_t)count);
  if (operation != SQLITE_INSERT) put_values(trace, db, count, is_long_blob(blob) ? withhold_value : preupdate.old);
  if (operation != SQLITE_DELETE) put_values(trace, db, count, preupdate.new);
}

static void tell(
    struct connection_callbacks *callbacks, sqlite3 *db, int operation, const char *schema, const char *table,
    sqlite3_int64 key, sqlite3_int64 new_key) {
  struct connection_trace *trace = exhibit_trace_of(callbacks);
  if (!trace || blob_write.is_gone) return;
  int blob = preupdate.blobwrite ? preupdate.blobwrite(db) : -1;
  struct running_step *step = exhibit_changing_step(trace), alone;
  int is_alone = !step;
  if (is_alone) step = exhibit_step_without_statement(callbacks, "-- sqlite3_blob_write", &alone);
  if (!step) return;
  if (!is_alone) exhibit_settle_trigger(callbacks, step);
  step->changes++;
  int is_told = step->is_open && !(exhibit_excludes_tables() && exhibit_is_excluded(table));
  /* Once it has its share, the values of the rest need not be read. */
  if (is_told && step->unkept == 0) {
    put_change(trace, step, db, operation, blob, schema, table, key, new_key);
    if (!exhibit_step_append(trace, step, exhibit_trace_change, 0)) step->unkept++;
  } else {
    step->unkept++;
  }
  if (is_alone) exhibit_step_without_statement_ended(callbacks, step);
}

static void changing(
    void *context, sqlite3 *db, int operation, char const *schema, char const *table, sqlite3_int64 key,
    sqlite3_int64 new_key) {
  struct connection_callbacks *callbacks = context;
  if (exhibit_own_work) return;
  tell(callbacks, db, operation, schema, table, key, new_key);
  struct app_hooks *hooks = &callbacks->hooks;
  if (hooks->preupdate.call && !exhibit_hides_rows(callbacks))
    hooks->preupdate.call(hooks->preupdate.argument, db, operation, schema, table, key, new_key);
}

/* A session takes what stood before it for a session, too: where it would find ours, none is set. */
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
  preupdate.hook = NEXT(sqlite3_preupdate_hook);
  preupdate.old = (__typeof__(preupdate.old))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_old");
  preupdate.new = (__typeof__(preupdate.new))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_new");
  preupdate.count = (__typeof__(preupdate.count))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_count");
  preupdate.depth = (__typeof__(preupdate.depth))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_depth");
  preupdate.blobwrite = (__typeof__(preupdate.blobwrite))dlsym(RTLD_DEFAULT, "sqlite3_preupdate_blobwrite");
  if (!preupdate.hook || !preupdate.old || !preupdate.new || !preupdate.count || !preupdate.depth)
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

void exhibit_hear_changes(struct connection_callbacks *callbacks) {
  struct app_hooks *hooks = &callbacks->hooks;
  if (hooks->hears_changes || exhibit_trace_mode() != exhibit_trace_all || exhibit_trace_lacks_changes()) return;
  hooks->hears_changes = 1;
  preupdate.hook(callbacks->db, changing, callbacks);
}

int exhibit_step_aside(struct connection_callbacks *callbacks) {
  struct app_hooks *hooks = &callbacks->hooks;
  if (!hooks->hears_changes || hooks->is_aside) return 0;
  hooks->is_aside = 1;
  preupdate.hook(callbacks->db, hooks->preupdate.call, hooks->preupdate.argument);
  return 1;
}

void exhibit_step_back(struct connection_callbacks *callbacks) {
  struct app_hooks *hooks = &callbacks->hooks;
  if (!hooks->is_aside) return;
  hooks->is_aside = 0;
  preupdate.hook(callbacks->db, changing, callbacks);
}

INTERPOSE(void *, sqlite3_preupdate_hook,
    (sqlite3 *db, void (*call)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64),
     void *argument)) {
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
