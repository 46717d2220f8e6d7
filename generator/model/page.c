/* A page: its head, its body, and the inline texts its blocks carry. */
#include "model/course.h"
#include "model/probe_info.h"

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

/* Questions with a checked answer are not made here yet: a kind that would be shown as another is an error. */
static void check_kind(struct diag *d, const struct page_block *b)
{
	const struct head_field *kind = head_get(&b->src->head, "kind");

	if (kind && !str_eq(kind->value, STR("recall")))
		diag_error(d, kind->value_at, "unknown quiz kind '%.*s'; write recall", STR_FMT(kind->value));
}

static void parse_block(struct arena *a, struct diag *d, struct page_block *b)
{
	b->title = inline_field(a, d, &b->src->head, "title");
	b->says = inline_field(a, d, &b->src->head, "says");
	if (str_eq(b->src->word, STR("predict")) || str_eq(b->src->word, STR("quiz")))
		parse_halves(a, d, b);
	if (str_eq(b->src->word, STR("quiz")))
		check_kind(d, b);
}

static void check_probe(struct diag *d, struct pos at, struct str name)
{
	enum { PROBES_MAX = 64 };
	struct str names[PROBES_MAX];
	ptrdiff_t n = 0;

	if (!name.len || probe_info_find(name))
		return;
	for (; n < PROBES_MAX && probe_infos[n]; n++)
		names[n] = str_of(probe_infos[n]->name);
	struct str near = str_nearest(name, names, n);
	diag_error(d, at, "unknown probe '%.*s'; %s%.*s", STR_FMT(name), near.len ? "did you mean " : "`runq-probe list` shows them",
		STR_FMT(near));
}

/* What a head's values may be; that they are there is head_check's. A lab that names no probe could never be handed in. */
static void check_values(struct diag *d, const struct head *h)
{
	const struct head_field *minutes = head_get(h, "minutes"), *probes = head_get(h, "probes"), *root = head_get(h, "root");
	struct str rest = probes ? probes->value : STR("");
	int64_t n;

	if (minutes && (!str_int(minutes->value, &n) || n < 1 || n > 999))
		diag_error(d, minutes->value_at, "minutes are '%.*s'; write a whole number from 1 to 999", STR_FMT(minutes->value));
	if (root && !str_eq(root->value, STR("yes")) && !str_eq(root->value, STR("no")) && !str_eq(root->value, STR("optional")))
		diag_error(d, root->value_at, "root is '%.*s'; write yes, no or optional", STR_FMT(root->value));
	if (probes && !rest.len)
		diag_error(d, probes->value_at, "names no probe; `runq-probe list` shows them");
	while (rest.len) {
		struct pos at = pos_at(probes->value_at, probes->value, rest.ptr - probes->value.ptr);
		check_probe(d, at, str_cut(rest, ' ', &rest));
	}
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
	check_values(d, &h);
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
