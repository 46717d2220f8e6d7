#include "chart/axis.h"

#include <math.h>

#include "chart/label.h"

enum { SYMBOL_MAX = 3 }; /* bytes of "MiB" or "µs"; longer units are words and stand below the axis */

static const double font_px = AXIS_FONT_PX10 / 10.0;
static const double gap_px = 8, line_px = 26; /* least distance between labels beside and above each other */

double axis_at(const struct axis *axis, double v)
{
	double t = axis->scale == CHART_LOG ? log10(v / axis->lo) / log10(axis->hi / axis->lo)
					    : (v - axis->lo) / (axis->hi - axis->lo);

	t = t > 0 ? t < 1 ? t : 1 : 0;
	return axis->from + t * (axis->to - axis->from);
}

struct str axis_value(struct arena *a, const struct axis *axis, double v, struct str unit)
{
	if (axis->unit.divisor == 0)
		return format_si(a, v, unit);
	if (!axis->whole) {
		struct str number = format_num(a, v / axis->unit.divisor, 3);
		return axis->unit.shown.len
			       ? str_printf(a, "%.*s" FORMAT_NBSP "%.*s", STR_FMT(number), STR_FMT(axis->unit.shown))
			       : number;
	}
	return format_unit(a, v, unit, axis->unit.divisor, axis->unit.shown);
}

/* Decimals that print v exactly enough to tell it from its neighbours, at most nine. */
static int decimals_of(double v)
{
	int d = 0;

	for (double p = 1; d < 9 && fabs(v * p - rint(v * p)) > 1e-6 * fabs(v * p); d++)
		p *= 10;
	return d;
}

static struct str tick_text(struct arena *a, const struct axis *axis, double v, double step, struct str unit)
{
	if (axis->unit.divisor == 0) {
		struct format_scale own = format_scale_of(v * 1.0001, unit);
		double q = v / own.divisor;
		struct str number = format_fixed(a, q, decimals_of(q));
		return own.shown.len ? str_printf(a, "%.*s" FORMAT_NBSP "%.*s", STR_FMT(number), STR_FMT(own.shown))
				     : number;
	}
	return format_fixed(a, v / axis->unit.divisor, decimals_of((step > 0 ? step : v) / axis->unit.divisor));
}

/* A negative step marks a minor tick. */
static void add_tick(struct arena *a, struct axis *axis, double v, double step, struct str unit)
{
	if (axis->n == AXIS_TICKS_MAX)
		return;
	struct tick *t = &axis->ticks[axis->n++];
	*t = (struct tick){.at = axis_at(axis, v), .anchor = ANCHOR_MIDDLE};
	if (step >= 0)
		t->label = tick_text(a, axis, v, step, unit);
}

/* Names the unit and anchors labels that would stick out of the shortest plot. */
static void finish_labels(struct arena *a, struct axis *axis, const struct axis_spec *spec)
{
	struct tick *last = NULL;
	struct str shown = axis->unit.divisor != 0 ? axis->unit.shown : (struct str){0};

	for (ptrdiff_t i = 0; i < axis->n; i++)
		if (axis->ticks[i].label.len)
			last = &axis->ticks[i];
	if (shown.len > SYMBOL_MAX && !spec->vertical) {
		axis->caption = label_wrap(a, shown, font_px, spec->px, 1).line[0];
	} else if (last && shown.len) {
		shown = label_wrap(a, shown, font_px, 200, 1).line[0];
		last->label = str_printf(a, "%.*s" FORMAT_NBSP "%.*s", STR_FMT(last->label), STR_FMT(shown));
	}
	for (ptrdiff_t i = 0; i < axis->n; i++) {
		struct tick *t = &axis->ticks[i];
		t->width_px = label_width(t->label, font_px);
		if (t->at * spec->px + t->width_px / 2 > spec->px)
			t->anchor = ANCHOR_END;
		else if (t->at * spec->px < t->width_px / 2)
			t->anchor = ANCHOR_START;
	}
}

static double left_px(const struct tick *t, double px)
{
	return t->at * px - (t->anchor == ANCHOR_START ? 0 : t->anchor == ANCHOR_END ? t->width_px : t->width_px / 2);
}

static bool labels_fit(const struct axis *axis, const struct axis_spec *spec)
{
	const struct tick *before = NULL;

	for (ptrdiff_t i = 0; i < axis->n; i++) {
		const struct tick *t = &axis->ticks[i];
		if (!t->label.len)
			continue;
		if (before && spec->vertical && fabs(t->at - before->at) * spec->px < line_px)
			return false;
		if (before && !spec->vertical &&
			left_px(t, spec->px) < left_px(before, spec->px) + before->width_px + gap_px)
			return false;
		if (!spec->vertical &&
			(left_px(t, spec->px) < -0.5 || left_px(t, spec->px) + t->width_px > spec->px + 0.5))
			return false;
		before = t;
	}
	return true;
}

/* Keeps the last label and, from there to the first, those that stay clear of the one kept before. */
static void thin_labels(struct axis *axis, const struct axis_spec *spec)
{
	const struct tick *after = NULL;

	for (ptrdiff_t i = axis->n - 1; i >= 0; i--) {
		struct tick *t = &axis->ticks[i];
		bool fits = left_px(t, spec->px) > -0.5 && left_px(t, spec->px) + t->width_px < spec->px + 0.5;
		if (after && left_px(t, spec->px) + t->width_px + 6 > left_px(after, spec->px))
			fits = false;
		if (fits)
			after = t;
		else
			t->label.len = 0;
	}
}

static double nice_step(double raw)
{
	double p = pow(10, floor(log10(raw))), m = raw / p;

	return p * (m < 1.0001 ? 1 : m < 2.0001 ? 2 : m < 5.0001 ? 5 : 10);
}

/* Ticks at multiples of `step` over the data; the domain grows to whole steps unless it is fixed. */
static void place_linear(struct arena *a, struct axis *axis, const struct axis_spec *spec, double step)
{
	double first = floor(spec->lo / step + 1e-9), last = ceil(spec->hi / step - 1e-9);

	if (spec->fixed) {
		first = ceil(spec->lo / step - 1e-9);
		last = floor(spec->hi / step + 1e-9);
	} else {
		axis->lo = first * step;
		axis->hi = last * step;
	}
	axis->n = 0;
	for (double k = first; k <= last && axis->n < AXIS_TICKS_MAX; k++)
		add_tick(a, axis, k == 0 ? 0 : k * step, step, spec->unit);
	finish_labels(a, axis, spec);
}

static void linear_ticks(struct arena *a, struct axis *axis, const struct axis_spec *spec)
{
	double step = nice_step((spec->hi - spec->lo) / (spec->vertical ? 5 : 7));

	place_linear(a, axis, spec, step);
	while (!labels_fit(axis, spec)) {
		step = nice_step(step * 1.5);
		if (axis->n <= 3 || step > spec->hi - spec->lo)
			break;
		place_linear(a, axis, spec, step);
	}
	if (!spec->vertical)
		thin_labels(axis, spec);
}

static bool in_set(int set, int mantissa, int decade)
{
	switch (set) {
	case 0: return mantissa == 1 || mantissa == 2 || mantissa == 5;
	case 1: return mantissa == 1 || mantissa == 3;
	case 2: return mantissa == 1;
	default: return mantissa == 1 && decade % (set - 1) == 0;
	}
}

/* The nearest member of a set at or below (dir -1) or at or above (dir 1) v. */
static double round_log(double v, int set, int dir)
{
	int decade = (int)floor(log10(v) + 1e-9);

	for (int k = 0; k < 400; k++, decade += dir)
		for (int i = 1; i < 10; i++) {
			int m = dir < 0 ? 10 - i : i;
			double at = m * pow(10, decade);
			if (in_set(set, m, decade) && (dir < 0 ? at <= v * 1.000001 : at >= v * 0.999999))
				return at;
		}
	return v;
}

static void place_log(struct arena *a, struct axis *axis, const struct axis_spec *spec, int set)
{
	int first = (int)floor(log10(axis->lo) + 1e-9), last = (int)ceil(log10(axis->hi) - 1e-9);
	bool minor = last - first <= 5;

	axis->n = 0;
	for (int decade = first; decade <= last; decade++)
		for (int m = 1; m < 10; m++) {
			double v = m * pow(10, decade);
			if (v < axis->lo * 0.999999 || v > axis->hi * 1.000001)
				continue;
			if (in_set(set, m, decade))
				add_tick(a, axis, v, 0, spec->unit);
			else if (minor)
				add_tick(a, axis, v, -1, spec->unit);
		}
	finish_labels(a, axis, spec);
}

/* The densest of the label sets that fits: 1-2-5, 1-3, then decades, every second one and so on. Upwards the domain
 * ends on labels, which stand clear of the data above and below; across it stays as tight as 1-2-5 allows. */
static void log_axis(struct arena *a, struct axis *axis, const struct axis_spec *spec)
{
	struct format_scale low = format_scale_of(spec->lo, spec->unit), high = format_scale_of(spec->hi, spec->unit);
	bool mixed = low.divisor < high.divisor;

	for (int set = 0; set < 202; set++) {
		int ends = spec->vertical ? set : 0;
		axis->lo = spec->fixed ? spec->lo : round_log(spec->lo, ends, -1);
		axis->hi = spec->fixed ? spec->hi : round_log(spec->hi, ends, 1);
		if (!spec->fixed && axis->hi < axis->lo * 2.1) {
			axis->lo = round_log(axis->lo * 0.99, ends, -1);
			axis->hi = round_log(axis->hi * 1.01, ends, 1);
		}
		/* Up to four digits before the point read well; beyond, each label names its own unit. */
		axis->unit = !mixed ? high : axis->hi / low.divisor <= 10000 ? low : (struct format_scale){0};
		place_log(a, axis, spec, set);
		if (labels_fit(axis, spec))
			return;
	}
}

struct axis axis_new(struct arena *a, const struct axis_spec *wanted)
{
	struct axis_spec spec = *wanted;
	struct axis axis = {.scale = spec.scale, .from = spec.from, .to = spec.to};
	double size;

	axis.ticks = ARENA_NEW(a, struct tick, AXIS_TICKS_MAX);
	if (spec.scale == CHART_LOG && spec.lo > 0) {
		if (spec.fixed && spec.hi <= spec.lo)
			spec.lo /= 2, spec.hi *= 2;
		log_axis(a, &axis, &spec);
		return axis;
	}
	if (spec.zero || (spec.lo > 0 && !spec.fixed && spec.lo < 0.7 * spec.hi))
		spec.lo = spec.lo > 0 ? 0 : spec.lo;
	if (spec.zero)
		spec.hi = spec.hi < 0 ? 0 : spec.hi;
	size = fabs(spec.hi) > fabs(spec.lo) ? fabs(spec.hi) : fabs(spec.lo);
	/* A range lost in the digits of its values (or none at all) is opened so that ticks differ. */
	if (spec.hi - spec.lo <= size * 1e-9 || size == 0) {
		double open = size == 0 ? 1 : size * 0.1;
		spec.hi += open;
		spec.lo -= spec.zero || size == 0 ? 0 : open;
	}
	axis.scale = CHART_LINEAR;
	axis.lo = spec.lo;
	axis.hi = spec.hi;
	axis.unit = format_scale_of(size, spec.unit);
	linear_ticks(a, &axis, &spec);
	return axis;
}

struct axis axis_at_values(
	struct arena *a, const struct axis *axis, const struct axis_spec *spec, const double *v, ptrdiff_t n)
{
	struct axis own = *axis;

	own.ticks = ARENA_NEW(a, struct tick, AXIS_TICKS_MAX);
	own.n = 0;
	for (ptrdiff_t i = 0; i < n; i++)
		add_tick(a, &own, v[i], 0, spec->unit);
	finish_labels(a, &own, spec);
	thin_labels(&own, spec);
	return own;
}
