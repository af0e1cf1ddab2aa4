/* What SQLite needs of a C library, for a machine that has none. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "viewer.h"

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *bytes, int value, size_t count) { return __builtin_memset(bytes, value, count); }

/* Work, in bytes or turns of a loop, between two questions whether a function goes on for too long: some milliseconds. */
#define WORK_UNASKED (1u << 20)

static size_t work;

/* SQLite's machine asks whether to go on between its instructions. One of them can be a function that takes hours, as
   instr() of two long values; what works there can only break off, with all of SQLite. */
static void work_on(size_t amount) {
  work += amount;
  if (work < WORK_UNASKED) return;
  work = 0;
  if (viewer_breaks()) __builtin_trap();
}

/* Called by the compiler at each turn in the functions of loops.txt. */
void __sanitizer_cov_trace_pc(void) { work_on(1); }

int memcmp(const void *a, const void *b, size_t count) {
  work_on(count);
  const unsigned char *x = a, *y = b;
  for (; count; count--, x++, y++) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

void *memchr(const void *bytes, int value, size_t count) {
  for (const unsigned char *byte = bytes; count; count--, byte++) {
    if (*byte == (unsigned char)value) return (void *)byte;
  }
  return 0;
}

size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

int strcmp(const char *a, const char *b) {
  for (; *a && *a == *b; a++) b++;
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t count) {
  for (; count && *a && *a == *b; a++, b++) count--;
  return count ? (unsigned char)*a - (unsigned char)*b : 0;
}

char *strchr(const char *text, int value) {
  for (;; text++) {
    if (*text == (char)value) return (char *)text;
    if (!*text) return 0;
  }
}

char *strrchr(const char *text, int value) {
  const char *found = 0;
  for (;; text++) {
    if (*text == (char)value) found = text;
    if (!*text) return (char *)found;
  }
}

size_t strspn(const char *text, const char *accepted) {
  const char *end = text;
  while (*end && strchr(accepted, *end)) end++;
  return (size_t)(end - text);
}

size_t strcspn(const char *text, const char *rejected) {
  const char *end = text;
  while (*end && !strchr(rejected, *end)) end++;
  return (size_t)(end - text);
}

double fabs(double value) { return __builtin_fabs(value); }
double ceil(double value) { return __builtin_ceil(value); }
double floor(double value) { return __builtin_floor(value); }
double trunc(double value) { return __builtin_trunc(value); }
double sqrt(double value) { return __builtin_sqrt(value); }

/* The browser's, too; but the linker takes functions of these names for the compiler's own, which nobody else gives. */
#define OF_ONE(name)                                                                              \
  __attribute__((import_module("Math"), import_name(#name))) double browser_##name(double value); \
  double name(double value) { return browser_##name(value); }
OF_ONE(log)
OF_ONE(log10)
OF_ONE(log2)

/* ---- Sorting: a heap sort, which needs no memory. ---- */

static void swap(char *a, char *b, size_t width) {
  for (; width; width--, a++, b++) {
    char byte = *a;
    *a = *b;
    *b = byte;
  }
}

void qsort(void *items, size_t count, size_t width, int (*compare)(const void *, const void *)) {
  char *item = items;
  if (count < 2) return;
  for (size_t start = count / 2, end = count;;) {
    if (start > 0) {
      start--;
    } else {
      if (--end == 0) return;
      swap(item, item + end * width, width);
    }
    for (size_t root = start, child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && compare(item + child * width, item + (child + 1) * width) < 0) child++;
      if (compare(item + root * width, item + child * width) >= 0) break;
      swap(item + root * width, item + child * width, width);
    }
  }
}

/* ---- Memory: four sizes to each power of two, and a list of what is free of each. ---- */

struct block {
  uint32_t size;
  uint32_t unused;
};

#define SMALL 64u
#define LARGEST 0x40000000u
#define WASM_PAGE 65536u
/* Pages by which the memory grows at least. */
#define GROWTH 64u

extern unsigned char __heap_base;
static uintptr_t end_of_heap;
static void *free_blocks[128];

static unsigned size_class(size_t count) {
  if (count <= SMALL) return (unsigned)(count + 15) / 16;
  unsigned power = 31 - (unsigned)__builtin_clz((unsigned)count - 1);
  return 5 + (power - 6) * 4 + (unsigned)((count - 1 - (1u << power)) >> (power - 2));
}

static size_t bytes_of_class(unsigned size) {
  if (size <= 4) return size * 16;
  unsigned power = 6 + (size - 5) / 4;
  return (1u << power) + (size_t)((size - 5) % 4 + 1) * (1u << (power - 2));
}

static int grow(uintptr_t end) {
  uintptr_t top = (uintptr_t)__builtin_wasm_memory_size(0) * WASM_PAGE;
  if (end <= top) return 1;
  size_t needed = (end - top + WASM_PAGE - 1) / WASM_PAGE;
  if (needed < GROWTH && __builtin_wasm_memory_grow(0, GROWTH) != (size_t)-1) return 1;
  return __builtin_wasm_memory_grow(0, needed) != (size_t)-1;
}

void *malloc(size_t count) {
  if (count == 0) count = 1;
  if (count > LARGEST) return 0;
  unsigned size = size_class(count);
  void *known = free_blocks[size];
  if (known) {
    free_blocks[size] = *(void **)known;
    return known;
  }
  /* Blocks begin 8 bytes before a multiple of 16, so that what they hold begins at one. */
  if (!end_of_heap) end_of_heap = (((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15) + 8;
  uintptr_t end = end_of_heap + ((bytes_of_class(size) + sizeof(struct block) + 15) & ~(size_t)15);
  if (!grow(end)) return 0;
  struct block *block = (struct block *)end_of_heap;
  end_of_heap = end;
  block->size = size;
  return block + 1;
}

void free(void *memory) {
  if (!memory) return;
  unsigned size = ((struct block *)memory - 1)->size;
  *(void **)memory = free_blocks[size];
  free_blocks[size] = memory;
}

void *realloc(void *memory, size_t count) {
  if (!memory) return malloc(count);
  size_t had = bytes_of_class(((struct block *)memory - 1)->size);
  if (count <= had) return memory;
  void *larger = malloc(count);
  if (!larger) return 0;
  memcpy(larger, memory, had);
  free(memory);
  return larger;
}

/* ---- Local time, which the browser knows. ---- */

__attribute__((import_module("viewer"), import_name("viewer_zone"))) int viewer_zone(double seconds);

/* Source: https://howardhinnant.github.io/date_algorithms.html#civil_from_days */
static void set_date(struct tm *date, long long days) {
  days += 719468;
  long long era = (days >= 0 ? days : days - 146096) / 146097;
  int day_of_era = (int)(days - era * 146097);
  int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int day = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int month = (5 * day + 2) / 153;
  date->tm_mday = day - (153 * month + 2) / 5 + 1;
  date->tm_mon = month < 10 ? month + 2 : month - 10;
  date->tm_year = (int)(year_of_era + era * 400) + (date->tm_mon <= 1) - 1900;
}

struct tm *localtime(const time_t *time) {
  static struct tm date;
  long long seconds = *time + 60LL * viewer_zone((double)*time);
  long long days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400;
  int rest = (int)(seconds - days * 86400);
  set_date(&date, days);
  date.tm_hour = rest / 3600;
  date.tm_min = rest / 60 % 60;
  date.tm_sec = rest % 60;
  return &date;
}
