#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "../callbacks.h"

/* SQLITE_TRACE_STMT, _ROW and _PROFILE. */
void exhibit_step_began(
    struct connection_callbacks *callbacks, uint32_t test, sqlite3_stmt *statement, const char *text);
void exhibit_step_gave_row(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
void exhibit_step_ended(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

/* A step that no statement makes: a write through sqlite3_blob. Its end is told right behind its change. */
struct running_step *exhibit_step_without_statement(
    struct connection_callbacks *callbacks, const char *text, struct running_step *step);
void exhibit_step_without_statement_ended(struct connection_callbacks *callbacks, struct running_step *step);

/* Writes the trace's payload as a record of a step, unless the step has its share of the ring. */
int exhibit_step_append(
    struct connection_trace *trace, struct running_step *step, uint16_t kind, uint16_t flags);

/* The number of the step that ended last on this thread. */
uint64_t exhibit_last_step(void);

/* An error that a function returned, with the connection's mutex held: of the step that has ended since `before` was
   the last one, else of `text`, which could not be prepared or begun. `statement` is what was stepped, if anything. */
void exhibit_step_failed(sqlite3 *db, uint64_t before, const char *text, sqlite3_stmt *statement);

