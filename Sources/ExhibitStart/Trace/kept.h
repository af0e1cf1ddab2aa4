#pragma once
#include <stddef.h>
#include <stdint.h>

/* A text, stack or image that records refer to by name, copied, and written again while the ring needs it. Under the
   ring's lock. */
struct kept_record;

/* Maybe cut; `whole` is the full length. */
struct kept_content {
  const void *bytes;
  uint32_t count, whole;
};

void exhibit_kept_limit(uint64_t bytes);

uint64_t exhibit_kept_bytes(void);

struct kept_record *exhibit_kept_find(uint16_t kind, const struct kept_content *content);

struct kept_record *exhibit_kept_named(uint64_t name);

/* Keeps a record; its position becomes its name. NULL without room. */
struct kept_record *exhibit_kept_add(uint16_t kind, const struct kept_content *content, uint64_t position);

uint64_t exhibit_kept_name(const struct kept_record *record);

uint16_t exhibit_kept_kind(const struct kept_record *record);
const struct kept_content *exhibit_kept_content(const struct kept_record *record);

/* Whether this is the record's first call with this number. */
int exhibit_kept_take(struct kept_record *record, uint32_t number);

void exhibit_kept_use(struct kept_record *record, uint64_t position);

void exhibit_kept_retain(struct kept_record *record);
void exhibit_kept_release(struct kept_record *record);

void exhibit_kept_retain_always(struct kept_record *record);

/* Those retained always; NULL behind the last. */
struct kept_record *exhibit_kept_always(size_t index);

/* Writes a record again; returns its new position. */
typedef uint64_t kept_write(uint16_t kind, uint64_t name, const struct kept_content *content);

/* Writes again those before `first` that records from `needed` on name; forgets the others. */
void exhibit_kept_pass(uint64_t first, uint64_t needed, kept_write *write);

void exhibit_kept_forget(void);
