/* Lines, steps and clouds of points: x and y numeric, one or several series. */
#include <math.h>

#include "chart/frame.h"
#include "chart/label.h"

enum { MARKERS_MAX = 24, WHISKERS_MAX = 16, DATA_TICKS_MAX = 9, POINTS_MAX = 36 };

static bool has_spread(const struct chart_row *r)
{
	return !isnan(r->min) && !isnan(r->max) && r->min < r->max;
}

static void set_y(struct frame *f)
{
	double lo = (double)INFINITY, hi = -lo;

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		const struct chart_row *r = &f->c->rows[i];
		lo = fmin(lo, fmin(r->value, isnan(r->min) ? r->value : r->min));
		hi = fmax(hi, fmax(r->value, isnan(r->max) ? r->value : r->max));
	}
	struct axis_spec spec = {.scale = f->c->scale, .lo = lo, .hi = hi, .unit = f->c->unit};
	frame_set_y(f, &spec, hi);
}

/* Few distinct x are labelled themselves, so that a reader sees where was measured. */
static void label_data(struct frame *f, const struct axis_spec *spec)
{
	double seen[DATA_TICKS_MAX + 1];
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		double x = f->c->rows[i].x;
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
	f->x = axis_at_values(f->p->arena, &f->x, spec, seen, n);
}

static void set_x(struct frame *f)
{
	double lo = (double)INFINITY, hi = -lo;

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		lo = fmin(lo, f->c->rows[i].x);
		hi = fmax(hi, f->c->rows[i].x);
	}
	struct axis_spec spec = {.scale = f->c->x_scale, .lo = lo, .hi = hi, .unit = f->c->x_unit};
	spec.fixed = f->c->kind != CHART_SCATTER;
	frame_set_x(f, &spec);
	if (spec.fixed)
		label_data(f, &spec);
}

enum edge { EDGE_VALUE, EDGE_MIN, EDGE_MAX };

/* A series' values, or one edge of its spread, from left to right; a step holds each until the next. */
static struct point *edge_of(const struct frame *f, int s, enum edge edge, ptrdiff_t *n)
{
	bool step = f->c->kind == CHART_STEP;
	struct point *q = ARENA_NEW(f->p->arena, struct point, 2 * f->n[s]);

	*n = 0;
	for (ptrdiff_t i = 0; i < f->n[s]; i++) {
		const struct chart_row *r = f->rows[s][i];
		double spread = edge == EDGE_MIN ? r->min : r->max;
		double v = edge == EDGE_VALUE || isnan(r->min) || isnan(r->max) ? r->value : spread;
		struct point at = {frame_x(f, r->x), frame_y(f, v)};
		if (step && i) {
			q[*n] = (struct point){at.f, q[*n - 1].y};
			++*n;
		}
		q[(*n)++] = at;
	}
	return q;
}

static void add_band(struct frame *f, int s)
{
	ptrdiff_t n;
	struct point *lo = edge_of(f, s, EDGE_MIN, &n), *hi = edge_of(f, s, EDGE_MAX, &n);
	struct point *q = ARENA_NEW(f->p->arena, struct point, 2 * n);

	for (ptrdiff_t i = 0; i < n; i++) {
		q[i] = lo[i];
		q[2 * n - 1 - i] = hi[i];
	}
	plot_path(f->p, ROLE_BAND, s, q, 2 * n);
}

/* Dense lines are told apart by a marker on every so many data; sparse ones and scattered points show each. */
static void add_points(struct frame *f, int s)
{
	struct arena *a = f->p->arena;
	bool scatter = f->c->kind == CHART_SCATTER;
	ptrdiff_t step = f->n[s] <= MARKERS_MAX || scatter ? 1 : f->n[s] / 10;

	for (ptrdiff_t i = step / 2; i < f->n[s] && (f->n[s] <= WHISKERS_MAX || scatter); i += step) {
		const struct chart_row *r = f->rows[s][i];
		struct place x = {frame_x(f, r->x), 0};
		f->p->row = (int)(r - f->c->rows);
		if (has_spread(r))
			plot_line_mark(f->p, ROLE_STROKE, s, x, frame_y(f, r->min), x, frame_y(f, r->max));
	}
	for (ptrdiff_t i = step / 2; i < f->n[s]; i += step) {
		const struct chart_row *r = f->rows[s][i];
		struct str words = plot_row_words(a, f->c, &f->y, r), at = format_si(a, r->x, f->c->x_unit);
		f->p->row = (int)(r - f->c->rows);
		plot_tooltip(f->p, str_printf(a, "%.*s%sat %.*s: %.*s", STR_FMT(label_short(a, r->series)),
					   r->series.len ? " " : "", STR_FMT(at), STR_FMT(words)));
		plot_point(f->p, ROLE_DOT, s, frame_x(f, r->x), frame_y(f, r->value), scatter ? 4 : 4.5);
		plot_tooltip_end(f->p);
		f->p->row = -1;
	}
}

/* One mark for all points of a series: fewer bytes, no tooltips. Whiskers would hide the points. */
static void add_cloud(struct frame *f, int s)
{
	struct run_px *runs = ARENA_NEW(f->p->arena, struct run_px, f->n[s]);

	for (ptrdiff_t i = 0; i < f->n[s]; i++) {
		const struct chart_row *r = f->rows[s][i];
		double x = frame_x(f, r->x);
		runs[i] = (struct run_px){x, x, frame_y(f, r->value)};
	}
	plot_cloud(f->p, s, f->c->n > 500 ? 4 : f->c->n > 100 ? 5 : 6, runs, f->n[s]);
}

static int compare_last(const struct frame *f, int a, int b)
{
	double va = f->n[a] ? f->rows[a][f->n[a] - 1]->value : -(double)INFINITY;
	double vb = f->n[b] ? f->rows[b][f->n[b] - 1]->value : -(double)INFINITY;

	return (va < vb) - (va > vb);
}

/* Lines beside which their names have no room are told apart by a key, in the order of the lines' right ends. */
static bool name_lines(struct frame *f, const int order[CHART_SERIES_MAX])
{
	struct direct lines[CHART_SERIES_MAX];
	int n = 0;

	if (f->c->kind == CHART_SCATTER || f->c->n > 200)
		return false;
	for (int i = 0; i < CHART_SERIES_MAX; i++) {
		int s = order[i];
		struct direct d = {.text = f->c->series[s < f->c->n_series ? s : 0], .series = s};
		if (!f->n[s])
			continue;
		d.hi = edge_of(f, s, EDGE_MAX, &d.n);
		d.lo = edge_of(f, s, EDGE_MIN, &d.n);
		lines[n++] = d;
	}
	return frame_name_lines(f, lines, n);
}

static void add_keys(struct frame *f)
{
	int order[CHART_SERIES_MAX] = {0, 1, 2, 3, 4};
	bool spread = chart_has_spread(f->c), banded = false, several = f->c->n_series > 1;
	bool drawn[CHART_SERIES_MAX] = {false};

	for (ptrdiff_t i = 0; i < f->c->n; i++)
		drawn[f->c->rows[i].series_at] = true;
	for (int i = 1; i < CHART_SERIES_MAX; i++)
		for (int k = i; k > 0 && compare_last(f, order[k - 1], order[k]) > 0; k--) {
			int t = order[k];
			order[k] = order[k - 1];
			order[k - 1] = t;
		}
	for (int i = 0; i < CHART_SERIES_MAX; i++)
		banded = banded || (f->n[i] > WHISKERS_MAX && f->c->kind != CHART_SCATTER);
	enum swatch swatch = f->c->kind != CHART_SCATTER ? SWATCH_LINE : f->c->n > POINTS_MAX ? SWATCH_CLOUD : SWATCH_DOT;
	bool in_key = several && !name_lines(f, order);
	for (int i = 0; i < CHART_SERIES_MAX && in_key; i++)
		if (drawn[order[i]])
			plot_key(f->p, swatch, order[i],
				f->c->series[order[i]].len ? f->c->series[order[i]] : STR("no series"));
	if (spread && (f->c->kind != CHART_SCATTER || f->c->n <= POINTS_MAX))
		plot_key(f->p, banded ? SWATCH_BAND : SWATCH_UPRIGHT, several ? CHART_SERIES_MAX - 1 : 0, STR("min to max"));
}

static void add_panel(struct frame *f)
{
	bool scatter = f->c->kind == CHART_SCATTER;

	for (int s = 0; s < CHART_SERIES_MAX && !scatter; s++)
		if (f->n[s] > WHISKERS_MAX && chart_has_spread(f->c))
			add_band(f, s);
	for (int s = 0; s < CHART_SERIES_MAX && !scatter; s++)
		if (f->n[s] > 1) {
			ptrdiff_t n;
			struct point *q = edge_of(f, s, EDGE_VALUE, &n);
			plot_path(f->p, ROLE_STROKE, s, q, n);
		}
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		if (scatter && f->c->n > POINTS_MAX && f->n[s])
			add_cloud(f, s);
		else if (scatter || f->n[s] <= MARKERS_MAX || f->c->n_series > 1)
			add_points(f, s);
}

void plot_line(struct plot *p, const struct chart *c)
{
	struct frame f = frame_new(p, c);

	set_y(&f);
	set_x(&f);
	while (frame_next(&f)) {
		add_panel(&f);
		if (f.first == 0)
			add_keys(&f);
	}
	frame_finish(&f);
}
