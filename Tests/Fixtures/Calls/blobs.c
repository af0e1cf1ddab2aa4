/* blobs FOLDER: writes to blobs whose cursor another write to their table has moved, and prints the codes and what SQLite
   logs. It is linked with Exhibit's C sources and attach.c, or without. */
#include <sqlite3.h>
#include <stdio.h>

static void logged(void *context, int code, const char *message) {
  (void)context;
  printf("  logged %d %s\n", code, message);
}

static const char *const others[] = {
    "UPDATE w SET c = 'other' WHERE rowid = 399",
    "UPDATE w SET c = c || 'x' WHERE rowid <> 200",
    "BEGIN; INSERT INTO w VALUES (1, 2, 3); ROLLBACK",
    "DELETE FROM w WHERE rowid BETWEEN 150 AND 190",
    "UPDATE w SET a = 'same row' WHERE rowid = 200",
};

int main(int count, char **arguments) {
  if (count != 2) return 64;
  char path[1024];
  snprintf(path, sizeof path, "%s/blobs.db", arguments[1]);
  sqlite3 *db;
  sqlite3_config(SQLITE_CONFIG_LOG, logged, NULL);
  if (sqlite3_open(path, &db) != SQLITE_OK) return 70;
  sqlite3_exec(db,
      "PRAGMA page_size = 1024; PRAGMA cache_size = 5; CREATE TABLE w(a, b, c); CREATE TABLE z(a);"
      "WITH RECURSIVE i(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM i WHERE x < 400)"
      "INSERT INTO w SELECT 'row ' || x, CAST(printf('%050d', x) AS BLOB), 'end ' || x FROM i",
      NULL, NULL, NULL);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    sqlite3_blob *blob;
    int opened = sqlite3_blob_open(db, "main", "w", "b", 200, 1, &blob);
    sqlite3_exec(db, others[i], NULL, NULL, NULL);
    sqlite3_exec(db, "SELECT count(*) FROM w, z; SELECT sum(length(a)) FROM w", NULL, NULL, NULL);
    sqlite3_db_release_memory(db);
    int written = sqlite3_blob_write(blob, "MARK", 4, 0);
    int beyond = sqlite3_blob_write(blob, "MARK", 4, 1000);
    printf("%s: opened %d, written %d, beyond the end %d, closed %d\n", others[i], opened, written, beyond,
           sqlite3_blob_close(blob));
  }
  sqlite3_close(db);
  return 0;
}
