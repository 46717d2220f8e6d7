/* Charts against what they looked like when somebody last looked: tests/cases/chart/NAME.{tsv,svg,alt} and one NAME.file.svg.
 * RUNQ_UPDATE=1 rewrites them; read the diff before committing it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "chart/chart.h"
#include "chart_arenas.h"
#include "chart_case.h"

#define FOLDER "tests/cases/chart/"

static void compare(struct arena a, struct str name, const char *suffix, struct str got)
{
	const char *path = str_z(&a, str_printf(&a, FOLDER "%.*s%s", STR_FMT(name), suffix));

	if (getenv("RUNQ_UPDATE")) {
		assert_int_not_equal(file_replace(path, got), FILE_FAILED);
		return;
	}
	struct file_text want = file_read(&a, path, 1 << 20);
	if (want.err || !str_eq(want.text, got))
		fail_msg("%s differs; look at the chart, then RUNQ_UPDATE=1. Got:\n%.*s", path, STR_FMT(got));
}

/* A picture's bytes depend on the compressor, and test_chart_png reads its pixels: only where it stands is compared here. */
static struct str without_picture(struct arena *a, struct str svg)
{
	ptrdiff_t from = str_find(svg, STR("base64,")), end = from;

	if (from < 0)
		return svg;
	while (end < svg.len && svg.ptr[end] != '"')
		end++;
	return str_printf(a, "%.*s%.*s", STR_FMT(str_slice(svg, 0, from)), STR_FMT(str_from(svg, end)));
}

static void check_case(struct arena a, struct str name)
{
	struct arena out = out_arena;
	struct buf b = buf_new(&out);
	struct html_out w = html_out_new(&b);
	struct file_text text = file_read(&a, str_z(&a, str_printf(&a, FOLDER "%.*s.tsv", STR_FMT(name))), 1 << 20);
	struct diag d = diag_new(&a);
	struct chart c;

	assert_int_equal(text.err, 0);
	if (!case_chart(&a, text.text, &c, &d))
		fail_msg("%.*s: %.*s", STR_FMT(name), STR_FMT(d.items->text));
	chart_svg(&c, &w, a);
	buf_char(&b, '\n');
	compare(a, name, ".svg", without_picture(&a, buf_str(&b)));
	compare(a, name, ".alt", str_printf(&a, "%.*s\n", STR_FMT(chart_alt(&a, &c))));
	if (str_eq(name, STR("nice")))
		compare(a, name, ".file.svg", chart_svg_file(&a, &c));
	if (!str_eq(name, STR("hostile")) && !str_eq(name, STR("raster")) && b.len > 8 * 1024)
		fail_msg("%.*s takes %td bytes of a page; 8 KiB is the budget", STR_FMT(name), b.len);
}

static void golden(void **state)
{
	struct arena a = arena;
	struct file_list files = file_list(&a, FOLDER);
	int n = 0;

	(void)state;
	for (ptrdiff_t i = 0; i < files.n; i++)
		if (str_ends(files.names[i], STR(".tsv"))) {
			check_case(a, str_slice(files.names[i], 0, files.names[i].len - 4));
			n++;
		}
	assert_true(n >= 8);
}

/* 24 rows, or 40 points of two series, each with its spread and its tooltip, within the budget of a page. */
static void ordinary_charts_are_small(void **state)
{
	static const char *const heads[] = {"# kind: range\n# scale: log\n# unit: ns\nlabel\tmedian\tmin\tmax\tn\n",
		"# kind: bar\n# unit: ns\nlabel\tvalue\tmin\tmax\tn\n", "# kind: line\n# unit: ns\nx\ty\tmin\tmax\tn\tseries\n"};

	(void)state;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct arena a = arena, out = out_arena;
		struct buf text = buf_new(&a), b = buf_new(&out);
		struct html_out w = html_out_new(&b);
		struct diag d = diag_new(&a);
		struct chart c;
		buf_add(&text, str_of(heads[i]));
		for (int k = 0; k < 40 && (i == 2 || k < 24); k++) {
			buf_printf(&text, i == 2 ? "%d" : "pipe, processes, CPU %d", k / 2);
			buf_printf(&text, "\t%d\t%d\t%d\t6", 17345 + k * 3011, 16999 + k * 2899, 19111 + k * 3333);
			buf_add(&text, i < 2 ? STR("\n") : k % 2 ? STR("\tbefore\n") : STR("\tafter\n"));
		}
		assert_true(case_chart(&a, buf_str(&text), &c, &d));
		chart_svg(&c, &w, a);
		assert_true(str_find(buf_str(&b), STR("<title>")) > 0);
		if (b.len > 8 * 1024)
			fail_msg("%s of %td rows takes %td bytes", chart_kind_names[c.kind], c.n, b.len);
	}
}

static void same_input_same_bytes(void **state)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct chart c;

	(void)state;
	struct file_text text = file_read(&a, FOLDER "sweep.tsv", 1 << 20);
	assert_true(case_chart(&a, text.text, &c, &d));
	assert_true(str_eq(chart_svg_file(&a, &c), chart_svg_file(&a, &c)));
}

static void no_rows(void **state)
{
	struct arena a = arena, out = out_arena;
	struct buf b = buf_new(&out);
	struct html_out w = html_out_new(&b);
	struct chart c = {.kind = CHART_RANGE};

	(void)state;
	chart_svg(&c, &w, a);
	assert_true(str_find(buf_str(&b), STR("No values")) > 0);
	assert_true(str_find(buf_str(&b), STR("aria-label=\"An empty chart")) > 0);
	assert_true(chart_svg_file(&a, &c).len > 0);
}

static void strips(void **state)
{
	static const double values[] = {10, 15, (double)NAN, 20};
	struct arena out = out_arena;
	struct buf b = buf_new(&out);
	struct html_out w = html_out_new(&b);

	(void)state;
	chart_strip(&w, values, 4, 10, 20);
	struct str s = buf_str(&b);
	assert_true(str_find(s, STR("cx=\"4%\"")) > 0 && str_find(s, STR("cx=\"50%\"")) > 0 &&
		    str_find(s, STR("cx=\"96%\"")) > 0);
	assert_true(str_find(s, STR("nan")) < 0);
	b.len = 0;
	chart_strip(&w, values, 1, 10, 10);
	assert_true(str_find(buf_str(&b), STR("cx=\"50%\"")) > 0);
	assert_int_equal(w.depth, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),
		cmocka_unit_test(ordinary_charts_are_small),
		cmocka_unit_test(same_input_same_bytes),
		cmocka_unit_test(no_rows),
		cmocka_unit_test(strips),
	};

	return cmocka_run_group_tests(tests, arenas_setup, arenas_teardown);
}
