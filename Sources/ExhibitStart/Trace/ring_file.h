#pragma once
#include <stdint.h>

/* The ring's file, without an open descriptor: an app may close all and reuse its number. Under the ring's lock. */

/* Moves `count` bytes into an empty file, of which `size` bytes are mapped. Returns an error number, with which
   nothing has changed. */
int exhibit_ring_file_take(int descriptor, const char *path, void *memory, uint64_t count, uint64_t size);

/* Grows the file; returns whether there is room. Where its name is gone, memory replaces it. */
int exhibit_ring_file_extend(void *memory, uint64_t count, uint64_t wanted, uint64_t size);
