#include "exhibit_start.h"
