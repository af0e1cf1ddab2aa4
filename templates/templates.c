#include "exhibit_templates.h"
