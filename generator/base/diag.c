#include "base/diag.h"

#include <stdlib.h>

#include "base/buf.h"

struct diag diag_new(struct arena *a)
{
	return (struct diag){.arena = a};
}

void diag_add(struct diag *d, enum diag_level level, struct pos at, const char *fmt, ...)
{
	struct diag_item *item = ARENA_NEW(d->arena, struct diag_item, 1);
	struct buf text = buf_new(d->arena);
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	*item = (struct diag_item){d->items, level, at, buf_str(&text)};
	d->items = item;
	d->errors += level == DIAG_ERROR;
	d->warnings += level == DIAG_WARNING;
}

static int by_place(const void *pa, const void *pb)
{
	const struct diag_item *a = *(const struct diag_item *const *)pa, *b = *(const struct diag_item *const *)pb;
	int c = str_cmp(a->at.path, b->at.path);

	c = c ? c : (a->at.line > b->at.line) - (a->at.line < b->at.line);
	c = c ? c : (a->at.col > b->at.col) - (a->at.col < b->at.col);
	return c ? c : str_cmp(a->text, b->text);
}

/* Length of the printable character at the start of s: 0 for control and bidi characters and what is no UTF-8, which would
 * move a terminal's cursor or lie about the order of the text. */
static int printable(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	int n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

	if (n == 1)
		return p[0] >= ' ' && p[0] != 0x7f;
	if (!n || s.len < n)
		return 0;
	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool c1 = p[0] == 0xc2 && p[1] < 0xa0;
	bool bidi = p[0] == 0xe2 && ((p[1] == 0x80 && p[2] >= 0xa8 && p[2] <= 0xae) || (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
	return c1 || bidi ? 0 : n;
}

void diag_text(FILE *out, struct str text)
{
	for (ptrdiff_t i = 0; i < text.len;) {
		int n = printable(str_from(text, i));
		if (n)
			fwrite(text.ptr + i, 1, (size_t)n, out);
		else
			fprintf(out, "\\x%02X", (unsigned char)text.ptr[i]);
		i += n ? n : 1;
	}
}

int diag_print(const struct diag *d, FILE *out, struct arena scratch)
{
	static const char *const names[] = {"note", "warning", "error"};
	ptrdiff_t n = 0;

	for (const struct diag_item *i = d->items; i; i = i->next)
		n++;
	const struct diag_item **all = ARENA_NEW(&scratch, const struct diag_item *, n);
	for (const struct diag_item *i = d->items; i; i = i->next)
		*all++ = i;
	all -= n;
	if (n)
		qsort(all, (size_t)n, sizeof(const struct diag_item *), by_place);
	for (ptrdiff_t i = 0; i < n; i++) {
		if (i && by_place(&all[i - 1], &all[i]) == 0)
			continue;
		struct pos at = all[i]->at;
		diag_text(out, at.path);
		if (at.path.len)
			fputc(':', out);
		if (at.line)
			fprintf(out, "%d:%d:", at.line, at.col);
		fprintf(out, "%s%s: ", at.path.len ? " " : "", names[all[i]->level]);
		diag_text(out, all[i]->text);
		fputc('\n', out);
	}
	return d->errors;
}

struct pos pos_at(struct pos start, struct str text, ptrdiff_t offset)
{
	ptrdiff_t line_start = 0;
	struct pos at = start;

	for (ptrdiff_t i = 0; i < offset && i < text.len; i++) {
		bool pair = text.ptr[i] == '\r' && i + 1 < text.len && text.ptr[i + 1] == '\n';
		if (text.ptr[i] == '\n' || (text.ptr[i] == '\r' && !pair)) {
			at.line++;
			at.col = 1;
			line_start = i + 1;
		}
	}
	at.col += (int)(offset - line_start);
	return at;
}
