#pragma once

/* Sees connections where the interposers do not; returns an SQLite result code. */
int exhibit_register_extension(void);
