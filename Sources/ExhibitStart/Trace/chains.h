#pragma once
#include <stdint.h>

/* Chains lead from each record to the one before it of the same test or, without one, connection. Several may share
   a chain. Under the ring's lock. */

int exhibit_chains_make(uint64_t size);

int exhibit_chains_exist(void);

void exhibit_chain_record(uint64_t position, uint64_t room, uint32_t test, uint32_t connection);

#define EXHIBIT_CHAIN_END UINT64_MAX

/* The newest record of a test or, with 0, of a connection. */
uint64_t exhibit_chain_newest(uint32_t test, uint32_t connection);

/* The record before one in the ring; it may be overwritten by now. */
uint64_t exhibit_chain_before(uint64_t position, uint64_t room);
