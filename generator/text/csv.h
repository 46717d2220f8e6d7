/* Comma-separated values by RFC 4180, strictly: rows end with LF or CRLF, all have as many cells as the first, a quote stands around
 * a whole cell or nowhere and is doubled inside one. No blank lines, no control characters, UTF-8 alone; a leading byte order mark
 * is skipped. Slices point into the text where they can and into the arena else. */
#ifndef RUNQ_TEXT_CSV_H
#define RUNQ_TEXT_CSV_H

#include "base/diag.h"

struct csv_cell {
	struct str text;
	struct pos at; /* of its first byte, the quote if there is one */
};

struct csv {
	struct csv_cell *cells; /* rows * cols; the first row is the header */
	ptrdiff_t rows, cols;
	bool ok; /* false, and nothing else, when a diagnostic was added */
};

/* `text` is a whole file whose first byte is at `start`. At most one diagnostic. */
struct csv csv_parse(struct arena *a, struct diag *d, struct pos start, struct str text);

#endif
