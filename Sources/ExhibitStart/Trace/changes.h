#pragma once
#include <sqlite3.h>

/* What an app has set on a connection, where ours stands in its place; under the connection's mutex. */
struct app_hooks {
  struct {
    void (*call)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
    void *argument;
  } preupdate;
  /* Whether the app hears of rows through sqlite3_update_hook. */
  int has_update_hook;
  /* Whether ours is set. */
  int hears_changes;
};

struct connection_callbacks;

/* Sets our preupdate hook on a connection, or takes it off, as its other callbacks demand. Its mutex is held. */
void exhibit_apply_preupdate(struct connection_callbacks *callbacks);
