/* Plain tables for the terminal. */
#include "cli/table.h"

#include <string.h>

struct table table_new(struct arena *a, int cols, unsigned right)
{
	return (struct table){.arena = a, .cols = cols < TABLE_COLUMNS_MAX ? cols : TABLE_COLUMNS_MAX, .right = right};
}

void table_add(struct table *t, struct str cell)
{
	if (t->n == t->cap) {
		struct str *more = ARENA_NEW(t->arena, struct str, t->cap = t->cap ? t->cap * 2 : 128);
		if (t->n)
			memcpy(more, t->cells, (size_t)t->n * sizeof *more);
		t->cells = more;
	}
	t->cells[t->n++] = cell;
}

/* Code points: good enough for labels, units and thin spaces. */
static int width_of(struct str s)
{
	int n = 0;

	for (ptrdiff_t i = 0; i < s.len; i++)
		n += ((unsigned char)s.ptr[i] & 0xC0) != 0x80;
	return n;
}

void table_print_text(FILE *out, struct str text)
{
	for (ptrdiff_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		putc(c < 0x20 || c == 0x7f ? '?' : c, out);
	}
}

void table_print(const struct table *t, FILE *out, const char *indent)
{
	int widths[TABLE_COLUMNS_MAX] = {0};

	for (ptrdiff_t i = 0; i < t->n; i++) {
		int w = width_of(t->cells[i]), *wide = &widths[i % t->cols];
		*wide = w > *wide ? w : *wide;
	}
	for (ptrdiff_t i = 0, owed = 0; i < t->n; i++) {
		int col = (int)(i % t->cols), pad = widths[col] - width_of(t->cells[i]);
		bool right = t->right >> col & 1;
		/* Spaces are owed until something follows them: no line ends in any. */
		owed = (col ? owed + 2 : 0) + (right ? pad : 0);
		if (col == 0)
			fputs(indent, out);
		if (t->cells[i].len) {
			fprintf(out, "%*s", (int)owed, "");
			table_print_text(out, t->cells[i]);
			owed = 0;
		}
		owed += right ? 0 : pad;
		if (col == t->cols - 1)
			putc('\n', out);
	}
}
