/* Runs many more steps than the ring has room for, of few statements and of ever new ones, some on another connection, and
   three whose rows do not tell what is bound to them. Writes the ring to the path. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "exhibit_trace.h"

static void insert(sqlite3_stmt *statement, int number) {
  sqlite3_bind_int(statement, 1, number);
  sqlite3_bind_text(statement, 2, "hello", 5, SQLITE_STATIC);
  sqlite3_step(statement);
  sqlite3_reset(statement);
}

static void once(sqlite3 *db, const char *text, int number) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK) return;
  insert(statement, number);
  sqlite3_finalize(statement);
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  sqlite3 *db;
  sqlite3_open(":memory:", &db);
  sqlite3_exec(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a INT UNIQUE, b TEXT)", NULL, NULL, NULL);
  sqlite3_stmt *statement;
  sqlite3_prepare_v2(db, "INSERT INTO t(a, b) VALUES (?, ?)", -1, &statement, NULL);
  for (int i = 0; i < 20000; i++) {
    /* Two places of the code. */
    if (i % 2) insert(statement, i);
    else insert(statement, i);
  }
  sqlite3_finalize(statement);
  for (int i = 0; i < 4000; i++) {
    char text[80];
    snprintf(text, sizeof text, "SELECT a FROM t WHERE id = %d", i);
    sqlite3_exec(db, text, NULL, NULL, NULL);
  }
  sqlite3 *other;
  sqlite3_stmt *refused;
  sqlite3_open(":memory:", &other);
  sqlite3_exec(other, "CREATE TABLE other(a)", NULL, NULL, NULL);
  sqlite3_prepare_v2(other, "SELEKT 1", -1, &refused, NULL);
  sqlite3_close(other);
  once(db, "INSERT INTO t(a, b) VALUES (?, ?)", 5);
  once(db, "INSERT INTO t(a, b) SELECT a + 1000000, ?2 FROM t WHERE a = ?1", 7);
  once(db, "INSERT INTO t(a, b) VALUES (?, ?) ON CONFLICT(a) DO UPDATE SET b = 'taken'", 5);
  once(db, "INSERT INTO t(a, b) VALUES (?, ?)", 2000000);
  void *image;
  size_t size = exhibit_trace_copy(&image);
  FILE *file = fopen(arguments[1], "w");
  if (!file || fwrite(image, 1, size, file) != size || fclose(file) != 0) return 1;
  free(image);
  printf("%llu steps\n", (unsigned long long)exhibit_trace_last_step());
  return 0;
}
