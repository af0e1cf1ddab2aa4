#pragma once
#include <sqlite3.h>
#include <stddef.h>

/* Which statements may be recorded with values while tables are excluded. At a prepare, SQLite tells the authorizer
   all tables, also behind views and triggers. */

struct told_statement {
  sqlite3_stmt *statement;
  unsigned hash;
  int is_open;
};

struct statement_privacy {
  struct told_statement *told;
  size_t count, capacity;
  int is_asked, is_excluded;
  /* The exclusions' generation when its statements were told. */
  unsigned generation;
};

void exhibit_privacy_free(struct statement_privacy *privacy);

int exhibit_excludes_tables(void);
int exhibit_is_excluded(const char *table);

void exhibit_privacy_begin(struct statement_privacy *privacy);
void exhibit_privacy_note(struct statement_privacy *privacy, const char *table);
void exhibit_privacy_prepared(struct statement_privacy *privacy, sqlite3_stmt *statement);

/* Whether a beginning statement's values may be told. */
int exhibit_privacy_allows(struct statement_privacy *privacy, sqlite3_stmt *statement);

/* A copy with `?` for literals, which the caller frees; NULL without memory. */
char *exhibit_without_literals(const char *text, size_t *count);
