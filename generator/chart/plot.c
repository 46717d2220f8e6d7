#include "chart/plot.h"

#include <math.h>

#include "chart/label.h"

struct plot plot_new(struct arena *a, const struct chart *c, double px)
{
	struct plot p = {.arena = a, .px = px, .row = -1, .id = c->id};

	if (c->n == 0) {
		plot_text(&p, INK_QUIET, ANCHOR_START, (struct place){0}, 14, STR("No values"));
		p.height = 20;
		return p;
	}
	switch (c->kind) {
	case CHART_LINE:
	case CHART_STEP:
	case CHART_SCATTER: plot_line(&p, c); break;
	case CHART_HISTOGRAM:
	case CHART_ECDF: plot_counts(&p, c); break;
	case CHART_HEATMAP: plot_heatmap(&p, c); break;
	case CHART_TIMELINE: plot_timeline(&p, c); break;
	case CHART_RANGE:
	case CHART_BAR:
	case CHART_SPLIT:
	case CHART_KIND_MAX: plot_rows(&p, c); break;
	}
	return p;
}

struct mark *plot_add(struct plot *p, enum mark_kind kind, enum role role, int series)
{
	if (p->n == p->cap) {
		ptrdiff_t cap = p->cap ? 2 * p->cap : 128;
		struct mark *bigger = ARENA_NEW(p->arena, struct mark, cap);
		if (p->n)
			memcpy(bigger, p->marks, (size_t)p->n * sizeof *bigger);
		p->marks = bigger;
		p->cap = cap;
	}
	struct mark *m = &p->marks[p->n++];
	m->kind = kind;
	m->role = role;
	m->series = series;
	m->row = p->row;
	return m;
}

void plot_append(struct plot *p, const struct plot *layer, int series)
{
	for (ptrdiff_t i = 0; i < layer->n; i++)
		if (series < 0 || layer->marks[i].series == series)
			*plot_add(p, MARK_LINE, ROLE_MAX, 0) = layer->marks[i];
}

void plot_line_mark(struct plot *p, enum role role, int series, struct place x1, double y1, struct place x2, double y2)
{
	struct mark *m = plot_add(p, MARK_LINE, role, series);

	m->x1 = x1;
	m->x2 = x2;
	m->y1 = y1;
	m->y2 = y2;
}

void plot_rect(struct plot *p, enum role role, int series, struct place x1, double y1, struct place x2, double y2)
{
	bool swap = x2.f < x1.f || x2.px < x1.px;
	struct mark *m = plot_add(p, MARK_RECT, role, series);

	m->x1 = swap ? x2 : x1;
	m->x2 = swap ? x1 : x2;
	m->y1 = y1;
	m->y2 = y2;
}

void plot_point(struct plot *p, enum role role, int series, double f, double y, double radius)
{
	struct mark *m = plot_add(p, MARK_POINT, role, series);

	m->x1 = (struct place){f, 0};
	m->y1 = y;
	m->y2 = radius;
}

void plot_runs(struct plot *p, enum role role, int series, double thick_px, const struct run_px *runs, ptrdiff_t n)
{
	struct mark *m = plot_add(p, MARK_RUNS, role, series);

	m->y2 = thick_px;
	m->runs = runs;
	m->n_runs = n;
}

void plot_cloud(struct plot *p, int series, double size_px, const struct run_px *runs, ptrdiff_t n)
{
	plot_runs(p, ROLE_CLOUD, series, size_px, runs, n);
	if (series == 2 || series == 3)
		plot_runs(p, ROLE_HOLE, series, size_px * 0.45, runs, n);
}

void plot_path(struct plot *p, enum role role, int series, const struct point *points, ptrdiff_t n)
{
	struct mark *m = plot_add(p, MARK_PATH, role, series);

	m->points = points;
	m->n_points = n;
}

struct mark *plot_text(struct plot *p, enum ink ink, enum anchor anchor, struct place x, double y, struct str text)
{
	struct mark *m = plot_add(p, MARK_TEXT, ROLE_MAX, 0);

	m->ink = ink;
	m->anchor = anchor;
	m->x1 = x;
	m->y1 = y;
	m->text = text;
	return m;
}

void plot_tooltip(struct plot *p, struct str text)
{
	plot_add(p, MARK_OPEN, ROLE_MAX, 0)->text = text;
}

void plot_tooltip_end(struct plot *p)
{
	plot_add(p, MARK_CLOSE, ROLE_MAX, 0);
}

double plot_x_axis(struct plot *p, const struct axis *axis, double y)
{
	for (ptrdiff_t i = 0; i < axis->n; i++) {
		const struct tick *t = &axis->ticks[i];
		struct place x = {t->at, 0};
		plot_line_mark(p, ROLE_BASE, 0, x, y, x, y + (t->label.len ? 5 : 3));
		if (t->label.len)
			plot_text(p, INK_AXIS, t->anchor, x, y + 18, t->label);
	}
	plot_line_mark(p, ROLE_BASE, 0, (struct place){0, 0}, y, (struct place){1, 0}, y);
	if (axis->caption.len)
		plot_text(p, INK_AXIS, ANCHOR_END, (struct place){1, 0}, y + 34, axis->caption);
	return y + (axis->caption.len ? 40 : 24);
}

void plot_key(struct plot *p, enum swatch swatch, int series, struct str text)
{
	if (p->n_key < KEY_MAX)
		p->key[p->n_key++] = (struct key_item){swatch, series, text};
}

static struct place at_px(double px)
{
	return (struct place){0, px};
}

static void swatch_point(struct plot *p, enum role role, int series, double x, double y)
{
	plot_point(p, role, series, 0, y, role == ROLE_DOT ? 4.5 : 5);
	p->marks[p->n - 1].x1.px = x;
}

static void swatch_whisker(struct plot *p, int series, double x, double y)
{
	plot_line_mark(p, ROLE_STROKE, series, at_px(x + 1), y + 8, at_px(x + 29), y + 8);
	plot_line_mark(p, ROLE_STROKE, series, at_px(x + 1), y + 4, at_px(x + 1), y + 12);
	plot_line_mark(p, ROLE_STROKE, series, at_px(x + 29), y + 4, at_px(x + 29), y + 12);
}

static void swatch_state(struct plot *p, int state, double x, double y)
{
	plot_runs(p, ROLE_STATE, state, fmin(plot_state_px(state), 14), NULL, 0);
	p->marks[p->n - 1].x1.px = x;
	p->marks[p->n - 1].x2.px = x + 30;
	p->marks[p->n - 1].y1 = y;
	int stripes = plot_state_stripes(state);
	for (int i = 0; i < stripes; i++) {
		plot_runs(p, ROLE_HOLE, 0, PLOT_STRIPE_PX, NULL, 0);
		p->marks[p->n - 1].x1.px = x;
		p->marks[p->n - 1].x2.px = x + 30;
		p->marks[p->n - 1].y1 = y - 7 + 14.0 * (i + 1) / (stripes + 1);
	}
}

static void swatch_cloud(struct plot *p, int series, double x, double y)
{
	ptrdiff_t first = p->n;

	plot_cloud(p, series, 6, NULL, 0);
	for (ptrdiff_t i = first; i < p->n; i++) {
		p->marks[i].x1.px = p->marks[i].x2.px = x;
		p->marks[i].y1 = y;
	}
}

double plot_state_px(int state)
{
	return state == STATE_READY ? 8 : state == STATE_SLEEPING || state == STATE_IDLE ? 2 : 20;
}

int plot_state_stripes(int state)
{
	return state > STATE_OTHER ? state - STATE_OTHER : 0;
}

double plot_swatch_px(enum swatch swatch)
{
	switch (swatch) {
	case SWATCH_PRED:
	case SWATCH_UPRIGHT: return 6;
	case SWATCH_REPORTED:
	case SWATCH_DOT:
	case SWATCH_CLOUD: return 16;
	case SWATCH_TICK: return 18;
	case SWATCH_RAMP: return 48;
	case SWATCH_NONE: return 0;
	case SWATCH_RANGE:
	case SWATCH_BAR:
	case SWATCH_WHISKER:
	case SWATCH_REST:
	case SWATCH_LINE:
	case SWATCH_BAND:
	case SWATCH_STATE: break;
	}
	return 30;
}

void plot_swatch(struct plot *p, const struct key_item *k, double x, double y)
{
	switch (k->swatch) {
	case SWATCH_RANGE:
		swatch_whisker(p, k->series, x, y);
		swatch_point(p, ROLE_FILL, k->series, x + 15, y + 8);
		break;
	case SWATCH_WHISKER: swatch_whisker(p, k->series, x, y); break;
	case SWATCH_BAR: plot_rect(p, ROLE_FILL, k->series, at_px(x), y + 2.5, at_px(x + 30), y + 13.5); break;
	case SWATCH_REST: plot_rect(p, ROLE_TINT, 0, at_px(x + 0.5), y + 3, at_px(x + 29.5), y + 13); break;
	case SWATCH_BAND: plot_rect(p, ROLE_BAND, k->series, at_px(x), y + 2, at_px(x + 30), y + 14); break;
	case SWATCH_PRED: plot_line_mark(p, ROLE_PRED, 0, at_px(x + 3), y, at_px(x + 3), y + 16); break;
	case SWATCH_UPRIGHT: plot_line_mark(p, ROLE_STROKE, k->series, at_px(x + 3), y, at_px(x + 3), y + 16); break;
	case SWATCH_REPORTED:
		plot_point(p, ROLE_REPORTED, 0, 0, y + 8, 5.5);
		p->marks[p->n - 1].x1.px = x + 8;
		break;
	case SWATCH_LINE:
		plot_line_mark(p, ROLE_STROKE, k->series, at_px(x), y + 8, at_px(x + 30), y + 8);
		swatch_point(p, ROLE_DOT, k->series, x + 15, y + 8);
		break;
	case SWATCH_DOT: swatch_point(p, ROLE_DOT, k->series, x + 8, y + 8); break;
	case SWATCH_CLOUD: swatch_cloud(p, k->series, x + 8, y + 8); break;
	case SWATCH_STATE: swatch_state(p, k->series, x, y + 8); break;
	case SWATCH_TICK:
		for (int i = 0; i < 4; i++)
			plot_line_mark(p, ROLE_TICK, 0, at_px(x + 1.5 + 5 * i), y + 5, at_px(x + 1.5 + 5 * i), y + 11);
		break;
	case SWATCH_RAMP:
		for (int i = 0; i < 6; i++) {
			plot_runs(p, ROLE_CELL, 0, 12, NULL, 0);
			p->marks[p->n - 1].x1.px = x + 8 * i;
			p->marks[p->n - 1].x2.px = x + 8 * i + 8;
			p->marks[p->n - 1].y1 = y + 8;
			p->marks[p->n - 1].opacity = RASTER_FLOOR + (1 - RASTER_FLOOR) * i / 5;
		}
		break;
	case SWATCH_NONE: break;
	}
}

bool plot_all_whole(const struct chart *c, const struct axis *axis)
{
	if (axis->unit.divisor != 1)
		return false;
	for (ptrdiff_t i = 0; i < c->n; i++) {
		const struct chart_row *r = &c->rows[i];
		if (r->value != rint(r->value) || fabs(r->value) > 1e15)
			return false;
	}
	return true;
}

struct str plot_row_words(struct arena *a, const struct chart *c, const struct axis *axis, const struct chart_row *r)
{
	struct buf b = buf_new(a);

	buf_add(&b, axis_value(a, axis, r->value, c->unit));
	if (!isnan(r->min) && !isnan(r->max)) {
		buf_add(&b, STR(", from "));
		buf_add(&b, axis_value(a, axis, r->min, c->unit));
		buf_add(&b, STR(" to "));
		buf_add(&b, axis_value(a, axis, r->max, c->unit));
	}
	if (!isnan(r->predicted)) {
		buf_add(&b, STR(", predicted "));
		buf_add(&b, axis_value(a, axis, r->predicted, c->unit));
	}
	if (!isnan(r->reported)) {
		buf_add(&b, STR(", reported "));
		buf_add(&b, axis_value(a, axis, r->reported, c->unit));
		if (r->source.len)
			buf_printf(&b, " (%.*s)", STR_FMT(label_short(a, r->source)));
	}
	if (!isnan(r->n)) {
		buf_add(&b, STR(", n = "));
		buf_add(&b, format_num(a, r->n, 0));
	}
	return buf_str(&b);
}
