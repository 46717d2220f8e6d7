/* Scales and ticks: from values to fractions of a length. Ticks are at 1, 2 or 5 times a power of ten, so close that their labels
 * still fit the shortest length; the last label names the unit. */
#ifndef RUNQ_CHART_AXIS_H
#define RUNQ_CHART_AXIS_H

#include "model/format.h"
#include "model/series.h"

enum { AXIS_TICKS_MAX = 160, AXIS_FONT_PX10 = 125 };

enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct tick {
	double at; /* fraction */
	struct str label; /* empty for a minor tick */
	double width_px;
	enum anchor anchor; /* keeps the first and last label inside the plot */
};

struct axis {
	enum chart_scale scale;
	double lo, hi; /* the domain's ends, in values */
	double from, to; /* where they lie */
	struct format_scale unit; /* for printing values beside the axis; divisor 0: each value takes its own prefix */
	struct str caption; /* a unit that is a word: it stands below the labels; else empty */
	bool whole; /* all values beside it are whole numbers, and printed so */
	struct tick *ticks;
	ptrdiff_t n;
};

struct axis_spec {
	enum chart_scale scale;
	double lo, hi; /* of the data */
	bool zero; /* linear: begin at zero whatever the data */
	bool fixed; /* lo and hi are the domain: no rounding to ticks */
	struct str unit;
	double from, to;
	double px; /* the shortest length */
	bool vertical; /* labels stack instead of standing side by side */
};

struct axis axis_new(struct arena *a, const struct axis_spec *wanted);
/* The same scale with ticks at these ascending values instead, labelled as far as the labels fit. */
struct axis axis_at_values(
	struct arena *a, const struct axis *axis, const struct axis_spec *spec, const double *v, ptrdiff_t n);
double axis_at(const struct axis *axis, double v); /* fraction, clamped to the domain */
/* A value as printed beside the axis: in the axis' unit, three digits unless all are whole. */
struct str axis_value(struct arena *a, const struct axis *axis, double v, struct str unit);

#endif
