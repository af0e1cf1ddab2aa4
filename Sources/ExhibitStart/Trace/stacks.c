#define _GNU_SOURCE
#include "stacks.h"

#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../process_lock.h"
#include "exhibit_trace.h"
#include "ring.h"

_Thread_local const void *exhibit_called_frame;

/* A file of which code is in memory: docs/artifacts-format.md, "The trace". */
struct image {
  uint64_t begin, end, bias;
  uint64_t size, changed_at;
  uint16_t id_count, path_count;
};

#define GREATEST_ID 64
#define GREATEST_PATH 4096

struct search {
  uintptr_t address;
  struct image image;
  uint8_t id[GREATEST_ID];
  char path[GREATEST_PATH];
};

static void find_build_id(struct search *search, const struct dl_phdr_info *info, const ElfW(Phdr) *header) {
  const uint8_t *note = (const uint8_t *)(info->dlpi_addr + header->p_vaddr), *end = note + header->p_memsz;
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)note;
    const uint8_t *name = note + sizeof *head, *content = name + ((head->n_namesz + 3) & ~3u);
    if (content > end || head->n_descsz > (size_t)(end - content)) return;
    if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
        head->n_descsz <= GREATEST_ID) {
      search->image.id_count = (uint16_t)head->n_descsz;
      memcpy(search->id, content, head->n_descsz);
      return;
    }
    note = content + ((head->n_descsz + 3) & ~3u);
  }
}

static int look(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct search *search = context;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
    if (from < begin) begin = from;
    if (to > end) end = to;
  }
  if (search->address < begin || search->address >= end) return 0;
  search->image = (struct image){.begin = begin, .end = end, .bias = info->dlpi_addr};
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_NOTE) find_build_id(search, info, &info->dlpi_phdr[i]);
  if (info->dlpi_name && info->dlpi_name[0]) {
    strncpy(search->path, info->dlpi_name, GREATEST_PATH - 1);
  } else {
    ssize_t count = readlink("/proc/self/exe", search->path, GREATEST_PATH - 1);
    if (count < 0) search->path[0] = 0;
  }
  return 1;
}

static uint64_t keep_image(struct search *search) {
  struct stat status;
  search->image.path_count = (uint16_t)strlen(search->path);
  if (search->path[0] && stat(search->path, &status) == 0) {
    search->image.size = (uint64_t)status.st_size;
    search->image.changed_at = (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec;
  }
  uint8_t bytes[sizeof search->image + GREATEST_ID + GREATEST_PATH], *end = bytes;
  end = mempcpy(end, &search->image, sizeof search->image);
  end = mempcpy(end, search->id, search->image.id_count);
  end = mempcpy(end, search->path, search->image.path_count);
  return exhibit_ring_keep(exhibit_trace_image, bytes, (uint32_t)(end - bytes), 1);
}

/* Until a file is loaded or unloaded. */
#define KEPT_IMAGES 16
static struct process_lock lock = PROCESS_LOCK_INITIALIZER;
static struct kept_image {
  uint64_t begin, end, name;
} kept[KEPT_IMAGES];
static size_t kept_count, next_kept;
static unsigned long long loads;

static int count_loads(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  *(unsigned long long *)context = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

static int contains(const struct kept_image *image, uintptr_t address) {
  return image->begin <= address && address < image->end;
}

static struct kept_image kept_at(uintptr_t address, unsigned long long now) {
  struct kept_image found = {0};
  exhibit_lock(&lock);
  if (now != loads) kept_count = next_kept = 0;
  loads = now;
  for (size_t i = 0; i < kept_count && !found.end; i++)
    if (contains(&kept[i], address)) found = kept[i];
  /* The ring may have been cleared. */
  if (found.end && !exhibit_ring_use(found.name)) found.end = kept_count = next_kept = 0;
  exhibit_unlock(&lock);
  return found;
}

static struct kept_image keep_image_at(uintptr_t address) {
  struct kept_image image = {0};
  struct search *search = calloc(1, sizeof *search);
  if (!search) return image;
  search->address = address;
  if (dl_iterate_phdr(look, search)) {
    image = (struct kept_image){search->image.begin, search->image.end, keep_image(search)};
    exhibit_lock(&lock);
    kept[next_kept] = image;
    next_kept = (next_kept + 1) % KEPT_IMAGES;
    if (kept_count < KEPT_IMAGES) kept_count++;
    exhibit_unlock(&lock);
  }
  free(search);
  return image;
}

/* No lock of ours is held while the loader's is taken. */
static void keep_images(const struct walked_stack *stack) {
  unsigned long long now = 0;
  dl_iterate_phdr(count_loads, &now);
  struct kept_image last = {0};
  for (size_t i = 0; i < stack->count; i++) {
    uintptr_t address = stack->addresses[i];
    if (contains(&last, address)) continue;
    last = kept_at(address, now);
    if (!last.end) last = keep_image_at(address);
  }
}

static struct walked_stack *walk(void) {
  if (!exhibit_called_frame || !exhibit_trace_has_places()) return NULL;
  struct walked_stack *stack = exhibit_walk(exhibit_called_frame);
  return stack && stack->count > 0 ? stack : NULL;
}

uint64_t exhibit_name_of_stack(struct walked_stack *stack) {
  if (!stack) return UINT64_MAX;
  if (stack->id && exhibit_ring_use(stack->id - 1)) return stack->id - 1;
  uint32_t count = (uint32_t)(stack->count * sizeof *stack->addresses);
  uint64_t name = exhibit_ring_find(exhibit_trace_stack, stack->addresses, count);
  if (name == UINT64_MAX) {
    keep_images(stack);
    name = exhibit_ring_keep(exhibit_trace_stack, stack->addresses, count, 0);
  }
  stack->id = name == UINT64_MAX ? 0 : name + 1;
  return name;
}

uint64_t exhibit_stack_here(void) { return exhibit_name_of_stack(walk()); }

struct walked_stack *exhibit_copy_of_stack(void) {
  const struct walked_stack *stack = walk();
  if (!stack) return NULL;
  size_t size = offsetof(struct walked_stack, addresses) + stack->count * sizeof *stack->addresses;
  struct walked_stack *copy = malloc(size);
  if (copy) memcpy(copy, stack, size);
  return copy;
}
