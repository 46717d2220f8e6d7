#include "text/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct html_out html_out_new(struct buf *out)
{
	return (struct html_out){.out = out};
}

static struct str entity(unsigned char c)
{
	switch (c) {
	case '&': return STR("&amp;");
	case '<': return STR("&lt;");
	case '>': return STR("&gt;");
	case '"': return STR("&quot;");
	case '\'': return STR("&#39;");
	default: return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f ? STR("\xef\xbf\xbd") : STR("");
	}
}

void html_escape(struct buf *out, struct str text)
{
	ptrdiff_t plain = 0;

	for (ptrdiff_t i = 0; i < text.len; i++) {
		struct str e = entity((unsigned char)text.ptr[i]);
		if (!e.len)
			continue;
		buf_add(out, str_slice(text, plain, i));
		buf_add(out, e);
		plain = i + 1;
	}
	buf_add(out, str_from(text, plain));
}

static void end_tag_head(struct html_out *w)
{
	if (w->in_tag)
		buf_char(w->out, '>');
	w->in_tag = false;
}

void html_open(struct html_out *w, const char *tag)
{
	end_tag_head(w);
	if (w->depth == HTML_DEPTH) {
		fprintf(stderr, "runq: bug: elements nested deeper than %d at <%s>\n", HTML_DEPTH, tag);
		abort();
	}
	w->open[w->depth++] = tag;
	buf_char(w->out, '<');
	buf_add(w->out, str_of(tag));
	w->in_tag = true;
}

void html_attr(struct html_out *w, const char *name, struct str value)
{
	buf_char(w->out, ' ');
	buf_add(w->out, str_of(name));
	buf_add(w->out, STR("=\""));
	html_escape(w->out, value);
	buf_char(w->out, '"');
}

__attribute__((format(printf, 2, 0))) static struct str format(struct arena *scratch, const char *fmt, va_list ap)
{
	struct buf b = buf_new(scratch);

	buf_vprintf(&b, fmt, ap);
	return buf_str(&b);
}

void html_attr_fmt(struct html_out *w, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	html_attr(w, name, format(w->out->arena, fmt, ap));
	va_end(ap);
}

void html_flag(struct html_out *w, const char *name)
{
	buf_char(w->out, ' ');
	buf_add(w->out, str_of(name));
}

void html_text(struct html_out *w, struct str text)
{
	end_tag_head(w);
	html_escape(w->out, text);
}

void html_text_fmt(struct html_out *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	html_text(w, format(w->out->arena, fmt, ap));
	va_end(ap);
}

void html_insert(struct html_out *w, struct html markup)
{
	end_tag_head(w);
	buf_add(w->out, markup.s);
}

void html_close(struct html_out *w, const char *tag)
{
	if (!w->depth || strcmp(w->open[w->depth - 1], tag) != 0) {
		fprintf(stderr, "runq: bug: </%s> closes <%s>\n", tag, w->depth ? w->open[w->depth - 1] : "nothing");
		abort();
	}
	end_tag_head(w);
	w->depth--;
	buf_add(w->out, STR("</"));
	buf_add(w->out, str_of(tag));
	buf_char(w->out, '>');
}

void html_void(struct html_out *w)
{
	w->depth--;
	buf_add(w->out, STR("/>"));
	w->in_tag = false;
}

void html_leaf(struct html_out *w, const char *tag, const char *cls, struct str text)
{
	html_open(w, tag);
	if (cls)
		html_attr(w, "class", str_of(cls));
	html_text(w, text);
	html_close(w, tag);
}
