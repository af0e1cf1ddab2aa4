#pragma once
#include <sqlite3.h>

/* What this process changes in what the app does, for an experiment; nothing unless $EXHIBIT_INTERVENTION names a file.
   Read before any other thread is there. */
void exhibit_read_intervention(void);

/* The text in place of a statement's, where it is to be changed; else NULL, without a look at the statement where nothing
   is. */
const char *exhibit_text_for(sqlite3_stmt *statement);

/* The text that the app knows a statement by, and its own; where nothing is changed they are the same. */
const char *exhibit_app_text(const char *sql);
const char *exhibit_sql(sqlite3_stmt *statement);

/* What is run on each connection of the app's; NULL where nothing is. */
const char *exhibit_connection_setting(void);

/* What is run before a statement of the app's; NULL where nothing is. */
const char *exhibit_text_before(sqlite3_stmt *statement);

/* Whether a statement of the app's is to do nothing, where it begins to run. */
int exhibit_is_left_out(sqlite3_stmt *statement);

/* Counts what a changed statement returns and writes. */
void exhibit_note_stepped(sqlite3_stmt *statement, int code);

/* Runs a text on a connection of the app's, and counts whether SQLite took it. */
void exhibit_apply(sqlite3 *db, const char *text);

void exhibit_count_applied(void);
void exhibit_count_refused(void);
