#define _GNU_SOURCE
#include "privacy.h"

#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exhibit_trace.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Names, each with its NUL. Under the lock. */
static char *excluded;
static size_t excluded_size;
static _Atomic unsigned generation;
/* Set when memory was short: then no statement's values may be told. */
static _Atomic int is_unknown;

int exhibit_excludes_tables(void) { return generation != 0; }

void exhibit_trace_exclude(const char *tables) {
  size_t count = 0;
  while (tables[count]) count += strlen(tables + count) + 1;
  if (count == 0) return;
  pthread_mutex_lock(&lock);
  char *grown = realloc(excluded, excluded_size + count);
  if (grown) {
    excluded = grown;
    memcpy(excluded + excluded_size, tables, count);
    excluded_size += count;
  } else {
    is_unknown = 1;
  }
  generation++;
  pthread_mutex_unlock(&lock);
}

int exhibit_is_excluded(const char *table) {
  /* Samples of rows, of any table. */
  if (is_unknown || sqlite3_strnicmp(table, "sqlite_stat", 11) == 0) return 1;
  pthread_mutex_lock(&lock);
  int found = 0;
  for (size_t place = 0; place < excluded_size && !found; place += strlen(excluded + place) + 1)
    found = sqlite3_stricmp(excluded + place, table) == 0;
  pthread_mutex_unlock(&lock);
  return found;
}

void exhibit_privacy_free(struct statement_privacy *privacy) { free(privacy->told); }

void exhibit_privacy_begin(struct statement_privacy *privacy) {
  privacy->is_asked = 0;
  privacy->is_excluded = 0;
  if (privacy->generation == generation) return;
  /* What was told under fewer exclusions says nothing now. */
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
  if (!told && privacy->count == privacy->capacity) {
    size_t capacity = privacy->capacity ? privacy->capacity * 2 : 16;
    struct told_statement *grown = realloc(privacy->told, capacity * sizeof *grown);
    if (!grown) return;
    privacy->told = grown;
    privacy->capacity = capacity;
  }
  if (!told) told = &privacy->told[privacy->count++];
  told->statement = statement;
  told->hash = hash_of(sqlite3_sql(statement));
  told->is_open = privacy->is_asked && !privacy->is_excluded;
}

int exhibit_privacy_allows(struct statement_privacy *privacy, sqlite3_stmt *statement) {
  if (!exhibit_excludes_tables()) return 1;
  if (privacy->generation != generation) return 0;
  /* SQLite has prepared it anew at this step. */
  if (privacy->is_asked) exhibit_privacy_prepared(privacy, statement);
  const struct told_statement *told = find(privacy, statement);
  return told && told->is_open && told->hash == hash_of(sqlite3_sql(statement));
}

/* Literals */

static int is_word(unsigned char c) { return isalnum(c) || c == '_' || c == '$' || c >= 0x80; }

/* Behind what begins with a quote, which is doubled inside. */
static const char *behind_quoted(const char *text, char quote) {
  for (text++; *text; text++) {
    if (*text != quote) continue;
    if (text[1] != quote) return text + 1;
    text++;
  }
  return text;
}

static const char *behind_comment(const char *text) {
  if (text[0] == '-' && text[1] == '-') return strchrnul(text, '\n');
  const char *end = strstr(text + 2, "*/");
  return end ? end + 2 : text + strlen(text);
}

char *exhibit_without_literals(const char *text, size_t *count) {
  char *result = malloc(strlen(text) + 1), *place = result;
  if (!result) return NULL;
  while (*text) {
    const char *begin = text;
    int is_literal = 0;
    if ((text[0] == '-' && text[1] == '-') || (text[0] == '/' && text[1] == '*')) {
      /* A comment may quote anything. */
      text = behind_comment(text);
      *place++ = ' ';
      continue;
    } else if (*text == '\'' || *text == '"') {
      /* SQLite takes a quoted name that is none for a text. */
      is_literal = 1;
      text = behind_quoted(text, *text);
    } else if ((*text == 'x' || *text == 'X') && text[1] == '\'') {
      is_literal = 1;
      text = behind_quoted(text + 1, '\'');
    } else if (*text == '`') {
      text = behind_quoted(text, '`');
    } else if (*text == '[') {
      text = strchrnul(text, ']');
      if (*text) text++;
    } else if (isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]))) {
      is_literal = 1;
      while (is_word((unsigned char)*text) || *text == '.' ||
             ((*text == '+' || *text == '-') && (text[-1] == 'e' || text[-1] == 'E')))
        text++;
    } else if (is_word((unsigned char)*text)) {
      while (is_word((unsigned char)*text)) text++;
    } else if (*text == '?' || *text == ':' || *text == '@' || *text == '#') {
      for (text++; is_word((unsigned char)*text); text++) {}
    } else {
      text++;
    }
    if (is_literal) {
      *place++ = '?';
      continue;
    }
    memcpy(place, begin, (size_t)(text - begin));
    place += text - begin;
  }
  *place = 0;
  *count = (size_t)(place - result);
  return result;
}

/* Keys */

/* A byte order mark is a space to SQLite, in front of any word. */
static int is_mark(const char *text) { return strncmp(text, "\xEF\xBB\xBF", 3) == 0; }

/* The next word, in lower case; `text` is moved behind it. */
static size_t next_word(const char **text, char *word, size_t capacity) {
  const char *place = *text;
  while (*place && (is_mark(place) || !is_word((unsigned char)*place))) {
    if (is_mark(place)) place += 3;
    else if ((place[0] == '-' && place[1] == '-') || (place[0] == '/' && place[1] == '*')) place = behind_comment(place);
    else if (*place == '\'' || *place == '"' || *place == '`') place = behind_quoted(place, *place);
    else place++;
  }
  size_t count = 0;
  for (; is_word((unsigned char)*place); place++)
    if (count + 1 < capacity) word[count++] = (char)tolower((unsigned char)*place);
  word[count] = 0;
  *text = place;
  return count;
}

const char *exhibit_without_key(const char *text) {
  while (*text == ' ' || *text == '\n') text++;
  /* Most statements begin with a word that is neither. */
  if (((*text | 0x20) >= 'b' && (*text | 0x20) <= 'z') && *text != 'p' && *text != 'P') return NULL;
  char word[32];
  next_word(&text, word, sizeof word);
  int is_pragma = strcmp(word, "pragma") == 0;
  if (!is_pragma && strcmp(word, "attach") != 0) return NULL;
  while (next_word(&text, word, sizeof word)) {
    if (is_pragma && strstr(word, "key") && !strstr(word, "foreign_key")) return "PRAGMA key = ?";
    if (!is_pragma && strcmp(word, "key") == 0) return "ATTACH ? AS ? KEY ?";
  }
  return NULL;
}
