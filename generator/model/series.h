/* What a chart is given: rows of named columns, checked against the kind's columns. Text is plain and lives in the arena. */
#ifndef RUNQ_MODEL_SERIES_H
#define RUNQ_MODEL_SERIES_H

#include "base/diag.h"

enum chart_kind { CHART_RANGE, CHART_BAR, CHART_LINE, CHART_SPLIT, CHART_KIND_MAX };
enum chart_scale { CHART_LINEAR, CHART_LOG };
extern const char *const chart_kind_names[CHART_KIND_MAX];

enum {
	CHART_ROWS_MAX = 2000,	/* of a line */
	CHART_LABELS_MAX = 100,	/* rows of range, bar and split: each takes 37 px of height */
	CHART_SERIES_MAX = 5,	/* colours that stay apart, with a marker each */
};

/* Absent numbers are NaN. Which fields a kind fills: range label,median,min,max; bar label,value[,min,max];
 * line x,y[,min,max]; split label,measured,predicted[,min,max]; all optionally n and series, range and bar also predicted,
 * and range, bar and split also reported (what others published). `value` holds median, value, y or measured. */
struct chart_row {
	struct str label, series;
	double x, value, min, max, predicted, n;
	double reported;
	int series_at;	/* index into the chart's series; 0 without one */
};

/* A row the query has and this machine has not: shown as not measured. */
struct chart_missing {
	struct str label, series;
	ptrdiff_t before;	/* index of the row it stands before */
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
	enum chart_scale x_scale;	/* of a line's x */
	struct chart_missing *missing;	/* labelled rows without a value, in order; not for lines */
	ptrdiff_t n_missing;
	struct str *series;	/* by first appearance in the query, rows without a value included: a colour follows the name, not the data */
	ptrdiff_t n_series;
};

/* A query result: column names and cells as text and number (NaN when NULL or not numeric). */
struct grid {
	struct str *names;
	ptrdiff_t cols, rows;
	struct str *text;	/* rows * cols; NULL cells have ptr NULL */
	double *num;
};

/* Fills rows from the grid's columns by name; kind, scale and x_scale are read from `c`. Missing, unknown or doubled columns, text where
 * a number belongs, infinities, values <= 0 on a log scale, a log scale for bars, min above max, too many rows or series: one
 * error at `at`, false. A row whose value (or x) is NULL is no row; a labelled
 * one goes to `missing`. Labels lose control characters and broken UTF-8. */
bool chart_fill(struct chart *c, const struct grid *g, struct arena *a, struct diag *d, struct pos at);
/* A copy that shares nothing with the original: all texts and arrays in `a`. */
struct chart chart_copy(struct arena *a, const struct chart *c);
/* Whether any row has both min and max. */
bool chart_has_spread(const struct chart *c);

/* The next code point, taken off `rest`, which must not be empty; U+FFFD for a broken byte. */
uint32_t series_next_char(struct str *rest);

#endif
