#pragma once
#include <stddef.h>

/* A word, what stands in quotes without them, or a sign; empty at the end. */
struct token {
  const char *begin;
  size_t count;
  /* The sign, or the quote; 'w' for a word. */
  char kind;
};

/* Moves `text` behind the next token, past spaces, comments and byte order marks. */
struct token exhibit_next_token(const char **text);

/* Whether it is that word, in any case, and not in quotes. */
int exhibit_is_the_word(struct token token, const char *word);
