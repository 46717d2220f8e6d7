#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/str.h"

#define assert_str(s, z) assert_true(str_eq((s), str_of(z)))

static void slices_are_clamped(void **state)
{
	struct str s = STR("hello");

	assert_str(str_slice(s, 1, 3), "el");
	assert_str(str_slice(s, -5, 99), "hello");
	assert_str(str_slice(s, 4, 2), "");
	assert_str(str_from(s, 3), "lo");
	assert_int_equal(str_from(s, 9).len, 0);
	assert_int_equal(str_slice((struct str){0}, 0, 5).len, 0);
	assert_int_equal(str_of(NULL).len, 0);
	(void)state;
}

static void trims_both_ends(void **state)
{
	assert_str(str_trim(STR(" \t a b\r\n")), "a b");
	assert_str(str_trim(STR(" \n ")), "");
	assert_str(str_trim(STR("")), "");
	(void)state;
}

static void copies_are_independent(void **state)
{
	unsigned char mem[64];
	struct arena a = arena_over(mem, sizeof mem);
	char text[] = "abc";
	struct str copy = str_copy(&a, str_of(text));
	const char *z = str_z(&a, str_of(text));

	text[0] = 'x';
	assert_str(copy, "abc");
	assert_string_equal(z, "abc");
	assert_non_null(str_copy(&a, STR("")).ptr);
	assert_null(str_copy(&a, (struct str){text, 1000}).ptr);
	(void)state;
}

static void compares_bytewise(void **state)
{
	assert_true(str_cmp(STR("a"), STR("b")) < 0);
	assert_true(str_cmp(STR("a"), STR("ab")) < 0);
	assert_true(str_cmp(STR("ab"), STR("a")) > 0);
	assert_true(str_cmp(STR("\x7f"), STR("\x80")) < 0);
	assert_int_equal(str_cmp(STR(""), (struct str){0}), 0);
	assert_true(str_eq(STR(""), (struct str){0}));
	assert_false(str_eq(STR("a"), STR("A")));
	(void)state;
}

static void finds_parts(void **state)
{
	assert_true(str_starts(STR("abc"), STR("ab")));
	assert_false(str_starts(STR("a"), STR("ab")));
	assert_true(str_starts(STR("a"), STR("")));
	assert_true(str_ends(STR("abc"), STR("bc")));
	assert_false(str_ends(STR("c"), STR("bc")));
	assert_int_equal(str_find(STR("aaab"), STR("aab")), 1);
	assert_int_equal(str_find(STR("aaab"), STR("b")), 3);
	assert_int_equal(str_find(STR("ab"), STR("abc")), -1);
	assert_int_equal(str_find(STR("ab"), STR("")), 0);
	assert_int_equal(str_find_char(STR("a.b"), '.'), 1);
	assert_int_equal(str_find_char(STR("ab"), '.'), -1);
	(void)state;
}

static void cuts_at_the_separator(void **state)
{
	struct str rest;

	assert_str(str_cut(STR("a/b/c"), '/', &rest), "a");
	assert_str(rest, "b/c");
	assert_str(str_cut(STR("a/"), '/', &rest), "a");
	assert_non_null(rest.ptr);
	assert_int_equal(rest.len, 0);
	assert_str(str_cut(STR("a"), '/', &rest), "a");
	assert_null(rest.ptr);
	(void)state;
}

static void lines_end_in_three_ways(void **state)
{
	struct str rest = STR("a\nb\r\nc\rd\r\n\ne");
	static const char *const want[] = {"a", "b", "c", "d", "", "e"};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		assert_str(str_line(rest, &rest), want[i]);
	assert_int_equal(rest.len, 0);
	assert_str(str_line(STR("x\r"), &rest), "x");
	assert_int_equal(rest.len, 0);
	(void)state;
}

static void reads_integers_exactly(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		int64_t value;
	} cases[] = {
		{"0", true, 0},
		{"-0", true, 0},
		{"42", true, 42},
		{"-42", true, -42},
		{"9223372036854775807", true, INT64_MAX},
		{"-9223372036854775808", true, INT64_MIN},
		{"9223372036854775808", false, 0},
		{"-9223372036854775809", false, 0},
		{"99999999999999999999", false, 0},
		{"", false, 0},
		{"-", false, 0},
		{"+1", false, 0},
		{" 1", false, 0},
		{"1 ", false, 0},
		{"1.0", false, 0},
		{"0x1", false, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t v = 0;
		assert_int_equal(str_int(str_of(cases[i].text), &v), cases[i].ok);
		if (cases[i].ok)
			assert_true(v == cases[i].value);
	}
	(void)state;
}

/* Vectors of the FNV authors. */
static void hashes_as_fnv_1a(void **state)
{
	assert_true(str_hash(STR("")) == 0xcbf29ce484222325u);
	assert_true(str_hash(STR("a")) == 0xaf63dc4c8601ec8cu);
	assert_true(str_hash(STR("foobar")) == 0x85944171f73967e8u);
	(void)state;
}

static void guesses_what_was_meant(void **state)
{
	const struct str names[] = {STR("title"), STR("lede"), STR("minutes"), STR("id")};

	assert_str(str_nearest(STR("titel"), names, 3), "");
	assert_str(str_nearest(STR("titl"), names, 3), "title");
	assert_str(str_nearest(STR("minuets"), names, 3), "minutes");
	assert_str(str_nearest(STR("lead"), names, 3), "");
	assert_str(str_nearest(STR("ledee"), names, 3), "lede");
	assert_str(str_nearest(STR("ix"), names, 4), "id");
	assert_str(str_nearest(STR("nothing near"), names, 4), "");
	assert_str(str_nearest(STR("x"), NULL, 0), "");
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_are_clamped),
		cmocka_unit_test(trims_both_ends),
		cmocka_unit_test(copies_are_independent),
		cmocka_unit_test(compares_bytewise),
		cmocka_unit_test(finds_parts),
		cmocka_unit_test(cuts_at_the_separator),
		cmocka_unit_test(lines_end_in_three_ways),
		cmocka_unit_test(reads_integers_exactly),
		cmocka_unit_test(hashes_as_fnv_1a),
		cmocka_unit_test(guesses_what_was_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
