#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "Trace/running_steps.h"

/* What Attach was told last of a connection's use. */
struct known_use {
  /* The owners' generation then; 0 has Attach told again. */
  uint64_t generation;
  uint32_t test;
};

/* The app's hooks, in whose place ours stand. */
struct app_hooks {
  struct {
    void (*call)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
    void *argument;
  } preupdate;
  int has_update_hook;
  /* A flag of Trace/truncation.h: what has SQLite delete rows untold. */
  uint16_t observer;
  /* Whether our preupdate hook is set. */
  int hears_changes;
  /* Whether ours is off during a call of SQLite, and only until the step begins. */
  int is_aside, is_until_begin;
};

/* What the app has set on a connection. SQLite has ours instead, which call the app's except in own work. Under the
   connection's mutex. */
struct connection_callbacks {
  struct connection_callbacks *next;
  sqlite3 *db;
  /* NULL when not watched. */
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
    int is_on;
  } profile;
  struct app_hooks hooks;
  /* Our authorizer is set although the app has none. */
  int asks_for_tables;
  struct connection_trace *traced;
  /* The stack that opened it, until it is recorded. */
  struct walked_stack *opened_at;
};

/* The callbacks that an app's call changes; NULL where it goes to SQLite. */
struct connection_callbacks *exhibit_changed_callbacks(sqlite3 *db);

static inline void exhibit_leave_at_end(sqlite3 **db) {
  if (*db) sqlite3_mutex_leave(sqlite3_db_mutex(*db));
}

/* Holds the connection's mutex until the scope ends. */
#define HOLDS_MUTEX_OF(db)                                                \
  __attribute__((cleanup(exhibit_leave_at_end))) sqlite3 *held = (db);    \
  if (held) sqlite3_mutex_enter(sqlite3_db_mutex(held))

struct connection_callbacks *exhibit_known_callbacks_of(sqlite3 *db);

/* A connection's callbacks, made when there are none; NULL without memory. The mutex is held. */
struct connection_callbacks *exhibit_callbacks_of(sqlite3 *db);

/* Its trace, made when there is none, or NULL. The mutex is held. */
struct connection_trace *exhibit_trace_of(struct connection_callbacks *callbacks);
