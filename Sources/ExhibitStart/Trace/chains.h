#pragma once
#include <stdint.h>

/* Which records of the ring follow each other: those of one test, and of one connection where nobody knows of a test, from
   the newest to the oldest. Several may share a chain. In memory of our own; called under the ring's lock. */

/* Makes them for so many bytes of records; returns whether there was memory. */
int exhibit_chains_make(uint64_t size);

int exhibit_chains_exist(void);

/* Adds a record to its chain. */
void exhibit_chain_record(uint64_t position, uint64_t room, uint32_t test, uint32_t connection);

/* No record. */
#define EXHIBIT_CHAIN_END UINT64_MAX

/* The newest record of the chain of a test, or of a connection with 0 for the test. */
uint64_t exhibit_chain_newest(uint32_t test, uint32_t connection);

/* The record before one that is in the ring yet. What it gives is maybe there no more. */
uint64_t exhibit_chain_before(uint64_t position, uint64_t room);
