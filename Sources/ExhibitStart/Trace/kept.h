#pragma once
#include <stddef.h>
#include <stdint.h>

/* Texts, stacks and images, which other records refer to by name. They are copied in memory, and written again before
   they are overwritten while any record of the ring needs them. Called under the ring's lock. */
struct kept_record;

/* Content, maybe cut; `whole` is its full length. */
struct kept_content {
  const void *bytes;
  uint32_t count, whole;
};

/* Limits the bytes of their records. */
void exhibit_kept_limit(uint64_t bytes);

uint64_t exhibit_kept_bytes(void);

/* Finds one by content; NULL when there is none. */
struct kept_record *exhibit_kept_find(uint16_t kind, const struct kept_content *content);

/* Finds one by name; NULL when there is none. */
struct kept_record *exhibit_kept_named(uint64_t name);

/* Keeps a record that was written at this position, which becomes its name. NULL without room. */
struct kept_record *exhibit_kept_add(uint16_t kind, const struct kept_content *content, uint64_t position);

uint64_t exhibit_kept_name(const struct kept_record *record);

uint16_t exhibit_kept_kind(const struct kept_record *record);
const struct kept_content *exhibit_kept_content(const struct kept_record *record);

/* Whether this is the first call for the record with this number. */
int exhibit_kept_take(struct kept_record *record, uint32_t number);

/* Notes that a record near this position refers to it. */
void exhibit_kept_use(struct kept_record *record, uint64_t position);

/* Keeps it needed until it is released as often. */
void exhibit_kept_retain(struct kept_record *record);
void exhibit_kept_release(struct kept_record *record);

/* Keeps it needed for ever. */
void exhibit_kept_retain_always(struct kept_record *record);

/* The ones kept for ever, by index; NULL behind the last. */
struct kept_record *exhibit_kept_always(size_t index);

/* Writes a record again; returns its new position. */
typedef uint64_t kept_write(uint16_t kind, uint64_t name, const struct kept_content *content);

/* Writes again those before `first` that records behind `needed` need; forgets the others. */
void exhibit_kept_pass(uint64_t first, uint64_t needed, kept_write *write);

void exhibit_kept_forget(void);
