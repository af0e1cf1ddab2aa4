#pragma once
#include <sqlite3.h>
#include <stdint.h>

/* What an app has set on a connection, where ours stands in its place; under the connection's mutex. */
struct app_hooks {
  struct {
    void (*call)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
    void *argument;
  } preupdate;
  struct {
    void (*call)(void *, int, char const *, char const *, sqlite3_int64);
    void *argument;
  } update;
  /* Whether it has set a WAL hook, now or before. */
  int had_wal_hook;
  /* Whether ours is set. */
  int hears_changes;
  /* Whether it is off until what is being prepared is ready, or has begun. */
  int is_aside;
};

struct connection_callbacks;

/* Sets our preupdate hook on a new connection, where rows are to be told. Its mutex is held. */
void exhibit_hear_changes(struct connection_callbacks *callbacks);

/* Has statements prepared as if there were no hook of ours, and sets that again. Whether the first was not so already;
   the connection's mutex is held. */
int exhibit_step_aside(struct connection_callbacks *callbacks);
void exhibit_step_back(struct connection_callbacks *callbacks);
