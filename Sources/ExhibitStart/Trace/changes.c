#include "changes.h"

#include <string.h>

#include "../interpose.h"
#include "../own_work.h"
#include "exhibit_start.h"
#include "exhibit_trace.h"
#include "preupdate.h"
#include "steps.h"
#include "truncation.h"
#include "values.h"

#define HAS_NO_ROWID 1

static void put_values(struct connection_trace *trace, sqlite3 *db, int count, preupdate_value *get) {
  /* SQLite gives this for the default of a column added after the row. */
  sqlite3_value *none = sqlite3_column_value(NULL, 0);
  for (int i = 0; i < count; i++) {
    sqlite3_value *value = NULL;
    if (get(db, i, &value) != SQLITE_OK || value == none) value = NULL;
    exhibit_put_value(&trace->payload, value);
  }
}

/* The blob that this thread writes to, in bytes; 0 where not known. */
static _Thread_local struct {
  sqlite3_int64 all, written;
  /* Its row is gone, so SQLite will refuse the write. */
  int is_gone;
} blob_write;

INTERPOSE(int, sqlite3_blob_write, (sqlite3_blob *blob, const void *bytes, int count, int place)) {
  char none;
  int is_recorded = blob && !exhibit_own_work && exhibit_trace_mode() == exhibit_trace_all;
  blob_write.all = is_recorded ? sqlite3_blob_bytes(blob) : 0;
  blob_write.written = count;
  /* After another write to the table, SQLite looks for the blob's row only behind the preupdate hook, which would
     read freed pages. Reading nothing has it look before. Not beyond the end, where closing must return that write's
     code. */
  int is_within = count >= 0 && place >= 0 && (sqlite3_int64)place + count <= blob_write.all;
  blob_write.is_gone = is_recorded && is_within && sqlite3_blob_read(blob, &none, 0, 0) != SQLITE_OK;
  int code = NEXT(sqlite3_blob_write)(blob, bytes, count, place);
  blob_write.all = blob_write.written = blob_write.is_gone = 0;
  return code;
}

/* SQLite reads the whole row for its first value: writing a blob in pieces would cost the square of its size. */
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
  int depth = exhibit_preupdate.depth(db), count = exhibit_preupdate.count(db);
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
  if (operation != SQLITE_INSERT) put_values(trace, db, count, is_long_blob(blob) ? withhold_value : exhibit_preupdate.old);
  if (operation != SQLITE_DELETE) put_values(trace, db, count, exhibit_preupdate.new);
}

static int has_column(sqlite3 *db, const char *schema, const char *table, const char *name) {
  return sqlite3_table_column_metadata(db, schema, table, name, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

/* The hook gives 0 as every key of a table WITHOUT ROWID. A missing column leaves an error, which the last question
   removes. */
static int has_rowid(struct running_step *step, sqlite3 *db, const char *schema, const char *table) {
  if (step->keyless == table) return step->has_rowid;
  // SQLite may read a schema for it, by no statement of the app's.
  exhibit_begin_own_work();
  int has = has_column(db, schema, table, "_rowid_") || !has_column(db, schema, table, NULL);
  exhibit_end_own_work();
  step->keyless = table;
  step->has_rowid = has;
  return has;
}

static void tell(
    struct connection_callbacks *callbacks, sqlite3 *db, int operation, const char *schema, const char *table,
    sqlite3_int64 key, sqlite3_int64 new_key) {
  struct connection_trace *trace = exhibit_trace_of(callbacks);
  if (!trace || blob_write.is_gone) return;
  int blob = exhibit_preupdate.blobwrite ? exhibit_preupdate.blobwrite(db) : -1;
  struct running_step *step = exhibit_changing_step(trace), alone;
  int is_alone = !step;
  if (is_alone) step = exhibit_step_without_statement(callbacks, "-- sqlite3_blob_write", &alone);
  if (!step) return;
  if (!is_alone) exhibit_settle_trigger(callbacks, step);
  step->changes++;
  if (step->lacks_values && operation == SQLITE_INSERT && exhibit_preupdate.depth(db) == 0) step->inserts++;
  int is_told = step->is_open && !(exhibit_excludes_tables() && exhibit_is_excluded(table));
  if (is_told && step->unkept == 0) {
    int has_key = key || new_key || has_rowid(step, db, schema, table);
    put_change(trace, step, db, operation, blob, schema, table, key, new_key);
    if (!exhibit_step_append(trace, step, exhibit_trace_change, has_key ? 0 : HAS_NO_ROWID)) step->unkept++;
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
  if (hooks->preupdate.call)
    hooks->preupdate.call(hooks->preupdate.argument, db, operation, schema, table, key, new_key);
}

void exhibit_hear_changes(struct connection_callbacks *callbacks) { exhibit_set_preupdate_hook(callbacks, changing); }
