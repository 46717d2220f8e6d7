/* Plain tables for the terminal: columns as wide as their widest cell, counted in code points. Control characters, which
 * a terminal would obey, print as "?". */
#ifndef RUNQ_CLI_TABLE_H
#define RUNQ_CLI_TABLE_H

#include <stdio.h>

#include "base/str.h"

enum { TABLE_COLUMNS_MAX = 32 };

struct table {
	struct arena *arena;
	int cols;
	unsigned right; /* bit i: column i is aligned to the right */
	struct str *cells;
	ptrdiff_t n, cap;
};

struct table table_new(struct arena *a, int cols, unsigned right);
void table_add(struct table *t, struct str cell); /* row by row, left to right */
void table_print(const struct table *t, FILE *out, const char *indent);
void table_print_text(FILE *out, struct str text); /* one text, as in a cell */

#endif
