#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "Trace/running_steps.h"

/* What Attach was told last of a connection's use; under the connection's mutex. */
struct known_use {
  /* The owners' generation at that time; 0 makes Attach be told again. */
  uint64_t generation;
  uint32_t test;
};

/* The hooks that the app has set, in whose place ours stand; under the connection's mutex. */
struct app_hooks {
  struct {
    void (*call)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
    void *argument;
  } preupdate;
  int has_update_hook;
  /* Flag of Trace/truncation.h: the hook of the app's because of which SQLite may delete without telling rows. */
  uint16_t observer;
  /* Whether our preupdate hook is set. */
  int hears_changes;
  /* Whether our hook is off during a call of SQLite, and whether only until the stepped statement begins. */
  int is_aside, is_until_begin;
};

/* All that the app has set on one connection. SQLite is given our functions instead, which call the app's except for our
   own work. Lives as long as the connection, under its mutex. */
struct connection_callbacks {
  struct connection_callbacks *next;
  sqlite3 *db;
  /* Attach's object of the connection; NULL when it is not watched. */
  const void *connection;
  struct known_use use;
  struct {
    int (*call)(void *, int, const char *, const char *, const char *, const char *);
    void *argument;
  } authorizer;
  struct {
    int (*call)(void *);
    void *argument;
  } progress;
  struct {
    int (*call)(void *, int);
    void *argument;
  } busy;
  /* sqlite3_trace_v2 and sqlite3_trace replace each other, and share the argument. */
  struct {
    unsigned events;
    int (*call)(unsigned, void *, void *, void *);
    void (*legacy)(void *, const char *);
    void *argument;
  } trace;
  struct {
    void (*call)(void *, const char *, sqlite3_uint64);
    void *argument;
    /* Whether no trace has switched it off since. */
    int is_on;
  } profile;
  struct app_hooks hooks;
  /* Whether our authorizer is set although the app has none. */
  int asks_for_tables;
  /* NULL while nothing of it is recorded. */
  struct connection_trace *traced;
  /* The stack that opened it, until that is recorded; NULL where it is not known. */
  struct walked_stack *opened_at;
};

/* The callbacks that a call of the app's is to change; NULL where it has to go to SQLite as it is. */
struct connection_callbacks *exhibit_changed_callbacks(sqlite3 *db);

static inline void exhibit_leave_at_end(sqlite3 **db) {
  if (*db) sqlite3_mutex_leave(sqlite3_db_mutex(*db));
}

/* Holds the connection's mutex, where there is a connection, until the end of the scope. */
#define HOLDS_MUTEX_OF(db)                                                \
  __attribute__((cleanup(exhibit_leave_at_end))) sqlite3 *held = (db);    \
  if (held) sqlite3_mutex_enter(sqlite3_db_mutex(held))

/* The callbacks of a connection; NULL when it has none. */
struct connection_callbacks *exhibit_known_callbacks_of(sqlite3 *db);

/* The same, made when there are none; NULL without memory. Its mutex is held. */
struct connection_callbacks *exhibit_callbacks_of(sqlite3 *db);

/* Its trace, made when there is none; NULL without a trace or memory. Its mutex is held. */
struct connection_trace *exhibit_trace_of(struct connection_callbacks *callbacks);
