/* The way of a page: source, cmark, walk. */
#include "text/markdown_int.h"

#include <string.h>

void *md_push(struct arena *a, void *items, ptrdiff_t *n, size_t size)
{
	ptrdiff_t count = (*n)++;

	if (count && (count < 8 || (count & (count - 1))))
		return items;
	void *more = arena_alloc(a, (ptrdiff_t)size, _Alignof(max_align_t), count ? 2 * count : 8);
	if (count)
		memcpy(more, items, (size_t)count * size);
	return more;
}

static struct md_doc *parse(struct arena *a, struct diag *d, struct md_source *s, bool inline_only)
{
	struct md_doc *doc = ARENA_NEW(a, struct md_doc, 1);
	struct md_walk *c = ARENA_NEW(a, struct md_walk, 1);

	doc->impl = ARENA_NEW(a, struct md_impl, 1);
	*c = (struct md_walk){
		.arena = a, .diag = d, .src = s, .doc = doc, .impl = doc->impl, .inline_only = inline_only};
	c->slugs.arena = a;
	/* Room for markup half again as long as its text, so that it seldom moves. */
	c->markup = buf_new(a);
	c->markup.cap = s->text.len + s->text.len / 2 + 256;
	c->markup.ptr = ARENA_NEW(a, char, c->markup.cap);
	c->w = html_out_new(&c->markup);
	struct md_pool pool;
	md_walk_page(c, md_pool_parse(&pool, a, s->text));
	md_pool_end(&pool);
	html_insert(&c->w, (struct html){{NULL, 0}});
	if (c->markup.len > c->flushed)
		md_flush(c, (struct md_op){.kind = MD_MARKUP});
	doc->impl->markup = buf_str(&c->markup);
	return doc;
}

struct md_doc *markdown_parse(struct arena *a, struct diag *d, struct pos start, struct str text)
{
	struct md_source s = {.arena = a, .diag = d, .start = start};
	int errors = d->errors;

	md_source_page(&s, text);
	struct md_doc *doc = parse(a, d, &s, false);
	doc->ok = d->errors == errors;
	return doc;
}

struct md_doc *markdown_parse_inline(struct arena *a, struct diag *d, struct pos start, struct str text)
{
	struct md_source s = {.arena = a, .diag = d, .start = start};
	int errors = d->errors;

	md_source_inline(&s, text);
	struct md_doc *doc = parse(a, d, &s, true);
	doc->ok = d->errors == errors;
	return doc;
}
