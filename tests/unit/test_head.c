/* Heads: values literal to the end of the line, places right, every error named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/head.h"

static struct arena_block block;
static struct arena arena;
static struct diag diag;

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 1 << 28);
	diag = diag_new(&arena);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

static struct head parse(const char *text, bool fenced)
{
	return head_parse(&arena, &diag, (struct pos){STR("p.md"), 1, 1}, str_of(text), fenced);
}

static void assert_str(struct str got, const char *want)
{
	if (!str_eq(got, str_of(want)))
		fail_msg("got \"%.*s\", want \"%s\"", STR_FMT(got), want);
}

static void assert_at(struct pos p, int line, int col)
{
	assert_int_equal(p.line, line);
	assert_int_equal(p.col, col);
}

/* The newest diagnostic. */
static void assert_diag(int line, int col, const char *part)
{
	assert_non_null(diag.items);
	assert_at(diag.items->at, line, col);
	if (str_find(diag.items->text, str_of(part)) < 0)
		fail_msg("\"%.*s\" lacks \"%s\"", STR_FMT(diag.items->text), part);
}

static void test_page(void **state)
{
	(void)state;
	const char *text =
		"---\ntitle: EEVDF: what \"eligible\" means  \nlede:  a\n  b\n   c\nminutes:\n\nlast: x\n---\nBody";
	struct head h = parse(text, true);

	assert_true(h.ok);
	assert_int_equal(h.n, 4);
	assert_str(head_value(&h, "title"), "EEVDF: what \"eligible\" means");
	assert_str(head_value(&h, "lede"), "a b c");
	assert_str(head_value(&h, "minutes"), "");
	assert_str(head_value(&h, "none"), "");
	assert_null(head_get(&h, "none"));
	assert_at(h.fields[1].key_at, 3, 1);
	assert_at(h.fields[1].value_at, 3, 8);
	assert_at(h.fields[3].value_at, 8, 7);
	assert_str(str_from(str_of(text), h.body), "Body");
	assert_at(h.body_at, 10, 1);
	assert_int_equal(diag.errors, 0);
}

static void test_block(void **state)
{
	(void)state;
	const char *text = "id: a\nsays: \n  late\n\nSELECT 1\n\nFROM x\n";
	struct head h = head_parse(&arena, &diag, (struct pos){STR("p.md"), 40, 3}, str_of(text), false);

	assert_true(h.ok);
	assert_str(head_value(&h, "says"), "late");
	assert_at(h.fields[0].value_at, 40, 7);
	assert_at(h.fields[1].value_at, 42, 3);
	assert_str(str_from(str_of(text), h.body), "SELECT 1\n\nFROM x\n");
	assert_at(h.body_at, 44, 1);
	h = parse("id: a", false);
	assert_true(h.ok);
	assert_int_equal(h.body, 5);
	h = parse("", false);
	assert_true(h.ok);
	assert_int_equal(h.n, 0);
	assert_at(h.body_at, 1, 1);
	h = parse("\nbody", false);
	assert_int_equal(h.n, 0);
	assert_at(h.body_at, 2, 1);
}

static void test_line_ends_and_bom(void **state)
{
	(void)state;
	struct head lf = parse("---\na: b\n c\n---\nx", true);
	struct head crlf = parse("\xef\xbb\xbf---\r\na: b\r\n c\r\n---\r\nx", true);
	struct head cr = parse("---\ra: b\r c\r---\rx", true);

	assert_true(lf.ok && crlf.ok && cr.ok);
	assert_str(crlf.fields[0].value, "b c");
	assert_str(cr.fields[0].value, "b c");
	assert_at(crlf.fields[0].value_at, 2, 4);
	assert_at(crlf.body_at, 5, 1);
	assert_at(cr.body_at, 5, 1);
}

static void test_no_fence(void **state)
{
	(void)state;
	assert_false(parse("## Title\n", true).ok);
	assert_diag(1, 1, "no head");
	struct head h = parse("---\ntitle: x\n# H\nmore: text\n", true);
	assert_false(h.ok);
	assert_int_equal(h.n, 0);
	assert_int_equal(h.body, 4);
	assert_diag(1, 1, "not closed");
	assert_false(parse("", true).ok);
	assert_false(parse("\xff\xfe-\0-\0", true).ok);
	assert_diag(1, 1, "UTF-16");
}

static void test_bad_lines(void **state)
{
	(void)state;
	struct head h = parse("---\na: 1\nno colon\nb: 2\n---\n", true);

	assert_false(h.ok);
	assert_int_equal(h.n, 2);
	assert_diag(3, 3, "`no colon` is no head line");
	assert_false(parse("a: 1\n\tb\n", false).ok);
	assert_diag(2, 1, "tab");
	assert_false(parse("  x\n", false).ok);
	assert_diag(1, 1, "no value precedes");
	assert_false(parse(": x\n", false).ok);
	assert_diag(1, 1, "no head line");
}

static const struct head_key keys[] = {
	{"title", true, false}, {"lede", false, false}, {"part", false, true}, {NULL, false, false}};

static bool check(const char *text)
{
	struct head h = parse(text, false);

	return head_check(&diag, &h, (struct pos){STR("p.md"), 7, 9}, "page", keys);
}

static void test_check(void **state)
{
	(void)state;
	assert_true(check("title: a\nlede:\npart: 1\npart: 2\n"));
	assert_int_equal(diag.errors, 0);
	assert_false(check("title: a\nledd: x\n"));
	assert_diag(2, 1, "did you mean `lede`?");
	assert_false(check("title: a\nwhatever: x\n"));
	assert_diag(2, 1, "its keys are: title lede part");
	assert_false(check("title: a\nlede: b\ntitle: c\n"));
	assert_diag(3, 1, "first in line 1");
	assert_false(check("lede: b\n"));
	assert_diag(7, 9, "the page lacks `title:`");
	assert_false(check("title:\n"));
	assert_diag(1, 7, "no value");
	assert_int_equal(diag.errors, 5);
}

/* A value of very many lines takes linear time and memory. */
static void test_long(void **state)
{
	(void)state;
	enum { LINES = 300000 };
	char *text = malloc(2 + 3 * (size_t)LINES);
	ptrdiff_t n = 0;

	assert_non_null(text);
	text[n++] = 'a';
	text[n++] = ':';
	for (int i = 0; i < LINES; i++) {
		text[n++] = '\n';
		text[n++] = ' ';
		text[n++] = 'x';
	}
	struct head h = head_parse(&arena, &diag, (struct pos){STR("p"), 1, 1}, (struct str){text, n}, false);
	assert_true(h.ok);
	assert_int_equal(h.fields[0].value.len, 2 * LINES - 1);
	free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_page), TEST(test_block), TEST(test_line_ends_and_bom),
		TEST(test_no_fence), TEST(test_bad_lines), TEST(test_check), TEST(test_long)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
