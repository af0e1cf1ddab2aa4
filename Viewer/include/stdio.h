#pragma once
#include <stdarg.h>
#include <stddef.h>
typedef struct FILE FILE;
