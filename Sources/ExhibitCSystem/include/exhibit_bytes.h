#pragma once
#include <stddef.h>
#include <stdint.h>

/* Looks for bytes and makes them fewer, also fast where Swift is built for debugging. */

#pragma clang assume_nonnull begin

/* A set of byte values, one bit each. */
typedef struct {
  uint64_t bits[4];
} exhibit_byte_set;

void exhibit_byte_set_add(exhibit_byte_set *set, uint8_t byte);

/* How many bytes stand before the first one of a set; `count` where there is none. */
size_t exhibit_bytes_before(const uint8_t *bytes, size_t count, exhibit_byte_set set);

/* Makes bytes what they differ in from others: 0 where they are the same, and again what they were by the same call. */
void exhibit_bytes_differ(uint8_t *bytes, const uint8_t *others, size_t count);

/* A sum of bytes, by which those that were written in part are known. Eight at a time, so that it is fast without
   optimisation too. */
uint64_t exhibit_sum(const uint8_t *bytes, size_t count);

/* The most that `exhibit_gzip` makes of so many bytes. */
size_t exhibit_gzip_room(size_t count);

/* Bytes as a gzip file, into `exhibit_gzip_room(count)` bytes. Returns how many they are; 0 where the system has no zlib,
   or for more than 4 GiB. */
size_t exhibit_gzip(const uint8_t *bytes, size_t count, uint8_t *packed);

/* Writes what a gzip file holds. Returns 0, or why it did not: EBADMSG where it is damaged, EFBIG where it holds more than
   `most` bytes, ENOSYS where the system has no zlib. */
int exhibit_gunzip(int from, int to, int64_t most);

/* Unpacks bytes that are deflated without a header (RFC 1951). Returns how many they are; 0 where they are damaged, more than
   there is room for, or the system has no zlib. */
size_t exhibit_inflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t room);

#pragma clang assume_nonnull end
