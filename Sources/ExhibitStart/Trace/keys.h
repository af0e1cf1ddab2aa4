#pragma once
#include <stddef.h>

/* Statements that may have an encrypted database's key: PRAGMA, ATTACH and VACUUM INTO. */

#define EXHIBIT_LONGEST_KEYLESS "ATTACH ? AS ? KEY ?"

/* Such a statement without its key; NULL for others. */
const char *exhibit_without_key(const char *text);

int exhibit_tells_key(const char *text);

/* How many bytes of a refused text may be told: what SQLite could not parse may quote anything. */
size_t exhibit_readable_count(const char *text, const char *message);

int exhibit_names_file(const char *text);
