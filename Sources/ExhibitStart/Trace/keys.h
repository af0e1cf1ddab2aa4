#pragma once
#include <stddef.h>

/* Statements with the key of an encrypted database: PRAGMA key and the like, and ATTACH and VACUUM INTO by KEY or URI. */

#define EXHIBIT_LONGEST_KEYLESS "ATTACH ? AS ? KEY ?"

/* Such a statement without its key; NULL for others. */
const char *exhibit_without_key(const char *text);

int exhibit_tells_key(const char *text);

/* How many bytes may be told of a text that SQLite refused with this message. In what it could not parse, anything may be
   quoted, or a key. */
size_t exhibit_readable_count(const char *text, const char *message);

/* Whether a statement attaches or writes a file, by a name that may be bound. */
int exhibit_names_file(const char *text);
