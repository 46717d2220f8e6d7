/* Any table makes a chart or an error: never a NaN, never markup of its own, never two results. Input as in tests/cases/chart. */
#include <math.h>

#include "chart/chart.h"
#include "chart/plot.h"

#include "../unit/chart_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

static struct str draw(struct arena *a, const struct chart *c, struct arena scratch)
{
	struct buf b = buf_new(a);
	struct html_out w = html_out_new(&b);

	chart_svg(c, &w, scratch);
	require(w.depth == 0, "an element is left open");
	return buf_str(&b);
}

static bool is_inside(double f, double y, double height)
{
	return f >= 0 && f <= 1 && y >= -0.01 && y <= height + 0.01;
}

/* Every mark is somewhere in the plot, whatever its kind. */
static void check_marks(const struct chart *c, struct arena scratch)
{
	struct plot p = plot_new(&scratch, c, PLOT_PAGE_PX);

	require(isfinite(p.height) && p.height > 0, "no height");
	for (ptrdiff_t i = 0; i < p.n; i++) {
		const struct mark *m = &p.marks[i];
		require(is_inside(m->x1.f, m->y1, p.height), "a mark is outside");
		for (ptrdiff_t k = 0; k < m->n_points; k++)
			require(is_inside(m->points[k].f, m->points[k].y, p.height), "a point is outside");
		for (ptrdiff_t k = 0; k < m->n_runs; k++)
			require(is_inside(m->runs[k].f1, m->runs[k].y, p.height) && m->runs[k].f2 >= m->runs[k].f1 &&
					m->runs[k].f2 <= 1 + 1e-9,
				"a run is outside");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct arena_block block[2];
	static struct arena all[2];

	if (!block[0].mem)
		for (int i = 0; i < 2; i++)
			all[i] = arena_new(&block[i], 1 << 30);
	struct arena a = all[0], out = all[1];
	struct diag d = diag_new(&a);
	struct chart c;
	struct str text = {(const char *)bytes, (ptrdiff_t)len};
	bool ok = case_chart(&a, text, &c, &d);
	require(ok || d.errors == 1 || c.kind == CHART_KIND_MAX, "refused without one error");
	if (!ok)
		return 0;
	check_marks(&c, a);
	struct str svg = draw(&out, &c, a);
	require(str_eq(svg, draw(&out, &c, a)), "two results from one input");
	require(str_find(svg, STR("=\"nan")) < 0 && str_find(svg, STR("=\"-nan")) < 0 &&
			str_find(svg, STR("=\"inf")) < 0,
		"no number");
	require(str_find(svg, STR("<script")) < 0, "foreign markup");
	require(chart_alt(&a, &c).len > 0 && chart_svg_file(&out, &c).len > 0, "nothing said or drawn");
	return 0;
}
