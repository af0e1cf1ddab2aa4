#include "exhibit_addresses.h"

#include <stdlib.h>
#include <string.h>

size_t exhibit_next_record(const uint8_t *bytes, size_t count, size_t place, uint16_t kind) {
  const size_t header = 32;
  while (place < count && count - place >= header) {
    uint32_t size;
    uint16_t found;
    memcpy(&size, bytes + place, sizeof size);
    memcpy(&found, bytes + place + sizeof size, sizeof found);
    if (size < header || size % 8 || size > count - place) return count;
    if (found == kind) return place;
    place += size;
  }
  return count;
}

static size_t slot_of(const exhibit_addresses *addresses, uint64_t address) {
  size_t slot = (size_t)(address * 0x9FB21C651E98DF25u >> 32) & (addresses->slot_count - 1);
  while (addresses->slots[slot] && addresses->list[addresses->slots[slot] - 1] != address)
    slot = (slot + 1) & (addresses->slot_count - 1);
  return slot;
}

/* Room for one more, at most half of the slots used. */
static int make_room(exhibit_addresses *addresses) {
  if (addresses->count * 2 < addresses->slot_count) return 1;
  size_t slot_count = addresses->slot_count ? addresses->slot_count * 2 : 4096;
  if (slot_count > UINT32_MAX) return 0;
  uint64_t *list = realloc(addresses->list, slot_count / 2 * sizeof *list);
  if (!list) return 0;
  addresses->list = list;
  uint32_t *slots = calloc(slot_count, sizeof *slots);
  if (!slots) return 0;
  free(addresses->slots);
  addresses->slots = slots;
  addresses->slot_count = slot_count;
  for (size_t i = 0; i < addresses->count; i++) slots[slot_of(addresses, list[i])] = (uint32_t)i + 1;
  return 1;
}

int exhibit_addresses_add(exhibit_addresses *addresses, const uint8_t *records, size_t count) {
  const uint16_t stack = 4;
  /* The record's header and sum, the stack's name, and how many bytes it had and has. */
  const size_t header = 32, sum = 4, beside = 16;
  for (size_t place = 0; (place = exhibit_next_record(records, count, place, stack)) < count;) {
    uint32_t size, bytes;
    memcpy(&size, records + place, sizeof size);
    const uint8_t *payload = records + place + header;
    if (size >= header + beside + sum) {
      memcpy(&bytes, payload + 12, sizeof bytes);
      size_t rest = size - header - beside - sum;
      for (size_t i = 0; i + 8 <= (bytes < rest ? bytes : rest); i += 8) {
        uint64_t address;
        memcpy(&address, payload + beside + i, sizeof address);
        if (!make_room(addresses)) return 0;
        size_t slot = slot_of(addresses, address);
        if (addresses->slots[slot]) continue;
        addresses->list[addresses->count++] = address;
        addresses->slots[slot] = (uint32_t)addresses->count;
      }
    }
    place += size;
  }
  return 1;
}

void exhibit_addresses_free(exhibit_addresses *addresses) {
  free(addresses->list);
  free(addresses->slots);
  *addresses = (exhibit_addresses){0};
}
