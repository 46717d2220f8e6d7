/* What a chart is given: rows of named columns, checked against the kind's columns. Text is plain and lives in the arena. */
#ifndef RUNQ_MODEL_SERIES_H
#define RUNQ_MODEL_SERIES_H

#include "base/diag.h"

enum chart_kind { CHART_RANGE, CHART_BAR, CHART_LINE, CHART_SPLIT, CHART_KIND_MAX };
enum chart_scale { CHART_LINEAR, CHART_LOG };
extern const char *const chart_kind_names[CHART_KIND_MAX];

/* Absent numbers are NaN. Which fields a kind fills: range label,median,min,max; bar label,value[,min,max];
 * line x,y[,min,max]; split label,measured,predicted[,min,max]. `value` holds median, value, y or measured. */
struct chart_row {
	struct str label, series;
	double x, value, min, max, predicted, n;
};

struct chart {
	enum chart_kind kind;
	enum chart_scale scale;
	struct str id, title, subtitle;	/* plain text */
	struct str unit;	/* the stored unit of the values: ns, count, bytes, fraction, ratio, or a unit word printed as it is */
	struct str x_unit;	/* of a line's x */
	struct str machine;	/* label */
	struct chart_row *rows;
	ptrdiff_t n;
};

/* A query result: column names and cells as text and number (NaN when NULL or not numeric). */
struct grid {
	struct str *names;
	ptrdiff_t cols, rows;
	struct str *text;	/* rows * cols; NULL cells have ptr NULL */
	double *num;
};

/* Fills rows from the grid's columns by name. Missing, unknown or doubled columns, text where a number belongs, infinities,
 * values <= 0 on a log scale, too many rows (2,000): one error at `at`, false. A row whose value is NULL is dropped. */
bool chart_fill(struct chart *c, const struct grid *g, struct arena *a, struct diag *d, struct pos at);

#endif
