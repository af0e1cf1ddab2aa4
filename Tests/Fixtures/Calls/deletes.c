/* deletes FOLDER [early]: empties tables by DELETE in ways in which a hook of ours might be noticed, and prints what the
   app's own functions hear. It is linked with Exhibit's C sources and attach.c, or without. With `early` statements are
   prepared before the app sets its functions, and those of a WAL hook are told too: docs/attach.md has what differs then. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static sqlite3 *db;
static const char *folder;
static int is_early, updates, calls;

static void updated(void *context, int operation, const char *schema, const char *table, sqlite3_int64 key) {
  (void)context, (void)schema;
  updates++;
  printf("  update hook: %d %s %lld\n", operation, table, key);
}

static int progressed(void *context) {
  (void)context;
  calls++;
  return 0;
}

static void run(const char *sql) {
  int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
  if (code != SQLITE_OK) printf("  %s: %d %s\n", sql, code, sqlite3_errmsg(db));
}

static void fill(void) { run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"); }

static sqlite3 *open_database(const char *name) {
  char path[1024];
  sqlite3 *opened = NULL;
  snprintf(path, sizeof path, "%s/%s.db", folder, name);
  if (sqlite3_open(path, &opened) != SQLITE_OK) printf("  not opened: %s\n", sqlite3_errmsg(opened));
  return opened;
}

static void begin(const char *name) {
  printf("%s\n", name);
  db = open_database(name);
  run("CREATE TABLE t(id INTEGER PRIMARY KEY, name)");
  fill();
  updates = calls = 0;
}

static void end(void) {
  printf("  heard: %d updates, %d calls\n", updates, calls);
  printf("  changes %d, total %d\n", sqlite3_changes(db), sqlite3_total_changes(db));
  sqlite3_close(db);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) printf("  %s: %d %s\n", sql, code, sqlite3_errmsg(db));
  return statement;
}

static void step(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  printf("  stepped: %d, changes %d\n", code, sqlite3_changes(db));
  sqlite3_reset(statement);
}

static sqlite3_stmt *prepare_and_hear_updates(const char *sql) {
  if (!is_early) sqlite3_update_hook(db, updated, NULL);
  sqlite3_stmt *statement = prepare(sql);
  sqlite3_update_hook(db, updated, NULL);
  return statement;
}

static void text(const char *name, const char *sql) {
  begin(name);
  sqlite3_stmt *statement = prepare_and_hear_updates(sql);
  step(statement);
  sqlite3_finalize(statement);
  end();
}

static void schema_changes(void) {
  begin("a schema that changes after the hook was set");
  sqlite3_stmt *statement = prepare_and_hear_updates("DELETE FROM t");
  run("CREATE TABLE u(a)");
  step(statement);
  fill();
  step(statement);
  run("CREATE INDEX i ON t(name)");
  fill();
  step(statement);
  sqlite3_finalize(statement);
  end();
}

static void trigger_appears(void) {
  begin("a trigger that is made after the hook was set");
  sqlite3_stmt *statement = prepare_and_hear_updates("DELETE FROM t");
  run("CREATE TABLE u(a); CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO u VALUES (old.id); END");
  step(statement);
  sqlite3_finalize(statement);
  end();
}

static int refuse_deletes(void *context, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)context, (void)a, (void)b, (void)c, (void)d;
  return action == SQLITE_DELETE ? SQLITE_IGNORE : SQLITE_OK;
}

static void authorizer_appears(void) {
  begin("an authorizer that ignores deletes");
  sqlite3_stmt *statement = prepare_and_hear_updates("DELETE FROM t");
  sqlite3_set_authorizer(db, refuse_deletes, NULL);
  step(statement);
  sqlite3_finalize(statement);
  end();
}

static sqlite3_stmt *inner;

static void step_inner(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count, (void)values;
  int code = sqlite3_step(inner);
  sqlite3_reset(inner);
  sqlite3_result_int(context, code);
}

static void inside_function(const char *name, const char *sql) {
  begin(name);
  run("CREATE TABLE o(a); INSERT INTO o VALUES (1), (2)");
  sqlite3_create_function(db, "step_inner", 0, SQLITE_UTF8, NULL, step_inner, NULL, NULL);
  inner = prepare_and_hear_updates("DELETE FROM t");
  run(sql);
  fill();
  run(sql);
  sqlite3_finalize(inner);
  end();
}

static void status_is_reset(void) {
  begin("a status that the app resets");
  sqlite3_stmt *select = prepare("SELECT * FROM t");
  step(select);
  run("ALTER TABLE t RENAME COLUMN name TO title");
  step(select);
  printf("  prepared anew: %d\n", sqlite3_stmt_status(select, SQLITE_STMTSTATUS_REPREPARE, 1));
  printf("  then: %d\n", sqlite3_stmt_status(select, SQLITE_STMTSTATUS_REPREPARE, 0));
  step(select);
  sqlite3_finalize(select);
  end();
}

static void operations(int interval) {
  char name[64];
  snprintf(name, sizeof name, "progress every %d", interval);
  begin(name);
  sqlite3 *other = open_database(name);
  if (!is_early) sqlite3_progress_handler(db, interval, progressed, NULL);
  sqlite3_stmt *statement = prepare("DELETE FROM t");
  sqlite3_progress_handler(db, interval, progressed, NULL);
  for (int i = 0; i < 6; i++) {
    int is_busy = i == 1 || i == 2 || i == 4;
    if (is_busy) sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    calls = 0;
    step(statement);
    printf("  heard: %d calls\n", calls);
    if (is_busy) sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    /* What else runs, counts for itself. */
    else sqlite3_exec(other, "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')", NULL, NULL, NULL);
  }
  sqlite3_finalize(statement);
  sqlite3_close(other);
  end();
}

static void triggers_delete(void) {
  begin("triggers that empty tables");
  run("CREATE TABLE log(a); CREATE TABLE u(a); INSERT INTO log VALUES (1), (2);"
      "CREATE TRIGGER i AFTER INSERT ON u BEGIN DELETE FROM log; INSERT INTO log VALUES (new.a); END");
  sqlite3_stmt *statement = prepare_and_hear_updates("INSERT INTO u VALUES (7), (8)");
  sqlite3_stmt *delete = prepare("DELETE FROM u");
  step(statement);
  step(delete);
  sqlite3_finalize(statement);
  sqlite3_finalize(delete);
  end();
}

static void names_with_where(void) {
  begin("tables named after a word");
  run("CREATE TABLE \"where\"(a); CREATE TABLE nowhere(a); INSERT INTO \"where\" VALUES (1), (2);"
      "INSERT INTO nowhere VALUES (3)");
  sqlite3_stmt *statement = prepare_and_hear_updates("DELETE FROM nowhere");
  sqlite3_stmt *quoted = prepare("DELETE FROM \"where\"");
  step(statement);
  step(quoted);
  sqlite3_finalize(statement);
  sqlite3_finalize(quoted);
  end();
}

static int committed(void *context, sqlite3 *connection, const char *schema, int frames) {
  (void)context, (void)connection;
  printf("  heard: %d frames of %s\n", frames, schema);
  return SQLITE_OK;
}

static void frames(void) {
  begin("a WAL hook");
  run("PRAGMA journal_mode = WAL; CREATE TABLE u(a, b); CREATE TABLE empty(a)");
  run("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO u SELECT i, zeroblob(100) FROM n");
  sqlite3_wal_hook(db, committed, NULL);
  run("DELETE FROM u");
  run("DELETE FROM empty");
  run("INSERT INTO u VALUES (1, 2)");
  end();
}

/* Where it is refused, or ends after so many operations, is the app's to say. */
static int refuse(void *context) { return ++calls > *(int *)context; }

static void interrupted(void) {
  begin("a progress handler that ends what takes long");
  int most = 20;
  sqlite3_progress_handler(db, 1, refuse, &most);
  for (const char *const *sql = (const char *const[]){"DELETE FROM t", "DELETE FROM t WHERE id > 0", NULL}; *sql; sql++) {
    calls = 0;
    sqlite3_stmt *statement = prepare(*sql);
    calls = 0;
    step(statement);
    sqlite3_finalize(statement);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    run("INSERT INTO t SELECT value, 'x' FROM json_each('[1,2,3,4,5,6,7,8,9]') WHERE true ON CONFLICT DO NOTHING");
    sqlite3_progress_handler(db, 1, refuse, &most);
  }
  end();
}

static void rowids(void) {
  begin("what is inserted next");
  run("CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, b); INSERT INTO a(b) VALUES (1), (2); DELETE FROM a;"
      "PRAGMA secure_delete = ON; DELETE FROM t; INSERT INTO a(b) VALUES (3); INSERT INTO t(name) VALUES ('e')");
  printf("  rowid %lld\n", sqlite3_last_insert_rowid(db));
  sqlite3_update_hook(db, updated, NULL);
  run("UPDATE a SET b = 4; UPDATE t SET name = 'f'");
  end();
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  folder = arguments[1];
  is_early = count > 2 && strcmp(arguments[2], "early") == 0;
  text("plain", "DELETE FROM t");
  text("semicolons in front", ";; ; DELETE FROM t");
  text("a mark in front", "\xEF\xBB\xBF" "DELETE FROM t");
  text("comments in front", "/* ; */ -- where\n ;DELETE FROM t");
  text("a table expression in front", "WITH x AS (SELECT 1) DELETE FROM t");
  text("where", "DELETE FROM t WHERE id > 2");
  schema_changes();
  trigger_appears();
  authorizer_appears();
  inside_function("inside a function", "SELECT step_inner()");
  inside_function("inside a function of a change", "INSERT INTO o VALUES (step_inner())");
  inside_function("inside a function of a delete", "DELETE FROM o WHERE step_inner() = 101");
  status_is_reset();
  for (int interval = 1; interval < 12; interval++) operations(interval);
  triggers_delete();
  names_with_where();
  interrupted();
  rowids();
  if (is_early) frames();
  return 0;
}
