#pragma once
#include <stddef.h>

/* Whether the first word of a statement is that one, given in capitals. The text ends at a NUL, or after `count` bytes
   where that is not negative. */
int exhibit_begins_with(const char *text, int count, const char *word);

/* That word, and what follows; its end where there is none. */
const char *exhibit_first_word(const char *text);
