/* statements WHAT SLICES [empty]: prints nanoseconds of CPU time of one statement on a connection in memory, at the end of a
   stack as a test has one: of so many slices of 100 statements that a tenth of them do not exceed, as others use the
   processor too. With `empty` it sets all hooks that Exhibit sets, which do nothing. It is linked
   with Exhibit's C sources and Tests/Fixtures/Calls/attach.c, or without; ci/bench compares. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *sqlite3_preupdate_hook(
    sqlite3 *, void (*)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64), void *);

static int has_empty_hooks;

static int traced(unsigned event, void *context, void *subject, void *detail) {
  (void)event, (void)context, (void)subject, (void)detail;
  return 0;
}

static void changing(
    void *context, sqlite3 *db, int operation, char const *schema, char const *table, sqlite3_int64 key,
    sqlite3_int64 new_key) {
  (void)context, (void)db, (void)operation, (void)schema, (void)table, (void)key, (void)new_key;
}

static void check(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void run(sqlite3 *db, const char *sql) { check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sql); }

static sqlite3 *opened(void) {
  sqlite3 *db = NULL;
  check(sqlite3_open(":memory:", &db) == SQLITE_OK, "open");
  if (has_empty_hooks) {
    sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE, traced, NULL);
    sqlite3_preupdate_hook(db, changing, NULL);
  }
  run(db, "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, score REAL)");
  return db;
}

static sqlite3_stmt *prepared(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement = NULL;
  check(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

static void insert(sqlite3_stmt *statement, int number) {
  sqlite3_bind_int64(statement, 1, number + 1001);
  sqlite3_bind_text(statement, 2, "some text", 9, SQLITE_TRANSIENT);
  sqlite3_bind_double(statement, 3, number / 4.0);
  check(sqlite3_step(statement) == SQLITE_DONE, "insert");
  sqlite3_reset(statement);
}

static void look_up(sqlite3_stmt *statement, int number) {
  sqlite3_bind_int64(statement, 1, 1 + number % 1000);
  check(sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 1), "lookup");
  check(sqlite3_step(statement) == SQLITE_DONE, "lookup");
  sqlite3_reset(statement);
}

static void update(sqlite3_stmt *statement, int number) {
  sqlite3_bind_double(statement, 1, number / 8.0);
  sqlite3_bind_int64(statement, 2, 1 + number % 1000);
  check(sqlite3_step(statement) == SQLITE_DONE, "update");
  sqlite3_reset(statement);
}

static const struct {
  const char *name, *sql;
  void (*step)(sqlite3_stmt *, int);
} kinds[] = {
    {"insert", "INSERT INTO player VALUES (?, ?, ?)", insert},
    {"lookup", "SELECT id, name, score FROM player WHERE id = ?", look_up},
    {"update", "UPDATE player SET score = ? WHERE id = ?", update},
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int is_less(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

static double lowest_tenth(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, is_less);
  return times[count / 10];
}

/* Prepares each statement once, or each time. */
static double time_of(const char *name, int slices) {
  int is_each = strncmp(name, "prepared ", 9) == 0, is_connection = strcmp(name, "connection") == 0;
  int size = is_connection ? 5 : 100;
  size_t kind = 0, kinds_count = is_connection ? 0 : sizeof kinds / sizeof *kinds;
  while (kind < kinds_count && strcmp(kinds[kind].name, is_each ? name + 9 : name) != 0) kind++;
  check(is_connection || kind < kinds_count, name);
  double *times = calloc((size_t)slices, sizeof *times);
  check(times && slices > 0, "slices");
  sqlite3 *db = opened();
  run(db, "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
          "INSERT INTO player SELECT i, 'player ' || i, i / 4.0 FROM n; BEGIN");
  sqlite3_stmt *statement = is_each ? NULL : prepared(db, kinds[kind].sql);
  for (int slice = 0; slice < slices; slice++) {
    double start = now();
    for (int i = slice * size; i < (slice + 1) * size; i++) {
      if (is_connection) {
        sqlite3_close(opened());
        continue;
      }
      if (is_each) statement = prepared(db, kinds[kind].sql);
      kinds[kind].step(statement, i);
      if (is_each) sqlite3_finalize(statement);
    }
    times[slice] = (now() - start) / size;
  }
  double time = lowest_tenth(times, slices);
  if (!is_each) sqlite3_finalize(statement);
  sqlite3_close(db);
  free(times);
  return time;
}

/* Forty calls, as many as between a thread's start and a statement of GRDB. */
static __attribute__((noinline)) double deep(int depth, const char *name, int slices) {
  double time = depth > 0 ? deep(depth - 1, name, slices) : time_of(name, slices);
  __asm__ volatile("" : : "r"(&time) : "memory");
  return time;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  has_empty_hooks = count > 3 && strcmp(arguments[3], "empty") == 0;
  printf("%.1f\n", deep(40, arguments[1], atoi(arguments[2])));
  return 0;
}
