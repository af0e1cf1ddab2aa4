#include "exhibit_files.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const bool machine_is_big_endian = true;
#else
static const bool machine_is_big_endian = false;
#endif

/* Four pairs of words a round: s and t after them are sums of s, t and the words, each counted as often as the
   Fibonacci numbers say. One expression a sum keeps the intermediate ones in registers in a debug build too. */
static exhibit_wal_checksum add_native(exhibit_wal_checksum sum, const uint32_t *w, size_t words) {
  uint32_t s = sum.first, t = sum.second;
  for (; words >= 8; words -= 8, w += 8) {
    uint32_t first = 13 * s + 21 * t + 13 * w[0] + 8 * w[1] + 5 * w[2] + 3 * w[3] + 2 * w[4] + w[5] + w[6];
    t = 21 * s + 34 * t + 21 * w[0] + 13 * w[1] + 8 * w[2] + 5 * w[3] + 3 * w[4] + 2 * w[5] + w[6] + w[7];
    s = first;
  }
  for (; words >= 2; words -= 2, w += 2) {
    s += w[0] + t;
    t += w[1] + s;
  }
  return (exhibit_wal_checksum){s, t};
}

static exhibit_wal_checksum add_swapped(exhibit_wal_checksum sum, const uint32_t *w, size_t words) {
  uint32_t s = sum.first, t = sum.second;
  for (; words >= 2; words -= 2, w += 2) {
    s += __builtin_bswap32(w[0]) + t;
    t += __builtin_bswap32(w[1]) + s;
  }
  return (exhibit_wal_checksum){s, t};
}

exhibit_wal_checksum exhibit_wal_checksum_add(
  exhibit_wal_checksum sum, const void *bytes, size_t count, bool big_endian) {
  size_t words = count / 4;
  return big_endian == machine_is_big_endian ? add_native(sum, bytes, words) : add_swapped(sum, bytes, words);
}
