#pragma once
#include <stddef.h>

/* Reads SQL as SQLite's tokenizer: https://sqlite.org/src/file/src/tokenize.c. */

/* A table, for builds without optimisation. */
enum byte_class { sign, space, quote, digit, word };
extern const unsigned char exhibit_byte_classes[256] __attribute__((visibility("hidden")));

static inline int exhibit_is_word(char c) { return exhibit_byte_classes[(unsigned char)c] >= digit; }

/* A word, the inside of quotes, or a sign; empty at the end. */
struct token {
  const char *begin;
  size_t count;
  /* The sign or quote; 'w' word, 'n' number, 'b' blob, ' ' spaces, 'c' comment. */
  char kind;
};

/* Move `text` behind the next token, or piece: pieces include spaces and comments. */
struct token exhibit_next_token(const char **text, const char *end);
struct token exhibit_next_piece(const char **text, const char *end);

int exhibit_is_the_word(struct token token, const char *word);

/* Skips semicolons. */
struct token exhibit_first_word(const char **text, const char *end);

/* Whether the first token is this word. The text ends at a NUL, or after `count` bytes unless that is negative. */
int exhibit_begins_with(const char *text, int count, const char *word);

/* Spares most texts being read. */
int exhibit_may_begin(const char *text, int count, const char *letters);
