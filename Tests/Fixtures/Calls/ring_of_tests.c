/* Runs 20 tests in turns, 3,000 steps each, beside one that waits after a few steps and many that pass quickly. Writes the
   ring to the path. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "exhibit_trace.h"

#define TESTS 20
#define STEPS 3000
#define WAITING 500
#define STEPS_OF_WAITING 60

extern _Thread_local uint32_t running_test;

static sqlite3 *begin(uint32_t test) {
  running_test = test;
  exhibit_trace_mark(exhibit_trace_began, test, 0, NULL, 0);
  sqlite3 *db;
  sqlite3_open(":memory:", &db);
  sqlite3_exec(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)", NULL, NULL, NULL);
  return db;
}

static void insert(uint32_t test, sqlite3 *db, int count) {
  running_test = test;
  for (int i = 0; i < count; i++) sqlite3_exec(db, "INSERT INTO t(a) VALUES ('hello')", NULL, NULL, NULL);
}

static void end(uint32_t test, sqlite3 *db) {
  running_test = test;
  sqlite3_close(db);
  exhibit_trace_mark(exhibit_trace_ended, test, 0, NULL, 0);
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  insert(WAITING, begin(WAITING), STEPS_OF_WAITING - 1);
  sqlite3 *tests[TESTS];
  int left[TESTS], tests_left = TESTS;
  for (uint32_t i = 0; i < TESTS; i++) {
    tests[i] = begin(i + 1);
    left[i] = STEPS - 1;
  }
  uint32_t passing = 1000;
  srandom(1);
  while (tests_left) {
    uint32_t i = (uint32_t)random() % TESTS;
    int steps = (int)(random() % 50);
    if (steps > left[i]) steps = left[i];
    insert(i + 1, tests[i], steps);
    if (left[i] && left[i] == steps) tests_left--;
    left[i] -= steps;
    sqlite3 *other = begin(++passing);
    insert(passing, other, 3);
    end(passing, other);
  }
  void *image;
  size_t size = exhibit_trace_copy(&image);
  FILE *file = fopen(arguments[1], "w");
  if (!file || fwrite(image, 1, size, file) != size || fclose(file) != 0) return 1;
  return 0;
}
