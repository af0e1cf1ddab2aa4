#pragma once
#include <sqlite3.h>

/* Reads an experiment's changes, before there are other threads. */
void exhibit_read_intervention(void);

/* The text that replaces a statement's, or NULL. */
const char *exhibit_text_for(sqlite3_stmt *statement);

/* A statement's text as the app knows it, and its real one. */
const char *exhibit_app_text(const char *sql);
const char *exhibit_sql(sqlite3_stmt *statement);

const char *exhibit_connection_setting(void);

const char *exhibit_text_before(sqlite3_stmt *statement);

int exhibit_is_left_out(sqlite3_stmt *statement);

/* Counts what a changed statement returns and writes. */
void exhibit_note_stepped(sqlite3_stmt *statement, int code);

void exhibit_apply(sqlite3 *db, const char *text);

void exhibit_count_applied(void);
void exhibit_count_refused(void);
