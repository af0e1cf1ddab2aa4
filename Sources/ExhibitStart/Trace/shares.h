#pragma once
#include <stdint.h>

/* How the tests that run share the room of the ring: the latest records of each, up to its share, are written again when
   others would overwrite them. Tests with few records leave room to those with many. Called under the ring's lock. */

/* A record of a test is to be written at about a position. Returns how many steps of the test have begun with it, 0 where
   that is not known. */
uint32_t exhibit_share_writes(uint32_t test, uint64_t position, uint64_t size, int is_step);

/* Says again what each may keep, so many bytes together at most; called before it is asked for. */
void exhibit_shares_settle(uint64_t bytes);

/* Whether a record that was first written at a position is in its test's share. */
int exhibit_share_has(uint32_t test, uint64_t position);

/* The test has ended: its records are needed no longer. */
void exhibit_share_ended(uint32_t test);
int exhibit_has_ended(uint32_t test);

/* The number of the last step of a test of which something was overwritten; what is older is not told. */
uint64_t exhibit_share_cut(uint32_t test);
void exhibit_share_set_cut(uint32_t test, uint64_t step);
