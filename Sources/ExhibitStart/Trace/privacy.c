#define _GNU_SOURCE
#include "privacy.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../process_lock.h"
#include "exhibit_trace.h"

static struct process_lock lock = PROCESS_LOCK_INITIALIZER;
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
  /* Samples of rows, of any table. */
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

/* Words and quotes */

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

static const char *behind_bracketed(const char *text) {
  const char *end = strchrnul(text, ']');
  return *end ? end + 1 : end;
}

static const char *behind_comment(const char *text) {
  if (text[0] == '-' && text[1] == '-') return strchrnul(text, '\n');
  const char *end = strstr(text + 2, "*/");
  return end ? end + 2 : text + strlen(text);
}

/* Keys */

/* A byte order mark is a space to SQLite, in front of any word. */
static int is_mark(const char *text) { return strncmp(text, "\xEF\xBB\xBF", 3) == 0; }

static int is_comment(const char *text) {
  return (text[0] == '-' && text[1] == '-') || (text[0] == '/' && text[1] == '*');
}

/* A word, what stands in quotes without them, or a sign; empty at the end. */
struct token {
  const char *begin;
  size_t count;
  /* The sign, or the quote; 'w' for a word. */
  char kind;
};

/* Moves `text` behind the token. */
static struct token next_token(const char **text) {
  const char *place = *text;
  for (;;) {
    if (is_mark(place)) place += 3;
    else if (*place && strchr(" \t\n\f\r", *place)) place++;
    else if (is_comment(place)) place = behind_comment(place);
    else break;
  }
  struct token token = {.begin = place, .kind = *place};
  if (*place == '\'' || *place == '"' || *place == '`' || *place == '[') {
    char closing = *place == '[' ? ']' : *place;
    const char *end = closing == ']' ? behind_bracketed(place) : behind_quoted(place, closing);
    token.begin++;
    token.count = (size_t)(end - token.begin);
    if (token.count > 0 && end[-1] == closing) token.count--;
    place = end;
  } else if (is_word((unsigned char)*place)) {
    while (is_word((unsigned char)*place)) place++;
    token.count = (size_t)(place - token.begin);
    token.kind = 'w';
  } else if (*place) {
    token.count = 1;
    place++;
  }
  *text = place;
  return token;
}

static int is_the_word(struct token token, const char *word) {
  return token.kind == 'w' && strlen(word) == token.count && sqlite3_strnicmp(token.begin, word, (int)token.count) == 0;
}

static int contains(struct token token, const char *part) {
  size_t count = strlen(part);
  for (size_t i = 0; i + count <= token.count; i++)
    if (sqlite3_strnicmp(token.begin + i, part, (int)count) == 0) return 1;
  return 0;
}

/* Whether a pragma's name, or a word that stands where it should, is one of those that take a key. */
static int is_of_key(struct token token) {
  if (contains(token, "foreign_key")) return 0;
  return contains(token, "key") || contains(token, "pass") || contains(token, "activate_extensions");
}

static int is_key_pragma(const char *text) {
  struct token name = next_token(&text);
  while (name.kind && name.kind != ';') {
    struct token next = next_token(&text);
    /* What stands in front of a point is the schema's name. */
    if (next.kind != '.' && is_of_key(name)) return 1;
    if (next.kind == '=' || next.kind == '(') return 0;
    name = next;
  }
  return 0;
}

/* What SQLite itself knows in a URI. Other parameters are for the VFS, as a key is. */
static int is_known_parameter(const char *begin, const char *end) {
  static const char *const known[] = {"mode", "cache", "immutable", "nolock", "psow", "vfs", "modeof"};
  const char *equals = memchr(begin, '=', (size_t)(end - begin));
  size_t count = (size_t)((equals ? equals : end) - begin);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) == count && memcmp(known[i], begin, count) == 0) return 1;
  return count == 0;
}

static int has_other_parameters(struct token token) {
  const char *place = memchr(token.begin, '?', token.count), *end = token.begin + token.count;
  if (!place) return 0;
  for (place++; place < end; place++) {
    const char *begin = place;
    while (place < end && *place != '&' && *place != '#') place++;
    if (!is_known_parameter(begin, place)) return 1;
  }
  return 0;
}

/* Whether what names a file has a key, or is put together so that nobody knows. */
static int has_key(const char *text) {
  struct token token, before = {.kind = 0};
  for (; (token = next_token(&text)).kind && token.kind != ';'; before = token) {
    if (is_the_word(token, "key") || token.kind == '|' || token.kind == '(') return 1;
    if (token.kind == '\'' && is_the_word(before, "x") && before.begin + 2 == token.begin) return 1;
    if (strchr("'\"`[", token.kind) && has_other_parameters(token)) return 1;
  }
  return 0;
}

/* The word that a statement begins with, behind EXPLAIN; `text` is moved behind it. */
static struct token first_word(const char **text) {
  for (;;) {
    struct token token = next_token(text);
    if (token.kind == ';' || is_the_word(token, "explain") || is_the_word(token, "query") || is_the_word(token, "plan"))
      continue;
    return token;
  }
}

/* Most statements begin with a letter that none of ours does. */
static int begins_otherwise(const char *text) {
  while (*text == ' ' || *text == '\n') text++;
  char letter = *text | 0x20;
  return letter >= 'b' && letter <= 'z' && letter != 'e' && letter != 'p' && letter != 'v';
}

#define LONGEST_KEYLESS "ATTACH ? AS ? KEY ?"

/* What may be told of a statement that tells the key of an encrypted database; NULL for all others. */
static const char *without_key(const char *text) {
  if (begins_otherwise(text)) return NULL;
  struct token word = first_word(&text);
  if (is_the_word(word, "pragma")) return is_key_pragma(text) ? "PRAGMA key = ?" : NULL;
  if (is_the_word(word, "attach")) return has_key(text) ? LONGEST_KEYLESS : NULL;
  if (is_the_word(word, "vacuum")) return has_key(text) ? "VACUUM INTO ?" : NULL;
  return NULL;
}

int exhibit_tells_key(const char *text) { return without_key(text) != NULL; }

int exhibit_names_file(const char *text) {
  if (begins_otherwise(text)) return 0;
  struct token word = first_word(&text);
  return is_the_word(word, "attach") || is_the_word(word, "vacuum");
}

int exhibit_tells_any_key(const char *text) {
  while (*text) {
    if (exhibit_tells_key(text)) return 1;
    for (struct token token = next_token(&text); token.kind && token.kind != ';';) token = next_token(&text);
  }
  return 0;
}

/* Literals */

char *exhibit_without_literals(const char *text, size_t *count) {
  char *result = malloc(strlen(text) + sizeof LONGEST_KEYLESS), *place = result;
  if (!result) return NULL;
  int is_begin = 1;
  while (*text) {
    const char *begin = text;
    int is_literal = 0;
    const char *keyless = is_begin ? without_key(text) : NULL;
    if (keyless) {
      /* Nothing behind it is told either. */
      place = stpcpy(place, keyless);
      break;
    }
    is_begin = *text == ';';
    if (is_comment(text)) {
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
      text = behind_bracketed(text);
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
