/* A page: its head, its body, and the inline texts its blocks carry. */
#include "model/course.h"

static const struct head_key page_keys[PAGE_KIND_MAX][6] = {
	[PAGE_CHAPTER] = {{"title", true, false}, {"lede", true, false}, {"minutes", true, false}, {0}},
	[PAGE_LAB] = {{"title", true, false}, {"lede", true, false}, {"minutes", true, false}, {"probes", true, false},
		{"root", false, false}, {0}},
	[PAGE_QUESTIONS] = {{"title", true, false}, {"lede", false, false}, {0}},
	[PAGE_PLAIN] = {{"title", true, false}, {"lede", false, false}, {0}},
};
static const char *const page_whats[PAGE_KIND_MAX] = {"chapter", "lab", "question page", "page"};

static enum page_kind kind_of(struct str path)
{
	return str_starts(path, STR("chapters/")) ? PAGE_CHAPTER : str_starts(path, STR("labs/")) ? PAGE_LAB
		: str_starts(path, STR("questions/")) ? PAGE_QUESTIONS : PAGE_PLAIN;
}

static struct md_doc *inline_field(struct arena *a, struct diag *d, const struct head *h, const char *key)
{
	const struct head_field *f = head_get(h, key);

	return f ? markdown_parse_inline(a, d, f->value_at, f->value) : NULL;
}

/* Halves of a predict or quiz body, parted by a line of three dashes. */
static void parse_halves(struct arena *a, struct diag *d, struct page_block *b)
{
	struct str body = b->src->body, rest = body;
	struct pos at = b->src->body_at;
	ptrdiff_t line_at = 0;

	while (rest.len && !str_eq(str_trim(str_line(rest, &rest)), STR("---"))) {
		line_at = body.len - rest.len;
		at.line++;
		at.col = 1;
	}
	b->question = markdown_parse(a, d, b->src->body_at, str_slice(body, 0, line_at));
	if (!rest.len) {
		diag_error(d, b->src->at, "%.*s block '%.*s' has no answer; put a line `---` and the answer below the question",
			STR_FMT(b->src->word), STR_FMT(b->src->id));
		return;
	}
	at.line++;
	at.col = 1;
	b->answer = markdown_parse(a, d, at, rest);
}

static void parse_block(struct arena *a, struct diag *d, struct page_block *b)
{
	b->title = inline_field(a, d, &b->src->head, "title");
	b->says = inline_field(a, d, &b->src->head, "says");
	if (str_eq(b->src->word, STR("predict")) || str_eq(b->src->word, STR("quiz")))
		parse_halves(a, d, b);
}

struct page *page_parse(struct arena *a, struct diag *d, struct str path, struct str shown, struct str text)
{
	struct page *p = ARENA_NEW(a, struct page, 1);
	struct pos start = {shown, 1, 1};
	int errors = d->errors;
	struct head h = head_parse(a, d, start, text, true);
	ptrdiff_t slash = str_find_char(path, '/');

	p->kind = kind_of(path);
	p->path = path;
	p->slug = str_slice(path, slash + 1, path.len - 3);
	struct buf out = buf_new(a);
	buf_printf(&out, "%.*shtml", STR_FMT(str_slice(path, 0, path.len - 2)));
	p->out = buf_str(&out);
	p->at = start;
	if (!h.ok)
		return p;
	head_check(d, &h, start, page_whats[p->kind], page_keys[p->kind]);
	p->title = head_value(&h, "title");
	p->minutes = head_value(&h, "minutes");
	p->probes = head_value(&h, "probes");
	p->root = head_value(&h, "root");
	p->lede = inline_field(a, d, &h, "lede");
	p->body = markdown_parse(a, d, h.body_at, str_from(text, h.body));
	p->blocks = ARENA_NEW(a, struct page_block, p->body->n_blocks);
	for (ptrdiff_t i = 0; i < p->body->n_blocks; i++) {
		p->blocks[i].src = &p->body->blocks[i];
		parse_block(a, d, &p->blocks[i]);
	}
	p->ok = d->errors == errors;
	return p;
}
