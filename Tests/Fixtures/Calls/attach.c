/* What Swift has in a process of tests, where a program of C is linked with Exhibit's C sources: all connections are watched
   as those of one test unless the program names others, and its ring is in memory. */
#include <stdint.h>

#include "exhibit_start.h"
#include "exhibit_trace.h"

static intptr_t last_connection;
_Thread_local uint32_t running_test = 1;

void exhibit_started(void) {}
void exhibit_help(const char *request) { (void)request; }

void exhibit_connection_opened(sqlite3 *db) { exhibit_watch_connection(db, (const void *)++last_connection, 1); }

uint32_t exhibit_connection_used(void *connection) {
  (void)connection;
  return running_test;
}

void exhibit_connection_attaching(void *connection) { (void)connection; }
void exhibit_connection_closing(sqlite3 *db) { (void)db; }
void exhibit_connection_ended(void *db) { (void)db; }
uint32_t exhibit_connection_number(void *connection) { return (uint32_t)(intptr_t)connection; }

uint64_t exhibit_trace_size(void) { return 1 << 20; }
void exhibit_trace_made(void) {}
