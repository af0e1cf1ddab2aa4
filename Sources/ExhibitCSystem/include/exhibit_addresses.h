#pragma once
#include <stddef.h>
#include <stdint.h>

/* Gathers the addresses on the stacks of a ring's records, also fast where Swift is built for debugging. */

#pragma clang assume_nonnull begin

/* Where the next record of a ring begins that is of a kind, at a place or behind it; `count` where none does, or where no
   record is any more. */
size_t exhibit_next_record(const uint8_t *bytes, size_t count, size_t place, uint16_t kind);

/* Addresses on the stacks of a ring's records, each once. */
typedef struct {
  uint64_t *_Nullable list;
  size_t count;
  /* Where each is in the list, and one more, by its hash; a power of two. */
  uint32_t *_Nullable slots;
  size_t slot_count;
} exhibit_addresses;

/* Adds those of all stacks among records. Returns 0 without memory: then some are missing. */
int exhibit_addresses_add(exhibit_addresses *addresses, const uint8_t *records, size_t count);

void exhibit_addresses_free(exhibit_addresses *addresses);

#pragma clang assume_nonnull end
