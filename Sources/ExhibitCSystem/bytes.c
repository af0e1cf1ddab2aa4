#include "exhibit_bytes.h"

#include <string.h>

void exhibit_byte_set_add(exhibit_byte_set *set, uint8_t byte) {
  set->bits[byte >> 6] |= UINT64_C(1) << (byte & 63);
}

void exhibit_bytes_differ(uint8_t *bytes, const uint8_t *others, size_t count) {
  for (size_t place = 0; place < count; place++) bytes[place] ^= others[place];
}

size_t exhibit_bytes_before(const uint8_t *bytes, size_t count, exhibit_byte_set set) {
  size_t place = 0;
  while (place < count && !(set.bits[bytes[place] >> 6] >> (bytes[place] & 63) & 1)) place++;
  return place;
}

uint64_t exhibit_sum(const uint8_t *bytes, size_t count) {
  uint64_t sum = 0x9E3779B97F4A7C15u ^ count;
  uint64_t word;
  size_t place = 0;
  for (; count - place >= sizeof word; place += sizeof word) {
    memcpy(&word, bytes + place, sizeof word);
    sum = (sum ^ word) * 0x9FB21C651E98DF25u;
    sum ^= sum >> 32;
  }
  if (place == count) return sum;
  word = 0;
  memcpy(&word, bytes + place, count - place);
  sum = (sum ^ word) * 0x9FB21C651E98DF25u;
  sum ^= sum >> 32;
  return sum;
}
