#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "chart_case.h"

static struct arena_block block;
static struct arena arena;

struct refusal {
	const char *text; /* a case: '|' stands for a tab, '\n' ends a line */
	const char *says;
};

static const struct refusal refusals[] = {
	{"# kind: range\nlabel|median|min\nfork|1|1\n",
		"no column 'max' in a range chart; select label, median, min, max and"},
	{"# kind: bar\nlabel|valeu\nfork|1\n", "unknown column 'valeu' in a bar chart; select label, value"},
	{"# kind: bar\nlabel|x|value\nfork|1|1\n", "unknown column 'x'"},
	{"# kind: line\nx|y|y\n1|2|3\n", "two columns for the column 'y'"},
	{"# kind: bar\nlabel|value\nfork|12 us\n", "row 1: value is '12 us', not a number"},
	{"# kind: bar\nlabel|value\nfork|1\nvfork|inf\n", "row 2: value is infinite"},
	{"# kind: bar\nlabel|value\nfork|-1e200\n", "beyond 1e100"},
	{"# kind: range\n# scale: log\nlabel|median|min|max\nfork|5|0|9\n",
		"row 1: min is 0, and a log scale needs values above zero"},
	{"# kind: line\n# scale: log\nx|y\n0|5\n1|-5\n", "row 2: y is -5, and a log scale"},
	{"# kind: bar\n# scale: log\nlabel|value\nfork|5\n", "a log scale has none; use kind: range"},
	{"# kind: range\nlabel|median|min|max\nfork|5|9|1\n", "row 1: min 9 is above max 1"},
	{"# kind: bar\nlabel|value\n|1\n", "row 1 has no label"},
	{"# kind: scatter\n# x_scale: log\nx|y\n-1|5\n", "row 1: x is -1, and a log scale needs values above zero; use x-scale"},
	{"# kind: histogram\n# scale: log\nlo|hi|count\n0|5|1\n", "row 1: lo is 0, and a log scale"},
	{"# kind: histogram\nlo|hi|count\n5|5|1\n", "row 1: hi 5 is not above lo 5"},
	{"# kind: histogram\nlo|hi|count\n1|5|1\n4|9|2\n", "the buckets 1 to 5 and 4 to 9 overlap"},
	{"# kind: histogram\nlo|hi|count\n1|5|-1\n", "row 1: count -1 is below zero"},
	{"# kind: histogram\nlo|hi|count\n1|inf|1\n", "row 1: hi is infinite"},
	{"# kind: histogram\n# x_scale: log\nlo|hi|count\n1|5|1\n", "a histogram chart has no x-scale; leave it out, or write scale"},
	{"# kind: ecdf\nx\n1\n", "unknown column 'x' in a ecdf chart; select value"},
	{"# kind: heatmap\nx|y|value\n1|2|3\n1|2|4\n", "the cell at x 1, y 2 has two values"},
	{"# kind: heatmap\nx|y|value|series\n1|2|3|a\n", "unknown column 'series' in a heatmap"},
	{"# kind: heatmap\n# scale: log\nx|y|value\n1|2|-3\n", "row 1: value is -3, and a log scale"},
	{"# kind: timeline\nlane|t0|t1|state\na|5|3|running\n", "row 1: t1 3 is before t0 5"},
	{"# kind: timeline\nlane|t0|t1|state\n|5|7|running\n", "row 1 has no lane"},
	{"# kind: timeline\nlane|t0|t1|state\na|5|7|\n", "row 1 has no state"},
	{"# kind: timeline\nlane|t0|t1|state\nclock|5|5|tick\n", "a timeline of ticks alone has no lane"},
	{"# kind: timeline\n# scale: log\nlane|t0|t1|state\na|5|7|running\n", "use scale: linear"},
	{"# kind: line\npanel|x|y\na|1|2\nb|1|2\na|2|2\n", "the rows of panel 'a' do not stand together; ORDER BY panel"},
	{"# kind: bar\nlabel|value|series\na|1|a\na|1|b\na|1|c\na|1|d\na|1|e\na|1|f\n", "more than 5 series"},
	{"# kind: bar\nlabel|value|reported|source\na|1|2|\n", "row 1 has a reported value without a source; "},
};

static struct str expand(struct arena *a, const char *text)
{
	struct str s = str_copy(a, str_of(text));
	char *p = ARENA_NEW(a, char, s.len);

	for (ptrdiff_t i = 0; i < s.len; i++)
		p[i] = s.ptr[i] == '|' ? '\t' : s.ptr[i];
	return (struct str){p, s.len};
}

static void refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct arena a = arena;
		struct diag d = diag_new(&a);
		struct chart c;
		if (case_chart(&a, expand(&a, refusals[i].text), &c, &d))
			fail_msg("accepted: %s", refusals[i].text);
		assert_int_equal(d.errors, 1);
		if (str_find(d.items->text, str_of(refusals[i].says)) < 0)
			fail_msg("'%.*s' does not say '%s'", STR_FMT(d.items->text), refusals[i].says);
	}
}

static void limits_rows(void **state)
{
	static const struct {
		const char *kind, *row;
		int rows;
		bool ok;
	} cases[] = {
		{"# kind: line\nx|y\n", "1|2\n", CHART_ROWS_MAX, true},
		{"# kind: line\nx|y\n", "1|2\n", CHART_ROWS_MAX + 1, false},
		{"# kind: scatter\nx|y\n", "1|2\n", CHART_ROWS_MAX + 1, false},
		{"# kind: heatmap\nx|y|value\n", "1|2|3\n", 1000000, false},
		{"# kind: bar\nlabel|value\n", "a|2\n", CHART_LABELS_MAX, true},
		{"# kind: bar\nlabel|value\n", "a|2\n", CHART_LABELS_MAX + 1, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = arena;
		struct diag d = diag_new(&a);
		struct buf b = buf_new(&a);
		struct chart c;
		buf_add(&b, str_of(cases[i].kind));
		for (int k = 0; k < cases[i].rows; k++)
			buf_add(&b, str_of(cases[i].row));
		assert_int_equal(case_chart(&a, expand(&a, str_z(&a, buf_str(&b))), &c, &d), cases[i].ok);
		assert_true(!cases[i].ok || c.n == cases[i].rows);
	}
}

/* Words and numbers of a heatmap's sides, and which numbers stand evenly. */
static void steps_of_heatmaps(void **state)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct chart c;

	(void)state;
	assert_true(case_chart(&a, expand(&a, "# kind: heatmap\nx|y|value\n1|b|1\n2|a|2\n16|b|3\n|a|9\n"), &c, &d));
	assert_int_equal(c.n, 3);
	struct chart_steps x = chart_steps(&a, &c, false), y = chart_steps(&a, &c, true);
	assert_int_equal(x.n, 3); /* 1, 2, 16: too few for steps of one */
	assert_true(x.step == 0 && chart_step_of(&x, 16) == 2);
	assert_int_equal(y.n, 2);
	assert_string_equal(str_z(&a, c.y_names.at[0]), "b"); /* in the query's order */
	assert_true(case_chart(&a, expand(&a, "# kind: heatmap\nx|y|value\n0|1|1\n50|1|2\n150|1|3\n"), &c, &d));
	x = chart_steps(&a, &c, false);
	assert_int_equal(x.n, 4); /* 100 counts, though nothing is there */
	assert_true(x.step == 50 && chart_step_of(&x, 150) == 3);
}

static void drops_null_keeps_colour(void **state)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct chart c;

	(void)state;
	assert_true(case_chart(
		&a, expand(&a, "# kind: bar\nlabel|value|series|n\na||first|\nb|2|second|6\nc|3|first|7\n"), &c, &d));
	assert_int_equal(c.n, 2);
	assert_int_equal(c.n_missing, 1);
	assert_string_equal(str_z(&a, c.missing[0].label), "a");
	assert_int_equal(c.missing[0].before, 0);
	assert_int_equal(c.n_series, 2);
	assert_int_equal(c.rows[0].series_at, 1); /* the first series has its colour though its first row is NULL */
	assert_int_equal(c.rows[1].series_at, 0);
	assert_true(c.rows[0].n == 6);
	assert_true(isnan(c.rows[0].min) && isnan(c.rows[0].predicted));
	assert_false(chart_has_spread(&c));
	assert_true(case_chart(&a, expand(&a, "# kind: line\nx|y|min|max\n|2|1|3\n4|5|4|6\n"), &c, &d));
	assert_int_equal(c.n, 1);
	assert_int_equal(c.n_missing, 0);
	assert_true(chart_has_spread(&c));
	assert_true(case_chart(&a, expand(&a, "# kind: line\nx|y\n"), &c, &d));
	assert_int_equal(c.n, 0);
}

static void cleans_labels(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{"fork\x01"
		 "x\x7f",
			"fork x"},
		{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
		{"a\xff"
		 "b",
			"a\xef\xbf\xbd"
			"b"},
		{"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xef\xbf\xbf", "\xef\xbf\xbd"},
		{"a\xe2\x80\xa8"
		 "b",
			"a b"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = arena;
		struct diag d = diag_new(&a);
		struct chart c;
		struct str text = str_printf(&a, "# kind: bar\nlabel\tvalue\n%s\t1\n", cases[i].in);
		assert_true(case_chart(&a, text, &c, &d));
		assert_string_equal(str_z(&a, c.rows[0].label), cases[i].out);
	}
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 1 << 30);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses),
		cmocka_unit_test(limits_rows),
		cmocka_unit_test(steps_of_heatmaps),
		cmocka_unit_test(drops_null_keeps_colour),
		cmocka_unit_test(cleans_labels),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
