#pragma once

/* Sees connections without interposers. Returns an SQLite result code. */
int exhibit_register_extension(void);
