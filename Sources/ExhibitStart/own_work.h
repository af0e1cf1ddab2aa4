#pragma once

/* Above 0 while this thread works for Exhibit and not for the app. */
extern _Thread_local int exhibit_own_work __attribute__((visibility("hidden")));
