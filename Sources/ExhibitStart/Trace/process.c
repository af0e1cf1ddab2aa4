#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Field 22 of /proc/self/stat, from behind the name, which may hold anything. */
uint64_t exhibit_start_ticks(void) {
  char text[1024];
  FILE *stream = fopen("/proc/self/stat", "re");
  if (!stream) return 0;
  size_t count = fread(text, 1, sizeof text - 1, stream);
  fclose(stream);
  text[count] = 0;
  char *field = strrchr(text, ')');
  for (int i = 2; field && i < 22; i++) field = strchr(field + 1, ' ');
  return field ? strtoull(field, NULL, 10) : 0;
}
