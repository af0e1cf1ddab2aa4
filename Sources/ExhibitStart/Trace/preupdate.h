#pragma once
#include "../callbacks.h"

typedef void preupdate_call(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
typedef int preupdate_value(sqlite3 *, int, sqlite3_value **);

/* SQLite's preupdate functions, where it is built with them. */
extern struct preupdate {
  void *(*hook)(sqlite3 *, preupdate_call *, void *);
  preupdate_value *old, *new;
  int (*count)(sqlite3 *), (*depth)(sqlite3 *);
  /* Since 3.34 only. */
  int (*blobwrite)(sqlite3 *);
} exhibit_preupdate __attribute__((visibility("hidden")));

/* Sets our hook, if rows are recorded. The mutex is held. */
void exhibit_set_preupdate_hook(struct connection_callbacks *callbacks, preupdate_call *call);

/* Take our hook away, unless the app has one too, and set it again. The mutex is held. */
int exhibit_step_aside(struct connection_callbacks *callbacks, int is_until_begin);
void exhibit_step_back(struct connection_callbacks *callbacks);
