#define _GNU_SOURCE
#include "sql_text.h"

#include <sqlite3.h>
#include <string.h>

const unsigned char exhibit_byte_classes[256] = {
    ['\t' ... '\r'] = space, [' '] = space, ['\''] = quote, ['"'] = quote, ['`'] = quote, ['['] = quote,
    ['0' ... '9'] = digit, ['a' ... 'z'] = word, ['A' ... 'Z'] = word, ['_'] = word, ['$'] = word, [0x80 ... 0xFF] = word,
};

static enum byte_class class_of(char c) { return exhibit_byte_classes[(unsigned char)c]; }

/* A byte order mark is a space to SQLite. */
static int is_mark(const char *text, const char *end) { return end - text >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0; }

/* Inside, a quote is doubled, a bracket is not. */
static const char *behind_quoted(const char *text, const char *end, char closing) {
  for (text++; text < end; text++) {
    if (*text != closing) continue;
    if (closing == ']' || text + 1 == end || text[1] != closing) return text + 1;
    text++;
  }
  return end;
}

static const char *behind_comment(const char *text, const char *end) {
  size_t left = (size_t)(end - text);
  const char *found = *text == '-' ? memchr(text, '\n', left) : memmem(text + 2, left - 2, "*/", 2);
  return !found ? end : *text == '-' ? found : found + 2;
}

static const char *behind_number(const char *text, const char *end) {
  for (; text < end; text++) {
    int is_exponent = (*text == '+' || *text == '-') && (text[-1] | 32) == 'e';
    if (!exhibit_is_word(*text) && *text != '.' && !is_exponent) break;
  }
  return text;
}

struct token exhibit_next_piece(const char **text, const char *end) {
  const char *begin = *text, *place = begin;
  if (place == end) return (struct token){.begin = place};
  char c = *place, next = end - place > 1 ? place[1] : 0, kind = c;
  enum byte_class class = class_of(c);
  if (class == space) {
    kind = ' ';
    while (++place < end && class_of(*place) == space) {}
  } else if (class == word && c == '\xEF' && is_mark(place, end)) {
    kind = ' ';
    place += 3;
  } else if (class == word && next == '\'' && (c | 32) == 'x') {
    kind = 'b';
    place = behind_quoted(place + 1, end, '\'');
  } else if (class == word) {
    kind = 'w';
    while (++place < end && exhibit_byte_classes[(unsigned char)*place] >= digit) {}
  } else if (class == quote) {
    char closing = c == '[' ? ']' : c;
    *text = place = behind_quoted(place, end, closing);
    begin++;
    if (place > begin && place[-1] == closing) place--;
    return (struct token){.begin = begin, .count = (size_t)(place - begin), .kind = kind};
  } else if (class == digit || (c == '.' && class_of(next) == digit)) {
    kind = 'n';
    place = behind_number(place + 1, end);
  } else if ((c == '-' && next == '-') || (c == '/' && next == '*')) {
    kind = 'c';
    place = behind_comment(place, end);
  } else {
    place++;
  }
  *text = place;
  return (struct token){.begin = begin, .count = (size_t)(place - begin), .kind = kind};
}

struct token exhibit_next_token(const char **text, const char *end) {
  struct token piece;
  do piece = exhibit_next_piece(text, end);
  while (piece.kind == ' ' || piece.kind == 'c');
  return piece;
}

int exhibit_is_the_word(struct token token, const char *word) {
  return token.kind == 'w' && strlen(word) == token.count && sqlite3_strnicmp(token.begin, word, (int)token.count) == 0;
}

struct token exhibit_first_word(const char **text, const char *end) {
  struct token token;
  do token = exhibit_next_token(text, end);
  while (token.kind == ';');
  return token;
}

int exhibit_may_begin(const char *text, int count, const char *letters) {
  const char *limit = count < 0 ? NULL : text + count;
  while (text != limit && class_of(*text) == space) text++;
  if (text == limit || !*text) return 0;
  char letter = *text | 32;
  return letter < 'a' || letter > 'z' || strchr(letters, letter) != NULL;
}

int exhibit_begins_with(const char *text, int count, const char *word) {
  if (!exhibit_may_begin(text, count, (const char[]){(char)(*word | 32), 0})) return 0;
  return exhibit_is_the_word(exhibit_first_word(&text, text + (count < 0 ? strlen(text) : strnlen(text, (size_t)count))), word);
}
