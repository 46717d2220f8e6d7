#include "chart/svg.h"

#include <math.h>

#include "chart/chart.h"
#include "chart/style.h"

enum { NUMBER_MAX = 32, PATH_WIDTH = 10000 };

struct number {
	char text[NUMBER_MAX];
	int n;
};

/* Fixed decimals without trailing zeros: "12.5", "0". */
static void add_number(struct number *out, double v, int decimals)
{
	static const double scale[] = {1, 10, 100, 1000};
	long long fixed = llround(v * scale[decimals]), whole = llround(scale[decimals]);
	unsigned long long size = fixed < 0 ? 0ull - (unsigned long long)fixed : (unsigned long long)fixed;
	unsigned long long rest = size % (unsigned long long)whole;
	int room = NUMBER_MAX - out->n;

	while (decimals && rest % 10 == 0) {
		rest /= 10;
		decimals--;
	}
	out->n += decimals ? snprintf(out->text + out->n, (size_t)room, "%s%llu.%0*llu", fixed < 0 ? "-" : "",
				     size / (unsigned long long)whole, decimals, rest)
			   : snprintf(out->text + out->n, (size_t)room, "%s%llu", fixed < 0 ? "-" : "",
				     size / (unsigned long long)whole);
}

static struct str number_str(const struct number *n)
{
	return (struct str){n->text, n->n};
}

static void attr_px(struct html_out *w, const char *name, double v)
{
	struct number n = {.n = 0};

	add_number(&n, v, 1);
	html_attr(w, name, number_str(&n));
}

/* A place as one attribute: per cent, or px where it does not depend on the width; the px beside per cent go elsewhere. */
static void attr_place(struct html_out *w, const char *name, struct place x)
{
	struct number n = {.n = 0};

	if (x.f == 0) {
		add_number(&n, x.px, 1);
	} else {
		add_number(&n, x.f * 100, 2);
		n.text[n.n++] = '%';
	}
	html_attr(w, name, number_str(&n));
}

static void attr_shift(struct html_out *w, struct place x)
{
	struct number n = {.text = "translate(", .n = 10};

	if (x.f == 0 || x.px == 0)
		return;
	add_number(&n, x.px, 1);
	n.text[n.n++] = ')';
	html_attr(w, "transform", number_str(&n));
}

static void write_line(struct html_out *w, const struct mark *m)
{
	html_open(w, "line");
	html_attr(w, "class", str_of(style_class(m->role, m->series)));
	attr_place(w, "x1", m->x1);
	attr_px(w, "y1", m->y1);
	attr_place(w, "x2", m->x2);
	attr_px(w, "y2", m->y2);
	attr_shift(w, m->x1);
	html_void(w);
}

static void write_rect(struct html_out *w, const struct mark *m)
{
	html_open(w, "rect");
	html_attr(w, "class", str_of(style_class(m->role, m->series)));
	if (m->role == ROLE_BAND)
		html_attr(w, "fill-opacity", STR(".18"));
	attr_place(w, "x", m->x1);
	attr_px(w, "y", m->y1);
	attr_place(w, "width", (struct place){m->x2.f - m->x1.f, m->x2.px - m->x1.px});
	attr_px(w, "height", m->y2 - m->y1);
	attr_shift(w, m->x1);
	html_void(w);
}

static void write_point(struct html_out *w, const struct mark *m)
{
	struct xy corner[4];
	int n = style_marker(m->role, m->series, m->y2, corner);
	struct str cls = str_of(style_class(m->role, m->series));
	struct buf d = buf_new(w->out->arena);

	if (n == 0) {
		html_open(w, "circle");
		html_attr(w, "class", cls);
		attr_place(w, "cx", m->x1);
		attr_px(w, "cy", m->y1);
		attr_px(w, "r", m->y2);
		html_void(w);
		return;
	}
	for (int i = 0; i < n; i++) {
		struct number at = {.n = 0};
		add_number(&at, corner[i].x, 1);
		at.text[at.n++] = ' ';
		add_number(&at, corner[i].y, 1);
		buf_char(&d, i ? 'L' : 'M');
		buf_add(&d, number_str(&at));
	}
	buf_char(&d, 'z');
	html_open(w, "svg");
	attr_place(w, "x", m->x1);
	attr_px(w, "y", m->y1);
	html_attr(w, "overflow", STR("visible"));
	html_open(w, "path");
	html_attr(w, "class", cls);
	html_attr(w, "d", buf_str(&d));
	html_void(w);
	html_close(w, "svg");
}

/* Paths know no per cent. They get a coordinate system of their own that stretches with the width, in whole numbers (a ten-thousandth
 * of the width, a tenth of a px); only their geometry stretches: strokes keep their width, and there is no text inside. */
static void open_stretch(struct html_out *w, double height)
{
	html_open(w, "svg");
	html_attr(w, "width", STR("100%"));
	attr_px(w, "height", height);
	html_attr_fmt(w, "viewBox", "0 0 %d %lld", PATH_WIDTH, llround(height * 10));
	html_attr(w, "preserveAspectRatio", STR("none"));
	html_attr(w, "overflow", STR("visible"));
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

static void write_path(struct html_out *w, const struct mark *m)
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

static void attr_bar(struct html_out *w, const struct mark *m)
{
	struct number opacity = {.n = 0};

	html_attr(w, "class", str_of(style_class(m->role, m->series)));
	attr_px(w, "stroke-width", m->y2);
	add_number(&opacity, m->opacity, 2);
	if (m->opacity > 0 && m->opacity < 1)
		html_attr(w, "stroke-opacity", number_str(&opacity));
}

static void write_bar(struct html_out *w, const struct mark *m)
{
	html_open(w, "line");
	attr_bar(w, m);
	attr_place(w, "x1", m->x1);
	attr_px(w, "y1", m->y1);
	attr_place(w, "x2", m->x2);
	attr_px(w, "y2", m->y1);
	html_void(w);
}

static void write_runs(struct html_out *w, const struct mark *m)
{
	struct pen pen = {.d = buf_new(w->out->arena)};

	for (ptrdiff_t i = 0; i < m->n_runs; i++) {
		int64_t y = llround(m->runs[i].y * 10), x1 = llround(m->runs[i].f1 * PATH_WIDTH);
		pen_move(&pen, x1, y);
		pen_line(&pen, llround(m->runs[i].f2 * PATH_WIDTH), y);
	}
	html_open(w, "path");
	attr_bar(w, m);
	html_attr(w, "vector-effect", STR("non-scaling-stroke"));
	html_attr(w, "d", buf_str(&pen.d));
	html_void(w);
}

static void write_text(struct html_out *w, const struct mark *m, bool all_wide)
{
	const char *cls = style_text_class(m->ink, m->anchor, m->wide && !all_wide);

	html_open(w, "text");
	if (m->halo)
		html_attr_fmt(w, "class", "halo%s%s", cls ? " " : "", cls ? cls : "");
	else if (cls)
		html_attr(w, "class", str_of(cls));
	attr_place(w, "x", m->x1);
	attr_px(w, "y", m->y1);
	if (m->x1.f != 0 && m->x1.px != 0)
		attr_px(w, "dx", m->x1.px);
	if (m->title.len)
		html_leaf(w, "title", NULL, m->title);
	html_text(w, m->text);
	html_close(w, "text");
}

static void write_mark(struct html_out *w, const struct mark *m, bool all_wide)
{
	switch (m->kind) {
	case MARK_LINE: write_line(w, m); break;
	case MARK_RECT: write_rect(w, m); break;
	case MARK_POINT: write_point(w, m); break;
	case MARK_PATH: write_path(w, m); break;
	case MARK_RUNS:
		if (m->n_runs)
			write_runs(w, m);
		else
			write_bar(w, m);
		break;
	case MARK_RASTER: break;
	case MARK_TEXT: write_text(w, m, all_wide); break;
	case MARK_OPEN:
		html_open(w, "g");
		html_leaf(w, "title", NULL, m->text);
		break;
	case MARK_CLOSE: html_close(w, "g"); break;
	}
}

void svg_marks(struct html_out *w, const struct plot *p, bool all_wide)
{
	bool open = false; /* a stretched system, shared by neighbours that need one */

	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		bool stretch = m->kind == MARK_PATH || (m->kind == MARK_RUNS && m->n_runs);
		if (open && !stretch)
			html_close(w, "svg");
		if (stretch && !open)
			open_stretch(w, p->height);
		open = stretch;
		if (m->kind == MARK_RASTER)
			svg_raster(w, p, m);
		else
			write_mark(w, m, all_wide);
	}
	if (open)
		html_close(w, "svg");
}

static void write_key(struct html_out *w, const struct plot *p, struct arena scratch)
{
	if (!p->n_key)
		return;
	html_open(w, "ul");
	html_attr(w, "class", STR("key"));
	for (int i = 0; i < p->n_key; i++) {
		struct plot one = {.arena = &scratch, .row = -1};
		plot_swatch(&one, &p->key[i], 0, 0);
		html_open(w, "li");
		if (p->key[i].swatch != SWATCH_NONE) {
			html_open(w, "svg");
			attr_px(w, "width", plot_swatch_px(p->key[i].swatch));
			html_attr(w, "height", STR("16"));
			html_attr(w, "aria-hidden", STR("true"));
			svg_marks(w, &one, true);
			html_close(w, "svg");
		}
		html_text(w, p->key[i].text);
		html_close(w, "li");
	}
	html_close(w, "ul");
}

void chart_svg(const struct chart *c, struct html_out *w, struct arena scratch)
{
	struct plot p = plot_new(&scratch, c, PLOT_PAGE_PX);

	write_key(w, &p, scratch);
	html_open(w, "svg");
	html_attr(w, "class", STR("plot"));
	html_attr(w, "role", STR("img"));
	if (c->id.len)
		html_attr_fmt(w, "aria-labelledby", "alt-%.*s", STR_FMT(c->id));
	else
		html_attr(w, "aria-label", chart_alt(&scratch, c));
	html_attr(w, "width", STR("100%"));
	attr_px(w, "height", ceil(p.height));
	svg_marks(w, &p, false);
	html_close(w, "svg");
}

void chart_strip(struct html_out *w, const double *values, ptrdiff_t n, double lo, double hi)
{
	html_open(w, "svg");
	html_attr(w, "class", STR("strip"));
	html_attr(w, "width", STR("100%"));
	html_attr(w, "height", STR("18"));
	html_attr(w, "aria-hidden", STR("true"));
	html_open(w, "line");
	html_attr(w, "class", STR("grid"));
	attr_place(w, "x1", (struct place){0, 0});
	attr_px(w, "y1", 9);
	attr_place(w, "x2", (struct place){1, 0});
	attr_px(w, "y2", 9);
	html_void(w);
	for (ptrdiff_t i = 0; i < n; i++) {
		double t = hi > lo && isfinite(hi - lo) ? (values[i] - lo) / (hi - lo) : 0.5;
		if (!isfinite(values[i]))
			continue;
		html_open(w, "circle");
		html_attr(w, "class", STR("s1"));
		html_attr(w, "fill-opacity", STR(".6"));
		attr_place(w, "cx", (struct place){0.04 + 0.92 * fmin(fmax(t, 0), 1), 0});
		attr_px(w, "cy", 9);
		attr_px(w, "r", 4);
		html_void(w);
	}
	html_close(w, "svg");
}
