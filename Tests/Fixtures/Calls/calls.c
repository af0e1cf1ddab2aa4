/* calls SEED COUNT FOLDER: makes so many random calls of SQLite on one connection, as an app might, and prints all that the
   app can notice: codes, counts, the state of the transaction, and every call of its hooks, authorizer and traces. It is
   linked with Exhibit's C sources and attach.c, or without. The text of an error is printed where SQLite sets it. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The header tells it only to who asks. */
void *sqlite3_preupdate_hook(
    sqlite3 *, void (*)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64), void *);

static sqlite3 *db, *other;
static unsigned long long random_state;
static int refuses_delete, ignores_delete, refuses_commit, progress_calls;

static unsigned random_below(unsigned limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned)((random_state >> 11) % limit);
}

static const char *or_none(const char *text) { return text ? text : "-"; }

/* What the app sets */

static int authorize(void *context, int action, const char *a, const char *b, const char *schema, const char *inner) {
  printf("  authorizer %ld: %d %s %s %s %s\n", (long)context, action, or_none(a), or_none(b), or_none(schema),
         or_none(inner));
  if (action != SQLITE_DELETE) return SQLITE_OK;
  return refuses_delete ? SQLITE_DENY : ignores_delete ? SQLITE_IGNORE : SQLITE_OK;
}

static int progress(void *context) {
  (void)context;
  progress_calls++;
  return 0;
}

static void update(void *context, int operation, char const *schema, char const *table, sqlite3_int64 key) {
  printf("  update %ld: %d %s %s %lld\n", (long)context, operation, schema, table, key);
}

static void preupdate(
    void *context, sqlite3 *connection, int operation, char const *schema, char const *table, sqlite3_int64 key,
    sqlite3_int64 new_key) {
  (void)connection;
  printf("  preupdate %ld: %d %s %s %lld %lld\n", (long)context, operation, schema, table, key, new_key);
}

static int commit(void *context) {
  printf("  commit %ld\n", (long)context);
  return refuses_commit;
}

static void rollback(void *context) { printf("  rollback %ld\n", (long)context); }

static int wal(void *context, sqlite3 *connection, const char *schema, int frames) {
  (void)connection;
  printf("  wal %ld: %s %d\n", (long)context, schema, frames);
  return SQLITE_OK;
}

static int trace(unsigned event, void *context, void *subject, void *detail) {
  (void)subject;
  printf("  trace %ld: %u %s\n", (long)context, event, event == SQLITE_TRACE_STMT ? (char *)detail : "");
  return 0;
}

static void legacy_trace(void *context, const char *text) { printf("  legacy trace %ld: %s\n", (long)context, text); }

static void profile(void *context, const char *text, sqlite3_uint64 time) {
  (void)time;
  printf("  profile %ld: %s\n", (long)context, or_none(text));
}

/* What it does */

static const char *const texts[] = {
    "INSERT INTO t(y) VALUES('new')", "INSERT INTO t(y) SELECT y FROM t LIMIT 2", "UPDATE t SET y = y||'x' WHERE x % 2",
    "DELETE FROM t", "DELETE FROM t WHERE x > 3", "DELETE FROM p", "delete from p;", "  /* all */ DELETE FROM p",
    "INSERT INTO p VALUES(1), (2), (3)", "DELETE FROM u", "INSERT OR REPLACE INTO u VALUES('a', 1), ('b', 2)",
    "REPLACE INTO t VALUES(3, 'r')", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "ROLLBACK TO s", "RELEASE s",
    "BEGIN IMMEDIATE", "ANALYZE", "ANALYZE t", "SELECT * FROM t LIMIT 3", "SELECT count(*) FROM p", "DELETE FROM log",
    "DELETE FROM parent", "INSERT INTO parent VALUES(1), (2)", "INSERT OR IGNORE INTO child VALUES(1)",
    "EXPLAIN DELETE FROM p", "EXPLAIN QUERY PLAN DELETE FROM p", "DELETE FROM p RETURNING a",
    "WITH q AS (SELECT 1) DELETE FROM p", "INSERT INTO w VALUES(1)", "INSERT INTO t VALUES(1, 2)",
    "SELECT bad syntax here", "DELETE FROM nothing", "PRAGMA optimize", "INSERT INTO f VALUES('x')", "DELETE FROM f",
    "INSERT INTO f(f) VALUES('rebuild')", "CREATE TABLE IF NOT EXISTS e(a)", "DROP TABLE IF EXISTS e",
    "CREATE INDEX IF NOT EXISTS i ON t(y)", "DROP INDEX IF EXISTS i", "UPDATE u SET b = b + 1",
    "INSERT INTO p VALUES(9); DELETE FROM p; INSERT INTO p VALUES(8)", "REINDEX", "INSERT INTO view VALUES(5)",
    "PRAGMA wal_autocheckpoint = 100", "INSERT INTO wide VALUES(1, zeroblob(5000))", "DELETE FROM wide",
    "DROP TRIGGER IF EXISTS empties",
    "CREATE TRIGGER IF NOT EXISTS empties AFTER INSERT ON w BEGIN INSERT INTO log VALUES(1); DELETE FROM log; END"};

static const char schema[] =
    "CREATE TABLE t(x INTEGER PRIMARY KEY, y); CREATE TABLE p(a); CREATE INDEX pa ON p(a);"
    "CREATE TABLE u(a TEXT PRIMARY KEY, b) WITHOUT ROWID; CREATE TABLE log(a); CREATE TABLE w(a);"
    "CREATE TABLE parent(id INTEGER PRIMARY KEY); CREATE TABLE child(id REFERENCES parent ON DELETE CASCADE);"
    "CREATE TRIGGER empties AFTER INSERT ON w BEGIN INSERT INTO log VALUES(1); DELETE FROM log; END;"
    "CREATE TRIGGER notes AFTER DELETE ON t WHEN old.x > 2 BEGIN INSERT INTO log VALUES(old.x); END;"
    "CREATE VIRTUAL TABLE f USING fts5(a); CREATE TABLE wide(a, b BLOB); INSERT INTO wide VALUES(0, zeroblob(20000));"
    "CREATE VIEW view AS SELECT a FROM p;"
    "CREATE TRIGGER writes INSTEAD OF INSERT ON view BEGIN DELETE FROM p; INSERT INTO p VALUES(new.a); END;"
    "INSERT INTO t VALUES(1, 1), (2, 2), (3, 3), (4, 4); INSERT INTO p VALUES(1), (2)";

#define STATEMENTS 6
static struct {
  sqlite3_stmt *statement;
  const char *text;
  int is_legacy;
} prepared[STATEMENTS];

static int has_statement(void) {
  for (int i = 0; i < STATEMENTS; i++)
    if (prepared[i].statement) return 1;
  return 0;
}

static void note(const char *call, int code, int tells_message) {
  printf("%s: %d, extended %d, changes %d of %d, autocommit %d, transaction %d, offset %d, rowid %lld", call, code,
         sqlite3_extended_errcode(db), sqlite3_changes(db), sqlite3_total_changes(db), sqlite3_get_autocommit(db),
         sqlite3_txn_state(db, NULL), sqlite3_error_offset(db), sqlite3_last_insert_rowid(db));
  if (tells_message && code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) printf(", %s", sqlite3_errmsg(db));
  if (progress_calls) printf(", progress %d", progress_calls);
  progress_calls = 0;
  printf("\n");
}

static int print_row(void *context, int count, char **values, char **names) {
  (void)context, (void)names;
  printf("  row");
  for (int i = 0; i < count; i++) printf(" %s", or_none(values[i]));
  printf("\n");
  return 0;
}

static void finalize(int place) {
  if (!prepared[place].statement) return;
  printf("finalize %s, prepared anew %d\n", prepared[place].text,
         sqlite3_stmt_status(prepared[place].statement, SQLITE_STMTSTATUS_REPREPARE, 0));
  int code = sqlite3_finalize(prepared[place].statement);
  prepared[place].statement = NULL;
  note("finalized", code, 0);
}

static const char *some_text(void) { return texts[random_below(sizeof texts / sizeof *texts)]; }

static void execute(void) {
  const char *text = some_text();
  printf("execute %s\n", text);
  note("executed", sqlite3_exec(db, text, print_row, NULL, NULL), 1);
}

static void prepare(void) {
  int place = (int)random_below(STATEMENTS);
  finalize(place);
  const char *text = some_text(), *rest = NULL;
  prepared[place].text = text;
  prepared[place].is_legacy = random_below(3) == 0;
  int size = random_below(2) ? -1 : (int)strlen(text);
  int code = prepared[place].is_legacy ? sqlite3_prepare(db, text, size, &prepared[place].statement, &rest)
                                       : sqlite3_prepare_v2(db, text, size, &prepared[place].statement, &rest);
  printf("prepare %d: %s, old %d, rest %s\n", place, text, prepared[place].is_legacy, code ? "" : or_none(rest));
  note("prepared", code, 1);
}

static void step(void) {
  int place = (int)random_below(STATEMENTS);
  sqlite3_stmt *statement = prepared[place].statement;
  if (!statement) return;
  printf("step %d: %s\n", place, prepared[place].text);
  note("stepped", sqlite3_step(statement), !prepared[place].is_legacy);
  if (random_below(2)) note("reset", sqlite3_reset(statement), 0);
  printf("  prepared anew %d\n", sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0));
}

static int has_running_statement(void) {
  for (int i = 0; i < STATEMENTS; i++)
    if (prepared[i].statement && sqlite3_stmt_busy(prepared[i].statement)) return 1;
  return 0;
}

/* Limits of docs/attach.md: traces of time are set only where no statement runs, and what would notice how a statement was
   prepared only where there is none. */
static void set(void) {
  long context = random_below(2) ? 1 + (long)random_below(1000) : 0;
  void *argument = (void *)context;
  switch (random_below(has_running_statement() ? 3 : has_statement() ? 6 : 10)) {
  case 0:
    refuses_delete = random_below(4) == 0;
    ignores_delete = random_below(4) == 0;
    sqlite3_set_authorizer(db, context ? authorize : NULL, argument);
    break;
  case 1:
    refuses_commit = random_below(4) == 0;
    printf("the commit hook was %ld\n", (long)sqlite3_commit_hook(db, context ? commit : NULL, argument));
    break;
  case 2: printf("the rollback hook was %ld\n", (long)sqlite3_rollback_hook(db, context ? rollback : NULL, argument)); break;
  case 3: sqlite3_trace_v2(db, context ? random_below(16) : 0, context ? trace : NULL, argument); break;
  case 4: printf("the profile was %ld\n", (long)sqlite3_profile(db, context ? profile : NULL, argument)); break;
  case 5: printf("the trace was %ld\n", (long)sqlite3_trace(db, context ? legacy_trace : NULL, argument)); break;
  case 6: printf("the update hook was %ld\n", (long)sqlite3_update_hook(db, context ? update : NULL, argument)); break;
  case 7: printf("the preupdate hook was %ld\n", (long)sqlite3_preupdate_hook(db, context ? preupdate : NULL, argument)); break;
  case 8: printf("the WAL hook was %ld\n", (long)sqlite3_wal_hook(db, context ? wal : NULL, argument)); break;
  default: sqlite3_progress_handler(db, context ? 1 << random_below(10) : 0, context ? progress : NULL, NULL); break;
  }
  note("set", SQLITE_OK, 0);
}

static void write_blob(void) {
  sqlite3_blob *blob = NULL;
  char bytes[64] = {1, 2, 3};
  note("blob opened", sqlite3_blob_open(db, "main", "wide", "b", 1, random_below(3) > 0, &blob), 1);
  for (unsigned i = random_below(4); blob && i > 0; i--)
    note("blob written", sqlite3_blob_write(blob, bytes, sizeof bytes, (int)random_below(21000)), 0);
  if (random_below(2)) set();
  if (blob) note("blob closed", sqlite3_blob_close(blob), 0);
}

static void use_other_connection(const char *path) {
  static const char *const others[] = {"BEGIN IMMEDIATE", "COMMIT", "INSERT INTO p VALUES(77)"};
  if (!other) sqlite3_open(path, &other);
  const char *text = others[random_below(3)];
  printf("another executes %s: %d\n", text, sqlite3_exec(other, text, NULL, NULL, NULL));
}

static void call(const char *path, int is_in_memory) {
  unsigned kind = random_below(100);
  if (kind < 30) execute();
  else if (kind < 50) prepare();
  else if (kind < 72) step();
  else if (kind < 76) finalize((int)random_below(STATEMENTS));
  else if (kind < 90) set();
  else if (kind < 94) write_blob();
  else if (kind < 96 && !is_in_memory) use_other_connection(path);
  /* That is refused. */
  else if (kind < 98 && has_statement()) note("closed", sqlite3_close(db), 1);
  else if (kind >= 98) sqlite3_interrupt(db);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  random_state = strtoull(arguments[1], NULL, 10) * 0x9E3779B97F4A7C15ull + 1;
  for (int i = 0; i < 8; i++) random_below(2);
  unsigned kind = random_below(3);
  char path[1024];
  snprintf(path, sizeof path, "%s/%d.db", arguments[3], (int)getpid());
  if (sqlite3_open(kind ? path : ":memory:", &db) != SQLITE_OK) return 1;
  if (kind == 2) sqlite3_exec(db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
  if (random_below(3) == 0) sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
  if (random_below(5) == 0) sqlite3_exec(db, "PRAGMA count_changes = ON", NULL, NULL, NULL);
  if (random_below(3) == 0) sqlite3_exec(db, "PRAGMA recursive_triggers = ON", NULL, NULL, NULL);
  note("begun", sqlite3_exec(db, schema, NULL, NULL, NULL), 1);
  for (int i = atoi(arguments[2]); i > 0; i--) call(path, kind == 0);
  for (int i = 0; i < STATEMENTS; i++) finalize(i);
  refuses_delete = ignores_delete = 0;
  sqlite3_exec(db, "SELECT * FROM t; SELECT * FROM p; SELECT * FROM u; SELECT * FROM log; SELECT * FROM sqlite_stat1",
               print_row, NULL, NULL);
  printf("closed %d\n", sqlite3_close(db));
  return sqlite3_close(other) != SQLITE_OK;
}
