/* Markdown by cmark in safe mode, plus tables, footnotes, heading ids, callouts, margin notes, highlighted code, inline
 * values and data blocks (DESIGN sections 6 and 12). A page is parsed and checked once; it is rendered once per machine, the hooks giving what depends
 * on data. Everything lives in the arena passed to markdown_parse; no cmark type appears here. */
#ifndef RUNQ_TEXT_MARKDOWN_H
#define RUNQ_TEXT_MARKDOWN_H

#include "text/head.h"
#include "text/html.h"

/* A fenced block with one of the info words chart, table, claim, predict, quiz, sim. */
struct md_block {
	struct str word;	/* "chart" … */
	struct head head;
	struct str id;	/* head key id, checked against [a-z][a-z0-9-]{2,40} */
	struct str body;	/* after the head */
	struct pos at, body_at;
};

struct md_heading {
	int level;
	struct str text, id;
	struct pos at;
};

struct md_link {
	struct str url;	/* as written, entities and escapes resolved */
	bool image;
	struct pos at;
};

struct md_value {
	struct str expr;	/* without the leading `=` */
	struct pos at;	/* of the expression's first byte */
};

struct md_doc {
	struct md_block *blocks;
	ptrdiff_t n_blocks;
	struct md_heading *headings;
	ptrdiff_t n_headings;
	struct md_link *links;
	ptrdiff_t n_links;
	struct md_value *values;
	ptrdiff_t n_values;
	int words;	/* of prose, code and blocks not counted */
	bool ok;
	struct md_impl *impl;	/* the tree */
};

/* What depends on data. Each writes finished markup; a NULL hook writes nothing (value: the expression as code; link:
 * the URL as written). NULL for the hooks is all of them NULL. */
struct md_hooks {
	void *ctx;
	struct str id_prefix;	/* before the ids of headings and footnotes, for pages printed as one */
	void (*value)(void *ctx, struct html_out *w, const struct md_value *v);
	void (*block)(void *ctx, struct html_out *w, const struct md_block *b);
	/* After each top-level paragraph, list, quote, table or figure: markup to add to its margin note, or empty. */
	struct html (*margin)(void *ctx);
	/* Final URL of a link or image as written in the source (encoded here where need be), e.g. "nice.md#weights" to "nice.html#weights". */
	struct str (*link)(void *ctx, const struct md_link *l);
};

/* The keys of a block's head, ending with a NULL name; NULL if the word is none of a block's. */
const struct head_key *md_block_keys(struct str word);

/* `text` is the body of a page whose first byte is at `start` (the head is cut off by the caller and `start` set behind it).
 * Heads of blocks are checked against their keys. Headings and blocks inside quotes, lists and footnotes are not listed
 * (such blocks are errors). Diagnostics: raw HTML, unknown info word, bad or duplicate block id within the page,
 * invalid UTF-8, unclosed fence, table mismatch, inline value in a heading, control bytes, nesting deeper than 100. */
struct md_doc *markdown_parse(struct arena *a, struct diag *d, struct pos start, struct str text);
void markdown_render(const struct md_doc *doc, const struct md_hooks *hooks, struct html_out *w, struct arena scratch);
/* Inline Markdown (titles, claims, options): text, code, emphasis, links and inline values; no block syntax. */
struct md_doc *markdown_parse_inline(struct arena *a, struct diag *d, struct pos start, struct str text);

#endif
