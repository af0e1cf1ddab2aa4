#pragma once
#include <ctype.h>
#include <string.h>

/* Where words, quotes and comments of a statement end. */

static inline int exhibit_is_word(unsigned char c) { return isalnum(c) || c == '_' || c == '$' || c >= 0x80; }

/* Behind what begins with a quote, which is doubled inside. */
static inline const char *exhibit_behind_quoted(const char *text, char quote) {
  for (text++; *text; text++) {
    if (*text != quote) continue;
    if (text[1] != quote) return text + 1;
    text++;
  }
  return text;
}

static inline const char *exhibit_behind_bracketed(const char *text) {
  const char *end = strchrnul(text, ']');
  return *end ? end + 1 : end;
}

static inline const char *exhibit_behind_comment(const char *text) {
  if (text[0] == '-' && text[1] == '-') return strchrnul(text, '\n');
  const char *end = strstr(text + 2, "*/");
  return end ? end + 2 : text + strlen(text);
}

static inline int exhibit_is_comment(const char *text) {
  return (text[0] == '-' && text[1] == '-') || (text[0] == '/' && text[1] == '*');
}
