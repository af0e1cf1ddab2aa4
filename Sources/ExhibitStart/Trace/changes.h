#pragma once
#include <sqlite3.h>
#include <stdint.h>

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
  /* Whether it is off until what is being prepared is ready. */
  int is_aside;
};

struct connection_callbacks;

/* Flags of a step whose rows are not told, as they would be to the app's function too. */
#define EXHIBIT_STEP_BESIDE_UPDATE_HOOK 8
#define EXHIBIT_STEP_BESIDE_PROGRESS_HANDLER 16

/* Which of them a step of the connection has that changes rows; 0 when it tells them, or none can. */
uint16_t exhibit_withheld_changes(struct connection_callbacks *callbacks);

/* Sets our preupdate hook on a connection, or takes it off, as its other callbacks demand. Its mutex is held. */
void exhibit_apply_preupdate(struct connection_callbacks *callbacks);

/* Has a statement prepared as if there were no hook of ours, and sets that again before one begins. The connection's
   mutex is held. */
void exhibit_step_aside(struct connection_callbacks *callbacks);
void exhibit_step_back(struct connection_callbacks *callbacks);
