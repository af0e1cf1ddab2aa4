#pragma once
#include <sqlite3.h>
#include <stddef.h>

/* Of which statements values may be told, while tables are excluded. SQLite names the tables of a statement to the
   authorizer when it is prepared, views and triggers followed. */

struct told_statement {
  sqlite3_stmt *statement;
  unsigned hash;
  int is_open;
};

struct statement_privacy {
  struct told_statement *told;
  size_t count, capacity;
  /* What the authorizer said since a prepare or a step began. */
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

/* What may be told of a text that is not open: a copy in which literals are `?`, up to a statement that tells a key,
   which is told by its name. Freed by the caller, NULL without memory. */
char *exhibit_without_literals(const char *text, size_t *count);
