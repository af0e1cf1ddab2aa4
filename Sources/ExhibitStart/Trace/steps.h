#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "../callbacks.h"

/* SQLITE_TRACE_STMT, _ROW and _PROFILE. */
void exhibit_step_began(
    struct connection_callbacks *callbacks, uint32_t test, sqlite3_stmt *statement, const char *text);
void exhibit_step_gave_row(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
void exhibit_step_ended(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

/* A write through sqlite3_blob. */
struct running_step *exhibit_step_without_statement(
    struct connection_callbacks *callbacks, const char *text, struct running_step *step);
void exhibit_step_without_statement_ended(struct connection_callbacks *callbacks, struct running_step *step);

/* Returns 0 for a step that has used up its share of the ring. */
int exhibit_step_append(
    struct connection_trace *trace, struct running_step *step, uint16_t kind, uint16_t flags);

/* The number of the step that ended last on this thread. */
uint64_t exhibit_last_step(void);

/* Records an error of the step that ended since `before`, or else of `text`. The mutex is held. */
void exhibit_step_failed(sqlite3 *db, uint64_t before, const char *text, sqlite3_stmt *statement);

