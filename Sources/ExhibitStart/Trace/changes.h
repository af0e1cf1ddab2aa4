#pragma once
#include "../callbacks.h"

/* Sets our hook on a new connection. The mutex is held. */
void exhibit_hear_changes(struct connection_callbacks *callbacks);
