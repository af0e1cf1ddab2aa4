#pragma once
#include <stdbool.h>

/* Notes that this process is the one whose tests are recorded; later calls do nothing. */
void exhibit_note_process(void);

/* Whether this is a child of the process that was noted, with memory of its own: made by fork, or by a call of the system
   past it. It asks the system nothing and takes no lock. */
bool exhibit_is_forked(void);
