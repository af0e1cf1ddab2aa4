#pragma once
#include <sqlite3.h>
#include <stdint.h>

#include "../callbacks.h"

/* A DELETE without WHERE tells no hook its rows, unless a preupdate hook was set at its prepare:
   https://sqlite.org/lang_delete.html#the_truncate_optimization. Ours is off where the app would notice; then rows
   are counted, not told. */

/* Flags of a step's end: why its rows were not told. */
#define EXHIBIT_UNTOLD_BESIDE_UPDATE_HOOK 8
#define EXHIBIT_UNTOLD_BESIDE_PROGRESS_HANDLER 16

/* Where these return 1, exhibit_step_back is called afterwards. SQLite may prepare anew at a step, too. The mutex is
   held, also below. */
int exhibit_begin_preparing(struct connection_callbacks *callbacks, const char *text, int count);
int exhibit_begin_stepping(struct connection_callbacks *callbacks, sqlite3_stmt *statement);

int exhibit_may_truncate(struct connection_callbacks *callbacks, const char *text);

/* Called when a trigger's statement begins, and when one may have ended. */
void exhibit_trigger_began(struct connection_callbacks *callbacks, struct running_step *step, const char *text);
void exhibit_settle_trigger(struct connection_callbacks *callbacks, struct running_step *step);

/* `changed` is SQLite's count. */
uint16_t exhibit_untold_rows(struct connection_callbacks *callbacks, struct running_step *step, int changed);
