/* From cmark's tree to operations: inlines. */
#include "text/markdown_int.h"

#include <string.h>

/* Offset of an inline node in the text by cmark's line and column, `back` bytes earlier; -1 if it has none. */
static ptrdiff_t told_offset(const struct md_walk *c, cmark_node *node, ptrdiff_t back)
{
	int line = cmark_node_get_start_line(node);

	if (line < 1 || line > c->src->n_lines)
		return -1;
	return c->src->lines[line - 1].at + cmark_node_get_start_column(node) - 1 - back;
}

static bool stands_at(const struct md_walk *c, ptrdiff_t at, struct str opener)
{
	return at >= 0 && str_starts(str_from(c->src->text, at), opener);
}

/* cmark's columns are right but in quotes and lists, after link titles over two lines, hard breaks and lazy continuations;
 * so what stands at the place is compared with how the node must begin, and if it differs the source is searched onward
 * from the last place found. Few failed searches are made in a block, so that all is linear. */
static ptrdiff_t find_offset(struct md_walk *c, cmark_node *node, struct str opener)
{
	ptrdiff_t at = told_offset(c, node, 0);

	for (ptrdiff_t i = at; i <= at + 1; i++)
		if (i >= c->seen && stands_at(c, i, opener))
			return i;
	if (c->misses > MD_MISSES)
		return -1;
	at = str_find(str_slice(c->src->text, c->seen, c->leaf_end), opener);
	if (at >= 0)
		return c->seen + at;
	c->misses++;
	return -1;
}

/* The line that byte `at` of the text stands in, by bisection. */
static struct pos offset_pos(const struct md_source *s, ptrdiff_t at)
{
	ptrdiff_t low = 0, high = s->n_lines;

	while (high - low > 1) {
		ptrdiff_t mid = (low + high) / 2;
		if (s->lines[mid].at <= at)
			low = mid;
		else
			high = mid;
	}
	return md_source_pos(s, (int)low + 1, (int)(at - s->lines[low].at) + 1);
}

static struct pos found(struct md_walk *c, cmark_node *node, ptrdiff_t at)
{
	if (at < 0)
		return md_source_pos(c->src, cmark_node_get_start_line(node), cmark_node_get_start_column(node));
	c->seen = at + 1;
	return offset_pos(c->src, at);
}

struct pos md_find(struct md_walk *c, cmark_node *node, struct str opener)
{
	enum { ENOUGH = 32 };

	return found(c, node, find_offset(c, node, str_slice(opener, 0, ENOUGH)));
}

/* Of a link: just before its first child, the only column of cmark's that is right for <https://…> too. */
static struct pos find_link(struct md_walk *c, cmark_node *node)
{
	cmark_node *child = cmark_node_first_child(node);
	bool image = cmark_node_get_type(node) == CMARK_NODE_IMAGE;
	ptrdiff_t at = child ? told_offset(c, child, image ? 2 : 1) : -1;

	if (at >= c->seen && (stands_at(c, at, image ? STR("![") : STR("[")) || (!image && stands_at(c, at, STR("<")))))
		return found(c, node, at);
	struct buf opener = buf_new(c->arena);
	struct str text = child && cmark_node_get_type(child) == CMARK_NODE_TEXT ? str_of(cmark_node_get_literal(child))
										 : STR("");
	bool bare = !image && text.len && str_ends(str_of(cmark_node_get_url(node)), text);
	buf_add(&opener, image ? STR("![") : bare ? STR("<") : STR("["));
	buf_add(&opener, bare ? text : STR(""));
	return md_find(c, node, buf_str(&opener));
}

bool md_only_comments(struct str html)
{
	html = str_trim(html);
	while (str_starts(html, STR("<!--"))) {
		ptrdiff_t end = str_find(str_from(html, 4), STR("-->"));
		if (end < 0)
			return false;
		html = str_trim(str_from(html, 4 + end + 3));
	}
	return html.len == 0;
}

/* A footnote's reference, `marked` from bracket to bracket. */
static void write_reference(struct md_walk *c, cmark_node *node, struct str marked, bool defines)
{
	struct str label = str_slice(marked, 2, marked.len - 1);
	struct md_note *note = md_notes_find(c->src, label);

	if (note && !c->in_heading && !defines) {
		md_notes_refer(c, note);
		return;
	}
	struct pos at = md_find(c, node, marked);
	if (defines)
		diag_error(c->diag, at,
			"the definition of footnote [^%.*s] is indented or quoted; begin it in column 1",
			STR_FMT(label));
	else if (note)
		diag_error(
			c->diag, at, "a footnote in a heading would become part of the contents; move it to the text");
	else
		diag_error(c->diag, at,
			"footnote [^%.*s] is not defined; add a line `[^%.*s]: …`, or write \\[ for the sign",
			STR_FMT(label), STR_FMT(label));
}

/* A mark at byte i of text: writes what it stands for; returns where the text goes on. */
static ptrdiff_t write_mark(struct md_walk *c, cmark_node *node, struct str s, ptrdiff_t i)
{
	ptrdiff_t close = s.ptr[i] == MARK_OPEN ? str_find_char(str_slice(s, i, i + 80), MARK_CLOSE) : -1;

	if (s.ptr[i] == MARK_PIPE) {
		html_text(&c->w, STR("|"));
		return i + 2;
	}
	if (close >= 0) {
		bool defines =
			i == 0 && i + close + 1 < s.len && s.ptr[i + close + 1] == ':' && !cmark_node_previous(node);
		write_reference(c, node, str_slice(s, i, i + close + 1), defines);
		return i + close + 1;
	}
	if (s.ptr[i] != MARK_NOTES)
		html_text(&c->w, s.ptr[i] == MARK_OPEN ? STR("[") : STR("]"));
	return i + 1;
}

void md_text(struct md_walk *c, cmark_node *node, struct str s)
{
	ptrdiff_t plain = 0;
	bool in_word = c->in_word;

	for (ptrdiff_t i = 0; i < s.len;) {
		char ch = s.ptr[i];
		if (ch >= MARK_PIPE && ch <= MARK_CLOSE) {
			html_text(&c->w, str_slice(s, plain, i));
			i = plain = write_mark(c, node, s, i);
			continue;
		}
		bool in = ch != ' ' && ch != '\t';
		c->doc->words += in && !in_word;
		in_word = in;
		i++;
	}
	c->in_word = in_word;
	html_text(&c->w, str_from(s, plain));
}

/* The first `][`, or -1. */
static ptrdiff_t find_gap(struct str s)
{
	const char *end = s.ptr + s.len, *p = s.ptr;

	while (p < end && (p = memchr(p, ']', (size_t)(end - p))) && p + 1 < end && p[1] != '[')
		p++;
	return p && p + 1 < end ? p - s.ptr : -1;
}

/* `[text][label]` that cmark left as text has no definition. Escaped brackets are the author's way to mean the signs. */
static void warn_undefined(struct md_walk *c, cmark_node *node, struct str s)
{
	ptrdiff_t gap = find_gap(s), from = gap, to = gap + 2;

	while (from > 0 && s.ptr[from] != '[')
		from--;
	while (to < s.len && s.ptr[to] != ']')
		to++;
	ptrdiff_t told = told_offset(c, node, 0);
	if (gap < 0 || s.ptr[from] != '[' || to == s.len || told < 0)
		return;
	ptrdiff_t at = told + str_find(str_slice(c->src->text, told, c->leaf_end), str_slice(s, from, to + 1));
	if (at < told || (at > 0 && c->src->text.ptr[at - 1] == '\\'))
		return;
	diag_warn(c->diag, offset_pos(c->src, at),
		"`%.*s` is not defined, so that this is no link; add a line `%.*s: address`",
		STR_FMT(str_slice(s, gap + 1, to + 1)), STR_FMT(str_slice(s, gap + 1, to + 1)));
}

static void enter_text(struct md_walk *c, cmark_node *node)
{
	struct str s = str_of(cmark_node_get_literal(node));

	if (c->inline_only && !cmark_node_previous(node) &&
		cmark_node_get_type(cmark_node_parent(node)) == CMARK_NODE_PARAGRAPH)
		s = str_from(s, str_starts(s, STR("\xc2\xa0")) ? 2 : 0);
	warn_undefined(c, node, s);
	md_text(c, node, s);
}

static void enter_code(struct md_walk *c, cmark_node *node)
{
	const char *raw = cmark_node_get_literal(node);
	struct str code = md_literal(c->arena, raw, c->table.para != NULL);

	c->doc->words += !c->in_word;
	c->in_word = true;
	if (!md_is_value(code)) {
		html_leaf(&c->w, "code", NULL, code);
		return;
	}
	struct str rest, opener = str_cut(str_of(raw), ' ', &rest);
	struct md_value v = {str_from(code, 1), md_find(c, node, opener)};
	v.at.col++;
	if (c->in_heading) {
		diag_error(c->diag, v.at,
			"an inline value stands in a heading, whose anchor must not depend on data; move it to the "
			"text");
		return;
	}
	c->doc->values = md_push(c->arena, c->doc->values, &c->doc->n_values, sizeof v);
	c->doc->values[c->doc->n_values - 1] = v;
	md_flush(c, (struct md_op){.kind = MD_VALUE, .n = (int)c->doc->n_values - 1});
}

/* The part before the colon if `url` begins with a scheme (RFC 3986), or empty. */
static struct str scheme(struct str url)
{
	for (ptrdiff_t i = 0; i < url.len; i++) {
		char ch = url.ptr[i];
		bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
		if (ch == ':')
			return str_slice(url, 0, i);
		if (!letter && (!i || !((ch >= '0' && ch <= '9') || ch == '+' || ch == '-' || ch == '.')))
			break;
	}
	return (struct str){0};
}

/* The address of a link that must not be followed is emptied, whatever becomes of the page. */
static void check_url(struct md_walk *c, struct md_link *l)
{
	struct str s = scheme(l->url);
	bool known = str_eq(s, STR("http")) || str_eq(s, STR("https")) || (!l->image && str_eq(s, STR("mailto")));

	if (!l->url.len)
		diag_error(c->diag, l->at, "this %s has no address; write one in the parentheses",
			l->image ? "image" : "link");
	else if (l->image && (known || str_starts(l->url, STR("//"))))
		diag_error(c->diag, l->at,
			"an image from another site would be a third-party request; copy it into assets");
	else if (s.len && !known)
		diag_error(c->diag, l->at,
			"links of scheme `%.*s:` are not allowed; use https:, mailto: or a relative path", STR_FMT(s));
	else if (str_starts(l->url, STR("//")))
		diag_error(
			c->diag, l->at, "this address begins with //, which means nothing in a file; write https://");
	if (s.len && !known)
		l->url.len = 0;
	for (ptrdiff_t i = 0; i < l->url.len; i++)
		if ((unsigned char)l->url.ptr[i] < 0x20 || l->url.ptr[i] == '\\') {
			diag_error(c->diag, l->at, "the address has a control character or backslash; remove it");
			l->url.len = 0;
		}
}

static int add_link(struct md_walk *c, cmark_node *node)
{
	struct md_link l = {.url = md_literal(c->arena, cmark_node_get_url(node), false),
		.image = cmark_node_get_type(node) == CMARK_NODE_IMAGE,
		.at = find_link(c, node)};

	check_url(c, &l);
	c->doc->links = md_push(c->arena, c->doc->links, &c->doc->n_links, sizeof l);
	c->doc->links[c->doc->n_links - 1] = l;
	return (int)c->doc->n_links - 1;
}

static void enter_link(struct md_walk *c, cmark_node *node)
{
	int n = add_link(c, node);

	if (!cmark_node_first_child(node))
		diag_error(c->diag, c->doc->links[n].at,
			"this link has no text; write where it leads between the brackets");
	md_flush(c, (struct md_op){
			    .kind = MD_LINK, .n = n, .title = md_literal(c->arena, cmark_node_get_title(node), false)});
}

static void enter_image(struct md_walk *c, cmark_node *node)
{
	int n = add_link(c, node);
	bool value;
	struct str alt = str_trim(md_plain(c->arena, node, &value));

	if (!alt.len)
		diag_error(c->diag, c->doc->links[n].at,
			"this image has no text for those who do not see it; describe it: ![what it shows](…)");
	else if (value)
		diag_error(c->diag, c->doc->links[n].at,
			"an inline value cannot stand in an image's description; move it to the text");
	md_flush(c, (struct md_op){.kind = MD_IMAGE,
			    .n = n,
			    .alt = alt,
			    .title = md_literal(c->arena, cmark_node_get_title(node), false)});
}

static void enter_html(struct md_walk *c, cmark_node *node)
{
	struct str html = str_of(cmark_node_get_literal(node)), rest;

	if (md_only_comments(html))
		return;
	struct str shown = md_excerpt(str_line(html, &rest));
	diag_error(c->diag, md_find(c, node, str_slice(shown, 0, 2)),
		"raw HTML: %.*s; put code in backticks, or write \\< for the sign itself", STR_FMT(shown));
}

static void enter_break(struct md_walk *c, bool hard)
{
	if (hard) {
		html_open(&c->w, "br");
		html_void(&c->w);
	}
	html_text(&c->w, STR("\n"));
	c->in_word = false;
}

bool md_inline_enter(struct md_walk *c, cmark_node *node)
{
	if (c->table.para && md_table_child(c, node))
		return false;
	switch ((int)cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT: enter_text(c, node); return false;
	case CMARK_NODE_CODE: enter_code(c, node); return false;
	case CMARK_NODE_HTML_INLINE: enter_html(c, node); return false;
	case CMARK_NODE_IMAGE: enter_image(c, node); return false;
	case CMARK_NODE_LINEBREAK: enter_break(c, true); return false;
	case CMARK_NODE_SOFTBREAK: enter_break(c, false); return false;
	case CMARK_NODE_EMPH: html_open(&c->w, "em"); return true;
	case CMARK_NODE_STRONG: html_open(&c->w, "strong"); return true;
	case CMARK_NODE_LINK: enter_link(c, node); return true;
	default: return false;
	}
}

void md_inline_leave(struct md_walk *c, cmark_node *node)
{
	cmark_node_type type = cmark_node_get_type(node);

	if (type == CMARK_NODE_LINK)
		md_flush(c, (struct md_op){.kind = MD_LINK_END});
	else
		html_close(&c->w, type == CMARK_NODE_EMPH ? "em" : "strong");
}
