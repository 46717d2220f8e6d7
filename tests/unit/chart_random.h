/* Charts of every kind with rows of chance. */
#ifndef RUNQ_TESTS_CHART_RANDOM_H
#define RUNQ_TESTS_CHART_RANDOM_H

#include <math.h>

#include "base/buf.h"
#include "model/series.h"

static uint64_t seed;

static uint32_t next(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static double uniform(void)
{
	return next(1u << 30) / (double)(1u << 30);
}

static const char *const label_texts[] = {"fork", "thread create + join", "pipe, processes, same CPU",
	"nice 0 beside nice 10, two sessions",
	"posix_spawn of a program with a rather long name that goes on and on until it must be cut somewhere",
	"</svg><script>alert(1)</script>", "мedленный путь планировщика процессов", "מהירות המתזמן",
	"\xf0\x9f\x98\x80\xf0\x9f\x8e\x89 emoji", "averylongwordwithoutanyspacetobreakatwhatsoever/path/to/it"};

static const char *const unit_texts[] = {"ns", "fraction", "count", "bytes", "ratio", "switches per round trip", ""};

/* Values of a random size, now and then equal, zero, negative or far apart. */
static double random_value(int style, double size, bool positive)
{
	double v = style == 0	? size
		   : style == 1 ? size * (1 + uniform() / 100)
		   : style == 2 ? size * uniform()
				: size * pow(10, 6 * uniform() - 3);

	if (positive)
		return v > 0 ? v : size;
	return next(8) == 0 ? 0 : style == 2 && next(4) == 0 ? -v : v;
}

static struct chart_row no_row(void)
{
	const double none = (double)NAN;

	return (struct chart_row){.x = none, .x2 = none, .y = none, .value = none, .min = none, .max = none, .predicted = none,
		.n = none, .reported = none, .count = 1};
}

/* Of the kinds whose y or length is a value. */
static void random_values(struct arena *a, struct chart *c, double size)
{
	int style = (int)next(4);
	bool spread = next(3), share = c->kind == CHART_SPLIT && next(2), labelled = chart_is_labelled(c->kind);

	if (share)
		c->unit = STR("fraction");
	c->scale = c->kind != CHART_BAR && c->kind != CHART_SPLIT && next(2) ? CHART_LOG : CHART_LINEAR;
	c->x_scale = !labelled && next(4) == 0 ? CHART_LOG : CHART_LINEAR;
	for (ptrdiff_t i = 0; i < c->n; i++) {
		struct chart_row *r = &c->rows[i];
		if (labelled)
			r->label = str_of(label_texts[c->n_series > 1 && next(2) && i ? (size_t)i / (size_t)c->n_series % 10
										      : next(10)]);
		r->x = c->x_scale == CHART_LOG || next(2) ? (double)(1 + i / c->n_series) : size * uniform() + 1e-9;
		r->value = share ? uniform() : random_value(style, size, c->scale == CHART_LOG);
		if (spread) {
			r->min = r->value - fabs(r->value) * uniform() * 0.3;
			r->max = r->value + fabs(r->value) * uniform() * 0.3;
			r->max = share && r->max > 1 ? 1 : r->max;
		}
		if (labelled && (c->kind == CHART_SPLIT || next(4) == 0))
			r->predicted = share ? uniform() : r->value * 1.1;
		if (labelled && next(5) == 0)
			r->reported = share ? uniform() : r->value * 0.9;
	}
	c->missing = ARENA_NEW(a, struct chart_missing, 2);
	for (ptrdiff_t before = next(4); labelled && c->n_missing < 2 && before <= c->n; before += next(4))
		c->missing[c->n_missing++] = (struct chart_missing){str_of(label_texts[next(10)]), c->series[0], before};
}

/* Buckets that follow each other, now and then with a gap; or values, now and then equal. */
static void random_counts(struct chart *c, double size)
{
	double at[CHART_SERIES_MAX * CHART_PANELS_MAX], width = size / 10;
	bool even = next(2);

	c->scale = next(2) ? CHART_LOG : CHART_LINEAR;
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		at[i] = size * (c->scale == CHART_LOG ? 1 : uniform() - 0.5);
	for (ptrdiff_t i = 0; i < c->n; i++) {
		struct chart_row *r = &c->rows[i];
		double *from = &at[r->panel_at * CHART_SERIES_MAX + r->series_at];
		if (next(8) == 0)
			*from += width;
		r->x = *from;
		r->x2 = *from += even ? width : width * (0.1 + uniform() * (next(5) ? 1 : 100));
		r->value = c->scale == CHART_LOG || next(2) ? r->x : size * (uniform() - 0.5);
		r->count = next(6) ? rint(pow(10, 5 * uniform())) : next(2);
	}
}

static const char *const word_texts[] = {"same", "cross", "free", "a rather long word for a column", "шаг", "</svg>", "d", "e", "f",
	"g", "h", "i"};

static struct chart_names random_words(struct arena *a, ptrdiff_t n)
{
	struct chart_names names = {ARENA_NEW(a, struct str, n), n};

	for (ptrdiff_t i = 0; i < n; i++)
		names.at[i] = str_of(word_texts[i]);
	return names;
}

static void random_cells(struct arena *a, struct chart *c, double size)
{
	ptrdiff_t panels = c->panels.n ? c->panels.n : 1, nx = 1 + next(next(2) ? 12 : 70), ny = 1 + next(next(2) ? 12 : 50), n = 0;
	int x_style = (int)next(3), y_style = (int)next(3), style = (int)next(4);

	c->scale = next(2) ? CHART_LOG : CHART_LINEAR;
	c->y_unit = str_of(unit_texts[next(7)]);
	if (x_style == 0 && nx <= 12)
		c->x_names = random_words(a, nx);
	if (y_style == 0 && ny <= 12)
		c->y_names = random_words(a, ny);
	c->n_series = 1;
	c->rows = ARENA_NEW(a, struct chart_row, panels * nx * ny);
	for (ptrdiff_t i = 0; i < panels * nx * ny; i++) {
		struct chart_row r = no_row();
		double x = (double)(i % nx), y = (double)(i / nx % ny);
		r.x = c->x_names.n || x_style == 1 ? x : size * (x_style ? pow(2, x / 4) : x * 25);
		r.y = c->y_names.n || y_style == 1 ? y : size * (y_style ? pow(2, y / 4) : y - 3);
		r.panel_at = (int)(i / nx / ny);
		r.panel = c->panels.n ? c->panels.at[r.panel_at] : (struct str){0};
		r.value = random_value(style, size, c->scale == CHART_LOG);
		/* No column or row is empty: the first panel's first row and column are whole. */
		if (i % nx && (i / nx) && next(8) == 0)
			continue;
		c->rows[n++] = r;
	}
	c->n = n;
}

static void random_spans(struct arena *a, struct chart *c, double size)
{
	static const char *const states[] = {"running", "ready", "sleeping", "throttled", "idle", "garbage collection", "tick", "waiting"};
	double at[CHART_PANELS_MAX][12] = {{0}};
	int lanes = 1 + (int)next(8);

	c->unit = next(4) ? STR("ns") : c->unit;
	c->states.at = ARENA_NEW(a, struct str, 8);
	for (c->states.n = 0; c->states.n < 8; c->states.n++)
		c->states.at[c->states.n] = str_of(states[c->states.n]);
	for (ptrdiff_t i = 0; i < c->n; i++) {
		struct chart_row *r = &c->rows[i];
		int lane = (int)next((uint32_t)lanes);
		r->label = str_printf(a, "%s%d", label_texts[lane], lane);
		r->state_at = i && c->rows[i - 1].panel_at == r->panel_at ? (int)next(8) : 0;
		r->state = c->states.at[r->state_at];
		r->x = at[r->panel_at][lane];
		r->x2 = r->x + (r->state_at == 6 ? 0 : size * pow(10, -3 * uniform()));
		at[r->panel_at][lane] = r->x2;
	}
}

static struct chart random_chart(struct arena *a)
{
	struct chart c = {.kind = (enum chart_kind)next(CHART_KIND_MAX), .id = STR("x"), .title = STR("A title"), .machine = STR("m")};
	ptrdiff_t panels = next(4) ? 0 : 2 + next(3);

	c.unit = str_of(unit_texts[next(7)]);
	c.x_unit = str_of(unit_texts[next(7)]);
	/* Up to an hour, a hundredfold, a hundred million. */
	int most = str_eq(c.unit, STR("ns"))					     ? 12
		   : str_eq(c.unit, STR("fraction")) || str_eq(c.unit, STR("ratio")) ? 2
										     : 8;
	double size = pow(10, (int)next((uint32_t)most + 4) - 3);
	c.n = 1 + next(next(4) ? 12 : 100);
	if (panels > c.n)
		panels = 0;
	c.panels = (struct chart_names){ARENA_NEW(a, struct str, panels), panels};
	for (ptrdiff_t i = 0; i < panels; i++)
		c.panels.at[i] = str_printf(a, "%td %s", i, label_texts[next(10)]);
	c.n_series = 1 + next(next(2) ? 1 : CHART_SERIES_MAX);
	c.series = ARENA_NEW(a, struct str, CHART_SERIES_MAX);
	for (int s = 0; s < c.n_series; s++)
		c.series[s] = str_printf(a, "series %d", s);
	c.rows = ARENA_NEW(a, struct chart_row, c.n);
	for (ptrdiff_t i = 0; i < c.n; i++) {
		struct chart_row *r = &c.rows[i];
		*r = no_row();
		r->series_at = (int)(i % c.n_series);
		r->series = c.series[r->series_at];
		r->panel_at = panels ? (int)(i * panels / c.n) : 0;
		r->panel = panels ? c.panels.at[r->panel_at] : (struct str){0};
	}
	switch (c.kind) {
	case CHART_HISTOGRAM:
	case CHART_ECDF: random_counts(&c, size); break;
	case CHART_HEATMAP: random_cells(a, &c, size); break;
	case CHART_TIMELINE: random_spans(a, &c, size); break;
	case CHART_RANGE:
	case CHART_BAR:
	case CHART_LINE:
	case CHART_STEP:
	case CHART_SCATTER:
	case CHART_SPLIT:
	case CHART_KIND_MAX: random_values(a, &c, size); break;
	}
	return c;
}

#endif
