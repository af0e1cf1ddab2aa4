#pragma once
#include <zlib.h>

/* zlib is loaded when it is first needed, as libarchive is. */

#define EXHIBIT_ZLIB_FUNCTIONS(F) \
  F(deflateInit2_) \
  F(deflateReset) \
  F(deflateSetDictionary) \
  F(deflateBound) \
  F(deflate) \
  F(deflateEnd) \
  F(crc32) \
  F(crc32_combine)

#pragma clang assume_nonnull begin

typedef struct {
#define EXHIBIT_DECLARE(name) __typeof__(name) *name;
  EXHIBIT_ZLIB_FUNCTIONS(EXHIBIT_DECLARE)
#undef EXHIBIT_DECLARE
} exhibit_zlib_functions;

/* Finds the functions in the system's zlib. Returns NULL when all are there, else what is wrong. */
const char *_Nullable exhibit_zlib_load(exhibit_zlib_functions *functions);

#pragma clang assume_nonnull end
