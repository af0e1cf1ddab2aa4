#define _GNU_SOURCE
#include "first_word.h"

#include <string.h>
#include <strings.h>

static int is_space(char c) { return c != 0 && strchr(" \t\r\n\f\v;", c) != NULL; }

/* Behind what SQLite passes over: spaces, comments, a byte order mark, and statements without a word. */
static const char *first_word(const char *text, const char *end) {
  while (text < end) {
    size_t left = (size_t)(end - text);
    if (is_space(*text)) {
      text++;
    } else if (left >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
      text += 3;
    } else if (left >= 2 && memcmp(text, "--", 2) == 0) {
      const char *line = memchr(text, '\n', left);
      text = line ? line + 1 : end;
    } else if (left >= 2 && memcmp(text, "/*", 2) == 0) {
      const char *close = memmem(text + 2, left - 2, "*/", 2);
      text = close ? close + 2 : end;
    } else {
      break;
    }
  }
  return text;
}

/* Spares most statements the look for their first word. */
static int may_begin_with(char first, char letter) {
  int is_letter = (first | 32) >= 'a' && (first | 32) <= 'z';
  return !is_letter || (first | 32) == (letter | 32);
}

const char *exhibit_first_word(const char *text) { return first_word(text, text + strlen(text)); }

int exhibit_begins_with(const char *text, int count, const char *word) {
  if (count == 0 || !may_begin_with(*text, *word)) return 0;
  const char *end = text + (count < 0 ? strlen(text) : strnlen(text, (size_t)count));
  size_t length = strlen(word);
  text = first_word(text, end);
  return (size_t)(end - text) >= length && strncasecmp(text, word, length) == 0;
}
