/* Comma-separated values: what is read, and where what is wrong stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/csv.h"

static struct arena_block block;
static struct arena arena;

static int set_up(void **state)
{
	(void)state;
	arena = arena_new(&block, (ptrdiff_t)1 << 24);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

static struct csv parse(struct str text, struct diag *d)
{
	*d = diag_new(&arena);
	return csv_parse(&arena, d, (struct pos){STR("f.csv"), 1, 1}, text);
}

static void is_cell(const struct csv *t, ptrdiff_t row, ptrdiff_t col, const char *text, int line, int at)
{
	const struct csv_cell *c = &t->cells[row * t->cols + col];

	assert_int_equal(c->text.len, (ptrdiff_t)strlen(text));
	assert_memory_equal(c->text.ptr ? c->text.ptr : "", text, (size_t)c->text.len);
	assert_int_equal(c->at.line, line);
	assert_int_equal(c->at.col, at);
}

static void reads(void **state)
{
	struct diag d;
	struct csv t = parse(STR("\xef\xbb\xbf" "a,b,c\r\n1,\"x, \"\"y\"\"\",\n\"two\r\nlines\",,3"), &d);

	(void)state;
	assert_true(t.ok);
	assert_int_equal(d.errors, 0);
	assert_int_equal(t.rows, 3);
	assert_int_equal(t.cols, 3);
	is_cell(&t, 0, 0, "a", 1, 1);
	is_cell(&t, 0, 2, "c", 1, 5);
	is_cell(&t, 1, 1, "x, \"y\"", 2, 3);
	is_cell(&t, 1, 2, "", 2, 14);
	is_cell(&t, 2, 0, "two\nlines", 3, 1);
	is_cell(&t, 2, 1, "", 4, 8);
	is_cell(&t, 2, 2, "3", 4, 9);
}

static void one_column(void **state)
{
	struct diag d;
	struct csv t = parse(STR("a\n\"\"\nb\n"), &d);

	(void)state;
	assert_true(t.ok);
	assert_int_equal(t.rows, 3);
	is_cell(&t, 1, 0, "", 2, 1);
}

static void refuses(void **state)
{
	static const struct {
		struct str text;
		int line, col;
		const char *says;
	} bad[] = {
		{{"", 0}, 1, 1, "empty file"},
		{{"\xef\xbb\xbf", 3}, 1, 1, "empty file"},
		{{"a,b\n1\n", 6}, 2, 1, "1 cells where the header has 2"},
		{{"a,b\n1,2,3\n", 10}, 2, 1, "3 cells where the header has 2"},
		{{"a,b\n1,\"2\n", 9}, 2, 3, "nothing closes"},
		{{"a,b\n1,\"2\"x\n", 11}, 2, 6, "behind a closing quote"},
		{{"a,b\n1,x\"y\n", 10}, 2, 4, "inside a cell without quotes"},
		{{"a,b\n\n1,2\n", 9}, 2, 1, "blank line"},
		{{"a,b\r1,2\n", 8}, 1, 4, "carriage return"},
		{{"a,b\n1,\x01\n", 8}, 2, 3, "control character"},
		{{"a,b\n1,\xff\n", 8}, 2, 3, "not UTF-8"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct diag d;
		struct csv t = parse(bad[i].text, &d);
		assert_false(t.ok);
		assert_int_equal(t.rows, 0);
		assert_int_equal(d.errors, 1);
		assert_int_equal(d.items->at.line, bad[i].line);
		assert_int_equal(d.items->at.col, bad[i].col);
		if (str_find(d.items->text, str_of(bad[i].says)) < 0)
			fail_msg("%zu: %.*s", i, STR_FMT(d.items->text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(one_column), cmocka_unit_test(refuses)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
