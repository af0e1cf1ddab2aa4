#include "exhibit_templates.h"

/* Apart from the templates: it is large, and changes seldom. */
static const unsigned char viewer[] = {
#embed "viewer.wasm"
};

const unsigned char *exhibit_viewer(size_t *count) {
  *count = sizeof viewer;
  return viewer;
}
