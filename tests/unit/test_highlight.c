/* Highlighting: the classes, and above all that the text itself never changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/highlight.h"

static struct arena_block block;
static struct arena arena;

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 1 << 28);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

static struct str highlight(const char *language, struct str code)
{
	struct buf out = buf_new(&arena);
	struct html_out w = html_out_new(&out);

	highlight_write(&w, str_of(language), code);
	return buf_str(&out);
}

/* The text of the markup, entities undone. */
static struct str text_of(struct str html)
{
	static const struct {
		const char *entity;
		char c;
	} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
	struct buf out = buf_new(&arena);

	while (html.len) {
		ptrdiff_t n = 1;
		char c = html.ptr[0];
		if (c == '<')
			n = str_find_char(html, '>') + 1;
		for (size_t i = 0; c == '&' && i < 5; i++)
			if (str_starts(html, str_of(entities[i].entity))) {
				n = (ptrdiff_t)strlen(entities[i].entity);
				c = entities[i].c;
				break;
			}
		if (c != '<' || n == 4)
			buf_char(&out, c);
		html = str_from(html, n);
	}
	return buf_str(&out);
}

/* `want` writes spans short: [k if] for <span class="k">if</span>. */
static void assert_marked(const char *language, const char *code, const char *want)
{
	struct str got = highlight(language, str_of(code));
	struct buf marked = buf_new(&arena);

	while (got.len) {
		if (str_starts(got, STR("<span class=\""))) {
			ptrdiff_t quote = str_find_char(str_from(got, 13), '"');
			buf_char(&marked, '[');
			buf_add(&marked, str_slice(got, 13, 13 + quote));
			buf_char(&marked, ' ');
			got = str_from(got, 13 + quote + 2);
		} else if (str_starts(got, STR("</span>"))) {
			buf_char(&marked, ']');
			got = str_from(got, 7);
		} else {
			buf_char(&marked, got.ptr[0]);
			got = str_from(got, 1);
		}
	}
	struct str text = text_of(buf_str(&marked));
	if (!str_eq(text, str_of(want)))
		fail_msg("%s: got {%.*s}, want {%s}", language, STR_FMT(text), want);
}

static void test_classes(void **state)
{
	(void)state;
	assert_marked("c", "static int x2 = 10; // n", "[k static] [k int] x2 = [n 10]; [c // n]");
	assert_marked("c", "integer = if_0 /* a\nb */ /", "integer = if_0 [c /* a\nb */] /");
	assert_marked("c", "'\\'' 'open\nint", "[s '\\''] [s 'open]\n[k int]");
	assert_marked("c", "#define X 1\n# 2", "[k #define] X [n 1]\n# [n 2]");
	assert_marked("c", "/* open", "[c /* open]");
	assert_marked("sh", "echo $# a#b '\\' # c", "echo $# a#b [s '\\'] [c # c]");
	assert_marked("sh", "x=1; for i in *", "x=[n 1]; [k for] i [k in] *");
	assert_marked("python", "'''a\n'b''' f #x", "[s '''a\n'b'''] f [c #x]");
	assert_marked("csharp", "await x; // y", "[k await] x; [c // y]");
	assert_marked("sql", "Select 'a''b' -- c", "[k Select] [s 'a'][s 'b'] [c -- c]");
	assert_marked("make", "all: x # c", "all: x [c # c]");
	assert_marked("text", "int x;", "int x;");
	assert_marked("unknown", "int x;", "int x;");
}

static void test_console(void **state)
{
	(void)state;
	assert_marked("console", "$ a\\\n  b\nout\n$5\n$ c", "[p $ ][in a\\\n  b]\n[out out\n$5]\n[p $ ][in c]");
	assert_marked("console", "# id\n# x", "[p # ][in id]\n[p # ][in x]");
	assert_marked("console", "$ id\n# x", "[p $ ][in id]\n[out # x]");
	assert_marked("console", "$ a\n\nb\n\n$ ", "[p $ ][in a]\n[out \nb\n]\n[p $ ]");
	assert_marked("console", "only\n", "[out only]\n");
}

static void test_languages(void **state)
{
	(void)state;
	int n = 0;

	for (; highlight_languages[n].ptr; n++)
		assert_true(highlight_knows(highlight_languages[n]));
	assert_int_equal(n, 9);
	assert_false(highlight_knows(STR("")));
	assert_false(highlight_knows(STR("C")));
}

/* Random text over the characters that mean something to some language. */
static void test_text_unchanged(void **state)
{
	(void)state;
	static const char alphabet[] = "/*-#'\"\\\n $a1. int=<&";
	uint32_t seed = 1;
	char text[64];

	for (int round = 0; round < 20000; round++) {
		ptrdiff_t n = 0;
		seed = seed * 1664525u + 1013904223u;
		for (ptrdiff_t len = seed >> 26; n < len; n++) {
			seed = seed * 1664525u + 1013904223u;
			text[n] = alphabet[(seed >> 8) % (sizeof alphabet - 1)];
		}
		struct arena before = arena;
		struct str language = highlight_languages[round % 9], code = {text, n};
		struct str got = text_of(highlight(str_z(&arena, language), code));
		if (!str_eq(got, code))
			fail_msg("%.*s: {%.*s} became {%.*s}", STR_FMT(language), STR_FMT(code), STR_FMT(got));
		arena = before;
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_classes), TEST(test_console), TEST(test_languages), TEST(test_text_unchanged)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
