#define _GNU_SOURCE
#include "tokens.h"

#include <sqlite3.h>
#include <string.h>

#include "statement_text.h"

/* A byte order mark is a space to SQLite, in front of any word. */
static int is_mark(const char *text) { return strncmp(text, "\xEF\xBB\xBF", 3) == 0; }

struct token exhibit_next_token(const char **text) {
  const char *place = *text;
  for (;;) {
    if (is_mark(place)) place += 3;
    else if (*place && strchr(" \t\n\f\r", *place)) place++;
    else if (exhibit_is_comment(place)) place = exhibit_behind_comment(place);
    else break;
  }
  struct token token = {.begin = place, .kind = *place};
  if (*place == '\'' || *place == '"' || *place == '`' || *place == '[') {
    char closing = *place == '[' ? ']' : *place;
    const char *end = closing == ']' ? exhibit_behind_bracketed(place) : exhibit_behind_quoted(place, closing);
    token.begin++;
    token.count = (size_t)(end - token.begin);
    if (token.count > 0 && end[-1] == closing) token.count--;
    place = end;
  } else if (exhibit_is_word((unsigned char)*place)) {
    while (exhibit_is_word((unsigned char)*place)) place++;
    token.count = (size_t)(place - token.begin);
    token.kind = 'w';
  } else if (*place) {
    token.count = 1;
    place++;
  }
  *text = place;
  return token;
}

int exhibit_is_the_word(struct token token, const char *word) {
  return token.kind == 'w' && strlen(word) == token.count && sqlite3_strnicmp(token.begin, word, (int)token.count) == 0;
}
