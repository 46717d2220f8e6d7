#include "chart/svg.h"

#include <math.h>

#include "chart/chart.h"
#include "chart/style.h"

enum { NUMBER_MAX = 64 };

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

/* Of a coordinate: 0 is what SVG takes it for when it is not there. */
static void attr_y(struct html_out *w, const char *name, double v)
{
	if (fabs(v) >= 0.05)
		attr_px(w, name, v);
}

/* A place as one attribute: per cent, or px where it does not depend on the width; the px beside per cent go elsewhere. */
static void attr_place(struct html_out *w, const char *name, struct place x)
{
	struct number n = {.n = 0};

	if (x.f == 0 && fabs(x.px) < 0.05)
		return;
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
	attr_y(w, "y1", m->y1);
	attr_place(w, "x2", m->x2);
	attr_y(w, "y2", m->y2);
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
	attr_y(w, "y", m->y1);
	attr_place(w, "width", (struct place){m->x2.f - m->x1.f, m->x2.px - m->x1.px});
	attr_px(w, "height", m->y2 - m->y1);
	attr_shift(w, m->x1);
	html_void(w);
}

/* A marker with its tooltip, if it has one of its own; without a class where a group around has it. */
static void write_point(struct html_out *w, const struct mark *m, const char *cls, struct str title)
{
	struct xy corner[4];
	int n = style_marker(m->role, m->series, m->y2, corner);

	html_open(w, n ? "svg" : "circle");
	if (n == 0 && cls)
		html_attr(w, "class", str_of(cls));
	attr_place(w, n ? "x" : "cx", m->x1);
	attr_y(w, n ? "y" : "cy", m->y1);
	if (n == 0)
		attr_px(w, "r", m->y2);
	if (title.len)
		html_leaf(w, "title", NULL, title);
	if (n == 0) {
		if (title.len)
			html_close(w, "circle");
		else
			html_void(w);
		return;
	}
	struct number d = {.text = "M", .n = 1};
	for (int i = 0; i < n; i++) {
		if (i == 1)
			d.text[d.n++] = 'L';
		if (i > 1 && corner[i].x > -0.05)
			d.text[d.n++] = ' ';
		add_number(&d, corner[i].x, 1);
		if (corner[i].y > -0.05)
			d.text[d.n++] = ' ';
		add_number(&d, corner[i].y, 1);
	}
	d.text[d.n++] = 'z';
	html_open(w, "path");
	if (cls)
		html_attr(w, "class", str_of(cls));
	html_attr(w, "d", number_str(&d));
	html_void(w);
	html_close(w, "svg");
}

static void write_bar(struct html_out *w, const struct mark *m)
{
	html_open(w, "line");
	svg_attr_bar(w, m);
	attr_place(w, "x1", m->x1);
	attr_y(w, "y1", m->y1);
	attr_place(w, "x2", m->x2);
	attr_y(w, "y2", m->y1);
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
	attr_y(w, "y", m->y1);
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
	case MARK_POINT: write_point(w, m, style_class(m->role, m->series), (struct str){0}); break;
	case MARK_PATH: svg_path(w, m); break;
	case MARK_RUNS:
		if (m->n_runs)
			svg_runs(w, m);
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

/* How many marks from one on are markers of one look, each in a group of its own with its tooltip; 0 when they are few. */
static ptrdiff_t markers_alike(const struct plot *p, ptrdiff_t from)
{
	const struct mark *m = &p->marks[from];
	ptrdiff_t n = 0;

	while (from + n + 2 < p->n && m[n].kind == MARK_OPEN && m[n + 1].kind == MARK_POINT && m[n + 2].kind == MARK_CLOSE &&
		m[n + 1].role == m[1].role && m[n + 1].series == m[1].series)
		n += 3;
	return n > 6 ? n : 0;
}

static void write_markers(struct html_out *w, const struct mark *m, ptrdiff_t n)
{
	html_open(w, "g");
	html_attr(w, "class", str_of(style_class(m[1].role, m[1].series)));
	for (ptrdiff_t i = 0; i < n; i += 3)
		write_point(w, &m[i + 1], NULL, m[i].text);
	html_close(w, "g");
}

/* How many texts from one on end at one line down the plot, and look alike; 0 when they are few. */
static ptrdiff_t texts_alike(const struct plot *p, ptrdiff_t from)
{
	const struct mark *m = &p->marks[from];
	ptrdiff_t n = 0;

	while (from + n < p->n && m[n].kind == MARK_TEXT && m[n].anchor == ANCHOR_END && m[n].ink == m->ink && m[n].wide == m->wide &&
		m[n].x1.f == 1 && m[n].x1.px == m->x1.px && !m[n].halo && !m[n].title.len)
		n++;
	return n > 2 ? n : 0;
}

static void write_column(struct html_out *w, const struct mark *m, ptrdiff_t n, bool all_wide)
{
	html_open(w, "svg");
	html_attr(w, "x", STR("100%"));
	html_open(w, "g");
	html_attr(w, "class", str_of(style_text_class(m->ink, m->anchor, m->wide && !all_wide)));
	attr_shift(w, m->x1);
	for (ptrdiff_t i = 0; i < n; i++) {
		html_open(w, "text");
		attr_y(w, "y", m[i].y1);
		html_text(w, m[i].text);
		html_close(w, "text");
	}
	html_close(w, "g");
	html_close(w, "svg");
}

void svg_marks(struct html_out *w, const struct plot *p, bool all_wide)
{
	bool open = false; /* a stretched system, shared by neighbours that need one */
	ptrdiff_t n;

	for (ptrdiff_t i = 0; i < p->n; i += n) {
		const struct mark *m = &p->marks[i];
		ptrdiff_t lines = svg_lines_alike(p, i), markers = markers_alike(p, i), texts = texts_alike(p, i);
		n = lines + markers + texts;
		n = n ? n : 1;
		bool stretch = m->kind == MARK_PATH || (m->kind == MARK_RUNS && m->n_runs) || lines;
		if (open && !stretch)
			html_close(w, "svg");
		if (stretch && !open)
			svg_open_stretch(w, p->height);
		open = stretch;
		if (lines)
			svg_lines(w, m, lines);
		else if (markers)
			write_markers(w, m, markers);
		else if (texts)
			write_column(w, m, texts, all_wide);
		else if (m->kind == MARK_RASTER)
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
	attr_y(w, "y1", 9);
	attr_place(w, "x2", (struct place){1, 0});
	attr_y(w, "y2", 9);
	html_void(w);
	for (ptrdiff_t i = 0; i < n; i++) {
		double t = hi > lo && isfinite(hi - lo) ? (values[i] - lo) / (hi - lo) : 0.5;
		if (!isfinite(values[i]))
			continue;
		html_open(w, "circle");
		html_attr(w, "class", STR("s1"));
		html_attr(w, "fill-opacity", STR(".6"));
		attr_place(w, "cx", (struct place){0.04 + 0.92 * fmin(fmax(t, 0), 1), 0});
		attr_y(w, "cy", 9);
		attr_px(w, "r", 4);
		html_void(w);
	}
	html_close(w, "svg");
}
