/* Markdown: what the case folders cannot show: the document's lists, hooks, equal output for equal text, and that
 * hostile input ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/markdown.h"

static struct arena_block blocks[2];
static struct arena arena, scratch;
static struct diag diag;

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&blocks[0], (ptrdiff_t)1 << 32);
	scratch = arena_new(&blocks[1], (ptrdiff_t)1 << 30);
	diag = diag_new(&arena);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&blocks[0]);
	arena_free(&blocks[1]);
	return 0;
}

static struct md_doc *parse(const char *text)
{
	return markdown_parse(&arena, &diag, (struct pos){STR("p.md"), 1, 1}, str_of(text));
}

static struct str render(const struct md_doc *doc, const struct md_hooks *hooks)
{
	struct buf out = buf_new(&arena);
	struct html_out w = html_out_new(&out);

	markdown_render(doc, hooks, &w, scratch);
	assert_int_equal(w.depth, 0);
	return buf_str(&out);
}

static void assert_str(struct str got, const char *want)
{
	if (!str_eq(got, str_of(want)))
		fail_msg("got \"%.*s\", want \"%s\"", STR_FMT(got), want);
}

static void assert_has(struct str got, const char *part)
{
	if (str_find(got, str_of(part)) < 0)
		fail_msg("\"%.*s\" lacks \"%s\"", STR_FMT(got), part);
}

static void assert_at(struct pos p, int line, int col)
{
	assert_int_equal(p.line, line);
	assert_int_equal(p.col, col);
}

static void test_lists_of_the_document(void **state)
{
	(void)state;
	struct md_doc *d = parse("## One `x`\n\nText [l](a.md#b) ![i](c.png) `=us(1)`.\n\n### Two {#zwei}\n\n"
				 "```claim\nid: abc\nsays: s\ntest: 1\n\nBody\n```\n\n> ## Not listed\n");

	assert_true(d->ok);
	assert_int_equal(d->n_headings, 2);
	assert_int_equal(d->headings[1].level, 3);
	assert_str(d->headings[0].text, "One x");
	assert_str(d->headings[0].id, "one-x");
	assert_str(d->headings[1].text, "Two");
	assert_str(d->headings[1].id, "zwei");
	assert_at(d->headings[1].at, 5, 1);
	assert_int_equal(d->n_links, 2);
	assert_str(d->links[0].url, "a.md#b");
	assert_at(d->links[0].at, 3, 6);
	assert_true(d->links[1].image);
	assert_at(d->links[1].at, 3, 18);
	assert_int_equal(d->n_values, 1);
	assert_str(d->values[0].expr, "us(1)");
	assert_at(d->values[0].at, 3, 32);
	assert_int_equal(d->n_blocks, 1);
	assert_str(d->blocks[0].word, "claim");
	assert_str(d->blocks[0].id, "abc");
	assert_str(d->blocks[0].body, "Body\n");
	assert_str(head_value(&d->blocks[0].head, "says"), "s");
	assert_at(d->blocks[0].at, 7, 1);
	assert_at(d->blocks[0].head.fields[2].value_at, 10, 7);
	assert_at(d->blocks[0].body_at, 12, 1);
}

static void test_start(void **state)
{
	(void)state;
	struct pos start = {STR("p.md"), 85, 10};
	struct md_doc *d = markdown_parse(&arena, &diag, start, STR("`=a`\n\n`=b`[^n]\n\n[^n]: `=c` and\n    `=d`\n"));

	assert_int_equal(d->n_values, 4);
	assert_at(d->values[0].at, 85, 12);
	assert_at(d->values[1].at, 87, 3);
	assert_at(d->values[2].at, 89, 9);
	assert_at(d->values[3].at, 90, 7);
	d = markdown_parse_inline(&arena, &diag, start, STR("a `=b` [c](d)"));
	assert_at(d->values[0].at, 85, 14);
	assert_at(d->links[0].at, 85, 17);
}

static void test_words(void **state)
{
	(void)state;
	assert_int_equal(parse("")->words, 0);
	assert_int_equal(parse("One *two* three\nfour\n\n- five\n\n| six | seven |\n|--|--|\n")->words, 7);
	assert_int_equal(parse("```c\nnot counted\n```\n")->words, 0);
	assert_int_equal(parse("foo*bar*baz\n")->words, 1);
}

static void test_without_hooks(void **state)
{
	(void)state;
	struct md_doc *d = parse("A `=us(1)` [l](x.md)\n\n```claim\nid: abc\nsays: s\ntest: 1\n```\n");

	assert_str(render(d, NULL), "<p>A <code>us(1)</code> <a href=\"x.md\">l</a></p>\n");
}

static void test_prefix(void **state)
{
	(void)state;
	struct md_hooks hooks = {.id_prefix = STR("c3-")};
	struct str html = render(parse("## H\n\nx[^a] y[^a]\n\n[^a]: n\n"), &hooks);

	assert_has(html, "<h2 id=\"c3-h\">");
	assert_has(html, "href=\"#c3-h\"");
	assert_has(html, "id=\"c3-fnr-1\" href=\"#c3-fn-1\"");
	assert_has(html, "id=\"c3-fnr-1-2\" href=\"#c3-fn-1\"");
	assert_has(html, "<li id=\"c3-fn-1\">");
	assert_has(html, "<a href=\"#c3-fnr-1\"");
	assert_has(html, "<a href=\"#c3-fnr-1-2\"");
}

static struct html one_margin(void *ctx)
{
	int *calls = ctx;

	return (struct html){++*calls == 2 ? STR("<p>runs</p>") : (struct str){0}};
}

static void test_margin(void **state)
{
	(void)state;
	int calls = 0;
	struct md_hooks hooks = {.ctx = &calls, .margin = one_margin};
	const struct md_doc *d = parse("## H\n\none\n\n- two\n\n***\n\nthree\n\n> [!NOTE]\n> four\n");

	assert_str(render(d, &hooks),
		"<h2 id=\"h\">H <a class=\"a\" href=\"#h\" aria-label=\"Link to this "
		"section\">\xc2\xa7</a></h2>\n<p>one</p>\n"
		"<div class=\"noted\">\n<ul>\n<li>two</li>\n</ul>\n<div class=\"note\" "
		"role=\"note\"><p>runs</p></div></div>\n<hr/>\n"
		"<div class=\"noted\">\n<p>three</p>\n<div class=\"note\" role=\"note\">\n<p>four</p>\n</div></div>\n");
	assert_int_equal(calls, 3);
}

/* CRLF, CR and a BOM change nothing; rendering twice gives the same. */
static void test_same_text(void **state)
{
	(void)state;
	static const char *const ends[] = {"\n", "\r\n", "\r"};
	static const char text[] = "## A|para `=ns(1)`|  more[^n]||```make|all:|\tgcc|```||```claim|id: abc|says: s|  "
				   "t|test: 1||B|C|```||[^n]: x|    y|";
	struct str first = {0};

	for (int k = 0; k < 6; k++) {
		struct buf b = buf_new(&arena);
		buf_add(&b, k >= 3 ? STR("\xef\xbb\xbf") : STR(""));
		for (const char *p = text; *p; p++)
			buf_add(&b, *p == '|' ? str_of(ends[k % 3]) : (struct str){p, 1});
		struct md_doc *d = markdown_parse(&arena, &diag, (struct pos){STR("p"), 1, 1}, buf_str(&b));
		struct str html = render(d, NULL);
		assert_true(d->ok);
		assert_int_equal(d->values[0].at.col, 8);
		assert_str(d->blocks[0].body, "B\nC\n");
		first = k ? first : html;
		assert_true(str_eq(html, first));
		assert_true(str_eq(html, render(d, NULL)));
	}
}

static void test_keys(void **state)
{
	(void)state;
	static const struct {
		const char *word, *keys; /* required ones in capitals */
	} want[] = {
		{"chart", "ID TITLE KIND UNIT scale key spread claim covers x-unit x-scale y-unit "},
		{"table", "ID TITLE claim covers "},
		{"claim", "ID SAYS TEST shows falsifier loose differs covers "},
		{"predict", "ID unit scale ANSWER covers "},
		{"quiz", "ID KIND answer tolerance unit covers "},
		{"sim", "ID TITLE profile covers "},
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct buf keys = buf_new(&arena);
		const struct head_key *k = md_block_keys(str_of(want[i].word));
		assert_non_null(k);
		for (; k->name; k++) {
			for (const char *p = k->name; *p; p++)
				buf_char(&keys, k->required && *p != '-' ? (char)(*p - 32) : *p);
			buf_char(&keys, ' ');
			assert_int_equal(k->repeats, strcmp(k->name, "differs") == 0);
		}
		assert_str(buf_str(&keys), want[i].keys);
	}
	assert_null(md_block_keys(STR("c")));
	assert_null(md_block_keys(STR("")));
}

static struct str repeat(const char *unit, int times, const char *last)
{
	struct buf b = buf_new(&arena);

	for (int i = 0; i < times; i++)
		buf_add(&b, str_of(unit));
	buf_add(&b, str_of(last));
	return buf_str(&b);
}

/* Each must end, in linear time: quadratic, most would take minutes. */
static void test_hostile(void **state)
{
	(void)state;
	static const struct {
		const char *unit;
		int times;
		const char *last;
	} inputs[] = {
		{"> ", 50000, "a"},
		{"*", 20000, ""},
		{"*a ", 50000, ""},
		{"[", 50000, ""},
		{"[a](<b", 50000, ""},
		{"[a](b", 50000, ""},
		{"- ", 20000, "x"},
		{"`", 50000, ""},
		{"`a ", 50000, ""},
		{"<a>", 50000, ""},
		{"<!--", 50000, ""},
		{"x", 4000000, ""},
		{"[^a]", 50000, "\n\n[^a]: x"},
		{"[^a]: x\n", 20000, ""},
		{"[a][b] ", 20000, ""},
		{"*a* [b][c] ", 20000, ""},
		{"## a\n", 20000, ""},
		{"| a\n", 2, "|---|\n"},
		{"`=a\\\n", 20000, "`"},
		{"`=a` \\\n", 20000, ""},
		{"\x1b", 100000, ""},
		{"\xff", 100000, ""},
		{"**a ", 20000, ""},
		{"![", 50000, ""},
		{"![a](b) ", 20000, ""},
		{"\\", 100000, ""},
		{"|", 100000, "\n|--|\n"},
		{"~~~\n", 30001, ""},
		{"[a]: x\n", 20000, "[a]"},
		{"&amp;", 50000, ""},
		{"a\n", 100000, ""},
		{"\n", 100000, ""},
		{"> [!NOTE]\n> x\n\n", 20000, ""},
		{"a[^a]\n\n[^a]: b\n\n", 10000, ""},
		{"[x](y 'a\nb') `=c` ", 20000, ""},
	};

	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
		struct arena before = arena;
		struct str text = repeat(inputs[i].unit, inputs[i].times, inputs[i].last);
		struct md_doc *d = markdown_parse(&arena, &diag, (struct pos){STR("p"), 1, 1}, text);
		assert_true(render(d, NULL).len >= 0);
		markdown_parse_inline(&arena, &diag, (struct pos){STR("p"), 1, 1}, text);
		arena = before;
		diag = diag_new(&arena);
	}
}

static void test_wide_and_long_tables(void **state)
{
	(void)state;
	struct buf b = buf_new(&arena);

	buf_add(&b, repeat("|a", 70000, "|\n"));
	buf_add(&b, repeat("|-", 70000, "|\n"));
	struct md_doc *d = markdown_parse(&arena, &diag, (struct pos){STR("p"), 1, 1}, buf_str(&b));
	assert_false(d->ok);
	assert_int_equal(diag.errors, 1);
	b = buf_new(&arena);
	buf_add(&b, STR("|a|b|\n|-|-|\n"));
	buf_add(&b, repeat("|1|`=x`|\n", 100000, ""));
	d = markdown_parse(&arena, &diag, (struct pos){STR("p"), 1, 1}, buf_str(&b));
	assert_true(d->ok);
	assert_int_equal(d->n_values, 100000);
	assert_at(d->values[99999].at, 100002, 6);
	assert_true(render(d, NULL).len > 1000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_lists_of_the_document), TEST(test_start), TEST(test_words),
		TEST(test_without_hooks), TEST(test_prefix), TEST(test_margin), TEST(test_same_text), TEST(test_keys),
		TEST(test_hostile), TEST(test_wide_and_long_tables)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
