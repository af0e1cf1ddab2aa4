#define _GNU_SOURCE
#include "keys.h"

#include <sqlite3.h>
#include <string.h>

#include "exhibit_trace.h"
#include "sql_text.h"

static int contains(struct token token, const char *part) {
  size_t count = strlen(part);
  for (size_t i = 0; i + count <= token.count; i++)
    if (sqlite3_strnicmp(token.begin + i, part, (int)count) == 0) return 1;
  return 0;
}

static int is_of_key(struct token token) {
  if (contains(token, "foreign_key")) return 0;
  return contains(token, "key") || contains(token, "pass") || contains(token, "activate_extensions");
}

static int is_key_pragma(const char *text, const char *end) {
  struct token name = exhibit_next_token(&text, end);
  while (name.kind && name.kind != ';') {
    struct token next = exhibit_next_token(&text, end);
    /* A schema may stand before a point. */
    if (next.kind != '.' && is_of_key(name)) return 1;
    if (next.kind == '=' || next.kind == '(') return 0;
    name = next;
  }
  return 0;
}

/* SQLite's own URI parameters; others, as a key, are for the VFS. */
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

static int has_key(const char *text, const char *end) {
  struct token token;
  while ((token = exhibit_next_token(&text, end)).kind && token.kind != ';') {
    if (exhibit_is_the_word(token, "key") || strchr("b|(->+", token.kind)) return 1;
    if (strchr("'\"`[", token.kind) && has_other_parameters(token)) return 1;
  }
  return 0;
}

/* The first word behind EXPLAIN. */
static struct token first_word(const char **text, const char *end) {
  struct token token;
  do token = exhibit_first_word(text, end);
  while (exhibit_is_the_word(token, "explain") || exhibit_is_the_word(token, "query") || exhibit_is_the_word(token, "plan"));
  return token;
}

static int may_tell_key(const char *text) { return exhibit_may_begin(text, -1, "aepv"); }

const char *exhibit_without_key(const char *text) {
  if (!may_tell_key(text)) return NULL;
  const char *end = text + strlen(text);
  struct token word = first_word(&text, end);
  if (exhibit_is_the_word(word, "pragma")) return is_key_pragma(text, end) ? "PRAGMA key = ?" : NULL;
  if (exhibit_is_the_word(word, "attach")) return has_key(text, end) ? EXHIBIT_LONGEST_KEYLESS : NULL;
  if (exhibit_is_the_word(word, "vacuum")) return has_key(text, end) ? "VACUUM INTO ?" : NULL;
  return NULL;
}

int exhibit_tells_key(const char *text) { return exhibit_without_key(text) != NULL; }

int exhibit_names_file(const char *text) {
  if (!may_tell_key(text)) return 0;
  struct token word = first_word(&text, text + strlen(text));
  return exhibit_is_the_word(word, "attach") || exhibit_is_the_word(word, "vacuum");
}

static int tells_any_key(const char *text) {
  const char *end = text + strlen(text);
  while (text < end) {
    if (exhibit_tells_key(text)) return 1;
    for (struct token token = exhibit_next_token(&text, end); token.kind && token.kind != ';';)
      token = exhibit_next_token(&text, end);
  }
  return 0;
}

/* Finds what may be a key, in a text that is no SQL. */
static const char *stray_key(const char *text) {
  struct token before = {.kind = 0};
  while (*text) {
    if (!exhibit_is_word(*text)) {
      text++;
      continue;
    }
    struct token word = {.begin = text, .kind = 'w'};
    while (exhibit_is_word(*text)) text++;
    word.count = (size_t)(text - word.begin);
    int is_of_table = exhibit_is_the_word(before, "primary") || exhibit_is_the_word(before, "foreign");
    before = word;
    if (is_of_table || !is_of_key(word)) continue;
    const char *next = text;
    while (*next && strchr(" \t\n\f\r'\"`]", *next)) next++;
    int is_quoted = memchr(text, '\'', (size_t)(next - text)) || memchr(text, '"', (size_t)(next - text));
    if (is_quoted || *next == '=' || *next == '(' || ((*next | 0x20) == 'x' && next[1] == '\'')) return text;
  }
  return text;
}

/* The parser's words: https://sqlite.org/src/file/src/parse.y and tokenize.c. */
static int is_of_parser(const char *message) {
  return strstr(message, "syntax error") || strstr(message, "unrecognized token") || strstr(message, "incomplete input");
}

int exhibit_may_tell_key(const char *text, const char *message) {
  return tells_any_key(text) || (is_of_parser(message) && *stray_key(text));
}

size_t exhibit_readable_count(const char *text, const char *message) {
  if (!is_of_parser(message)) return strlen(text);
  size_t key = (size_t)(stray_key(text) - text), quote = strcspn(text, "'\"`[");
  return key < quote ? key : quote;
}
