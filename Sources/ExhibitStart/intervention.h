#pragma once
#include <sqlite3.h>

/* What this process changes for an experiment: the file in $EXHIBIT_INTERVENTION. Read before there are other threads. */
void exhibit_read_intervention(void);

/* The text that replaces a statement's; NULL where it is not changed. */
const char *exhibit_text_for(sqlite3_stmt *statement);

/* A statement's text as the app knows it, and its real one. Only experiments make them differ. */
const char *exhibit_app_text(const char *sql);
const char *exhibit_sql(sqlite3_stmt *statement);

/* Run on each connection of the app's; NULL for nothing. */
const char *exhibit_connection_setting(void);

/* Run before a statement of the app's; NULL for nothing. */
const char *exhibit_text_before(sqlite3_stmt *statement);

/* Whether a statement that begins is left out. */
int exhibit_is_left_out(sqlite3_stmt *statement);

/* Counts what a changed statement returns and writes. */
void exhibit_note_stepped(sqlite3_stmt *statement, int code);

/* Runs a text on a connection, and counts whether SQLite took it. */
void exhibit_apply(sqlite3 *db, const char *text);

void exhibit_count_applied(void);
void exhibit_count_refused(void);
