#include "own_work.h"
#include "exhibit_start.h"

_Thread_local int exhibit_own_work;

void exhibit_begin_own_work(void) { exhibit_own_work++; }
void exhibit_end_own_work(void) { exhibit_own_work--; }
