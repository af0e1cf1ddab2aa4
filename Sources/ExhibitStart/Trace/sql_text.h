#pragma once
#include <stddef.h>

/* Reads the text of a statement as SQLite's own tokenizer does: https://sqlite.org/src/file/src/tokenize.c. */

/* What a byte begins: the rest of a word are words and digits. A table, as Attach is built without optimisation as a
   rule. */
enum byte_class { sign, space, quote, digit, word };
extern const unsigned char exhibit_byte_classes[256] __attribute__((visibility("hidden")));

static inline int exhibit_is_word(char c) { return exhibit_byte_classes[(unsigned char)c] >= digit; }

/* A word, what stands in quotes without them, or a sign; empty at the end. */
struct token {
  const char *begin;
  size_t count;
  /* The sign, or the quote; 'w' for a word, 'n' for a number, 'b' for a blob; of pieces also ' ' for spaces, 'c' for a
     comment. */
  char kind;
};

/* Moves `text` behind the next token, or behind the next piece, of which spaces and comments are some too. */
struct token exhibit_next_token(const char **text, const char *end);
struct token exhibit_next_piece(const char **text, const char *end);

/* Whether it is that word, in any case, and not in quotes. */
int exhibit_is_the_word(struct token token, const char *word);

/* The first token of a statement, past statements that are empty; `text` is moved behind it. */
struct token exhibit_first_word(const char **text, const char *end);

/* Whether that is this word. The text ends at a NUL, or after `count` bytes where that is not negative. */
int exhibit_begins_with(const char *text, int count, const char *word);

/* Whether it may begin with one of these small letters. Spares most statements the look for their first word. */
int exhibit_may_begin(const char *text, int count, const char *letters);
