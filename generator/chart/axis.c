#include "chart/axis.h"

#include <math.h>

#include "chart/label.h"

static const double font_px = AXIS_FONT_PX10 / 10.0;
static const double gap_px = 14, line_px = 26; /* least distance between labels beside and above each other */

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

static void add_tick(struct arena *a, struct axis *axis, double v, double step, struct str unit)
{
	if (axis->n == AXIS_TICKS_MAX)
		return;
	struct tick *t = &axis->ticks[axis->n++];
	t->at = axis_at(axis, v);
	t->anchor = ANCHOR_MIDDLE;
	t->label = step < 0 ? (struct str){0} : tick_text(a, axis, v, step, unit);
}

/* Names the unit on the last label and anchors labels that would stick out of the shortest plot. */
static void finish_labels(struct arena *a, struct axis *axis, const struct axis_spec *spec)
{
	struct tick *last = NULL;

	for (ptrdiff_t i = 0; i < axis->n; i++)
		if (axis->ticks[i].label.len)
			last = &axis->ticks[i];
	if (last && axis->unit.divisor != 0 && axis->unit.shown.len) {
		struct label shown = label_wrap(a, axis->unit.shown, font_px, 90, 1);
		last->label = str_printf(a, "%.*s" FORMAT_NBSP "%.*s", STR_FMT(last->label), STR_FMT(shown.line[0]));
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
	double range = spec->hi - spec->lo;
	double step = nice_step(range / (spec->vertical ? 5 : 7));

	for (int tries = 0; tries < 6; tries++) {
		place_linear(a, axis, spec, step);
		if (axis->n <= 2 || labels_fit(axis, spec))
			return;
		step = nice_step(step * 1.5);
	}
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

/* Label sets from 1-2-5 to every 200th decade; minor ticks at the whole mantissas while there are few decades. */
static void log_ticks(struct arena *a, struct axis *axis, const struct axis_spec *spec)
{
	int first = (int)floor(log10(axis->lo) + 1e-9), last = (int)ceil(log10(axis->hi) - 1e-9);
	bool minor = last - first <= 5;

	for (int set = 0; set < 202; set++) {
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
		if (labels_fit(axis, spec))
			return;
	}
}

/* The 1-2-5 number at or below (dir -1) or at or above (dir 1) v. */
static double round_125(double v, int dir)
{
	static const double m[] = {0.5, 1, 2, 5, 10};
	double p = pow(10, floor(log10(v) + 1e-9));

	if (dir < 0) {
		for (int i = 4; i >= 0; i--)
			if (m[i] * p <= v * 1.000001)
				return m[i] * p;
	}
	for (int i = 0; i < 5; i++)
		if (m[i] * p >= v * 0.999999)
			return m[i] * p;
	return 10 * p;
}

static void log_axis(struct arena *a, struct axis *axis, const struct axis_spec *spec)
{
	struct format_scale low = format_scale_of(spec->lo, spec->unit), high = format_scale_of(spec->hi, spec->unit);
	bool mixed = low.divisor < high.divisor;

	axis->lo = spec->fixed ? spec->lo : round_125(spec->lo, -1);
	axis->hi = spec->fixed ? spec->hi : round_125(spec->hi, 1);
	if (axis->hi < axis->lo * 3.9 && !spec->fixed) {
		axis->lo = round_125(axis->lo * 0.99, -1);
		axis->hi = round_125(axis->hi * 1.01, 1);
	}
	/* Up to four digits before the point read well; beyond, each label names its own unit. */
	axis->unit = !mixed ? high : axis->hi / low.divisor <= 10000 ? low : (struct format_scale){0};
	log_ticks(a, axis, spec);
}

struct axis axis_new(struct arena *a, const struct axis_spec *given)
{
	struct axis_spec spec = *given;
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
	if (!labels_fit(&own, spec))
		own.n = 0;
	return own;
}
