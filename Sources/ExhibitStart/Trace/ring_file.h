#pragma once
#include <stdint.h>

/* The file of the ring, where it has one. No descriptor of it is kept open: who closes descriptors that are not theirs
   would make it another file's. Called under the ring's lock. */

/* Writes the first `count` bytes at `memory` into an empty file, and maps it there with `size` bytes. Returns an error
   number, with which nothing has changed. */
int exhibit_ring_file_take(int descriptor, const char *path, void *memory, uint64_t count, uint64_t size);

/* Gives the file as many bytes as `wanted`, after the `count` that it has; returns whether there is room for them. Where
   the file is not to be found by its name any more, what is mapped is memory from then on: a crash would leave nothing
   of it, wherever it lies. */
int exhibit_ring_file_extend(void *memory, uint64_t count, uint64_t wanted, uint64_t size);
