#define _GNU_SOURCE
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS 4096
#define CHAINS 4096
#define ALWAYS 256

struct kept_record {
  uint64_t hash, name;
  uint64_t position, used;
  struct kept_content content;
  uint32_t retains, taken;
  uint16_t kind;
  /* Indexes plus one. */
  uint16_t next_by_hash, next_by_name;
};

static struct kept_record records[RECORDS];
static size_t count;
static uint16_t by_hash[CHAINS], by_name[CHAINS];
static uint16_t free_records;
static uint64_t bytes, limit;
static struct kept_record *always[ALWAYS];
static size_t always_count;

void exhibit_kept_limit(uint64_t greatest) { limit = greatest; }

#define OTHER_BYTES 56
uint64_t exhibit_kept_bytes(void) { return bytes + count * OTHER_BYTES; }

/* Eight bytes at a time: each statement hashes its text. */
static uint64_t hash_of(uint16_t kind, const struct kept_content *content) {
  const uint8_t *bytes = content->bytes;
  size_t count = content->count;
  uint64_t hash = (content->whole + kind) * 0x9E3779B97F4A7C15u;
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0x9FB21C651E98DF25u;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  memcpy(&word, bytes, count);
  hash = (hash ^ word) * 0x9FB21C651E98DF25u;
  return hash ^ hash >> 29;
}

static uint16_t *chain_of_hash(uint64_t hash) { return &by_hash[hash % CHAINS]; }
static uint16_t *chain_of_name(uint64_t name) { return &by_name[name / 8 % CHAINS]; }

struct kept_record *exhibit_kept_find(uint16_t kind, const struct kept_content *content) {
  uint64_t hash = hash_of(kind, content);
  for (uint16_t i = *chain_of_hash(hash); i; i = records[i - 1].next_by_hash) {
    struct kept_record *record = &records[i - 1];
    if (record->hash == hash && record->kind == kind && record->content.count == content->count &&
        record->content.whole == content->whole && memcmp(record->content.bytes, content->bytes, content->count) == 0)
      return record;
  }
  return NULL;
}

struct kept_record *exhibit_kept_named(uint64_t name) {
  for (uint16_t i = *chain_of_name(name); i; i = records[i - 1].next_by_name)
    if (records[i - 1].name == name) return &records[i - 1];
  return NULL;
}

struct kept_record *exhibit_kept_add(uint16_t kind, const struct kept_content *content, uint64_t position) {
  if (bytes + content->count > limit || (!free_records && count == RECORDS)) return NULL;
  void *copy = malloc(content->count ? content->count : 1);
  if (!copy) return NULL;
  memcpy(copy, content->bytes, content->count);
  if (!free_records) {
    free_records = (uint16_t)++count;
    records[free_records - 1].next_by_name = 0;
  }
  uint16_t index = free_records;
  struct kept_record *record = &records[index - 1];
  free_records = record->next_by_name;
  uint64_t hash = hash_of(kind, content);
  *record = (struct kept_record){
      .hash = hash, .name = position, .position = position, .used = position, .kind = kind,
      .content = {copy, content->count, content->whole},
      .next_by_hash = *chain_of_hash(hash), .next_by_name = *chain_of_name(position)};
  *chain_of_hash(hash) = *chain_of_name(position) = index;
  bytes += content->count;
  return record;
}

uint64_t exhibit_kept_name(const struct kept_record *record) { return record->name; }
uint16_t exhibit_kept_kind(const struct kept_record *record) { return record->kind; }
const struct kept_content *exhibit_kept_content(const struct kept_record *record) { return &record->content; }

int exhibit_kept_take(struct kept_record *record, uint32_t number) {
  int is_first = record->taken != number;
  record->taken = number;
  return is_first;
}

void exhibit_kept_use(struct kept_record *record, uint64_t position) { record->used = position; }
void exhibit_kept_retain(struct kept_record *record) { record->retains++; }
void exhibit_kept_release(struct kept_record *record) { record->retains--; }

void exhibit_kept_retain_always(struct kept_record *record) {
  record->retains++;
  if (always_count < ALWAYS) always[always_count++] = record;
}

struct kept_record *exhibit_kept_always(size_t index) { return index < always_count ? always[index] : NULL; }

static void forget(struct kept_record *record) {
  uint16_t index = (uint16_t)(record - records + 1);
  uint16_t *link = chain_of_hash(record->hash);
  while (*link != index) link = &records[*link - 1].next_by_hash;
  *link = record->next_by_hash;
  link = chain_of_name(record->name);
  while (*link != index) link = &records[*link - 1].next_by_name;
  *link = record->next_by_name;
  bytes -= record->content.count;
  free((void *)record->content.bytes);
  *record = (struct kept_record){.next_by_name = free_records};
  free_records = index;
}

void exhibit_kept_pass(uint64_t first, uint64_t needed, kept_write *write) {
  for (size_t i = 0; i < count; i++) {
    struct kept_record *record = &records[i];
    if (!record->content.bytes || record->position >= first) continue;
    if (record->retains || record->used >= needed)
      record->position = write(record->kind, record->name, &record->content);
    else forget(record);
  }
}

void exhibit_kept_forget(void) {
  for (size_t i = 0; i < count; i++) free((void *)records[i].content.bytes);
  memset(records, 0, count * sizeof *records);
  memset(by_hash, 0, sizeof by_hash);
  memset(by_name, 0, sizeof by_name);
  count = 0;
  free_records = 0;
  bytes = 0;
  always_count = 0;
}
