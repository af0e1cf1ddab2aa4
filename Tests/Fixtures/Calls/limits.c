/* limits FOLDER: asks for the limit of a connection on one thread while another runs statements with long texts on it, and
   prints whether it was ever another one. It is linked with Exhibit's C sources and attach.c, or without. */
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static sqlite3 *db;
static _Atomic int is_done;

static void *ask(void *limit) {
  int was_other = 0;
  while (!is_done) was_other |= sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1) != *(int *)limit;
  printf("%s\n", was_other ? "another limit" : "always the same limit");
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  char path[1024], text[3000];
  snprintf(path, sizeof path, "%s/limits.db", arguments[1]);
  memset(text, 'x', sizeof text);
  if (sqlite3_open(path, &db) != SQLITE_OK) return 70;
  int limit = sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1);
  pthread_t thread;
  if (pthread_create(&thread, NULL, ask, &limit) != 0) return 71;
  sqlite3_stmt *statement;
  sqlite3_prepare_v2(db, "SELECT ?, ?", -1, &statement, NULL);
  for (int i = 0; i < 20000; i++) {
    sqlite3_bind_text(statement, 1, text, sizeof text, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, text, sizeof text, SQLITE_STATIC);
    sqlite3_step(statement);
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  is_done = 1;
  pthread_join(thread, NULL);
  sqlite3_close(db);
  return 0;
}
