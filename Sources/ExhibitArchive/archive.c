#include "exhibit_archive.h"
