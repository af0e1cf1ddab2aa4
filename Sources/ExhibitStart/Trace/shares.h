#pragma once
#include <stdint.h>

/* How running tests share the ring: each test's latest records are written again before they are overwritten. Under
   the ring's lock. */

/* Notes a record before it is written; returns how many steps the test has begun, or 0. */
uint32_t exhibit_share_writes(uint32_t test, uint64_t position, uint64_t size, int is_step);

void exhibit_shares_settle(uint64_t bytes);

/* Whether a record, by its first position, is in its test's share. */
int exhibit_share_has(uint32_t test, uint64_t position);

void exhibit_share_ended(uint32_t test);
int exhibit_has_ended(uint32_t test);

/* The test's last step that lost a record. Older ones are not told. */
uint64_t exhibit_share_cut(uint32_t test);
void exhibit_share_set_cut(uint32_t test, uint64_t step);
