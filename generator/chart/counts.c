/* Distributions: histograms of buckets, and the share of values at or below each. The values lie across. */
#include "chart/counts.h"

#include <math.h>

#include "chart/frame.h"
#include "chart/label.h"

enum { BARS_MAX = 40, MARKERS = 6 };

/* A histogram's area is its count. Where the buckets' widths on the axis differ, its height is count for width: a share per
 * doubling on a logarithmic axis, else a share per width of the narrowest. */
struct heights {
	bool density;
	double per; /* the width that a share is of, in units of width_of */
	double total[CHART_SERIES_MAX * CHART_PANELS_MAX]; /* of a panel's series */
};

static double width_of(const struct chart *c, const struct chart_row *r)
{
	return c->scale == CHART_LOG ? log2(r->x2 / r->x) : r->x2 - r->x;
}

static double *total_of(struct heights *h, const struct chart_row *r)
{
	return &h->total[r->panel_at * CHART_SERIES_MAX + r->series_at];
}

static double height_of(const struct chart *c, struct heights *h, const struct chart_row *r)
{
	double total = *total_of(h, r);

	if (!h->density)
		return r->count;
	return total > 0 ? r->count / total / (width_of(c, r) / h->per) : 0;
}

static void sum_heights(const struct chart *c, struct heights *h)
{
	double least = (double)INFINITY, most = 0;

	for (ptrdiff_t i = 0; i < c->n; i++) {
		const struct chart_row *r = &c->rows[i];
		*total_of(h, r) += r->count;
		least = fmin(least, width_of(c, r));
		most = fmax(most, width_of(c, r));
	}
	h->density = most > least * 1.05;
	h->per = c->scale == CHART_LOG ? 1 : least;
}

static void set_histogram_x(struct frame *f)
{
	double lo = (double)INFINITY, hi = -lo;

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		lo = fmin(lo, f->c->rows[i].x);
		hi = fmax(hi, f->c->rows[i].x2);
	}
	struct axis_spec spec = {.scale = f->c->scale, .lo = lo, .hi = hi, .unit = f->c->unit, .fixed = true};
	frame_set_x(f, &spec);
}

static void set_histogram_y(struct frame *f, struct heights *h)
{
	struct arena *a = f->p->arena;
	double most = 0;

	for (ptrdiff_t i = 0; i < f->c->n; i++)
		most = fmax(most, height_of(f->c, h, &f->c->rows[i]));
	struct axis_spec spec = {.lo = 0, .hi = most, .zero = true, .unit = h->density ? STR("fraction") : STR("count")};
	frame_set_y(f, &spec, most);
	struct tick *top = &f->y.ticks[f->y.n - 1];
	struct str step = h->density && f->c->scale == CHART_LINEAR ? format_si(a, h->per, f->c->unit) : (struct str){0};
	top->label = str_printf(a, "%.*s%s%.*s", STR_FMT(top->label),
		!h->density			? " values"
		: f->c->scale == CHART_LOG	? " of them per doubling"
						: " of them per ",
		STR_FMT(step));
	top->label = label_wrap(a, top->label, AXIS_FONT_PX10 / 10.0, f->p->px - 4, 1).line[0];
	top->width_px = label_width(top->label, AXIS_FONT_PX10 / 10.0);
}

static struct str bucket_words(const struct frame *f, struct heights *h, const struct chart_row *r)
{
	struct arena *a = f->p->arena;
	struct str name = label_short(a, r->series), lo = format_si(a, r->x, f->c->unit),
		   hi = format_si(a, r->x2, f->c->unit), count = format_num(a, r->count, 0);
	double total = *total_of(h, r);

	return str_printf(a, "%.*s%s%.*s to %.*s: %.*s, %.*s", STR_FMT(name), name.len ? " " : "", STR_FMT(lo), STR_FMT(hi),
		STR_FMT(count), STR_FMT(format_si(a, total > 0 ? r->count / total : 0, STR("fraction"))));
}

/* The outline of a series' buckets from baseline to baseline, gaps between buckets included. */
static struct point *outline(const struct frame *f, struct heights *h, int s, ptrdiff_t *n)
{
	struct point *q = ARENA_NEW(f->p->arena, struct point, 4 * f->n[s]);
	double base = f->top_px + f->area_px;

	*n = 0;
	for (ptrdiff_t i = 0; i < f->n[s]; i++) {
		const struct chart_row *r = f->rows[s][i];
		double left = frame_x(f, r->x), right = frame_x(f, r->x2), y = frame_y(f, height_of(f->c, h, r));
		bool joins = i && left - q[*n - 1].f < 1e-6;
		if (joins)
			--*n;
		else
			q[(*n)++] = (struct point){left, base};
		q[(*n)++] = (struct point){left, y};
		q[(*n)++] = (struct point){right, y};
		q[(*n)++] = (struct point){right, base};
	}
	return q;
}

static void add_bars(struct frame *f, struct heights *h, int s)
{
	for (ptrdiff_t i = 0; i < f->n[s]; i++) {
		const struct chart_row *r = f->rows[s][i];
		f->p->row = (int)(r - f->c->rows);
		plot_tooltip(f->p, bucket_words(f, h, r));
		plot_rect(f->p, ROLE_FILL, s, (struct place){frame_x(f, r->x), 0}, frame_y(f, height_of(f->c, h, r)),
			(struct place){frame_x(f, r->x2), 0}, f->top_px + f->area_px);
		plot_tooltip_end(f->p);
		f->p->row = -1;
	}
}

/* Markers on the taller buckets, where the key shows them: outlines differ by more than colour. */
static void add_markers(struct frame *f, struct heights *h, int s)
{
	double most = 0;
	ptrdiff_t tall = 0, seen = 0;

	for (ptrdiff_t i = 0; i < f->n[s]; i++)
		most = fmax(most, height_of(f->c, h, f->rows[s][i]));
	for (ptrdiff_t i = 0; i < f->n[s]; i++)
		tall += height_of(f->c, h, f->rows[s][i]) >= most / 5;
	for (ptrdiff_t i = 0; i < f->n[s]; i++) {
		const struct chart_row *r = f->rows[s][i];
		double v = height_of(f->c, h, r), at = (frame_x(f, r->x) + frame_x(f, r->x2)) / 2;
		if (v >= most / 5 && seen++ % (tall / MARKERS + 1) == tall / MARKERS / 2)
			plot_point(f->p, ROLE_DOT, s, at, frame_y(f, v), 4);
	}
}

static void add_histogram(struct frame *f, struct heights *h)
{
	bool single = f->c->n_series < 2;
	ptrdiff_t n;

	for (int s = 0; s < CHART_SERIES_MAX; s++) {
		if (!f->n[s])
			continue;
		if (single && f->c->n <= BARS_MAX) {
			add_bars(f, h, s);
			continue;
		}
		struct point *q = outline(f, h, s, &n);
		plot_path(f->p, single ? ROLE_FILL : ROLE_BAND, s, q, n);
		if (single)
			continue;
		plot_path(f->p, ROLE_STROKE, s, q, n);
		add_markers(f, h, s);
	}
}

static void plot_histogram(struct plot *p, const struct chart *c)
{
	struct frame f = frame_new(p, c);
	struct heights *h = ARENA_NEW(p->arena, struct heights, 1);

	sum_heights(c, h);
	set_histogram_y(&f, h);
	set_histogram_x(&f);
	while (frame_next(&f))
		add_histogram(&f, h);
	for (int s = 0; s < c->n_series && c->n_series > 1; s++)
		plot_key(p, SWATCH_LINE, s, c->series[s].len ? c->series[s] : STR("no series"));
	frame_finish(&f);
}

double counts_quantile(const struct chart_row *const *sorted, ptrdiff_t n, double q, bool upper)
{
	double total = 0, sum = 0;

	for (ptrdiff_t i = 0; i < n; i++)
		total += sorted[i]->count;
	for (ptrdiff_t i = 0; i < n; i++) {
		sum += sorted[i]->count;
		if (sum > 0 && sum >= q * total * (1 - 1e-12))
			return upper ? sorted[i]->x2 : sorted[i]->value;
	}
	return (double)NAN;
}

static void set_ecdf(struct frame *f)
{
	double lo = (double)INFINITY, hi = -lo;

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		lo = fmin(lo, f->c->rows[i].value);
		hi = fmax(hi, f->c->rows[i].value);
	}
	struct axis_spec y = {.lo = 0, .hi = 1, .fixed = true, .unit = STR("fraction")};
	struct axis_spec x = {.scale = f->c->scale, .lo = lo, .hi = hi, .unit = f->c->unit, .fixed = true};
	frame_set_y(f, &y, 1);
	frame_set_x(f, &x);
}

/* Steps up at each value; what SVG could not tell apart is left out. */
static struct point *steps_of(const struct frame *f, int s, ptrdiff_t *n)
{
	struct point *q = ARENA_NEW(f->p->arena, struct point, 2 * f->n[s] + 1);
	double total = 0, sum = 0;

	for (ptrdiff_t i = 0; i < f->n[s]; i++)
		total += f->rows[s][i]->count;
	*n = 0;
	q[(*n)++] = (struct point){frame_x(f, f->rows[s][0]->value), frame_y(f, 0)};
	for (ptrdiff_t i = 0; i < f->n[s]; i++) {
		struct point at = {frame_x(f, f->rows[s][i]->value), 0};
		sum += f->rows[s][i]->count;
		at.y = frame_y(f, total > 0 ? sum / total : 0);
		if (i + 1 < f->n[s] && at.f - q[*n - 1].f < 2e-4 && fabs(at.y - q[*n - 1].y) < 0.1)
			continue;
		if (at.f > q[*n - 1].f) {
			q[*n] = (struct point){at.f, q[*n - 1].y};
			++*n;
		}
		q[(*n)++] = at;
	}
	return q;
}

static struct str quantile_text(const struct frame *f, int s, double q)
{
	return format_si(f->p->arena, counts_quantile(f->rows[s], f->n[s], q, false), f->c->unit);
}

/* How far down, in px, the curve comes between two fractions: it ascends, so right at the first. */
static double lowest_between(const struct point *q, ptrdiff_t n, double from, double to)
{
	double y = q[0].y;

	for (ptrdiff_t i = 0; i < n && q[i].f <= from; i++)
		y = q[i].y;
	return from < to ? y : q[n - 1].y;
}

/* Where a quantile's name has room in a plot so wide: at its right, where nothing of a lone curve can be, or at its left if the curve
 * is far above there. */
static bool find_side(const struct frame *f, double at, double wide, double px, double top, const struct point *curve,
	ptrdiff_t n, enum anchor *side)
{
	double left = at - wide / px;

	*side = at * px + 10 + wide < px - 2 ? ANCHOR_START : ANCHOR_END;
	return *side == ANCHOR_START || (left > f->lead_px / f->p->px && lowest_between(curve, n, left, at) < top - 3);
}

/* Returns the name's baseline, 0 without one; none stands where `other` does. */
static double add_quantile(
	struct frame *f, int s, double q, const char *words, const struct point *curve, ptrdiff_t n, double other)
{
	double v = counts_quantile(f->rows[s], f->n[s], q, false), x = frame_x(f, v), y = frame_y(f, q), px = f->p->px;
	/* Where the curve goes on after the step that passes q: the text keeps below it. */
	double after = lowest_between(curve, n, x + 1e-9, 1), baseline = fmax(y + (q > 0.9 ? 18 : 5), after + 15);
	struct str value = quantile_text(f, s, q), text = str_printf(f->p->arena, "%s %.*s", words, STR_FMT(value));
	double wide = label_width(text, PLOT_FONT_PX);
	enum anchor side;

	if (isnan(v))
		return 0;
	plot_point(f->p, ROLE_DOT, s, x, y, 4.5);
	if (f->c->n_series > 1 || fabs(baseline - other) < 18)
		return 0;
	bool narrow = find_side(f, x, wide, px, baseline - 10, curve, n, &side);
	if (!narrow && !find_side(f, x, wide, PLOT_WIDE_PX, baseline - 10, curve, n, &side))
		return 0;
	struct place at = {x, side == ANCHOR_START ? 10 : 0};
	struct mark *m = plot_text(f->p, INK_LABEL, side, at, baseline, text);
	m->halo = true;
	m->wide = !narrow;
	return baseline;
}

static void add_curve(struct frame *f, int s)
{
	static const double marked[] = {0.1, 0.25, 0.75, 0.9};
	ptrdiff_t n;
	struct point *q = steps_of(f, s, &n);

	plot_path(f->p, ROLE_STROKE, s, q, n);
	for (size_t i = 0; i < sizeof marked / sizeof *marked && f->c->n_series > 1; i++) {
		double v = counts_quantile(f->rows[s], f->n[s], marked[i], false);
		if (!isnan(v))
			plot_point(f->p, ROLE_DOT, s, frame_x(f, v), frame_y(f, marked[i]), 4);
	}
	double median = add_quantile(f, s, 0.5, "median", q, n, 0);
	add_quantile(f, s, 0.99, "99 % within", q, n, median);
}

static void name_curves(struct frame *f)
{
	struct arena *a = f->p->arena;

	for (int s = 0; s < f->c->n_series && f->c->n_series > 1; s++) {
		struct str name = f->c->series[s].len ? label_short(a, f->c->series[s]) : STR("no series");
		if (f->n[s] && f->c->panels.n < 2 && !isnan(counts_quantile(f->rows[s], f->n[s], 0.5, false)))
			name = str_printf(a, "%.*s: median %.*s, 99 %% within %.*s", STR_FMT(name),
				STR_FMT(quantile_text(f, s, 0.5)), STR_FMT(quantile_text(f, s, 0.99)));
		plot_key(f->p, SWATCH_LINE, s, name);
	}
}

static void plot_ecdf(struct plot *p, const struct chart *c)
{
	struct frame f = frame_new(p, c);

	set_ecdf(&f);
	while (frame_next(&f)) {
		for (int s = 0; s < CHART_SERIES_MAX; s++)
			if (f.n[s])
				add_curve(&f, s);
		if (f.first == 0)
			name_curves(&f);
	}
	frame_finish(&f);
}

void plot_counts(struct plot *p, const struct chart *c)
{
	if (c->kind == CHART_ECDF)
		plot_ecdf(p, c);
	else
		plot_histogram(p, c);
}
