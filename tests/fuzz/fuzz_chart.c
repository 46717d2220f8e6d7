/* Any table makes a chart or an error: never a NaN, never markup of its own, never two results. Input as in tests/cases/chart. */
#include "chart/chart.h"

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
	struct str svg = draw(&out, &c, a);
	require(str_eq(svg, draw(&out, &c, a)), "two results from one input");
	require(str_find(svg, STR("=\"nan")) < 0 && str_find(svg, STR("=\"-nan")) < 0 &&
			str_find(svg, STR("=\"inf")) < 0,
		"no number");
	require(str_find(svg, STR("<script")) < 0, "foreign markup");
	require(chart_alt(&a, &c).len > 0 && chart_svg_file(&out, &c).len > 0, "nothing said or drawn");
	return 0;
}
