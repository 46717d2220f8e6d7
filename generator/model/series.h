/* What a chart is given: rows of named columns, checked against the kind's columns. Text is plain and lives in the arena. */
#ifndef RUNQ_MODEL_SERIES_H
#define RUNQ_MODEL_SERIES_H

#include "base/diag.h"

enum chart_kind {
	CHART_RANGE,
	CHART_BAR,
	CHART_LINE,
	CHART_STEP,
	CHART_SCATTER,
	CHART_HISTOGRAM,
	CHART_ECDF,
	CHART_HEATMAP,
	CHART_TIMELINE,
	CHART_SPLIT,
	CHART_KIND_MAX
};
enum chart_scale { CHART_LINEAR, CHART_LOG };
extern const char *const chart_kind_names[CHART_KIND_MAX];

enum {
	CHART_ROWS_MAX = 2000,	/* of the kinds without labels */
	CHART_LABELS_MAX = 100,	/* rows of range, bar and split: each takes 37 px of height */
	CHART_CELLS_MAX = 65536,	/* of a heatmap: columns times rows, gaps included, and so its query's rows */
	CHART_NAMES_MAX = 60,	/* of a heatmap's columns or rows, where they are words */
	CHART_LANES_MAX = 64,	/* of a timeline */
	CHART_STATES_MAX = 8,
	CHART_PANELS_MAX = 12,
	CHART_SERIES_MAX = 5,	/* colours that stay apart, with a marker each */
};

/* How a timeline draws a state, told from its name; what has no look of its own takes a series' colour. */
enum chart_state { STATE_RUNNING, STATE_READY, STATE_SLEEPING, STATE_THROTTLED, STATE_IDLE, STATE_TICK, STATE_OTHER };

/* Absent numbers are NaN. Which fields a kind fills:
 *   range label,median,min,max       bar label,value[,min,max]       split label,measured,predicted[,min,max]
 *   line, step, scatter x,y[,min,max]      histogram lo,hi,count      ecdf value[,count]
 *   heatmap x,y,value, x and y numbers or words      timeline lane,t0,t1,state in ns
 * All optionally n and panel (rows of one panel stand together), all but heatmap series; range and bar also predicted; range, bar
 * and split also reported (what others published). `value` holds median, value, y or measured; x and x2 hold lo and hi, t0 and t1;
 * `label` the lane. Where a heatmap's x or y are words, they are indexes into x_names and y_names. */
struct chart_row {
	struct str label, series, state, panel;
	double x, x2, y, value, min, max, predicted, n;
	struct str source;	/* of `reported`: who published it; must be there with it */
	double reported, count;	/* count: 1 where an ecdf's query has none */
	int series_at, state_at, panel_at;	/* indexes into the chart's lists; 0 without one */
};

/* A row the query has and this machine has not: shown as not measured. */
struct chart_missing {
	struct str label, series;
	ptrdiff_t before;	/* index of the row it stands before */
};

struct chart_names {
	struct str *at;	/* by first appearance in the query */
	ptrdiff_t n;
};

struct chart {
	enum chart_kind kind;
	enum chart_scale scale;	/* of the values; a histogram's and an ecdf's lie across */
	struct str id, title, subtitle;	/* plain text */
	struct str unit;	/* the stored unit of the values: ns, count, bytes, fraction, ratio, or a unit word printed as it is */
	struct str x_unit, y_unit;	/* of x in line, step, scatter and heatmap; of a heatmap's y */
	struct str machine;	/* label */
	struct chart_row *rows;
	ptrdiff_t n;
	enum chart_scale x_scale;	/* of x in line, step and scatter */
	struct chart_missing *missing;	/* labelled rows without a value, in order */
	ptrdiff_t n_missing;
	struct str *series;	/* by first appearance in the query, rows without a value included: a colour follows the name, not the data */
	ptrdiff_t n_series;
	struct chart_names panels, states;
	struct chart_names x_names, y_names;	/* none where the numbers count */
};

/* A query result: column names and cells as text and number (NaN when NULL or not numeric). */
struct grid {
	struct str *names;
	ptrdiff_t cols, rows;
	struct str *text;	/* rows * cols; NULL cells have ptr NULL */
	double *num;
};

/* Fills rows from the grid's columns by name; kind, scale and x_scale are read from `c`. Missing, unknown or doubled columns, text where
 * a number belongs, infinities, values <= 0 on a log scale, a log scale where the kind has none, min above max, buckets that are empty
 * or overlap, a heatmap's cell given twice, spans that end before they begin, too many rows, series, panels, lanes or states: one
 * error at `at`, false. A row whose value (or x, or any of a span or bucket) is NULL is no row; a labelled one goes to `missing`.
 * Labels lose control characters and broken UTF-8. */
bool chart_fill(struct chart *c, const struct grid *g, struct arena *a, struct diag *d, struct pos at);
/* A copy that shares nothing with the original: all texts and arrays in `a`. */
struct chart chart_copy(struct arena *a, const struct chart *c);
/* Whether any row has both min and max. */
bool chart_has_spread(const struct chart *c);
enum chart_state chart_state_of(struct str name);
bool chart_is_labelled(enum chart_kind kind);	/* range, bar, split */
/* The most rows a query of this kind may give. */
ptrdiff_t chart_rows_max(enum chart_kind kind);

/* The columns (or rows) of a heatmap: its distinct x (or y), ascending. Evenly spaced numbers with less than half of them absent are
 * `even`: the absent ones count, at[i] is at[0] + i * step. Words are 0, 1, … */
struct chart_steps {
	double *at;
	ptrdiff_t n;
	double step;	/* 0 unless even */
};
struct chart_steps chart_steps(struct arena *a, const struct chart *c, bool is_y);
ptrdiff_t chart_step_of(const struct chart_steps *s, double v);	/* index of a value that is there */

/* The next code point, taken off `rest`, which must not be empty; U+FFFD for a broken byte. */
uint32_t series_next_char(struct str *rest);

#endif
