#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "../callbacks.h"

/* SQLite runs a DELETE without WHERE as a truncation of the table, which no hook hears of, but not while a preupdate
   hook is set when it is prepared: then it goes row by row. What an app could notice of that is kept from it, or ours is
   not set: https://sqlite.org/lang_delete.html#the_truncate_optimization. */

/* Flags of a step's end, whose rows were not told although some changed: the app had one of these when it was
   prepared. */
#define EXHIBIT_UNTOLD_BESIDE_UPDATE_HOOK 8
#define EXHIBIT_UNTOLD_BESIDE_PROGRESS_HANDLER 16
#define EXHIBIT_UNTOLD_BESIDE_WAL_HOOK 32

/* Notes which of them the app has on a connection; NULL is none. Its mutex is held, as for all that follows. */
void exhibit_note_observer(struct connection_callbacks *callbacks);

/* Around a prepare, or a step that may prepare anew. The text ends at a NUL, or after `count` bytes where that is not
   negative. The first returns whether the second is to be called. */
int exhibit_begin_preparing(struct connection_callbacks *callbacks, const char *text, int count);
void exhibit_end_preparing(struct connection_callbacks *callbacks);

/* What an authorizer of the app's says of a DELETE that is prepared: unless it allows it, it goes row by row. */
void exhibit_delete_is_allowed(struct connection_callbacks *callbacks, int is_allowed);

/* Around sqlite3_exec, in which statements may be prepared and stepped past us, and at the end of each. */
int exhibit_begin_executing(struct connection_callbacks *callbacks);
void exhibit_end_executing(struct connection_callbacks *callbacks, int has_stepped_aside);
void exhibit_step_aside_again(struct connection_callbacks *callbacks);

/* Notes a statement that was prepared, is stepped, has been, or is finalised, if it may be such a delete. A function of
   the app's may step one while another is stepped: the first returns that, for the second. */
void exhibit_note_delete(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
struct stepped_statement exhibit_begin_delete(struct connection_callbacks *callbacks, sqlite3_stmt *statement);
void exhibit_end_delete(
    struct connection_callbacks *callbacks, sqlite3_stmt *statement, int code, struct stepped_statement outer);
void exhibit_forget_delete(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

/* The app has set a counter of SQLite's back. */
void exhibit_delete_counts_anew(struct connection_callbacks *callbacks, sqlite3_stmt *statement, int counter);

/* Whether the app would not hear of a row that changes, or not yet of an operation, without us. */
int exhibit_hides_rows(struct connection_callbacks *callbacks);
int exhibit_hides_progress(struct connection_callbacks *callbacks);

/* Whether a step that begins may truncate a table, as far as its text tells. */
int exhibit_may_truncate(struct connection_callbacks *callbacks, const char *text);

/* A statement of a trigger begins inside of a step, or may have ended; flags of the step's end. */
void exhibit_trigger_began(struct connection_callbacks *callbacks, struct running_step *step, const char *text);
void exhibit_settle_trigger(struct connection_callbacks *callbacks, struct running_step *step);
uint16_t exhibit_untold_rows(struct connection_callbacks *callbacks, struct running_step *step, int changed);
