/* What must hold for every chart, whatever its data: nothing overlaps, nothing leaves the plot, everything is drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "chart/chart.h"
#include "chart/label.h"
#include "chart/plot.h"
#include "chart/sheet.h"

static struct arena_block block, out_block;
static struct arena arena, out_arena;
static uint64_t seed;
static char what[200]; /* the chart under test, for messages */

static uint32_t next(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

static double uniform(void)
{
	return next(1u << 30) / (double)(1u << 30);
}

struct box {
	double left, right, top, bottom;
};

static double across(struct place x, double width)
{
	return x.f * width + x.px;
}

static struct box text_box(const struct mark *m, double width)
{
	double px = m->ink == INK_AXIS ? AXIS_FONT_PX10 / 10.0 : PLOT_FONT_PX, x = across(m->x1, width);
	double wide = label_width(m->text, px) * (m->ink == INK_BOLD ? 1.12 : 1);
	double left = x - (m->anchor == ANCHOR_END ? wide : m->anchor == ANCHOR_MIDDLE ? wide / 2 : 0);

	return (struct box){left, left + wide, m->y1 - 10, m->y1 + 3};
}

/* Of what a label must not touch; a line's path is not a box. */
static bool mark_box(const struct mark *m, double width, struct box *b)
{
	double x1 = across(m->x1, width), x2 = across(m->x2, width);

	switch (m->kind) {
	case MARK_LINE:
	case MARK_RECT:
		*b = (struct box){fmin(x1, x2), fmax(x1, x2), fmin(m->y1, m->y2), fmax(m->y1, m->y2)};
		return true;
	case MARK_POINT: *b = (struct box){x1 - m->y2, x1 + m->y2, m->y1 - m->y2, m->y1 + m->y2}; return true;
	case MARK_PATH:
	case MARK_RUNS:
	case MARK_RASTER:
	case MARK_TEXT:
	case MARK_OPEN:
	case MARK_CLOSE: break;
	}
	return false;
}

static bool apart(struct box a, struct box b, double gap)
{
	return a.right + gap <= b.left || b.right + gap <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}

static bool is_shown(const struct mark *m, double width)
{
	return !m->wide || width >= PLOT_WIDE_PX;
}

static bool crosses(struct box b, const struct mark *path, double width)
{
	for (ptrdiff_t i = 0; i + 1 < path->n_points; i++)
		for (int k = 0; k <= 32; k++) {
			double t = k / 32.0, x = (path->points[i].f * (1 - t) + path->points[i + 1].f * t) * width;
			double y = path->points[i].y * (1 - t) + path->points[i + 1].y * t;
			if (x > b.left && x < b.right && y > b.top && y < b.bottom)
				return true;
		}
	return false;
}

static void check_label(const struct plot *p, const struct mark *m, double width)
{
	struct box a = text_box(m, width), b;

	if (a.left < -0.6 || a.right > width + 0.6 || a.top < -0.6 || a.bottom > p->height + 0.6)
		fail_msg("%s at %g px: label '%.*s' leaves the plot: %g to %g, %g to %g of %g", what, width,
			STR_FMT(m->text), a.left, a.right, a.top, a.bottom, p->height);
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *o = &p->marks[i];
		if (!is_shown(o, width) || o == m)
			continue;
		if (o->kind == MARK_TEXT && o > m && !apart(a, text_box(o, width), 2))
			fail_msg("%s at %g px: labels '%.*s' and '%.*s' overlap", what, width, STR_FMT(m->text),
				STR_FMT(o->text));
		if (mark_box(o, width, &b) && !apart(a, b, 0))
			fail_msg("%s at %g px: label '%.*s' touches a mark of role %d", what, width, STR_FMT(m->text),
				(int)o->role);
		if (o->kind == MARK_PATH && crosses(a, o, width))
			fail_msg("%s at %g px: label '%.*s' lies on a line", what, width, STR_FMT(m->text));
	}
}

static void check_at(const struct plot *p, double width)
{
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		struct box b;
		if (!is_shown(m, width))
			continue;
		if (m->kind == MARK_TEXT)
			check_label(p, m, width);
		/* Half a diamond at the end of a bar may hang over; the page's margin is wider. */
		double over = m->role == ROLE_REPORTED ? 6 : 1.01;
		if (mark_box(m, width, &b) && (!(b.left >= -over) || !(b.right <= width + over) || !(b.top >= -0.01) ||
						      !(b.bottom <= p->height)))
			fail_msg("%s at %g px: a mark of role %d leaves the plot: %g to %g, %g to %g", what, width,
				(int)m->role, b.left, b.right, b.top, b.bottom);
		for (ptrdiff_t k = 0; k < m->n_points; k++)
			assert_true(m->points[k].f >= 0 && m->points[k].f <= 1 && m->points[k].y >= 0 &&
				    m->points[k].y <= p->height);
	}
}

/* Each row has a point or bar of its own; a line's path has as many points as the series has rows. */
static void check_drawn(const struct plot *p, const struct chart *c)
{
	ptrdiff_t points = 0, series = 0;

	for (ptrdiff_t row = 0; row < c->n; row++) {
		bool found = false;
		for (ptrdiff_t i = 0; i < p->n && !found; i++)
			found = p->marks[i].row == row &&
				(p->marks[i].role == ROLE_FILL || p->marks[i].role == ROLE_DOT);
		if (!found && c->kind != CHART_LINE)
			fail_msg("%s: row %td is not drawn", what, row);
	}
	for (ptrdiff_t i = 0; i < p->n; i++)
		if (p->marks[i].kind == MARK_PATH && p->marks[i].role == ROLE_STROKE)
			points += p->marks[i].n_points;
	for (int s = 0; s < CHART_SERIES_MAX; s++) {
		ptrdiff_t rows = 0;
		for (ptrdiff_t i = 0; i < c->n; i++)
			rows += c->rows[i].series_at == s;
		series += rows == 1; /* a lone point has no path */
	}
	if (c->kind == CHART_LINE && points + series != c->n)
		fail_msg("%s: %td of %td points are in the lines", what, points + series, c->n);
}

static bool holds(struct str s, const char *needle)
{
	return str_find(s, str_of(needle)) >= 0;
}

/* Every element is closed, and nothing but our own elements is there. */
static void check_markup(struct str s)
{
	static const char *const known[] = {
		"ul", "li", "svg", "line", "rect", "circle", "path", "text", "title", "g", "desc", "style"};
	int depth = 0;

	for (ptrdiff_t i = 0; i < s.len; i++) {
		if (s.ptr[i] != '<')
			continue;
		bool end = s.ptr[i + 1] == '/', ours = false;
		struct str name = str_from(s, i + 1 + end);
		ptrdiff_t n = 0;
		while (n < name.len && name.ptr[n] >= 'a' && name.ptr[n] <= 'z')
			n++;
		name.len = n;
		for (size_t k = 0; k < sizeof known / sizeof *known; k++)
			ours = ours || str_eq(name, str_of(known[k]));
		if (!ours)
			fail_msg("%s: element <%.*s>", what, STR_FMT(name));
		ptrdiff_t close = i;
		while (s.ptr[close] != '>')
			close++;
		depth += end ? -1 : s.ptr[close - 1] == '/' ? 0 : 1;
	}
	assert_int_equal(depth, 0);
}

static void check_chart(const struct chart *c)
{
	static const double widths[] = {288, 390, 480, 760, 1300};
	struct arena scratch = arena, out = out_arena;
	struct plot p = plot_new(&scratch, c, PLOT_PAGE_PX), sheet;
	struct buf b = buf_new(&out);
	struct html_out w = html_out_new(&b);

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		check_at(&p, widths[i]);
	check_drawn(&p, c);
	sheet = plot_new(&scratch, c, SHEET_INNER_PX);
	check_at(&sheet, SHEET_INNER_PX);
	chart_svg(c, &w, scratch);
	assert_int_equal(w.depth, 0);
	check_markup(buf_str(&b));
	assert_false(holds(buf_str(&b), "nan") || holds(buf_str(&b), "inf%") || holds(buf_str(&b), "\"inf"));
	struct str file = chart_svg_file(&scratch, c), alt = chart_alt(&scratch, c);
	check_markup(file);
	assert_true(alt.len > 20 && alt.ptr[alt.len - 1] == '.');
	assert_false(holds(alt, "nan"));
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

static struct chart random_chart(struct arena *a)
{
	static const enum chart_kind kinds[] = {CHART_RANGE, CHART_BAR, CHART_LINE, CHART_SPLIT};
	struct chart c = {.kind = kinds[next(4)],
		.id = STR("x"),
		.title = STR("A title"),
		.machine = STR("m")};
	int style = (int)next(4);
	bool spread = next(3), share = c.kind == CHART_SPLIT && next(2);

	c.scale = (c.kind == CHART_RANGE || c.kind == CHART_LINE) && next(2) ? CHART_LOG : CHART_LINEAR;
	c.x_scale = c.kind == CHART_LINE && next(4) == 0 ? CHART_LOG : CHART_LINEAR;
	c.unit = share ? STR("fraction") : str_of(unit_texts[next(7)]);
	c.x_unit = str_of(unit_texts[next(7)]);
	/* Up to an hour, a hundredfold, a hundred million. */
	int most = str_eq(c.unit, STR("ns"))					     ? 12
		   : str_eq(c.unit, STR("fraction")) || str_eq(c.unit, STR("ratio")) ? 2
										     : 8;
	double size = pow(10, (int)next((uint32_t)most + 4) - 3);
	c.n = 1 + next(next(4) ? 12 : 100);
	c.n_series = 1 + next(next(2) ? 1 : CHART_SERIES_MAX);
	c.rows = ARENA_NEW(a, struct chart_row, c.n);
	c.series = ARENA_NEW(a, struct str, CHART_SERIES_MAX);
	for (int s = 0; s < c.n_series; s++)
		c.series[s] = str_printf(a, "series %d", s);
	for (ptrdiff_t i = 0; i < c.n; i++) {
		struct chart_row *r = &c.rows[i];
		r->series_at = (int)(i % c.n_series);
		r->series = c.series[r->series_at];
		r->label = str_of(
			label_texts[c.n_series > 1 && next(2) && i ? (size_t)i / (size_t)c.n_series % 10 : next(10)]);
		r->x = c.x_scale == CHART_LOG || next(2) ? (double)(1 + i / c.n_series) : size * uniform() + 1e-9;
		r->value = share ? uniform() : random_value(style, size, c.scale == CHART_LOG);
		r->min = r->max = r->predicted = r->reported = r->n = (double)NAN;
		if (spread) {
			r->min = r->value - fabs(r->value) * uniform() * 0.3;
			r->max = r->value + fabs(r->value) * uniform() * 0.3;
			r->max = share && r->max > 1 ? 1 : r->max;
		}
		if (c.kind == CHART_SPLIT || next(4) == 0)
			r->predicted = share ? uniform() : r->value * 1.1;
		if (next(5) == 0)
			r->reported = share ? uniform() : r->value * 0.9;
	}
	c.missing = ARENA_NEW(a, struct chart_missing, 2);
	for (ptrdiff_t before = next(4); c.kind != CHART_LINE && c.n_missing < 2 && before <= c.n; before += next(4))
		c.missing[c.n_missing++] = (struct chart_missing){str_of(label_texts[next(10)]), c.series[0], before};
	if (c.kind == CHART_LINE)
		for (ptrdiff_t i = 0; i < c.n; i++)
			c.rows[i].predicted = c.rows[i].reported = (double)NAN;
	return c;
}

static void random_charts(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 600; i++) {
		struct arena a = arena;
		seed = i;
		next(9);
		struct chart c = random_chart(&a);
		snprintf(what, sizeof what, "chart %d (%s, %s, unit '%.*s', %td rows, %td series)", (int)i,
			chart_kind_names[c.kind], c.scale == CHART_LOG ? "log" : "linear", STR_FMT(c.unit), c.n,
			c.n_series);
		struct arena keep = arena;
		arena = a;
		check_chart(&c);
		arena = keep;
	}
}

static void hostile_labels(void **state)
{
	struct arena a = arena;
	char *many = ARENA_NEW(&a, char, 10000), *marks = ARENA_NEW(&a, char, 20000);
	struct chart c = {
		.kind = CHART_RANGE, .unit = STR("ns"), .id = STR("x"), .title = STR("</title><script>"), .n = 4};

	(void)state;
	memset(many, 'W', 10000);
	for (int i = 0; i < 20000; i += 2) {
		marks[i] = '\xcc';
		marks[i + 1] = '\x81'; /* combining acute accents: no width at all */
	}
	c.rows = ARENA_NEW(&a, struct chart_row, 4);
	c.rows[0].label = (struct str){many, 10000};
	c.rows[1].label = (struct str){marks, 20000};
	c.rows[2].label = STR("</text></svg><script>alert(1)</script>");
	c.rows[3].label = STR("\xe2\x80\xae"
			      "reversed");
	for (int i = 0; i < 4; i++) {
		c.rows[i].value = 10 + i;
		c.rows[i].min = 9;
		c.rows[i].max = 19;
		c.rows[i].predicted = c.rows[i].reported = c.rows[i].n = (double)NAN;
	}
	snprintf(what, sizeof what, "hostile labels");
	struct arena keep = arena;
	arena = a;
	check_chart(&c);
	arena = keep;
}

static void axes_are_monotone(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 2000; i++) {
		struct arena a = arena;
		seed = i + 77;
		struct axis_spec spec = {.scale = next(2) ? CHART_LOG : CHART_LINEAR,
			.to = 1,
			.px = 280,
			.unit = str_of(unit_texts[next(7)])};
		spec.lo = pow(10, 12 * uniform() - 4);
		spec.hi = spec.lo * (1 + pow(10, 8 * uniform() - 6));
		spec.vertical = next(2);
		if (spec.scale == CHART_LINEAR && next(2))
			spec.lo = -spec.lo;
		struct axis axis = axis_new(&a, &spec);
		double v = spec.lo, last = axis_at(&axis, v);
		int labels = 0;
		assert_true(axis.lo <= spec.lo * (spec.lo > 0 ? 1.00001 : 0.99999) && axis.hi >= spec.hi * 0.99999);
		for (int k = 1; k <= 10; k++) {
			v = spec.lo + (spec.hi - spec.lo) * k / 10;
			double at = axis_at(&axis, v);
			assert_true(at > last && at <= 1);
			last = at;
		}
		for (ptrdiff_t k = 0; k < axis.n; k++) {
			assert_true(k == 0 || axis.ticks[k].at > axis.ticks[k - 1].at);
			labels += axis.ticks[k].label.len > 0;
		}
		assert_in_range(labels, 1, 12);
	}
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 512 << 20);
	out_arena = arena_new(&out_block, 64 << 20);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	arena_free(&out_block);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_charts),
		cmocka_unit_test(hostile_labels),
		cmocka_unit_test(axes_are_monotone),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
