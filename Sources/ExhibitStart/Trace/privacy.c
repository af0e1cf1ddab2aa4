#define _GNU_SOURCE
#include "privacy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../intervention.h"
#include "../process_lock.h"
#include "../room.h"
#include "exhibit_trace.h"
#include "keys.h"
#include "sql_text.h"

static struct process_lock lock = PROCESS_LOCK_INITIALIZER;
/* Names, each with its NUL. Under the lock. */
static char *excluded;
static size_t excluded_size;
static _Atomic unsigned generation;
/* Memory was short: nothing may be told. */
static _Atomic int is_unknown;

int exhibit_excludes_tables(void) { return generation != 0; }

void exhibit_trace_exclude(const char *tables) {
  size_t count = 0;
  while (tables[count]) count += strlen(tables + count) + 1;
  if (count == 0) return;
  exhibit_lock(&lock);
  char *grown = realloc(excluded, excluded_size + count);
  if (grown) {
    excluded = grown;
    memcpy(excluded + excluded_size, tables, count);
    excluded_size += count;
  } else {
    is_unknown = 1;
  }
  generation++;
  exhibit_unlock(&lock);
}

int exhibit_is_excluded(const char *table) {
  /* It holds samples of any table's rows. */
  if (is_unknown || sqlite3_strnicmp(table, "sqlite_stat", 11) == 0) return 1;
  exhibit_lock(&lock);
  int found = 0;
  for (size_t place = 0; place < excluded_size && !found; place += strlen(excluded + place) + 1)
    found = sqlite3_stricmp(excluded + place, table) == 0;
  exhibit_unlock(&lock);
  return found;
}

void exhibit_privacy_free(struct statement_privacy *privacy) { free(privacy->told); }

void exhibit_privacy_begin(struct statement_privacy *privacy) {
  privacy->is_asked = 0;
  privacy->is_excluded = 0;
  if (privacy->generation == generation) return;
  /* Told under fewer exclusions. */
  privacy->generation = generation;
  privacy->count = 0;
}

void exhibit_privacy_note(struct statement_privacy *privacy, const char *table) {
  privacy->is_asked = 1;
  if (table && exhibit_is_excluded(table)) privacy->is_excluded = 1;
}

static unsigned hash_of(const char *text) {
  unsigned hash = 2166136261u;
  for (; text && *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

static struct told_statement *find(struct statement_privacy *privacy, sqlite3_stmt *statement) {
  for (size_t i = 0; i < privacy->count; i++)
    if (privacy->told[i].statement == statement) return &privacy->told[i];
  return NULL;
}

void exhibit_privacy_prepared(struct statement_privacy *privacy, sqlite3_stmt *statement) {
  struct told_statement *told = find(privacy, statement);
  if (!told) {
    struct told_statement *grown = exhibit_with_room(privacy->told, privacy->count, &privacy->capacity, sizeof *grown);
    if (!grown) return;
    privacy->told = grown;
    told = &grown[privacy->count++];
  }
  told->statement = statement;
  told->hash = hash_of(exhibit_sql(statement));
  told->is_open = privacy->is_asked && !privacy->is_excluded;
}

int exhibit_privacy_allows(struct statement_privacy *privacy, sqlite3_stmt *statement) {
  if (!exhibit_excludes_tables()) return 1;
  if (privacy->generation != generation) return 0;
  /* SQLite prepared it anew at this step. */
  if (privacy->is_asked) exhibit_privacy_prepared(privacy, statement);
  const struct told_statement *told = find(privacy, statement);
  return told && told->is_open && told->hash == hash_of(exhibit_sql(statement));
}

/* SQLite takes a quoted name that is none for a text. */
static int is_literal(struct token piece) { return piece.kind && strchr("'\"bn", piece.kind); }

char *exhibit_without_literals(const char *text, size_t *count) {
  const char *end = text + strlen(text);
  char *result = malloc((size_t)(end - text) + sizeof EXHIBIT_LONGEST_KEYLESS), *place = result;
  if (!result) return NULL;
  for (char before = ';'; text < end;) {
    const char *keyless = before == ';' ? exhibit_without_key(text) : NULL;
    if (keyless) {
      place = stpcpy(place, keyless);
      break;
    }
    const char *begin = text;
    struct token piece = exhibit_next_piece(&text, end);
    if (piece.kind == 'n' && strchr("?:@#", before)) {
      /* A parameter's number. */
      for (text = begin; text < end && exhibit_is_word(*text);) text++;
      piece.kind = 'w';
    }
    before = piece.kind;
    /* A comment may quote anything. */
    if (piece.kind == 'c' || is_literal(piece)) *place++ = piece.kind == 'c' ? ' ' : '?';
    else place = mempcpy(place, begin, (size_t)(text - begin));
  }
  *place = 0;
  *count = (size_t)(place - result);
  return result;
}
