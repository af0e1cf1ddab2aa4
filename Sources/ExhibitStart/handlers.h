#pragma once
#include <sqlite3.h>

/* Has the tables of the next prepared or stepped statement told. The mutex is held. */
void exhibit_ask_for_tables(sqlite3 *db);
void exhibit_tables_are_told(sqlite3 *db, sqlite3_stmt *statement);
