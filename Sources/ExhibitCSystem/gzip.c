#define _GNU_SOURCE
#include "exhibit_bytes.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* zlib's functions, whose ABI is stable; loaded, so that building needs none of its headers. */
static int (*deflate_all)(uint8_t *to, unsigned long *room, const uint8_t *from, unsigned long count, int level);
static unsigned long (*sum_of)(unsigned long sum, const uint8_t *bytes, unsigned count);
static void *(*open_packed)(int descriptor, const char *mode);
static int (*read_packed)(void *file, void *room, unsigned count);
static int (*close_packed)(void *file);
/* zlib's `z_stream`, as zlib.h has had it since 1.2.0. */
struct z_stream {
  const uint8_t *from;
  unsigned from_count;
  unsigned long from_total;
  uint8_t *to;
  unsigned to_count;
  unsigned long to_total;
  const char *message;
  void *state, *allocate, *release, *opaque;
  int kind;
  unsigned long sum, reserved;
};

static int (*begin_inflating)(struct z_stream *stream, int bits, const char *version, int size);
static int (*inflate_more)(struct z_stream *stream, int flush);
static int (*end_inflating)(struct z_stream *stream);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  *(void **)&sum_of = dlsym(library, "crc32");
  if (sum_of) *(void **)&deflate_all = dlsym(library, "compress2");
  *(void **)&read_packed = dlsym(library, "gzread");
  *(void **)&close_packed = dlsym(library, "gzclose_r");
  if (read_packed && close_packed) *(void **)&open_packed = dlsym(library, "gzdopen");
  *(void **)&inflate_more = dlsym(library, "inflate");
  *(void **)&end_inflating = dlsym(library, "inflateEnd");
  if (inflate_more && end_inflating) *(void **)&begin_inflating = dlsym(library, "inflateInit2_");
}

/* RFC 1952 around the deflated bytes that lie between zlib's own 2 and 4 bytes (RFC 1950). */
enum { zlib_head = 2, zlib_end = 4, gzip_head = 10, gzip_end = 8, level = 6 };

size_t exhibit_gzip_room(size_t count) { return count + count / 1000 + 64; }

static uint8_t *put(uint8_t *place, uint32_t number) {
  for (int byte = 0; byte < 4; byte++) *place++ = (uint8_t)(number >> 8 * byte);
  return place;
}

size_t exhibit_gzip(const uint8_t *bytes, size_t count, uint8_t *packed) {
  pthread_once(&once, load);
  if (!deflate_all || count > UINT32_MAX) return 0;
  uint8_t *start = packed + gzip_head - zlib_head;
  unsigned long size = exhibit_gzip_room(count) - gzip_head - gzip_end;
  if (deflate_all(start, &size, bytes, count, level) != 0 || size < zlib_head + zlib_end) return 0;
  /* Without a name and a time: the same bytes become the same. */
  memcpy(packed, (const uint8_t[gzip_head]){0x1F, 0x8B, 8, [9] = 0xFF}, gzip_head);
  uint8_t *end = put(start + size - zlib_end, (uint32_t)sum_of(0, bytes, (unsigned)count));
  return (size_t)(put(end, (uint32_t)count) - packed);
}

/* Writes until the packed file ends or fails. */
static int write_unpacked(void *file, int to, int64_t most, uint8_t *room, unsigned size) {
  for (;;) {
    int count = read_packed(file, room, size);
    if (count <= 0) return count < 0 ? EBADMSG : 0;
    if ((most -= count) < 0) return EFBIG;
    for (int done = 0; done < count;) {
      ssize_t written = write(to, room + done, (size_t)(count - done));
      if (written < 0 && errno != EINTR) return errno;
      if (written > 0) done += (int)written;
    }
  }
}

int exhibit_gunzip(int from, int to, int64_t most) {
  pthread_once(&once, load);
  if (!open_packed) return ENOSYS;
  int own = fcntl(from, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return errno;
  void *file = open_packed(own, "rb");
  if (!file) {
    close(own);
    return ENOMEM;
  }
  /* Neither on the stack, which may be small, nor a thread's own: every thread of a test process would pay for that. */
  const unsigned size = 64 * 1024;
  uint8_t *room = malloc(size);
  int error = room ? write_unpacked(file, to, most, room, size) : ENOMEM;
  free(room);
  /* A file that ends too early says so only now. */
  int status = close_packed(file);
  return error || status == 0 ? error : EBADMSG;
}

size_t exhibit_inflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t room) {
  enum { ended = 1, finish = 4, without_header = -15 };
  pthread_once(&once, load);
  if (!begin_inflating || count > UINT32_MAX || room > UINT32_MAX) return 0;
  struct z_stream stream = {.from = bytes, .from_count = (unsigned)count, .to = to, .to_count = (unsigned)room};
  if (begin_inflating(&stream, without_header, "1", (int)sizeof stream) != 0) return 0;
  int status = inflate_more(&stream, finish);
  size_t inflated = room - stream.to_count;
  end_inflating(&stream);
  return status == ended ? inflated : 0;
}
