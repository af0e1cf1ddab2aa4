#pragma once
#include <stdint.h>

/* The file of the ring, if any. No descriptor stays open: an app that closes all would make it another file's. Called
   under the ring's lock. */

/* Writes `count` bytes at `memory` into an empty file and maps `size` bytes of it there. Returns an error number, with
   which nothing has changed. */
int exhibit_ring_file_take(int descriptor, const char *path, void *memory, uint64_t count, uint64_t size);

/* Grows the file from `count` to `wanted` bytes; returns whether there is room. Where its name is gone, memory is mapped
   instead: after a crash nobody would find the file. */
int exhibit_ring_file_extend(void *memory, uint64_t count, uint64_t wanted, uint64_t size);
