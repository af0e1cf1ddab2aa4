#pragma once

/* Above 0 while this thread works for Exhibit: what it opens is not the app's, and what it does on a connection of the
   app reaches none of the app's callbacks. */
extern _Thread_local int exhibit_own_work __attribute__((visibility("hidden")));
