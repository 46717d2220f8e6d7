/* Writes a parsed page: copies the finished markup and asks the hooks for what depends on data. */
#include "text/markdown_int.h"

struct renderer {
	const struct md_doc *doc;
	const struct md_hooks *hooks;
	struct html_out *page, *w; /* w: where the markup goes now */
	struct html_out block; /* a top-level block that may get a margin note */
	struct buf block_buf;
	struct arena scratch, block_scratch; /* halves: for addresses, for the block */
	struct arena block_arena; /* the latter, as the block takes it */
};

static struct str margin(const struct renderer *r)
{
	return r->hooks->margin ? r->hooks->margin(r->hooks->ctx).s : (struct str){0};
}

static void top_begin(struct renderer *r)
{
	if (!r->hooks->margin)
		return;
	r->block_arena = r->block_scratch;
	r->block_buf = buf_new(&r->block_arena);
	r->block = html_out_new(&r->block_buf);
	r->w = &r->block;
}

static void top_end(struct renderer *r)
{
	if (r->w != &r->block)
		return;
	struct str note = margin(r);
	struct html block = {buf_str(&r->block_buf)};
	r->w = r->page;
	if (!note.len) {
		html_insert(r->w, block);
		return;
	}
	html_open(r->w, "div");
	html_attr(r->w, "class", STR("noted"));
	html_text(r->w, STR("\n"));
	html_insert(r->w, block);
	html_open(r->w, "div");
	html_attr(r->w, "class", STR("note"));
	html_attr(r->w, "role", STR("note"));
	html_insert(r->w, (struct html){note});
	html_close(r->w, "div");
	html_close(r->w, "div");
	html_text(r->w, STR("\n"));
}

/* A URL with what may not stand in one encoded; what is encoded already stays. */
static void url_attr(struct renderer *r, const char *name, struct str url)
{
	struct arena scratch = r->scratch;
	struct buf b = buf_new(&scratch);
	static const char hex[] = "0123456789ABCDEF";

	for (ptrdiff_t i = 0; i < url.len; i++) {
		unsigned char c = (unsigned char)url.ptr[i];
		bool bad = c <= 0x20 || c >= 0x7f || c == '"' || c == '<' || c == '>' || c == '\\' || c == '^' ||
			   c == '`' || c == '{' || c == '|' || c == '}' || c == '[' || c == ']';
		if (bad) {
			buf_char(&b, '%');
			buf_char(&b, hex[c >> 4]);
			buf_char(&b, hex[c & 15]);
		} else {
			buf_char(&b, (char)c);
		}
	}
	html_attr(r->w, name, buf_str(&b));
}

static void link_attrs(struct renderer *r, const struct md_op *op, const char *name)
{
	const struct md_link *l = &r->doc->links[op->n];

	url_attr(r, name, r->hooks->link ? r->hooks->link(r->hooks->ctx, l) : l->url);
	if (l->image)
		html_attr(r->w, "alt", op->alt);
	if (op->title.len)
		html_attr(r->w, "title", op->title);
	if (!l->image && (str_starts(l->url, STR("http:")) || str_starts(l->url, STR("https:"))))
		html_attr(r->w, "rel", STR("noreferrer"));
}

static void heading_begin(struct renderer *r, const struct md_heading *h)
{
	static const char *const tags[] = {"h1", "h2", "h3", "h4", "h5", "h6"};

	html_open(r->w, tags[h->level - 1]);
	html_attr_fmt(r->w, "id", "%.*s%.*s", STR_FMT(r->hooks->id_prefix), STR_FMT(h->id));
}

static void heading_end(struct renderer *r, const struct md_heading *h)
{
	html_text(r->w, STR(" "));
	html_open(r->w, "a");
	html_attr(r->w, "class", STR("a"));
	html_attr_fmt(r->w, "href", "#%.*s%.*s", STR_FMT(r->hooks->id_prefix), STR_FMT(h->id));
	html_attr(r->w, "aria-label", STR("Link to this section"));
	html_text(r->w, STR("§"));
	html_close(r->w, "a");
	html_close(r->w, r->w->open[r->w->depth - 1]);
}

/* Name of reference `which` to footnote n: fnr-1, and fnr-1-2 for the second. */
static void reference_name(struct renderer *r, const char *attr, const char *sign, int n, ptrdiff_t which)
{
	if (which == 1)
		html_attr_fmt(r->w, attr, "%s%.*sfnr-%d", sign, STR_FMT(r->hooks->id_prefix), n);
	else
		html_attr_fmt(r->w, attr, "%s%.*sfnr-%d-%d", sign, STR_FMT(r->hooks->id_prefix), n, (int)which);
}

static void reference(struct renderer *r, const struct md_op *op)
{
	html_open(r->w, "a");
	html_attr(r->w, "class", STR("fn"));
	reference_name(r, "id", "", op->n, op->from);
	html_attr_fmt(r->w, "href", "#%.*sfn-%d", STR_FMT(r->hooks->id_prefix), op->n);
	html_attr_fmt(r->w, "aria-label", "Footnote %d", op->n);
	html_text_fmt(r->w, "%d", op->n);
	html_close(r->w, "a");
}

static void back_links(struct renderer *r, const struct md_op *op)
{
	int n = r->doc->impl->refs[op->n - 1];

	for (int i = 1; i <= n; i++) {
		if (i > 1)
			html_text(r->w, STR(" "));
		html_open(r->w, "a");
		reference_name(r, "href", "#", op->n, i);
		html_attr(r->w, "aria-label", STR("Back to the text"));
		html_text(r->w, STR("↩"));
		html_close(r->w, "a");
	}
}

static void value(struct renderer *r, const struct md_value *v)
{
	if (r->hooks->value)
		r->hooks->value(r->hooks->ctx, r->w, v);
	else
		html_leaf(r->w, "code", NULL, v->expr);
}

static void step(struct renderer *r, const struct md_op *op)
{
	const struct md_doc *doc = r->doc;

	switch (op->kind) {
	case MD_MARKUP: html_insert(r->w, (struct html){str_slice(doc->impl->markup, op->from, op->to)}); break;
	case MD_VALUE: value(r, &doc->values[op->n]); break;
	case MD_BLOCK:
		if (r->hooks->block)
			r->hooks->block(r->hooks->ctx, r->w, &doc->blocks[op->n]);
		break;
	case MD_LINK:
		html_open(r->w, "a");
		link_attrs(r, op, "href");
		break;
	case MD_LINK_END: html_close(r->w, "a"); break;
	case MD_IMAGE:
		html_open(r->w, "img");
		link_attrs(r, op, "src");
		html_void(r->w);
		break;
	case MD_HEADING: heading_begin(r, &doc->headings[op->n]); break;
	case MD_HEADING_END: heading_end(r, &doc->headings[op->n]); break;
	case MD_REF: reference(r, op); break;
	case MD_NOTE:
		html_open(r->w, "li");
		html_attr_fmt(r->w, "id", "%.*sfn-%d", STR_FMT(r->hooks->id_prefix), op->n);
		break;
	case MD_BACK: back_links(r, op); break;
	case MD_NOTE_END:
		html_close(r->w, "li");
		html_text(r->w, STR("\n"));
		break;
	case MD_TOP: top_begin(r); break;
	case MD_TOP_END: top_end(r); break;
	case MD_MARGIN: html_insert(r->w, (struct html){margin(r)}); break;
	}
}

void markdown_render(const struct md_doc *doc, const struct md_hooks *hooks, struct html_out *w, struct arena scratch)
{
	static const struct md_hooks none;
	struct renderer r = {.doc = doc, .hooks = hooks ? hooks : &none, .page = w, .w = w, .scratch = scratch};

	r.block_scratch = scratch;
	r.scratch.end -= (scratch.end - scratch.at) / 2;
	r.block_scratch.at = r.scratch.end;
	for (ptrdiff_t i = 0; i < doc->impl->n_ops; i++)
		step(&r, &doc->impl->ops[i]);
}
