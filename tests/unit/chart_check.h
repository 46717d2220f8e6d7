/* What must hold for every chart, whatever its data. Include after cmocka. */
#ifndef RUNQ_TESTS_CHART_CHECK_H
#define RUNQ_TESTS_CHART_CHECK_H

#include <math.h>

#include "chart/chart.h"
#include "chart/label.h"
#include "chart/plot.h"
#include "chart/sheet.h"
#include "chart_arenas.h"

static char what[200]; /* the chart under test, for messages */

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

/* How many boxes a mark has; a line's path is none, a text has its own. */
static ptrdiff_t boxes_of(const struct mark *m)
{
	switch (m->kind) {
	case MARK_LINE:
	case MARK_RECT:
	case MARK_RASTER:
	case MARK_POINT: return 1;
	case MARK_RUNS: return m->n_runs;
	case MARK_PATH:
	case MARK_TEXT:
	case MARK_OPEN:
	case MARK_CLOSE: break;
	}
	return 0;
}

static struct box mark_box(const struct mark *m, ptrdiff_t i, double width)
{
	double x1 = across(m->x1, width), x2 = across(m->x2, width), half = m->y2 / 2;

	if (m->kind == MARK_POINT)
		return (struct box){x1 - m->y2, x1 + m->y2, m->y1 - m->y2, m->y1 + m->y2};
	if (m->kind == MARK_RUNS) {
		const struct run_px *r = &m->runs[i];
		double over = r->f1 == r->f2 ? half : 0;
		return (struct box){r->f1 * width - over, r->f2 * width + over, r->y - half, r->y + half};
	}
	return (struct box){fmin(x1, x2), fmax(x1, x2), fmin(m->y1, m->y2), fmax(m->y1, m->y2)};
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
	for (ptrdiff_t i = 0; i + 1 < path->n_points; i++) {
		double x1 = path->points[i].f * width, x2 = path->points[i + 1].f * width;
		if (fmax(x1, x2) <= b.left || fmin(x1, x2) >= b.right)
			continue;
		for (int k = 0; k <= 32; k++) {
			double t = k / 32.0, x = x1 * (1 - t) + x2 * t;
			double y = path->points[i].y * (1 - t) + path->points[i + 1].y * t;
			if (x > b.left && x < b.right && y > b.top && y < b.bottom)
				return true;
		}
	}
	return false;
}

/* What a label may stand on: one with paper around it on spans and grid lines, a number on its cell. */
static bool may_stand_on(const struct mark *label, const struct mark *m)
{
	if (label->halo)
		return m->role == ROLE_GRID || m->role == ROLE_STATE || m->role == ROLE_RAIL || m->role == ROLE_HOLE;
	return m->role == ROLE_CELL && label->anchor == ANCHOR_MIDDLE && label->ink != INK_AXIS;
}

static void check_label(const struct plot *p, const struct mark *m, double width)
{
	struct box a = text_box(m, width);

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
		for (ptrdiff_t k = 0; k < boxes_of(o) && !may_stand_on(m, o); k++)
			if (!apart(a, mark_box(o, k, width), 0))
				fail_msg("%s at %g px: label '%.*s' touches a mark of role %d", what, width,
					STR_FMT(m->text), (int)o->role);
		if (o->kind == MARK_PATH && crosses(a, o, width))
			fail_msg("%s at %g px: label '%.*s' lies on a line", what, width, STR_FMT(m->text));
	}
}

static void check_at(const struct plot *p, double width)
{
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		if (!is_shown(m, width))
			continue;
		if (m->kind == MARK_TEXT)
			check_label(p, m, width);
		/* Half a diamond at the end of a bar may hang over; the page's margin is wider. */
		double over = m->role == ROLE_REPORTED ? 6 : 1.01;
		for (ptrdiff_t k = 0; k < boxes_of(m); k++) {
			struct box b = mark_box(m, k, width);
			if (!(b.left >= -over) || !(b.right <= width + over) || !(b.top >= -0.01) ||
				!(b.bottom <= p->height + 0.01))
				fail_msg("%s at %g px: a mark of role %d leaves the plot: %g to %g, %g to %g of %g",
					what, width, (int)m->role, b.left, b.right, b.top, b.bottom, p->height);
		}
		for (ptrdiff_t k = 0; k < m->n_points; k++)
			assert_true(m->points[k].f >= 0 && m->points[k].f <= 1 && m->points[k].y >= 0 &&
				    m->points[k].y <= p->height);
	}
}

/* How many rows have a mark of their own. */
static ptrdiff_t rows_marked(const struct plot *p, const struct chart *c)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t row = 0; row < c->n; row++) {
		bool found = false;
		for (ptrdiff_t i = 0; i < p->n && !found; i++)
			found = p->marks[i].row == row &&
				(p->marks[i].role == ROLE_FILL || p->marks[i].role == ROLE_DOT);
		n += found;
	}
	return n;
}

static ptrdiff_t runs_of(const struct plot *p, enum role role)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < p->n; i++)
		if (p->marks[i].kind == MARK_RUNS && p->marks[i].role == role)
			n += p->marks[i].n_runs;
	return n;
}

/* The data in a chart's paths: a point each; a step has a corner between two, a bucket two corners. */
static ptrdiff_t rows_in_paths(const struct plot *p, const struct chart *c)
{
	ptrdiff_t n = 0, rows[CHART_SERIES_MAX * CHART_PANELS_MAX] = {0};

	for (ptrdiff_t i = 0; i < p->n; i++)
		if (p->marks[i].kind == MARK_PATH && p->marks[i].role == ROLE_STROKE)
			n += c->kind == CHART_STEP ? (p->marks[i].n_points + 1) / 2 : p->marks[i].n_points;
	for (ptrdiff_t i = 0; i < c->n; i++)
		rows[c->rows[i].panel_at * CHART_SERIES_MAX + c->rows[i].series_at]++;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		n += rows[i] == 1; /* a lone point has no path */
	return n;
}

/* Cells covered by bars of whole columns, or filled in pictures. */
static ptrdiff_t cells_drawn(const struct plot *p, struct arena scratch, const struct chart *c)
{
	double columns = (double)chart_steps(&scratch, c, false).n, covered = 0, lead = 1;
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		for (ptrdiff_t k = 0; m->kind == MARK_RASTER && k < (ptrdiff_t)m->raster->nx * m->raster->ny; k++)
			n += m->raster->cells[k] >= 0 && m->raster->cells[k] <= 1;
		for (ptrdiff_t k = 0; m->kind == MARK_RUNS && k < m->n_runs; k++) {
			covered += m->runs[k].f2 - m->runs[k].f1;
			lead = fmin(lead, m->runs[k].f1);
		}
	}
	return covered > 0 ? n + lrint(covered / ((1 - lead) / columns)) : n;
}

/* Buckets have a bar each, or an outline with their corners. */
static ptrdiff_t buckets_drawn(const struct plot *p, const struct chart *c)
{
	ptrdiff_t outlines = 0, bars = rows_marked(p, c);

	for (ptrdiff_t i = 0; i < p->n; i++)
		if (p->marks[i].kind == MARK_PATH && p->marks[i].role != ROLE_STROKE)
			outlines += p->marks[i].n_points;
	/* Two corners on top; two more where nothing touches. */
	return bars ? bars : outlines > 2 * c->n && outlines <= 4 * c->n ? c->n : -1;
}

/* A cumulative curve ascends from nothing to all, in each panel and series. */
static bool curves_ascend(const struct plot *p)
{
	for (ptrdiff_t i = 0; i < p->n; i++)
		for (ptrdiff_t k = 1; p->marks[i].kind == MARK_PATH && k < p->marks[i].n_points; k++)
			if (p->marks[i].points[k].f < p->marks[i].points[k - 1].f ||
				p->marks[i].points[k].y > p->marks[i].points[k - 1].y)
				return false;
	return true;
}

static void check_drawn(const struct plot *p, const struct chart *c, struct arena scratch)
{
	ptrdiff_t n = 0, ticks = 0;

	if (chart_is_labelled(c->kind))
		n = rows_marked(p, c);
	else if (c->kind == CHART_LINE || c->kind == CHART_STEP)
		n = rows_in_paths(p, c);
	else if (c->kind == CHART_SCATTER)
		n = rows_marked(p, c) + runs_of(p, ROLE_CLOUD);
	else if (c->kind == CHART_HEATMAP)
		n = cells_drawn(p, scratch, c);
	else if (c->kind == CHART_TIMELINE)
		n = runs_of(p, ROLE_STATE);
	else if (c->kind == CHART_HISTOGRAM)
		n = buckets_drawn(p, c);
	else
		n = curves_ascend(p) ? c->n : -1;
	for (ptrdiff_t i = 0; i < p->n; i++)
		ticks += p->marks[i].role == ROLE_TICK;
	if (n + ticks != c->n)
		fail_msg("%s: %td of %td rows are drawn", what, n + ticks, c->n);
}

static bool holds(struct str s, const char *needle)
{
	return str_find(s, str_of(needle)) >= 0;
}

/* Every element is closed, and nothing but our own elements is there. */
static void check_markup(struct str s)
{
	static const char *const known[] = {
		"ul", "li", "svg", "line", "rect", "circle", "path", "text", "title", "g", "desc", "style", "mask",
		"image"};
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


/* Words and numbers that the alt text of a kind must hold. */
static void check_alt(struct str alt, const struct chart *c, struct arena a)
{
	static const char *const begins[CHART_KIND_MAX] = {"Dot chart of medians", "Bar chart", "Line chart", "Step chart",
		"Scatter chart", "Histogram", "Cumulative distribution", "Heat map", "Timeline", "Share chart"};
	double total = 0, least = (double)INFINITY, most = -least;
	const struct chart_row *first = NULL;

	if (!str_starts(alt, str_of(begins[c->kind])) || alt.ptr[alt.len - 1] != '.' || holds(alt, "nan"))
		fail_msg("%s: says '%.*s'", what, STR_FMT(alt));
	assert_true(str_find(alt, str_printf(&a, ", %td ", c->n)) > 0);
	for (ptrdiff_t i = 0; i < c->n; i++) {
		total += c->rows[i].count;
		least = fmin(least, c->rows[i].value);
		most = fmax(most, c->rows[i].value);
		if (!first && chart_state_of(c->rows[i].state) != STATE_TICK)
			first = &c->rows[i];
	}
	struct str says[2] = {format_si(&a, least, c->unit), format_si(&a, most, c->unit)};
	if (c->kind == CHART_HISTOGRAM || c->kind == CHART_ECDF)
		says[0] = says[1] = c->n_series < 2 && c->panels.n < 2 && total > 0 ? format_num(&a, total, 0) : STR(".");
	else if (c->kind == CHART_TIMELINE)
		says[0] = says[1] = label_short(&a, first->label);
	for (int i = 0; i < 2; i++)
		if (str_find(alt, says[i]) < 0)
			fail_msg("%s: '%.*s' is not in '%.*s'", what, STR_FMT(says[i]), STR_FMT(alt));
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
	check_drawn(&p, c, scratch);
	sheet = plot_new(&scratch, c, SHEET_INNER_PX);
	check_at(&sheet, SHEET_INNER_PX);
	chart_svg(c, &w, scratch);
	assert_int_equal(w.depth, 0);
	check_markup(buf_str(&b));
	if (holds(buf_str(&b), "\"nan") || holds(buf_str(&b), "nan%") || holds(buf_str(&b), "inf%") || holds(buf_str(&b), "\"inf"))
		fail_msg("%s: no number in %.*s", what, STR_FMT(buf_str(&b)));
	check_markup(chart_svg_file(&scratch, c));
	check_alt(chart_alt(&scratch, c), c, scratch);
}

#endif
