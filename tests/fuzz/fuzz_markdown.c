/* libFuzzer target: any bytes are a page. It must render to nested markup without control bytes, and each inline value's
 * place must be where its expression stands in the text. Seeds: tests/cases/markdown. Build with clang and
 * -fsanitize=fuzzer,address,undefined from generator/text/{head,html,slug,highlight,markdown*}.c, generator/base, -lcmark. */
#include <stdlib.h>
#include <string.h>

#include "text/markdown.h"

/* Every tag closes what is open; `<` and `>` stand in tags alone. */
static void check_nesting(struct str html)
{
	static struct str open[4096];
	int depth = 0;

	for (ptrdiff_t i = 0; i < html.len; i++) {
		char c = html.ptr[i];
		if ((c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == '>')
			abort();
		if (c != '<')
			continue;
		struct str tag = str_slice(html, i + 1, i + str_find_char(str_from(html, i), '>'));
		i += tag.len + 1;
		if (str_ends(tag, STR("/")))
			continue;
		struct str rest, name = str_cut(tag, ' ', &rest);
		if (name.ptr[0] != '/')
			open[depth++] = name;
		else if (!depth-- || !str_eq(open[depth], str_from(name, 1)))
			abort();
	}
	if (depth)
		abort();
}

static void check_values(const struct md_doc *d, struct str text)
{
	/* With prefixes cmark's columns may be wrong in ways that cannot be told. */
	if (str_find(text, STR("\n ")) >= 0 || str_find(text, STR("\n\t")) >= 0 || str_find_char(text, '>') >= 0 ||
		str_find_char(text, '\r') >= 0)
		return;
	for (ptrdiff_t i = 0; i < d->n_values; i++) {
		struct pos at = d->values[i].at;
		struct str rest = text, line = {0};
		for (int n = 0; n < at.line; n++)
			line = str_line(rest, &rest);
		if (at.col > line.len || line.ptr[at.col - 1] != d->values[i].expr.ptr[0])
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct arena_block blocks[2];
	static struct arena whole, rest;

	if (!whole.at) {
		whole = arena_new(&blocks[0], 1 << 28);
		rest = arena_new(&blocks[1], 1 << 24);
	}
	struct arena a = whole, scratch = rest;
	struct diag d = diag_new(&a);
	struct str text = {(const char *)data, (ptrdiff_t)len};
	struct pos start = {STR("p"), 1, 1};

	for (int k = 0; k < 2; k++) {
		struct md_doc *doc =
			k ? markdown_parse_inline(&a, &d, start, text) : markdown_parse(&a, &d, start, text);
		struct buf out = buf_new(&a);
		struct html_out w = html_out_new(&out);
		markdown_render(doc, NULL, &w, scratch);
		check_nesting(buf_str(&out));
		if (!k && !str_starts(text, STR("\xef\xbb\xbf")))
			check_values(doc, text);
	}
	return 0;
}
