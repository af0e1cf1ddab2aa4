#pragma once
#include <sqlite3.h>

/* Has the tables of the statement told that is prepared or stepped next. The connection's mutex is held. */
void exhibit_ask_for_tables(sqlite3 *db);
void exhibit_tables_are_told(sqlite3 *db, sqlite3_stmt *statement);
