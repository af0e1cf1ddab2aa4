#pragma once

/* The app's own copy of SQLite, by the few functions that the tests need. */
typedef struct app_database app_database;

app_database *app_open(const char *path, int has_mutex);
/* The code that SQLite returned; 0 when all went well. */
int app_run(app_database *, const char *sql);
int app_integer(app_database *, const char *sql);
int app_close(app_database *);
