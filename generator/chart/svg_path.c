/* Paths, and lines so alike that one path draws them. */
#include <math.h>

#include "chart/style.h"
#include "chart/svg.h"

enum { PATH_WIDTH = 10000, ALIKE_MIN = 3 };

/* Paths know no per cent. They get a coordinate system of their own that stretches with the width, in whole numbers (a ten-thousandth
 * of the width, a tenth of a px); only their geometry stretches: strokes keep their width, and there is no text inside. */
void svg_open_stretch(struct html_out *w, double height)
{
	html_open(w, "svg");
	html_attr(w, "width", STR("100%"));
	html_attr_fmt(w, "height", "%.6g", height);
	html_attr_fmt(w, "viewBox", "0 0 %d %lld", PATH_WIDTH, llround(height * 10));
	html_attr(w, "preserveAspectRatio", STR("none"));
}

struct pen {
	struct buf d;
	int64_t x, y;
	char last; /* the letter a following pair of numbers belongs to, or 0 */
};

static void pen_pair(struct pen *pen, char letter, int64_t x, int64_t y)
{
	bool space = pen->last == letter && x >= 0;

	if (pen->last != letter)
		buf_char(&pen->d, letter);
	else if (space)
		buf_char(&pen->d, ' ');
	buf_i64(&pen->d, x);
	if (y >= 0)
		buf_char(&pen->d, ' ');
	buf_i64(&pen->d, y);
	pen->last = letter;
}

static void pen_move(struct pen *pen, int64_t x, int64_t y)
{
	pen_pair(pen, pen->d.len ? 'm' : 'M', x - pen->x, y - pen->y);
	pen->last = 0; /* a pair after m would be a line */
	pen->x = x;
	pen->y = y;
}

static void pen_line(struct pen *pen, int64_t x, int64_t y)
{
	int64_t dx = x - pen->x, dy = y - pen->y;

	if (dx && dy) {
		pen_pair(pen, 'l', dx, dy);
	} else {
		buf_char(&pen->d, dx || !dy ? 'h' : 'v');
		buf_i64(&pen->d, dx || !dy ? dx : dy);
		pen->last = 0;
	}
	pen->x = x;
	pen->y = y;
}

void svg_path(struct html_out *w, const struct mark *m)
{
	bool area = m->role == ROLE_BAND || m->role == ROLE_FILL;
	struct pen pen = {.d = buf_new(w->out->arena)};

	for (ptrdiff_t i = 0; i < m->n_points; i++) {
		int64_t x = llround(m->points[i].f * PATH_WIDTH), y = llround(m->points[i].y * 10);
		if (i)
			pen_line(&pen, x, y);
		else
			pen_move(&pen, x, y);
	}
	html_open(w, "path");
	html_attr(w, "class", str_of(style_class(m->role, m->series)));
	if (m->role == ROLE_BAND)
		html_attr(w, "fill-opacity", STR(".18"));
	if (area) {
		buf_char(&pen.d, 'z');
	} else {
		html_attr(w, "vector-effect", STR("non-scaling-stroke"));
		html_attr(w, "stroke-linejoin", STR("round"));
	}
	html_attr(w, "d", buf_str(&pen.d));
	html_void(w);
}

void svg_attr_bar(struct html_out *w, const struct mark *m)
{
	html_attr(w, "class", str_of(style_class(m->role, m->series)));
	html_attr_fmt(w, "stroke-width", "%.3g", m->y2);
	if (m->opacity > 0 && m->opacity < 1)
		html_attr_fmt(w, "stroke-opacity", "%.2g", m->opacity);
}

void svg_runs(struct html_out *w, const struct mark *m)
{
	struct pen pen = {.d = buf_new(w->out->arena)};

	for (ptrdiff_t i = 0; i < m->n_runs; i++) {
		int64_t y = llround(m->runs[i].y * 10), x1 = llround(m->runs[i].f1 * PATH_WIDTH);
		pen_move(&pen, x1, y);
		pen_line(&pen, llround(m->runs[i].f2 * PATH_WIDTH), y);
	}
	html_open(w, "path");
	svg_attr_bar(w, m);
	html_attr(w, "vector-effect", STR("non-scaling-stroke"));
	html_attr(w, "d", buf_str(&pen.d));
	html_void(w);
}

ptrdiff_t svg_lines_alike(const struct plot *p, ptrdiff_t from)
{
	const struct mark *first = &p->marks[from];
	ptrdiff_t n = 0;

	for (const struct mark *m = first; from + n < p->n && m->kind == MARK_LINE; m = &p->marks[from + n]) {
		if (m->role != first->role || m->series != first->series || m->x1.px != 0 || m->x2.px != 0)
			break;
		if (++n + from == p->n)
			break;
	}
	return n < ALIKE_MIN ? 0 : n;
}

void svg_lines(struct html_out *w, const struct mark *lines, ptrdiff_t n)
{
	struct pen pen = {.d = buf_new(w->out->arena)};

	for (ptrdiff_t i = 0; i < n; i++) {
		const struct mark *m = &lines[i];
		pen_move(&pen, llround(m->x1.f * PATH_WIDTH), llround(m->y1 * 10));
		pen_line(&pen, llround(m->x2.f * PATH_WIDTH), llround(m->y2 * 10));
	}
	html_open(w, "path");
	html_attr(w, "class", str_of(style_class(lines->role, lines->series)));
	html_attr(w, "vector-effect", STR("non-scaling-stroke"));
	html_attr(w, "d", buf_str(&pen.d));
	html_void(w);
}
