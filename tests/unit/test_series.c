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
	{"# kind: bar\nlabel|value|series\na|1|a\na|1|b\na|1|c\na|1|d\na|1|e\na|1|f\n", "more than 5 series"},
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
	arena = arena_new(&block, 16 << 20);
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
		cmocka_unit_test(drops_null_keeps_colour),
		cmocka_unit_test(cleans_labels),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
