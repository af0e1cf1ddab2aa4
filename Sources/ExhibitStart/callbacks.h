#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "Trace/changes.h"
#include "Trace/steps.h"
#include "Trace/truncation.h"
#include "owner.h"

/* The function that is registered on each connection of which something is known. */
#define EXHIBIT_FUNCTION "exhibit_watch_connection"

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
    /* It is called once in so many operations. */
    unsigned steps;
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
  /* Whether the app wants the time of statements, and those that run and began when it was otherwise. */
  int wanted_time;
  struct {
    struct begun_statement {
      sqlite3_stmt *statement;
      /* How often it had been prepared anew: then it begins again. */
      int preparations;
      /* Whether it is finalised. */
      int is_ending;
    } *statements;
    size_t count, capacity;
  } begun_before;
  struct app_hooks hooks;
  struct truncation truncation;
  /* Whether an authorizer of ours is set although the app has none. */
  int asks_for_tables;
  /* NULL while nothing of it is recorded. */
  struct connection_trace *traced;
};

/* EXHIBIT_FUNCTION: NULL, or the error that is being put back. */
void exhibit_answer(sqlite3_context *context, int count, sqlite3_value **values);

/* The events of SQLITE_TRACE that we want to hear of, and what is done at them. */
unsigned exhibit_heard_events(void);
void exhibit_heard(struct connection_callbacks *callbacks, unsigned event, void *subject, const char *text);

/* Those that a setter of the app is to change; NULL where its call is none of our business, or has to pass as it is. */
struct connection_callbacks *exhibit_changed_callbacks(sqlite3 *db);

/* The connection's mutex, where there is a connection. */
static inline void exhibit_enter(sqlite3 *db) {
  if (db) sqlite3_mutex_enter(sqlite3_db_mutex(db));
}
static inline void exhibit_leave(sqlite3 *db) {
  if (db) sqlite3_mutex_leave(sqlite3_db_mutex(db));
}

/* Those of a connection that has some. */
struct connection_callbacks *exhibit_known_callbacks_of(sqlite3 *db);

/* Has the tables of the statement told that is prepared or stepped next. The connection's mutex is held. */
void exhibit_ask_for_tables(sqlite3 *db);
void exhibit_tables_are_told(sqlite3 *db, sqlite3_stmt *statement);

/* Those of a connection, made when there are none yet; NULL when SQLite has no memory for them. Its mutex is held. */
struct connection_callbacks *exhibit_callbacks_of(sqlite3 *db);

/* How often a statement was prepared anew, by SQLite and unless the app sets that back: since then it may be another one. */
static inline int exhibit_times_prepared(sqlite3_stmt *statement) {
  return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0);
}

/* Called when a statement begins, before it is finalised, and at a connection's end. */
void exhibit_time_begins(struct connection_callbacks *callbacks, sqlite3_stmt *beginning);
void exhibit_time_ends(sqlite3_stmt *statement);
/* The app has set back how often a statement was prepared anew. */
void exhibit_time_counts_anew(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
void exhibit_forget_times(struct connection_callbacks *callbacks);

/* Has SQLite call what the app and we want to hear of a connection's statements; returns an SQLite result code. */
int exhibit_apply_trace(struct connection_callbacks *callbacks);
