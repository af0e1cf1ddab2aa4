#pragma once
#include <stddef.h>
#include <string.h>

#include "sqlite3.h"

#define VIEWER_VFS "pages"

/* Where the header of a database has its format versions, for writing and reading.

   Source: https://www.sqlite.org/fileformat2.html#file_format_version_numbers */
#define FORMAT_VERSIONS 18

#define IMPORT(name) __attribute__((import_module("viewer"), import_name(#name))) name
#define EXPORT(name) __attribute__((export_name(#name))) name

/* What a script gives. */

/* Bytes of the database with a number; negative where there is none. */
double IMPORT(viewer_size)(int number);
/* Copies bytes of it; 0, or another number where they have not been read from disk yet. */
int IMPORT(viewer_read)(int number, void *bytes, int count, double offset);
/* Milliseconds since 1970. */
double IMPORT(viewer_now)(void);
/* Minutes by which the local time is ahead of UTC at a time in seconds since 1970. */
int IMPORT(viewer_zone)(double seconds);
void IMPORT(viewer_random)(char *bytes, int count);
/* Asked now and then while a statement runs: 0 to go on. */
int IMPORT(viewer_stops)(void);
/* Asked now and then while a single function works: 0 to go on. */
int IMPORT(viewer_breaks)(void);
