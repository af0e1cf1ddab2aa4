#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "Trace/running_steps.h"

/* What Attach was told of a connection's use last; under the connection's mutex. */
struct known_use {
  /* Of the owners, from which on they may be others; 0 when Attach is to be told again. */
  uint64_t generation;
  uint32_t test;
};

/* What an app has set on a connection, where ours stands in its place; under the connection's mutex. */
struct app_hooks {
  struct {
    void (*call)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
    void *argument;
  } preupdate;
  int has_update_hook;
  /* What the app had set when a DELETE without WHERE may have been prepared with SQLite's shortcut; a flag of
     Trace/truncation.h. */
  uint16_t observer;
  /* Whether ours is set. */
  int hears_changes;
  /* Whether it is taken away for a call of SQLite, and whether only until the statement begins that is stepped. */
  int is_aside, is_until_begin;
};

/* What the app has set on one connection, and who of us hears of its statements. SQLite is given functions of ours in
   its place, which hand on to the app's whatever is not our own work. Changed and read under the connection's mutex;
   it lives as long as the connection. */
struct connection_callbacks {
  struct connection_callbacks *next;
  sqlite3 *db;
  /* Who is told of statements; NULL when nobody is. */
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
  /* sqlite3_trace_v2 and sqlite3_trace take each other's place, and share the argument. */
  struct {
    unsigned events;
    int (*call)(unsigned, void *, void *, void *);
    void (*legacy)(void *, const char *);
    void *argument;
  } trace;
  struct {
    void (*call)(void *, const char *, sqlite3_uint64);
    void *argument;
    /* Whether nothing has switched it off since: setting a trace does. */
    int is_on;
  } profile;
  struct app_hooks hooks;
  /* Whether an authorizer of ours is set although the app has none. */
  int asks_for_tables;
  /* NULL while nothing of it is recorded. */
  struct connection_trace *traced;
  /* The calls that opened it, until that is recorded; NULL where they are not known. */
  struct walked_stack *opened_at;
};

/* Those that a setter of the app is to change; NULL where its call is none of our business, or has to pass as it is. */
struct connection_callbacks *exhibit_changed_callbacks(sqlite3 *db);

static inline void exhibit_leave_at_end(sqlite3 **db) {
  if (*db) sqlite3_mutex_leave(sqlite3_db_mutex(*db));
}

/* Holds the connection's mutex, where there is a connection, until the end of the scope. */
#define HOLDS_MUTEX_OF(db)                                                \
  __attribute__((cleanup(exhibit_leave_at_end))) sqlite3 *held = (db);    \
  if (held) sqlite3_mutex_enter(sqlite3_db_mutex(held))

/* Those of a connection that has some. */
struct connection_callbacks *exhibit_known_callbacks_of(sqlite3 *db);

/* Those of a connection, made when there are none yet; NULL when SQLite has no memory for them. Its mutex is held. */
struct connection_callbacks *exhibit_callbacks_of(sqlite3 *db);

/* Its trace, made when there is none; NULL without a trace or memory. Its mutex is held. */
struct connection_trace *exhibit_trace_of(struct connection_callbacks *callbacks);
