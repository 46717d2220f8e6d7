/* Timelines: a lane for each task or CPU, a look for each state. States differ in height and pattern before they differ in colour:
 * running is solid, ready striped and low, sleeping a line, throttled barred between rails. */
#include <math.h>

#include "chart/label.h"
#include "chart/plot.h"
#include "chart/style.h"

static const double band_px = 20, name_px = 20, gap_px = 10, ruler_px = 9, rail_px = 1.5;
static const double least_f = 0.001; /* of the width: no span is thinner */

struct lane {
	struct str name;
	ptrdiff_t n; /* spans */
};

struct timeline {
	struct plot *p;
	const struct chart *c;
	struct axis x;
	struct lane lanes[CHART_LANES_MAX];
	ptrdiff_t n_lanes;
	int *lane_at; /* of each row; -1 for a tick */
	ptrdiff_t first, end; /* rows of the panel */
	bool said[CHART_STATES_MAX + CHART_SERIES_MAX]; /* looks named beside a span already */
	bool by_series; /* running spans take their series' look */
};

static bool is_tick(const struct chart_row *r)
{
	return chart_state_of(r->state) == STATE_TICK;
}

/* The look of a row: an enum chart_state, or STATE_OTHER and a series. */
static int look_of(const struct timeline *t, const struct chart_row *r)
{
	enum chart_state s = chart_state_of(r->state);

	if (s == STATE_RUNNING && t->by_series)
		return STATE_OTHER + r->series_at;
	/* A state of its own name takes the colours after the first. */
	return s == STATE_OTHER ? STATE_OTHER + 1 + r->state_at % (CHART_SERIES_MAX - 1) : (int)s;
}

static void find_x(struct timeline *t)
{
	double lo = (double)INFINITY, hi = -lo;

	for (ptrdiff_t i = 0; i < t->c->n; i++) {
		lo = fmin(lo, t->c->rows[i].x);
		hi = fmax(hi, t->c->rows[i].x2);
	}
	struct axis_spec spec = {.lo = lo, .hi = hi, .unit = t->c->unit, .fixed = true, .to = 1, .px = t->p->px};
	t->x = axis_new(t->p->arena, &spec);
}

/* The panel's lanes, by first appearance. */
static void find_lanes(struct timeline *t)
{
	t->n_lanes = 0;
	for (ptrdiff_t i = t->first; i < t->end; i++) {
		const struct chart_row *r = &t->c->rows[i];
		ptrdiff_t k = 0;
		t->lane_at[i] = -1;
		if (is_tick(r))
			continue;
		while (k < t->n_lanes && !str_eq(t->lanes[k].name, r->label))
			k++;
		if (k == CHART_LANES_MAX)
			continue;
		if (k == t->n_lanes)
			t->lanes[t->n_lanes++] = (struct lane){r->label, 0};
		t->lanes[k].n++;
		t->lane_at[i] = (int)k;
	}
}

static struct str time_text(const struct timeline *t, double v)
{
	return format_si(t->p->arena, v, t->c->unit);
}

/* "server: running 12.0 ms of 80.0 ms in 3 spans; ready 40.0 ms": what the lane adds up to, by state. */
static struct str lane_words(const struct timeline *t, int lane)
{
	struct buf b = buf_new(t->p->arena);
	bool first = true;

	buf_add(&b, label_short(t->p->arena, t->lanes[lane].name));
	for (ptrdiff_t s = 0; s < t->c->states.n; s++) {
		double sum = 0;
		int n = 0;
		for (ptrdiff_t i = t->first; i < t->end; i++) {
			const struct chart_row *r = &t->c->rows[i];
			if (r->state_at != s || t->lane_at[i] != lane)
				continue;
			sum += r->x2 - r->x;
			n++;
		}
		if (!n)
			continue;
		buf_add(&b, first ? STR(": ") : STR(", "));
		buf_add(&b, label_short(t->p->arena, t->c->states.at[s]));
		buf_printf(&b, " %.*s in %d span%s", STR_FMT(time_text(t, sum)), n, n == 1 ? "" : "s");
		first = false;
	}
	return buf_str(&b);
}

static double left_of(const struct timeline *t, const struct chart_row *r)
{
	return fmin(axis_at(&t->x, r->x), 1 - least_f);
}

static double right_of(const struct timeline *t, const struct chart_row *r)
{
	return fmin(fmax(axis_at(&t->x, r->x2), left_of(t, r) + least_f), 1);
}

/* All spans of one look in a lane are one mark; what follows without a gap is one bar only where no pattern would hide the seam. */
static void add_look(struct timeline *t, int lane, int look, double y)
{
	struct run_px *runs = ARENA_NEW(t->p->arena, struct run_px, t->lanes[lane].n), *rails;
	ptrdiff_t n = 0;

	for (ptrdiff_t i = t->first; i < t->end; i++) {
		const struct chart_row *r = &t->c->rows[i];
		if (t->lane_at[i] == lane && look_of(t, r) == look)
			runs[n++] = (struct run_px){left_of(t, r), right_of(t, r), y};
	}
	if (!n)
		return;
	plot_runs(t->p, ROLE_STATE, look, plot_state_px(look), runs, n);
	int stripes = plot_state_stripes(look);
	struct run_px *holes = ARENA_NEW(t->p->arena, struct run_px, stripes * n);
	for (ptrdiff_t i = 0; i < stripes * n; i++) {
		holes[i] = runs[i % n];
		ptrdiff_t stripe = i / n + 1;
		holes[i].y += band_px * ((double)stripe / (stripes + 1) - 0.5);
	}
	if (stripes)
		plot_runs(t->p, ROLE_HOLE, 0, PLOT_STRIPE_PX, holes, stripes * n);
	if (look != STATE_THROTTLED)
		return;
	rails = ARENA_NEW(t->p->arena, struct run_px, 2 * n);
	for (ptrdiff_t i = 0; i < 2 * n; i++) {
		rails[i] = runs[i / 2];
		rails[i].y += (i % 2 ? 1 : -1) * (band_px - rail_px) / 2;
	}
	plot_runs(t->p, ROLE_RAIL, 0, rail_px, rails, 2 * n);
}

/* What is said in a span: the series' name where spans are a series' own, else state and length. */
static struct str span_text(const struct timeline *t, const struct chart_row *r, int look)
{
	struct arena *a = t->p->arena;

	if (look >= STATE_OTHER && t->by_series && chart_state_of(r->state) == STATE_RUNNING)
		return label_short(a, r->series);
	return str_printf(a, "%.*s %.*s", STR_FMT(label_short(a, r->state)), STR_FMT(time_text(t, r->x2 - r->x)));
}

/* The longest span of each look in the lane bears its name if that fits: once in the chart, a series' name in every lane. */
static void add_words(struct timeline *t, int lane, double y)
{
	const struct chart_row *longest[STATE_OTHER + CHART_SERIES_MAX] = {NULL};

	for (ptrdiff_t i = t->first; i < t->end; i++) {
		const struct chart_row *r = &t->c->rows[i];
		int look = look_of(t, r);
		if (t->lane_at[i] != lane)
			continue;
		if (!longest[look] || r->x2 - r->x > longest[look]->x2 - longest[look]->x)
			longest[look] = r;
	}
	for (int look = 0; look < STATE_OTHER + CHART_SERIES_MAX; look++) {
		const struct chart_row *r = longest[look];
		bool own = look >= STATE_OTHER && t->by_series;
		if (!r || (t->said[look] && !own) || look == STATE_IDLE || look == STATE_RUNNING)
			continue;
		struct str text = span_text(t, r, look);
		double room = right_of(t, r) - left_of(t, r), wide = label_width(text, PLOT_FONT_PX) + 14;
		if (!text.len || room * PLOT_WIDE_PX < wide)
			continue;
		struct place middle = {(left_of(t, r) + right_of(t, r)) / 2, 0};
		struct mark *m = plot_text(t->p, INK_LABEL, ANCHOR_MIDDLE, middle, y + 4.5, text);
		m->halo = true;
		m->wide = room * t->p->px < wide;
		t->said[look] = true;
	}
}

static double add_lane(struct timeline *t, int lane, double y)
{
	struct str name = t->lanes[lane].name;
	struct label l = label_wrap(t->p->arena, name, PLOT_FONT_PX, t->p->px, 1);
	double middle = y + name_px + band_px / 2;

	plot_text(t->p, INK_LABEL, ANCHOR_START, (struct place){0, 0}, y + 13, l.line[0])->title =
		l.cut ? label_short(t->p->arena, name) : (struct str){0};
	plot_tooltip(t->p, lane_words(t, lane));
	/* Lines first: what is thicker stands on them. */
	static const int order[] = {STATE_IDLE, STATE_SLEEPING, STATE_THROTTLED, STATE_READY, STATE_RUNNING};
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		add_look(t, lane, order[i], middle);
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		add_look(t, lane, STATE_OTHER + s, middle);
	plot_tooltip_end(t->p);
	add_words(t, lane, middle);
	return middle + band_px / 2 + gap_px;
}

/* The clock's ticks as a thin ruler. */
static double add_ruler(struct timeline *t, double y)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t i = t->first; i < t->end; i++)
		n += is_tick(&t->c->rows[i]);
	if (!n)
		return y;
	for (ptrdiff_t i = t->first; i < t->end; i++) {
		struct place x = {axis_at(&t->x, t->c->rows[i].x), 0};
		if (!is_tick(&t->c->rows[i]))
			continue;
		t->p->row = (int)i;
		plot_line_mark(t->p, ROLE_TICK, 0, x, y, x, y + ruler_px - 3);
		t->p->row = -1;
	}
	return y + ruler_px;
}

static void add_keys(struct timeline *t)
{
	bool ticks = false;

	for (ptrdiff_t s = 0; s < t->c->states.n; s++) {
		enum chart_state state = chart_state_of(t->c->states.at[s]);
		int look = state == STATE_OTHER ? STATE_OTHER + 1 + (int)s % (CHART_SERIES_MAX - 1) : (int)state;
		ticks = ticks || state == STATE_TICK;
		if (state != STATE_TICK && !(state == STATE_RUNNING && t->by_series))
			plot_key(t->p, SWATCH_STATE, look, t->c->states.at[s]);
	}
	for (int s = 0; s < t->c->n_series && t->by_series; s++)
		if (t->c->series[s].len)
			plot_key(t->p, SWATCH_STATE, STATE_OTHER + s, t->c->series[s]);
	if (ticks)
		plot_key(t->p, SWATCH_TICK, 0, STR("tick"));
}

void plot_timeline(struct plot *p, const struct chart *c)
{
	struct timeline *t = ARENA_NEW(p->arena, struct timeline, 1);
	double y = 0;

	t->p = p;
	t->c = c;
	t->by_series = c->n_series > 1;
	t->lane_at = ARENA_NEW(p->arena, int, c->n);
	find_x(t);
	add_keys(t);
	for (t->first = 0; t->first < c->n; t->first = t->end) {
		t->end = t->first;
		while (t->end < c->n && c->rows[t->end].panel_at == c->rows[t->first].panel_at)
			t->end++;
		if (c->panels.n > 1) {
			struct label l = label_wrap(p->arena, c->rows[t->first].panel, PLOT_FONT_PX * 1.15, p->px, 1);
			plot_text(p, INK_BOLD, ANCHOR_START, (struct place){0, 0}, y + 12, l.line[0]);
			y += 20;
		}
		find_lanes(t);
		y = add_ruler(t, y);
		for (int i = 0; i < t->n_lanes; i++)
			y = add_lane(t, i, y);
		y += t->end < c->n ? 6 : 0;
	}
	p->height = plot_x_axis(p, &t->x, y - gap_px + 6);
}
