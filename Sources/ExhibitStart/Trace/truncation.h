#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "../callbacks.h"

/* SQLite has a shortcut for a DELETE without WHERE, of whose rows no hook hears. A statement that is prepared while a
   preupdate hook is set deletes row by row instead: https://sqlite.org/lang_delete.html#the_truncate_optimization.
   Ours is set, so such rows are told. It is not set while something is prepared that the app would notice: then the
   shortcut is taken as without us, and the rows are counted and not told. docs/attach.md says what is left. */

/* Flags of a step's end, whose rows were not told although some changed: what the app had set when it was prepared. */
#define EXHIBIT_UNTOLD_BESIDE_UPDATE_HOOK 8
#define EXHIBIT_UNTOLD_BESIDE_PROGRESS_HANDLER 16

/* Called before a statement is prepared; where they return 1, exhibit_step_back is to be called behind it. The second is
   for a step, as SQLite prepares a statement anew where the schema has changed. The text ends at a NUL, or after `count`
   bytes where that is not negative. The connection's mutex is held, as for all that follows. */
int exhibit_begin_preparing(struct connection_callbacks *callbacks, const char *text, int count);
int exhibit_begin_stepping(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

/* Whether a step that begins may take the shortcut, as far as its text and the app's hooks tell. */
int exhibit_may_truncate(struct connection_callbacks *callbacks, const char *text);

/* Called when a statement of a trigger begins inside of a step, and when one may have ended. */
void exhibit_trigger_began(struct connection_callbacks *callbacks, struct running_step *step, const char *text);
void exhibit_settle_trigger(struct connection_callbacks *callbacks, struct running_step *step);

/* The flag for a step that ends and whose rows were not told, else 0. `changed` is what SQLite counted of it. */
uint16_t exhibit_untold_rows(struct connection_callbacks *callbacks, struct running_step *step, int changed);
