#pragma once
#include "callbacks.h"

/* Called when a statement begins, and before it is finalised. */
void exhibit_time_begins(struct connection_callbacks *callbacks, sqlite3_stmt *beginning);
void exhibit_time_ends(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

/* The app has set back how often a statement was prepared anew. */
void exhibit_time_counts_anew(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
