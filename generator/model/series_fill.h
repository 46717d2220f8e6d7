/* Inside series: what filling a chart needs at every step. */
#ifndef RUNQ_MODEL_SERIES_FILL_H
#define RUNQ_MODEL_SERIES_FILL_H

#include "model/series.h"

enum { SERIES_COLUMNS_MAX = 24 };

struct fill {
	struct chart *c;
	const struct grid *g;
	struct arena *a;
	struct diag *d;
	struct pos at;
	ptrdiff_t of[SERIES_COLUMNS_MAX]; /* a column's place in the grid, -1 if absent */
	bool x_words, y_words;
};

/* Before, while and after rows are filled; false after an error. */
bool series_check_shape(struct fill *f);
bool series_check_row(struct fill *f, const struct chart_row *r, ptrdiff_t row);
bool series_check_rows(struct fill *f);

#endif
