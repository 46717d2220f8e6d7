/* The only writer of markup, HTML and SVG alike: it escapes, keeps the open elements and checks the nesting.
 * Markup has a type of its own, so that the compiler refuses unescaped text. Output grows in the buffer passed. */
#ifndef RUNQ_TEXT_HTML_H
#define RUNQ_TEXT_HTML_H

#include "base/buf.h"

/* Finished, escaped markup. */
struct html {
	struct str s;
};

enum { HTML_DEPTH = 128 };

struct html_out {
	struct buf *out;
	const char *open[HTML_DEPTH];
	int depth;
	bool in_tag;	/* "<p" is written, ">" is not: attributes may follow */
};

struct html_out html_out_new(struct buf *out);
/* Element and attribute names are literals of ours and are not escaped. */
void html_open(struct html_out *w, const char *tag);
void html_attr(struct html_out *w, const char *name, struct str value);
void html_attr_fmt(struct html_out *w, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void html_flag(struct html_out *w, const char *name);	/* attribute without value */
void html_text(struct html_out *w, struct str text);
void html_text_fmt(struct html_out *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void html_insert(struct html_out *w, struct html markup);
/* Closes the innermost element, which must be `tag` (a bug otherwise: abort). */
void html_close(struct html_out *w, const char *tag);
void html_void(struct html_out *w);	/* ends an element without content: <br>, <img …>; in SVG too, as <rect …/> */
/* <tag>text</tag>, with class="cls" unless cls is NULL. */
void html_leaf(struct html_out *w, const char *tag, const char *cls, struct str text);

/* Appends escaped text, for contexts that have no writer at hand. Quotes are escaped too; control bytes other than
 * tab and newline become U+FFFD. */
void html_escape(struct buf *out, struct str text);

#endif
