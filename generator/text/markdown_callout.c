/* Block quotes: plain ones, callouts, and the margin notes that stand where they may not. */
#include "text/markdown_int.h"

static const struct str callouts[] = {{"WARNING", 7}, {"MISCONCEPTION", 13}, {"NOTE", 4}};

/* The X of a quote that begins `[!X]`, as the author wrote it, or empty. */
static struct str callout_word(struct md_walk *c, cmark_node *quote)
{
	cmark_node *para = cmark_node_first_child(quote);

	if (!para || cmark_node_get_type(para) != CMARK_NODE_PARAGRAPH)
		return (struct str){0};
	struct str line = str_trim(str_from(
		md_source_line(c->src, cmark_node_get_start_line(para)), cmark_node_get_start_column(para) - 1));
	if (!str_starts(line, STR("[!")) || str_find_char(line, ']') < 0)
		return (struct str){0};
	return str_slice(line, 2, str_find_char(line, ']'));
}

enum md_callout md_callout_kind(struct md_walk *c, cmark_node *quote)
{
	if (!quote || cmark_node_get_type(quote) != CMARK_NODE_BLOCK_QUOTE)
		return NOT_A_CALLOUT;
	struct str word = callout_word(c, quote);
	if (!word.len)
		return PLAIN_QUOTE;
	for (int i = 0; i < 3; i++)
		if (str_eq(word, callouts[i]))
			return (enum md_callout)(CALL_WARNING + i);
	return CALL_UNKNOWN;
}

static void report_callout(struct md_walk *c, cmark_node *quote)
{
	struct str word = callout_word(c, quote);
	char upper[24];
	ptrdiff_t n = 0;

	for (; n < word.len && n < (ptrdiff_t)sizeof upper; n++)
		upper[n] = word.ptr[n] >= 'a' && word.ptr[n] <= 'z' ? (char)(word.ptr[n] - 32) : word.ptr[n];
	struct str near = str_nearest((struct str){upper, n}, callouts, 3);
	if (near.len)
		diag_error(c->diag, md_pos(c, quote), "there is no callout [!%.*s]; did you mean [!%.*s]?",
			STR_FMT(word), STR_FMT(near));
	else
		diag_error(c->diag, md_pos(c, quote),
			"there is no callout [!%.*s]; use [!NOTE], [!WARNING] or [!MISCONCEPTION]", STR_FMT(word));
}

/* Takes `[!X]` off the tree; a word after it on its line would be lost in other viewers. */
void md_callout_strip(struct md_walk *c, cmark_node *quote)
{
	cmark_node *para = cmark_node_first_child(quote), *text = cmark_node_first_child(para);

	if (!text || cmark_node_get_type(text) != CMARK_NODE_TEXT)
		return;
	struct str s = str_of(cmark_node_get_literal(text));
	cmark_node *after = cmark_node_next(text);
	bool broken = after && (cmark_node_get_type(after) == CMARK_NODE_SOFTBREAK ||
				       cmark_node_get_type(after) == CMARK_NODE_LINEBREAK);
	if (str_trim(str_from(s, str_find_char(s, ']') + 1)).len || (after && !broken))
		diag_error(c->diag, md_pos(c, para), "text follows [!…] on its line; begin it on the next line");
	cmark_node_unlink(text);
	cmark_node_free(text);
	if (broken) {
		cmark_node_unlink(after);
		cmark_node_free(after);
	}
	if (!cmark_node_first_child(para)) {
		cmark_node_unlink(para);
		cmark_node_free(para);
	}
}

void md_quote_enter(struct md_walk *c, cmark_node *quote)
{
	enum md_callout kind = md_callout_kind(c, quote);

	md_fresh_line(c);
	c->quotes++;
	if (kind == CALL_UNKNOWN)
		report_callout(c, quote);
	if (kind == CALL_NOTE)
		diag_error(c->diag, md_pos(c, quote),
			c->note || c->quotes > 1 || c->lists
				? "a margin note stands inside a list, quote or footnote; move it to the top level"
				: "a margin note follows no paragraph, list, quote, table or figure; put it right "
				  "after one");
	if (kind != PLAIN_QUOTE)
		md_callout_strip(c, quote);
	if (kind == CALL_WARNING || kind == CALL_MISCONCEPTION) {
		md_open_class(&c->w, "div", kind == CALL_WARNING ? "call warning" : "call misconception");
		html_text(&c->w, STR("\n"));
		html_leaf(&c->w, "p", "tag", kind == CALL_WARNING ? STR("Warning") : STR("Misconception"));
		cmark_node *first = cmark_node_first_child(quote);
		if (kind == CALL_MISCONCEPTION && first && cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH)
			c->said = first;
	} else {
		html_open(&c->w, "blockquote");
	}
	html_text(&c->w, STR("\n"));
}

void md_quote_leave(struct md_walk *c)
{
	const char *tag = c->w.open[c->w.depth - 1];

	c->quotes--;
	md_fresh_line(c);
	html_close(&c->w, tag);
	html_text(&c->w, STR("\n"));
}
