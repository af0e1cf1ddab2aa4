#pragma once
#include <stddef.h>
#include <stdint.h>

/* Records that others refer to: texts, stacks, images. They are kept in memory of our own, and are written again before
   they are overwritten, as long as the ring has a record that needs them. Called under the ring's lock. */
struct kept_record;

/* What is kept, of which `whole` says how long it was. */
struct kept_content {
  const void *bytes;
  uint32_t count, whole;
};

/* Has them take so many bytes at most. */
void exhibit_kept_limit(uint64_t bytes);

/* The bytes that their records take. */
uint64_t exhibit_kept_bytes(void);

/* That with this content; NULL when there is none. */
struct kept_record *exhibit_kept_find(uint16_t kind, const struct kept_content *content);

/* That of a name; NULL when there is none. */
struct kept_record *exhibit_kept_named(uint64_t name);

/* Keeps what was written at a position, which is its name from then on; NULL when there is no room for it. */
struct kept_record *exhibit_kept_add(uint16_t kind, const struct kept_content *content, uint64_t position);

uint64_t exhibit_kept_name(const struct kept_record *record);

uint16_t exhibit_kept_kind(const struct kept_record *record);
const struct kept_content *exhibit_kept_content(const struct kept_record *record);

/* Whether this is the first call for it with this number. */
int exhibit_kept_take(struct kept_record *record, uint32_t number);

/* A record that is written at about this position refers to it. */
void exhibit_kept_use(struct kept_record *record, uint64_t position);

/* It is needed until it was released as often. */
void exhibit_kept_retain(struct kept_record *record);
void exhibit_kept_release(struct kept_record *record);

/* It is needed as long as there is a ring. */
void exhibit_kept_retain_always(struct kept_record *record);

/* Those of them, in their order; NULL behind the last one. */
struct kept_record *exhibit_kept_always(size_t index);

/* Where a record of this name is written again; returns its position. */
typedef uint64_t kept_write(uint16_t kind, uint64_t name, const struct kept_content *content);

/* Writes again what lies before `first` and is needed by records behind `needed`; forgets the others. */
void exhibit_kept_pass(uint64_t first, uint64_t needed, kept_write *write);

void exhibit_kept_forget(void);
