/* Lines: x and y numeric, one or several series. Tick labels of y stand on full-width grid lines in a narrow lead at the left. */
#include "chart/plot.h"

#include <math.h>

#include "chart/label.h"

static const double top_px = 20, area_px = 208;
enum { MARKERS_MAX = 24, WHISKERS_MAX = 16, DATA_TICKS_MAX = 9 };

struct lines {
	struct plot *p;
	const struct chart *c;
	struct axis x, y;
	const struct chart_row **by_x[CHART_SERIES_MAX]; /* each series' rows in the order of x */
	ptrdiff_t n[CHART_SERIES_MAX];
};

/* By insertion: queries mostly come sorted, and equal x keep the query's order. */
static void sort_rows(struct lines *l)
{
	for (int s = 0; s < CHART_SERIES_MAX; s++) {
		const struct chart_row **sorted = l->by_x[s] =
			ARENA_NEW(l->p->arena, const struct chart_row *, l->c->n);
		for (ptrdiff_t i = 0; i < l->c->n; i++) {
			const struct chart_row *r = &l->c->rows[i];
			if (r->series_at != s)
				continue;
			ptrdiff_t k = l->n[s]++;
			for (; k > 0 && sorted[k - 1]->x > r->x; k--)
				sorted[k] = sorted[k - 1];
			sorted[k] = r;
		}
	}
}

static double y_px(const struct lines *l, double v)
{
	return top_px + (1 - axis_at(&l->y, v)) * area_px;
}

static void find_y(struct lines *l)
{
	double lo = (double)INFINITY, hi = -lo;

	for (ptrdiff_t i = 0; i < l->c->n; i++) {
		const struct chart_row *r = &l->c->rows[i];
		lo = fmin(lo, fmin(r->value, isnan(r->min) ? r->value : r->min));
		hi = fmax(hi, fmax(r->value, isnan(r->max) ? r->value : r->max));
	}
	struct axis_spec spec = {
		.scale = l->c->scale, .lo = lo, .hi = hi, .unit = l->c->unit, .to = 1, .px = area_px, .vertical = true};
	l->y = axis_new(l->p->arena, &spec);
	l->y.whole = plot_all_whole(l->c, &l->y);
}

/* Few distinct x are labelled themselves, so that a reader sees where was measured. */
static void label_data(struct lines *l, const struct axis_spec *spec)
{
	double seen[DATA_TICKS_MAX + 1];
	ptrdiff_t n = 0;

	for (int s = 0; s < CHART_SERIES_MAX; s++)
		for (ptrdiff_t i = 0; i < l->n[s]; i++) {
			double x = l->by_x[s][i]->x;
			ptrdiff_t k = 0;
			while (k < n && seen[k] < x)
				k++;
			if (k < n && seen[k] == x)
				continue;
			if (n == DATA_TICKS_MAX)
				return;
			memmove(seen + k + 1, seen + k, (size_t)(n - k) * sizeof *seen);
			seen[k] = x;
			n++;
		}
	l->x = axis_at_values(l->p->arena, &l->x, spec, seen, n);
}

static void find_x(struct lines *l)
{
	double lo = (double)INFINITY, hi = -lo, lead = 0;

	for (ptrdiff_t i = 0; i < l->c->n; i++) {
		lo = fmin(lo, l->c->rows[i].x);
		hi = fmax(hi, l->c->rows[i].x);
	}
	/* The top label stands above all data; the others need the lead. */
	for (ptrdiff_t i = 0; i + 1 < l->y.n; i++)
		lead = fmax(lead, l->y.ticks[i].width_px);
	struct axis_spec spec = {
		.scale = l->c->x_scale, .lo = lo, .hi = hi, .unit = l->c->x_unit, .fixed = true, .px = l->p->px};
	spec.from = (lead + 12) / l->p->px;
	spec.to = 1 - 8 / l->p->px;
	l->x = axis_new(l->p->arena, &spec);
	label_data(l, &spec);
}

static void add_y_axis(struct lines *l)
{
	double highest = area_px;

	for (ptrdiff_t i = 0; i < l->c->n; i++)
		highest =
			fmin(highest, y_px(l, fmax(l->c->rows[i].value, isnan(l->c->rows[i].max) ? l->c->rows[i].value
												 : l->c->rows[i].max)));
	/* The top label is longer than the lead: marks below it may reach up to its line. */
	double lift = highest < top_px + 8 ? 9 : 4;
	for (ptrdiff_t i = 0; i < l->y.n; i++) {
		const struct tick *t = &l->y.ticks[i];
		double y = top_px + (1 - t->at) * area_px;
		if (!t->label.len)
			continue;
		if (i || t->at > 0.001)
			plot_line_mark(l->p, ROLE_GRID, 0, (struct place){0, 0}, y, (struct place){1, 0}, y);
		plot_text(
			l->p, INK_AXIS, ANCHOR_START, (struct place){0, 0}, y - (i + 1 == l->y.n ? lift : 4), t->label);
	}
}

static bool has_spread(const struct chart_row *r)
{
	return !isnan(r->min) && !isnan(r->max) && r->min < r->max;
}

static void add_band(struct lines *l, int s)
{
	ptrdiff_t n = l->n[s];
	struct point *q = ARENA_NEW(l->p->arena, struct point, 2 * n);

	for (ptrdiff_t i = 0; i < n; i++) {
		const struct chart_row *r = l->by_x[s][i];
		bool ok = !isnan(r->min) && !isnan(r->max);
		q[i] = (struct point){axis_at(&l->x, r->x), y_px(l, ok ? r->min : r->value)};
		q[2 * n - 1 - i] = (struct point){q[i].f, y_px(l, ok ? r->max : r->value)};
	}
	struct mark *m = plot_add(l->p, MARK_PATH, ROLE_BAND, s);
	m->points = q;
	m->n_points = 2 * n;
}

static void add_path(struct lines *l, int s)
{
	struct point *q = ARENA_NEW(l->p->arena, struct point, l->n[s]);

	for (ptrdiff_t i = 0; i < l->n[s]; i++)
		q[i] = (struct point){axis_at(&l->x, l->by_x[s][i]->x), y_px(l, l->by_x[s][i]->value)};
	struct mark *m = plot_add(l->p, MARK_PATH, ROLE_STROKE, s);
	m->points = q;
	m->n_points = l->n[s];
}

/* Dense lines are told apart by a marker on every so many data; sparse ones show each. */
static void add_points(struct lines *l, int s)
{
	struct arena *a = l->p->arena;
	ptrdiff_t step = l->n[s] <= MARKERS_MAX ? 1 : l->n[s] / 10;

	for (ptrdiff_t i = step / 2; i < l->n[s]; i += step) {
		const struct chart_row *r = l->by_x[s][i];
		struct place x = {axis_at(&l->x, r->x), 0};
		struct str words = plot_row_words(a, l->c, &l->y, r), at = format_si(a, r->x, l->c->x_unit);
		l->p->row = (int)(r - l->c->rows);
		plot_tooltip(l->p, str_printf(a, "%.*s%sat %.*s: %.*s", STR_FMT(label_short(a, r->series)),
					   r->series.len ? " " : "", STR_FMT(at), STR_FMT(words)));
		if (has_spread(r) && l->n[s] <= WHISKERS_MAX)
			plot_line_mark(l->p, ROLE_STROKE, s, x, y_px(l, r->min), x, y_px(l, r->max));
		plot_point(l->p, ROLE_DOT, s, x.f, y_px(l, r->value), 4.5);
		plot_tooltip_end(l->p);
		l->p->row = -1;
	}
}

static int compare_last(const struct lines *l, int a, int b)
{
	double va = l->n[a] ? l->by_x[a][l->n[a] - 1]->value : -(double)INFINITY;
	double vb = l->n[b] ? l->by_x[b][l->n[b] - 1]->value : -(double)INFINITY;

	return (va < vb) - (va > vb);
}

/* The key lists the series in the order of the lines' right ends. */
static void add_keys(struct lines *l)
{
	int order[CHART_SERIES_MAX] = {0, 1, 2, 3, 4};
	bool spread = chart_has_spread(l->c), banded = false;

	for (int i = 1; i < CHART_SERIES_MAX; i++)
		for (int k = i; k > 0 && compare_last(l, order[k - 1], order[k]) > 0; k--) {
			int t = order[k];
			order[k] = order[k - 1];
			order[k - 1] = t;
		}
	for (int i = 0; i < CHART_SERIES_MAX; i++)
		banded = banded || l->n[i] > WHISKERS_MAX;
	for (int i = 0; i < CHART_SERIES_MAX && l->c->n_series > 1; i++)
		if (l->n[order[i]])
			plot_key(l->p, SWATCH_LINE, order[i], l->c->series[order[i]]);
	if (spread)
		plot_key(l->p, banded ? SWATCH_BAND : SWATCH_UPRIGHT, l->c->n_series > 1 ? CHART_SERIES_MAX - 1 : 0,
			STR("min to max"));
}

void plot_line(struct plot *p, const struct chart *c)
{
	struct lines l = {.p = p, .c = c};

	sort_rows(&l);
	find_y(&l);
	find_x(&l);
	add_keys(&l);
	add_y_axis(&l);
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		if (l.n[s] > WHISKERS_MAX && chart_has_spread(c))
			add_band(&l, s);
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		if (l.n[s] > 1)
			add_path(&l, s);
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		if (l.n[s] <= MARKERS_MAX || c->n_series > 1)
			add_points(&l, s);
	p->height = plot_x_axis(p, &l.x, top_px + area_px);
}
