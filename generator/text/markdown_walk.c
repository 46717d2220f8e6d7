/* From cmark's tree to operations: blocks. The tree is walked by its links, so that depth costs no stack. */
#include "text/markdown_int.h"

#include <string.h>

void md_flush(struct md_walk *c, struct md_op op)
{
	html_insert(&c->w, (struct html){{NULL, 0}});
	if (c->markup.len > c->flushed) {
		c->impl->ops = md_push(c->arena, c->impl->ops, &c->impl->n_ops, sizeof op);
		c->impl->ops[c->impl->n_ops - 1] =
			(struct md_op){.kind = MD_MARKUP, .from = c->flushed, .to = c->markup.len};
		c->flushed = c->markup.len;
	}
	c->impl->ops = md_push(c->arena, c->impl->ops, &c->impl->n_ops, sizeof op);
	c->impl->ops[c->impl->n_ops - 1] = op;
}

void md_open_class(struct html_out *w, const char *tag, const char *cls)
{
	html_open(w, tag);
	html_attr(w, "class", str_of(cls));
}

void md_fresh_line(struct md_walk *c)
{
	html_insert(&c->w, (struct html){{NULL, 0}});
	if (c->markup.len && c->markup.ptr[c->markup.len - 1] != '\n')
		html_text(&c->w, STR("\n"));
}

struct pos md_pos(struct md_walk *c, cmark_node *node)
{
	return md_source_pos(c->src, cmark_node_get_start_line(node), cmark_node_get_start_column(node));
}

static void list_enter(struct md_walk *c, cmark_node *node)
{
	bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;

	md_fresh_line(c);
	c->lists++;
	html_open(&c->w, ordered ? "ol" : "ul");
	if (ordered && cmark_node_get_list_start(node) != 1)
		html_attr_fmt(&c->w, "start", "%d", cmark_node_get_list_start(node));
	html_text(&c->w, STR("\n"));
}

static bool is_tight(cmark_node *para)
{
	cmark_node *list = cmark_node_parent(cmark_node_parent(para));

	return list && cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list);
}

static void set_leaf(struct md_walk *c, cmark_node *node)
{
	struct str first = md_source_line(c->src, cmark_node_get_start_line(node));
	struct str last = md_source_line(c->src, cmark_node_get_end_line(node));

	c->seen = first.ptr ? first.ptr - c->src->text.ptr : 0;
	c->leaf_end = last.ptr ? last.ptr - c->src->text.ptr + last.len : c->src->text.len;
	c->misses = 0;
	c->in_word = false;
}

static void paragraph_enter(struct md_walk *c, cmark_node *node)
{
	set_leaf(c, node);
	if (c->inline_only || md_table_begin(c, node) || is_tight(node))
		return;
	md_fresh_line(c);
	html_open(&c->w, "p");
	if (c->said == node)
		html_attr(&c->w, "class", STR("said"));
}

static void paragraph_leave(struct md_walk *c, cmark_node *node)
{
	if (c->table.para == node) {
		md_table_end(c);
		return;
	}
	if (c->inline_only || is_tight(node))
		return;
	if (c->note && c->depth == 0 && cmark_node_next(node) == c->note->end)
		md_notes_back(c);
	html_close(&c->w, "p");
	html_text(&c->w, STR("\n"));
}

static bool is_top(const struct md_walk *c)
{
	return c->depth == 0 && !c->quotes && !c->note;
}

static void heading_enter(struct md_walk *c, cmark_node *node)
{
	bool anchored = is_top(c);
	static const char *const tags[] = {"h1", "h2", "h3", "h4", "h5", "h6"};

	set_leaf(c, node);
	md_fresh_line(c);
	c->in_heading = true;
	if (anchored) {
		md_flush(c, (struct md_op){.kind = MD_HEADING, .n = (int)c->next_heading});
		return;
	}
	if (c->note)
		diag_error(c->diag, md_pos(c, node), "a heading stands in a footnote; move it to the text");
	html_open(&c->w, tags[cmark_node_get_heading_level(node) - 1]);
}

static void heading_leave(struct md_walk *c)
{
	bool anchored = is_top(c);

	c->in_heading = false;
	if (anchored)
		md_flush(c, (struct md_op){.kind = MD_HEADING_END, .n = (int)c->next_heading++});
	else
		html_close(&c->w, c->w.open[c->w.depth - 1]);
	html_text(&c->w, STR("\n"));
}

static void html_block(struct md_walk *c, cmark_node *node)
{
	struct str html = str_trim(str_of(cmark_node_get_literal(node)));

	if (md_only_comments(html))
		return;
	bool comment = str_starts(html, STR("<!--"));
	if (comment && str_find(html, STR("-->")) < 0) {
		diag_error(c->diag, md_pos(c, node), "this comment is not closed; add `-->`");
		return;
	}
	struct str rest, shown = str_line(html, &rest);
	diag_error(c->diag, md_pos(c, node),
		comment ? "text or raw HTML follows the comment on its line: %.*s; begin it on a new line"
			: "raw HTML: %.*s; put code in backticks, or write \\< for the sign itself",
		STR_FMT(md_excerpt(shown)));
}

/* False: the node's children are not wanted and it is not left. */
static bool enter(struct md_walk *c, cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_BLOCK_QUOTE: md_quote_enter(c, node); return true;
	case CMARK_NODE_LIST: list_enter(c, node); return true;
	case CMARK_NODE_ITEM: html_open(&c->w, "li"); return true;
	case CMARK_NODE_PARAGRAPH: paragraph_enter(c, node); return true;
	case CMARK_NODE_HEADING: heading_enter(c, node); return true;
	case CMARK_NODE_CODE_BLOCK: md_fence(c, node); return false;
	case CMARK_NODE_HTML_BLOCK: html_block(c, node); return false;
	case CMARK_NODE_THEMATIC_BREAK:
		md_fresh_line(c);
		html_open(&c->w, "hr");
		html_void(&c->w);
		html_text(&c->w, STR("\n"));
		return false;
	case CMARK_NODE_NONE:
	case CMARK_NODE_DOCUMENT:
	case CMARK_NODE_CUSTOM_BLOCK: return false;
	case CMARK_NODE_TEXT:
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
	case CMARK_NODE_CODE:
	case CMARK_NODE_HTML_INLINE:
	case CMARK_NODE_CUSTOM_INLINE:
	case CMARK_NODE_EMPH:
	case CMARK_NODE_STRONG:
	case CMARK_NODE_LINK:
	case CMARK_NODE_IMAGE:
	default: return md_inline_enter(c, node);
	}
}

static void leave(struct md_walk *c, cmark_node *node)
{
	cmark_node_type type = cmark_node_get_type(node);

	if (type == CMARK_NODE_BLOCK_QUOTE) {
		md_quote_leave(c);
	} else if (type == CMARK_NODE_LIST) {
		html_close(&c->w, c->w.open[c->w.depth - 1]);
		html_text(&c->w, STR("\n"));
		c->lists--;
	} else if (type == CMARK_NODE_ITEM) {
		html_close(&c->w, "li");
		html_text(&c->w, STR("\n"));
	} else if (type == CMARK_NODE_PARAGRAPH) {
		paragraph_leave(c, node);
	} else if (type == CMARK_NODE_HEADING) {
		heading_leave(c);
	} else {
		md_inline_leave(c, node);
	}
}

static bool descends(struct md_walk *c, cmark_node *node)
{
	if (c->depth < MD_DEPTH)
		return true;
	if (!c->too_deep)
		diag_error(c->diag, md_pos(c, node), "quotes, lists or emphasis nest deeper than %d here; flatten them",
			MD_DEPTH);
	c->too_deep = true;
	return false;
}

void md_walk(struct md_walk *c, cmark_node *top)
{
	cmark_node *node = top;

	c->depth = 0;
	for (;;) {
		bool inside = enter(c, node);
		cmark_node *child = inside ? cmark_node_first_child(node) : NULL;
		if (child && descends(c, node)) {
			c->depth++;
			node = child;
			continue;
		}
		if (inside)
			leave(c, node);
		while (node != top && !cmark_node_next(node)) {
			node = cmark_node_parent(node);
			c->depth--;
			leave(c, node);
		}
		if (node == top)
			return;
		node = cmark_node_next(node);
	}
}

/* A block and the margin note after it, if one follows. Returns the last node used. */
static cmark_node *walk_noted(struct md_walk *c, cmark_node *node)
{
	cmark_node_type type = cmark_node_get_type(node);
	cmark_node *next = cmark_node_next(node);
	bool quiet = type == CMARK_NODE_HEADING || type == CMARK_NODE_THEMATIC_BREAK || type == CMARK_NODE_HTML_BLOCK ||
		     md_callout_kind(c, node) == CALL_NOTE;

	if (quiet || c->inline_only) {
		md_walk(c, node);
		return node;
	}
	md_fresh_line(c);
	if (md_callout_kind(c, next) != CALL_NOTE) {
		md_flush(c, (struct md_op){.kind = MD_TOP});
		md_walk(c, node);
		md_flush(c, (struct md_op){.kind = MD_TOP_END});
		return node;
	}
	md_open_class(&c->w, "div", "noted");
	html_text(&c->w, STR("\n"));
	md_walk(c, node);
	md_open_class(&c->w, "div", "note");
	html_attr(&c->w, "role", STR("note"));
	md_callout_strip(c, next);
	c->quotes++;
	for (cmark_node *child = cmark_node_first_child(next); child; child = cmark_node_next(child))
		md_walk(c, child);
	c->quotes--;
	md_flush(c, (struct md_op){.kind = MD_MARGIN});
	html_close(&c->w, "div");
	html_close(&c->w, "div");
	html_text(&c->w, STR("\n"));
	return next;
}

void md_walk_page(struct md_walk *c, cmark_node *document)
{
	cmark_node *end = md_notes_split(c, document), *next;

	md_blocks_collect(c, document, end);
	for (cmark_node *node = cmark_node_first_child(document); node && node != end; node = next) {
		node = walk_noted(c, node);
		next = cmark_node_next(node);
	}
	md_notes_write(c);
}
