/* Case folders tests/cases/markdown/NAME.md with NAME.html and NAME.diag: the whole page, rendered with visible stand-ins
 * for the hooks. REGEN=1 shows what changed and rewrites the expected files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "text/markdown.h"

#define FOLDER "tests/cases/markdown"

struct context {
	struct arena *arena;
	int values; /* since the last margin */
};

static void write_value(void *ctx, struct html_out *w, const struct md_value *v)
{
	((struct context *)ctx)->values++;
	html_open(w, "data");
	html_attr_fmt(w, "value", "%d:%d", v->at.line, v->at.col);
	html_text(w, v->expr);
	html_close(w, "data");
}

static void write_block(void *ctx, struct html_out *w, const struct md_block *b)
{
	(void)ctx;
	html_open(w, "figure");
	html_attr(w, "id", b->id);
	html_attr_fmt(w, "data-body", "%d:%d", b->body_at.line, b->body_at.col);
	html_text(w, b->body);
	html_close(w, "figure");
	html_text(w, STR("\n"));
}

static struct html write_margin(void *ctx)
{
	struct context *c = ctx;
	struct buf out = buf_new(c->arena);
	struct html_out w = html_out_new(&out);

	if (c->values)
		html_leaf(&w, "p", NULL, str_printf(c->arena, "runs of %d values", c->values));
	c->values = 0;
	return (struct html){buf_str(&out)};
}

static struct str write_link(void *ctx, const struct md_link *l)
{
	ptrdiff_t md = str_find(l->url, STR(".md"));

	if (md < 0 || str_find_char(l->url, ':') >= 0)
		return l->url;
	return str_printf(((struct context *)ctx)->arena, "%.*s.html%.*s", STR_FMT(str_slice(l->url, 0, md)),
		STR_FMT(str_from(l->url, md + 3)));
}

static struct str diagnostics(struct arena *a, const struct diag *d, struct arena scratch)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	diag_print(d, f, scratch);
	assert_int_equal(fclose(f), 0);
	struct str out = str_copy(a, (struct str){text, (ptrdiff_t)len});
	free(text);
	return out;
}

static int lines_of(struct str s)
{
	int n = 0;

	for (ptrdiff_t i = 0; i < s.len; i++)
		n += s.ptr[i] == '\n';
	return n;
}

/* The lines around the first difference: enough to see what changed. */
static void show_difference(const char *path, struct str want, struct str got)
{
	fprintf(stderr, "--- %s (%d lines, now %d)\n", path, lines_of(want), lines_of(got));
	for (int shown = 0, line = 1; (want.len || got.len) && shown < 5; line++) {
		struct str w = str_line(want, &want), g = str_line(got, &got);
		if (str_eq(w, g))
			continue;
		shown++;
		fprintf(stderr, "%d- %.*s\n%d+ %.*s\n", line, STR_FMT(w), line, STR_FMT(g));
	}
}

static bool matches(struct arena *a, const char *path, struct str got)
{
	struct file_text want = file_read(a, path, 1 << 26);

	if (!want.err && str_eq(want.text, got))
		return true;
	show_difference(path, want.text, got);
	return getenv("REGEN") && file_replace(path, got) != FILE_FAILED;
}

static bool run_case(struct str name)
{
	struct arena_block blocks[2];
	struct arena a = arena_new(&blocks[0], 1 << 28), scratch = arena_new(&blocks[1], 1 << 28);
	struct str stem = str_slice(name, 0, name.len - 3);
	struct diag d = diag_new(&a);
	struct file_text source = file_read(&a, str_z(&a, str_printf(&a, FOLDER "/%.*s", STR_FMT(name))), 1 << 26);
	struct context ctx = {&a, 0};
	struct md_hooks hooks = {&ctx, {0}, write_value, write_block, write_margin, write_link};
	struct buf out = buf_new(&a);
	struct html_out w = html_out_new(&out);
	struct pos start = {name, 1, 1};

	assert_int_equal(source.err, 0);
	bool is_inline = str_starts(stem, STR("inline-"));
	struct md_doc *doc = is_inline ? markdown_parse_inline(&a, &d, start, source.text)
				       : markdown_parse(&a, &d, start, source.text);
	assert_int_equal(doc->ok, d.errors == 0);
	markdown_render(doc, &hooks, &w, scratch);
	bool same = matches(&a, str_z(&a, str_printf(&a, FOLDER "/%.*s.html", STR_FMT(stem))), buf_str(&out));
	same &= matches(
		&a, str_z(&a, str_printf(&a, FOLDER "/%.*s.diag", STR_FMT(stem))), diagnostics(&a, &d, scratch));
	arena_free(&blocks[0]);
	arena_free(&blocks[1]);
	return same;
}

static void test_cases(void **state)
{
	(void)state;
	struct arena_block block;
	struct arena a = arena_new(&block, 1 << 24);
	struct file_list list = file_list(&a, FOLDER);
	int cases = 0, wrong = 0;

	assert_int_equal(list.err, 0);
	for (ptrdiff_t i = 0; i < list.n; i++) {
		if (!str_ends(list.names[i], STR(".md")))
			continue;
		cases++;
		wrong += !run_case(list.names[i]);
	}
	assert_true(cases >= 20);
	assert_int_equal(wrong, 0);
	arena_free(&block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
