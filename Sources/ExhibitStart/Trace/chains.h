#pragma once
#include <stdint.h>

/* Chains lead from each record to the one before it of the same test or, where no test is known, connection. Several
   tests may share a chain. Kept in memory; called under the ring's lock. */

/* Makes them for a ring of so many bytes; returns whether there was memory. */
int exhibit_chains_make(uint64_t size);

int exhibit_chains_exist(void);

void exhibit_chain_record(uint64_t position, uint64_t room, uint32_t test, uint32_t connection);

#define EXHIBIT_CHAIN_END UINT64_MAX

/* The newest record of a test or, with 0, of a connection. */
uint64_t exhibit_chain_newest(uint32_t test, uint32_t connection);

/* The record before one that is in the ring. It may be overwritten by now. */
uint64_t exhibit_chain_before(uint64_t position, uint64_t room);
