#include "app_sqlite.h"

#include <stddef.h>

#ifndef APP
#define APP
#endif
#define JOINED(prefix, name) prefix##name
#define JOIN(prefix, name) JOINED(prefix, name)
#define SQLITE(name) JOIN(APP, sqlite3_##name)

typedef struct statement statement;
int SQLITE(open_v2)(const char *, app_database **, int, const char *);
int SQLITE(exec)(app_database *, const char *, void *, void *, char **);
int SQLITE(close)(app_database *);
int SQLITE(prepare_v2)(app_database *, const char *, int, statement **, const char **);
int SQLITE(step)(statement *);
int SQLITE(column_int)(statement *, int);
int SQLITE(finalize)(statement *);

app_database *app_open(const char *path, int has_mutex) {
  app_database *database = NULL;
  /* READWRITE, CREATE and URI; FULLMUTEX or NOMUTEX */
  int code = SQLITE(open_v2)(path, &database, 0x46 | (has_mutex ? 0x10000 : 0x8000), NULL);
  return code == 0 ? database : NULL;
}

int app_run(app_database *database, const char *sql) { return SQLITE(exec)(database, sql, NULL, NULL, NULL); }

int app_integer(app_database *database, const char *sql) {
  statement *query;
  if (SQLITE(prepare_v2)(database, sql, -1, &query, NULL) != 0) return -1;
  int value = SQLITE(step)(query) == 100 ? SQLITE(column_int)(query, 0) : -1;
  SQLITE(finalize)(query);
  return value;
}

int app_close(app_database *database) { return SQLITE(close)(database); }
