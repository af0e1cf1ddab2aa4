#pragma once
#include <sqlite3.h>
#include <stddef.h>

/* Which statements may be recorded with values while tables are excluded. When a statement is prepared, SQLite gives the
   authorizer its tables, also those behind views and triggers. */

struct told_statement {
  sqlite3_stmt *statement;
  unsigned hash;
  int is_open;
};

struct statement_privacy {
  struct told_statement *told;
  size_t count, capacity;
  /* What the authorizer has heard since the prepare or step began. */
  int is_asked, is_excluded;
  /* How many exclusions its statements were told under. */
  unsigned generation;
};

void exhibit_privacy_free(struct statement_privacy *privacy);

/* Whether any table is excluded in this process. */
int exhibit_excludes_tables(void);
int exhibit_is_excluded(const char *table);

/* Around a prepare or a step; `statement` is what was prepared. */
void exhibit_privacy_begin(struct statement_privacy *privacy);
void exhibit_privacy_note(struct statement_privacy *privacy, const char *table);
void exhibit_privacy_prepared(struct statement_privacy *privacy, sqlite3_stmt *statement);

/* Whether the values of a statement that begins may be told. */
int exhibit_privacy_allows(struct statement_privacy *privacy, sqlite3_stmt *statement);

/* A copy with `?` for literals, up to a statement with a key, of which only the name is told. The caller frees it; NULL
   without memory. */
char *exhibit_without_literals(const char *text, size_t *count);
