#pragma once
#include <stdint.h>

/* How running tests share the ring: the latest records of each, up to its share, are written again before others
   overwrite them. Called under the ring's lock. */

/* Notes a record that is about to be written near a position. Returns how many steps the test has begun, 0 where that is
   not known. */
uint32_t exhibit_share_writes(uint32_t test, uint64_t position, uint64_t size, int is_step);

/* Divides so many bytes anew among the running tests. */
void exhibit_shares_settle(uint64_t bytes);

/* Whether a record, by its first position, is in its test's share. */
int exhibit_share_has(uint32_t test, uint64_t position);

/* Ends the share of a test. */
void exhibit_share_ended(uint32_t test);
int exhibit_has_ended(uint32_t test);

/* The last step of a test of which something was overwritten. Older ones are not told. */
uint64_t exhibit_share_cut(uint32_t test);
void exhibit_share_set_cut(uint32_t test, uint64_t step);
