#pragma once
#include "../callbacks.h"

/* Sets our preupdate hook on a new connection, where rows are to be told. Its mutex is held. */
void exhibit_hear_changes(struct connection_callbacks *callbacks);
