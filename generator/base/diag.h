/* Diagnostics: `path:line:col: error: what is wrong; what to do`. Collected, then printed in source order, so that
 * the text does not depend on the order of work. Everything lives in the arena given at diag_new. */
#ifndef RUNQ_BASE_DIAG_H
#define RUNQ_BASE_DIAG_H

#include <stdio.h>

#include "base/str.h"

/* line and col count from 1, col in bytes; line 0 means the file as a whole (printed without line and col). */
struct pos {
	struct str path;
	int line, col;
};

enum diag_level { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

struct diag_item {
	struct diag_item *next;
	enum diag_level level;
	struct pos at;
	struct str text;
};

struct diag {
	struct arena *arena;
	struct diag_item *items;	/* newest first */
	int errors, warnings;
};

struct diag diag_new(struct arena *a);
/* `fmt` says what is wrong and, after "; ", what to do. */
void diag_add(struct diag *d, enum diag_level level, struct pos at, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
#define diag_error(d, ...) diag_add((d), DIAG_ERROR, __VA_ARGS__)
#define diag_warn(d, ...) diag_add((d), DIAG_WARNING, __VA_ARGS__)
/* Sorted by path, line, col; equal lines once. Returns the number of errors. */
int diag_print(const struct diag *d, FILE *out, struct arena scratch);
/* Text that others may have written, for a terminal: control and bidi characters, and what is no UTF-8, as \\xNN. */
void diag_text(FILE *out, struct str text);
/* Position of byte `offset` in `text`, whose first byte is at `start`; CR, LF and CRLF end lines. */
struct pos pos_at(struct pos start, struct str text, ptrdiff_t offset);

#endif
