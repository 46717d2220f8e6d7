/* Shared by text/markdown*.c alone: the one place where cmark's types are seen.
 *
 * A page goes: source (clean, marks set, footnotes moved) -> cmark -> walk (checks; operations) -> render. The operations
 * are finished markup between the few places that depend on data, so that rendering once more is little but copying. */
#ifndef RUNQ_TEXT_MARKDOWN_INT_H
#define RUNQ_TEXT_MARKDOWN_INT_H

#include <cmark.h>

#include "text/markdown.h"
#include "text/slug.h"

/* Control bytes that stand for what cmark must not read its own way; the author's own are replaced before. Two
 * MARK_PIPE are `\|`; MARK_OPEN and MARK_CLOSE are the brackets of `[^label]`; MARK_NOTES alone in a paragraph
 * begins the next footnote. */
enum { MARK_PIPE = 0x1c, MARK_NOTES = 0x1d, MARK_OPEN = 0x1e, MARK_CLOSE = 0x1f, MARK_BAD = 0x01 };
enum { MD_DEPTH = 100, MD_COLUMNS = 64, MD_REPORTS = 20, MD_MISSES = 8 };

/* One line of the text that cmark reads: where it begins there, in the clean text, and in the author's file. */
struct md_line {
	ptrdiff_t at, clean;
	int line, col;
};

struct md_note {
	struct str label;
	struct pos at;
	ptrdiff_t from, n_lines; /* lines of the clean text */
	int number, refs; /* number 0: not referred to yet */
	cmark_node *first, *end; /* its blocks: from first up to, not including, end */
};

struct md_source {
	struct arena *arena;
	struct diag *diag;
	struct pos start;
	struct str clean; /* the author's text, line ends LF, bad bytes MARK_BAD */
	struct str text; /* what cmark reads */
	struct md_line *lines;
	ptrdiff_t n_lines;
	struct md_note *notes;
	ptrdiff_t n_notes;
	struct str_map labels; /* indexes of notes */
};

enum md_op_kind {
	MD_MARKUP, /* from..to of the markup */
	MD_VALUE,
	MD_BLOCK, /* n: index */
	MD_LINK,
	MD_LINK_END,
	MD_IMAGE, /* n: index; title, alt */
	MD_HEADING,
	MD_HEADING_END, /* n: index */
	MD_REF, /* n: footnote, from: which reference to it */
	MD_NOTE,
	MD_BACK,
	MD_NOTE_END, /* n: footnote */
	MD_TOP,
	MD_TOP_END, /* around a block that may get a margin note */
	MD_MARGIN, /* within a margin note */
};

struct md_op {
	enum md_op_kind kind;
	int n;
	ptrdiff_t from, to;
	struct str title, alt;
};

struct md_impl {
	struct md_op *ops;
	ptrdiff_t n_ops;
	struct str markup;
	int *refs; /* references to footnote n: refs[n - 1] */
};

struct md_table {
	cmark_node *para; /* NULL: not in a table */
	int cols, row, col, line;
	bool pending, open, piped; /* after a pipe; in a cell; the row has had its first pipe */
	bool right[MD_COLUMNS];
};

/* The walk's state. */
struct md_walk {
	struct arena *arena;
	struct diag *diag;
	struct md_source *src;
	struct md_doc *doc;
	struct md_impl *impl;
	struct buf markup;
	struct html_out w;
	ptrdiff_t flushed; /* markup that operations already cover */
	struct slug_table slugs;
	struct md_table table;
	struct md_note *note; /* the footnote being written */
	struct md_note **order; /* footnotes in the order of their first references */
	ptrdiff_t n_order;
	cmark_node *said; /* the first paragraph of a misconception */
	int depth, quotes, lists;
	int reports;
	ptrdiff_t seen, leaf_end; /* bounds of a search for a place in the source */
	int misses; /* failed searches in this paragraph or heading */
	bool inline_only, in_heading, in_word, too_deep, backed;
	ptrdiff_t next_block, next_heading;
};

/* Room for one more item at the end of an array that only grows through here: at 8, 16, 32 … items it is copied. */
void *md_push(struct arena *a, void *items, ptrdiff_t *n, size_t size);

/* markdown_pool.c: cmark's tree and all it allocates; one pool at a time in a thread */
struct md_pool {
	struct arena *arena;
	unsigned char *at, *end;
};
cmark_node *md_pool_parse(
	struct md_pool *p, struct arena *a, struct str text); /* takes the far half of the arena's room */
void md_pool_end(struct md_pool *p); /* gives it back; the tree is gone */

/* markdown_source.c */
void md_source_page(struct md_source *s, struct str text);
void md_source_inline(struct md_source *s, struct str text);
struct pos md_source_pos(const struct md_source *s, int line, int col);
struct str md_source_line(const struct md_source *s, int line); /* as cmark reads it, without its end */
struct str md_content(const struct md_source *s, int line); /* without quote marks and indentation */

/* markdown_marks.c: literals of cmark with the marks undone */
struct str md_literal(struct arena *a, const char *literal, bool table); /* of code, URL, title, info */
struct str md_plain(
	struct arena *a, cmark_node *node, bool *value); /* the text below a node; *value: it holds an inline value */
struct str md_excerpt(struct str s); /* what of it goes into a message; whole characters */
bool md_is_value(struct str code);

/* markdown_walk.c */
void md_walk_page(struct md_walk *c, cmark_node *document);
void md_walk(struct md_walk *c, cmark_node *top);
void md_flush(struct md_walk *c, struct md_op op); /* covers the markup so far, then appends the operation */
void md_fresh_line(struct md_walk *c);
void md_open_class(struct html_out *w, const char *tag, const char *cls);
struct pos md_pos(struct md_walk *c, cmark_node *node); /* of a block */

/* markdown_callout.c */
enum md_callout { NOT_A_CALLOUT, PLAIN_QUOTE, CALL_WARNING, CALL_MISCONCEPTION, CALL_NOTE, CALL_UNKNOWN };
enum md_callout md_callout_kind(struct md_walk *c, cmark_node *quote); /* of any block, or NULL */
void md_callout_strip(struct md_walk *c, cmark_node *quote); /* takes the marker off */
void md_quote_enter(struct md_walk *c, cmark_node *quote);
void md_quote_leave(struct md_walk *c);

/* markdown_notes.c */
void md_notes_index(struct md_source *s); /* after the notes are known; reports equal labels */
struct md_note *md_notes_find(const struct md_source *s, struct str label); /* NULL: not defined */
void md_notes_refer(struct md_walk *c, struct md_note *note);
void md_notes_back(struct md_walk *c); /* the link from the footnote back to the text */
cmark_node *md_notes_split(struct md_walk *c, cmark_node *document);
void md_notes_write(struct md_walk *c);

/* markdown_inline.c */
bool md_inline_enter(struct md_walk *c, cmark_node *node);
void md_inline_leave(struct md_walk *c, cmark_node *node);
void md_text(struct md_walk *c, cmark_node *node, struct str s); /* `s`: a part of the node's literal */
bool md_only_comments(struct str html);
struct pos md_find(struct md_walk *c, cmark_node *node, struct str opener); /* of an inline node */

/* markdown_table.c */
bool md_table_begin(struct md_walk *c, cmark_node *para); /* false: it is no table */
bool md_table_child(struct md_walk *c, cmark_node *node); /* false: the caller goes on with the node */
void md_table_end(struct md_walk *c);

/* markdown_blocks.c */
void md_blocks_collect(struct md_walk *c, cmark_node *document, cmark_node *end); /* up to, not including, end */
void md_fence(struct md_walk *c, cmark_node *node);

#endif
