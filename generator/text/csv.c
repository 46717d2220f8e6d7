/* Reading comma-separated values: one pass over the bytes, that counts lines and columns as it goes. */
#include "text/csv.h"

#include "base/buf.h"
#include "text/head.h"

struct reader {
	struct arena *a;
	struct diag *d;
	struct str rest;
	struct pos at;
	struct csv_cell *cells;
	ptrdiff_t n, cap;
};

static void skip(struct reader *r, ptrdiff_t bytes)
{
	r->rest = str_from(r->rest, bytes);
	r->at.col += (int)bytes;
}

/* Bytes of the line end at the front, or 0. */
static ptrdiff_t line_end(struct str s)
{
	if (str_starts(s, STR("\r\n")))
		return 2;
	return s.len && s.ptr[0] == '\n';
}

static void next_line(struct reader *r, ptrdiff_t bytes)
{
	skip(r, bytes);
	r->at.line++;
	r->at.col = 1;
}

static bool fail(struct reader *r, struct pos at, const char *what)
{
	diag_error(r->d, at, "%s", what);
	return false;
}

/* Behind the opening quote. A quote that is doubled stands for one; only then is the text copied. */
static bool quoted_cell(struct reader *r, struct csv_cell *cell)
{
	struct buf b = buf_new(r->a);

	skip(r, 1);
	for (;;) {
		if (!r->rest.len)
			return fail(r, cell->at, "a quote that nothing closes; end the cell with another");
		if (str_starts(r->rest, STR("\"\""))) {
			buf_char(&b, '"');
			skip(r, 2);
		} else if (r->rest.ptr[0] == '"') {
			break;
		} else if (line_end(r->rest)) {
			buf_char(&b, '\n');
			next_line(r, line_end(r->rest));
		} else {
			buf_char(&b, r->rest.ptr[0]);
			skip(r, 1);
		}
	}
	skip(r, 1);
	cell->text = buf_str(&b);
	if (r->rest.len && r->rest.ptr[0] != ',' && !line_end(r->rest))
		return fail(r, r->at, "text behind a closing quote; double the quotes inside a cell, and put a comma behind the last");
	return true;
}

static bool plain_cell(struct reader *r, struct csv_cell *cell)
{
	ptrdiff_t n = 0;

	while (n < r->rest.len && r->rest.ptr[n] != ',' && !line_end(str_from(r->rest, n))) {
		struct pos at = {r->at.path, r->at.line, r->at.col + (int)n};
		if (r->rest.ptr[n] == '"')
			return fail(r, at, "a quote inside a cell without quotes; put the cell in quotes and double this one");
		if (r->rest.ptr[n] == '\r')
			return fail(r, at, "a carriage return inside a line; end lines with LF or CRLF");
		n++;
	}
	cell->text = str_slice(r->rest, 0, n);
	skip(r, n);
	return true;
}

/* One row; *cells is how many it has. */
static bool row(struct reader *r, ptrdiff_t *cells)
{
	*cells = 0;
	for (;;) {
		struct csv_cell cell = {.at = r->at};
		bool ok = r->rest.len && r->rest.ptr[0] == '"' ? quoted_cell(r, &cell) : plain_cell(r, &cell);
		if (!ok)
			return false;
		ARENA_GROW(r->a, r->cells, r->n, r->cap);
		r->cells[r->n++] = cell;
		++*cells;
		if (!r->rest.len || r->rest.ptr[0] != ',')
			break;
		skip(r, 1);
	}
	if (r->rest.len)
		next_line(r, line_end(r->rest));
	return true;
}

struct csv csv_parse(struct arena *a, struct diag *d, struct pos start, struct str text)
{
	struct reader r = {.a = a, .d = d, .rest = text, .at = start};
	struct csv out = {0};

	if (!head_text_ok(d, start, text))
		return out;
	if (str_starts(text, STR("\xef\xbb\xbf")))
		r.rest = str_from(text, 3);
	if (!r.rest.len) {
		fail(&r, start, "an empty file; write a header row");
		return out;
	}
	while (r.rest.len) {
		struct pos at = r.at;
		ptrdiff_t cells;
		if (line_end(r.rest)) {
			fail(&r, at, "a blank line; remove it");
			return (struct csv){0};
		}
		if (!row(&r, &cells))
			return (struct csv){0};
		out.cols = out.rows ? out.cols : cells;
		if (cells != out.cols) {
			diag_error(d, at, "%td cells where the header has %td; add or remove commas, or quote the cell that holds one", cells,
				out.cols);
			return (struct csv){0};
		}
		out.rows++;
	}
	out.cells = r.cells;
	out.ok = true;
	return out;
}
