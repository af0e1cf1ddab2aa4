#pragma once
#include <stddef.h>

/* Statements that tell the key of an encrypted database: PRAGMA key and its like, and ATTACH and VACUUM INTO, by KEY or in
   a URI. */

#define EXHIBIT_LONGEST_KEYLESS "ATTACH ? AS ? KEY ?"

/* What may be told of such a statement; NULL for all others. */
const char *exhibit_without_key(const char *text);

int exhibit_tells_key(const char *text);

/* How much may be told of a text that SQLite has refused with this message, where not all may be: in one that it could not
   parse nobody knows what is quoted, nor what is a key. */
size_t exhibit_readable_count(const char *text, const char *message);

/* Whether a statement attaches or writes a file, by a name that may be bound. */
int exhibit_names_file(const char *text);
