/* PNG through libgd, the only file that knows it. Shapes are drawn larger and scaled down, which smooths every edge alike; text is
 * drawn afterwards at its final size, where FreeType does better. */
#include "chart/chart.h"

#include <gd.h>
#include <math.h>
#include <unistd.h>

#include "chart/sheet.h"

static const char *const font_regular = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
static const char *const font_bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";

enum {
	DENSITY = 2, /* device pixels per px */
	SMOOTH_MAX_PX = 1600, /* taller sheets would take too much memory at the larger size */
};
static const double points_per_px = 0.75; /* gd counts in points at 96 dpi */

struct canvas {
	gdImagePtr im;
	double scale; /* pixels of `im` per px */
	double x, y; /* of the plot, in px */
	struct arena scratch;
};

static int colour(int rgb, double opacity)
{
	return gdTrueColorAlpha(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, (int)lrint((1 - opacity) * gdAlphaMax));
}

static double across(const struct canvas *k, struct place x)
{
	return (k->x + x.f * SHEET_INNER_PX + x.px) * k->scale;
}

static double down(const struct canvas *k, double y)
{
	return (k->y + y) * k->scale;
}

/* Edges in pixels; gd's rectangles include both corners. */
static void fill_rect(const struct canvas *k, double x1, double y1, double x2, double y2, int c)
{
	int left = (int)lrint(x1), top = (int)lrint(y1), right = (int)lrint(x2) - 1, bottom = (int)lrint(y2) - 1;

	gdImageFilledRectangle(k->im, left, top, right < left ? left : right, bottom < top ? top : bottom, c);
}

static void fill_polygon(const struct canvas *k, const struct xy *p, int n, int c)
{
	struct arena scratch = k->scratch;
	gdPoint *q = ARENA_NEW(&scratch, gdPoint, n);

	for (int i = 0; i < n; i++)
		q[i] = (gdPoint){(int)lrint(p[i].x), (int)lrint(p[i].y)};
	gdImageFilledPolygon(k->im, q, n, c);
}

static void draw_line(const struct canvas *k, const struct mark *m, const struct look *look)
{
	double half = look->stroke_px * k->scale / 2, x1 = across(k, m->x1), x2 = across(k, m->x2);
	double y1 = down(k, m->y1), y2 = down(k, m->y2);

	if (x1 == x2)
		fill_rect(k, x1 - half, fmin(y1, y2), x1 + half, fmax(y1, y2), colour(look->stroke, 1));
	else
		fill_rect(k, fmin(x1, x2), y1 - half, fmax(x1, x2), y1 + half, colour(look->stroke, 1));
}

static void draw_rect(const struct canvas *k, const struct mark *m, const struct look *look)
{
	double x1 = across(k, m->x1), x2 = across(k, m->x2), y1 = down(k, m->y1), y2 = down(k, m->y2);
	double half = look->stroke_px * k->scale / 2;

	if (look->stroke >= 0)
		fill_rect(k, x1 - half, y1 - half, x2 + half, y2 + half, colour(look->stroke, 1));
	fill_rect(k, x1 + half, y1 + half, x2 - half, y2 - half, colour(look->fill, look->opacity));
}

static void draw_shape(const struct canvas *k, const struct mark *m, double grow_px, int c)
{
	struct xy corner[4];
	double x = across(k, m->x1), y = down(k, m->y1), r = m->y2 + grow_px;
	int n = style_marker(m->role, m->series, m->y2, corner);

	if (n == 0) {
		int d = (int)lrint(2 * r * k->scale);
		gdImageFilledEllipse(k->im, (int)lrint(x), (int)lrint(y), d, d, c);
		return;
	}
	for (int i = 0; i < n; i++) {
		corner[i].x = x + corner[i].x * k->scale * r / m->y2;
		corner[i].y = y + corner[i].y * k->scale * r / m->y2;
	}
	fill_polygon(k, corner, n, c);
}

static void draw_point(const struct canvas *k, const struct mark *m, const struct look *look)
{
	draw_shape(k, m, look->stroke_px / 2, colour(look->stroke, 1));
	draw_shape(k, m, -look->stroke_px / 2, colour(look->fill, 1));
}

/* A segment is a rectangle along it, and a disc at each joint rounds the bend. */
static void draw_stroke(const struct canvas *k, const struct xy *p, ptrdiff_t n, double width, int c)
{
	for (ptrdiff_t i = 0; i < n; i++) {
		int d = (int)lrint(width);
		gdImageFilledEllipse(k->im, (int)lrint(p[i].x), (int)lrint(p[i].y), d, d, c);
		if (!i)
			continue;
		double dx = p[i].x - p[i - 1].x, dy = p[i].y - p[i - 1].y, len = hypot(dx, dy);
		if (len < 0.5)
			continue;
		double ox = -dy / len * width / 2, oy = dx / len * width / 2;
		struct xy side[4] = {{p[i - 1].x + ox, p[i - 1].y + oy}, {p[i].x + ox, p[i].y + oy},
			{p[i].x - ox, p[i].y - oy}, {p[i - 1].x - ox, p[i - 1].y - oy}};
		fill_polygon(k, side, 4, c);
	}
}

static void draw_path(struct canvas k, const struct mark *m, const struct look *look)
{
	struct xy *p = ARENA_NEW(&k.scratch, struct xy, m->n_points);

	for (ptrdiff_t i = 0; i < m->n_points; i++)
		p[i] = (struct xy){across(&k, (struct place){m->points[i].f, 0}), down(&k, m->points[i].y)};
	if (m->role == ROLE_BAND)
		fill_polygon(&k, p, (int)m->n_points, colour(look->fill, look->opacity));
	else
		draw_stroke(&k, p, m->n_points, look->stroke_px * k.scale, colour(look->stroke, 1));
}

static void draw_shapes(const struct canvas *k, const struct plot *p)
{
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		struct look look = style_look(m->role, m->series);
		switch (m->kind) {
		case MARK_LINE: draw_line(k, m, &look); break;
		case MARK_RECT: draw_rect(k, m, &look); break;
		case MARK_POINT: draw_point(k, m, &look); break;
		case MARK_PATH: draw_path(*k, m, &look); break;
		case MARK_RUNS:
		case MARK_RASTER:
		case MARK_TEXT:
		case MARK_OPEN:
		case MARK_CLOSE: break;
		}
	}
}

/* gd reads entities in text, so an ampersand must be one; it knows no code points beyond U+FFFF, which become boxes; broken bytes
 * become question marks. */
static const char *gd_text(struct arena *a, struct str s)
{
	struct buf b = buf_new(a);

	while (s.len) {
		const char *from = s.ptr;
		uint32_t c = series_next_char(&s);
		if (c == '&')
			buf_add(&b, STR("&amp;"));
		else if (c == 0xfffd || c < 0x20)
			buf_char(&b, '?');
		else if (c > 0xffff)
			buf_add(&b, STR("\xe2\x96\xa1"));
		else
			buf_add(&b, (struct str){from, s.ptr - from});
	}
	return str_z(a, buf_str(&b));
}

/* px: where the baseline begins, ends or has its middle. False when the font cannot be used. */
static bool draw_text(
	struct canvas k, struct str text, double px, double x, double y, enum anchor anchor, int rgb, bool bold)
{
	const char *z = gd_text(&k.scratch, text);
	char *font = (char *)(uintptr_t)(bold && access(font_bold, R_OK) == 0 ? font_bold : font_regular);
	double points = px * points_per_px * k.scale;
	int box[8] = {0};

	if (anchor != ANCHOR_START && gdImageStringFT(NULL, box, 0, font, points, 0, 0, 0, (char *)(uintptr_t)z))
		return false;
	int wide = box[2] - box[0];
	int left = (int)lrint(x * k.scale) - (anchor == ANCHOR_END ? wide : anchor == ANCHOR_MIDDLE ? wide / 2 : 0);
	return !gdImageStringFT(
		k.im, box, colour(rgb, 1), font, points, 0, left, (int)lrint(y * k.scale), (char *)(uintptr_t)z);
}

static bool draw_texts(const struct canvas *k, const struct plot *p)
{
	bool ok = true;

	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		if (m->kind != MARK_TEXT || !m->text.len)
			continue;
		double px = m->ink == INK_AXIS ? AXIS_FONT_PX10 / 10.0 : PLOT_FONT_PX;
		ok = draw_text(*k, m->text, px, across(k, m->x1) / k->scale, k->y + m->y1, m->anchor, style_ink(m->ink),
			     m->ink == INK_BOLD) &&
		     ok;
	}
	return ok;
}

static bool draw_block(
	const struct canvas *k, const struct label *l, double px, double y, double leading, int rgb, bool bold)
{
	bool ok = true;

	for (int i = 0; i < l->n; i++)
		ok = draw_text(*k, l->line[i], px, CHART_FILE_MARGIN_PX, y + i * leading, ANCHOR_START, rgb, bold) &&
		     ok;
	return ok;
}

/* Each pixel is the mean of four; much faster than gd's general resampling. */
static void halve(gdImagePtr small, gdImagePtr big)
{
	for (ptrdiff_t y = 0; y < gdImageSY(small); y++) {
		const int *above = big->tpixels[2 * y], *below = big->tpixels[2 * y + 1];
		for (ptrdiff_t x = 0; x < gdImageSX(small); x++) {
			int p[] = {above[2 * x], above[2 * x + 1], below[2 * x], below[2 * x + 1]};
			int r = 2, g = 2, b = 2;
			for (int i = 0; i < 4; i++) {
				r += gdTrueColorGetRed(p[i]);
				g += gdTrueColorGetGreen(p[i]);
				b += gdTrueColorGetBlue(p[i]);
			}
			small->tpixels[y][x] = gdTrueColor(r / 4, g / 4, b / 4);
		}
	}
}

/* NULL when gd is out of memory. */
static gdImagePtr draw_sheet(const struct sheet *s, struct arena scratch, bool *text_ok)
{
	int smooth = s->height > SMOOTH_MAX_PX ? 1 : 2;
	int width = CHART_FILE_PX * DENSITY, height = (int)ceil(s->height) * DENSITY;
	struct canvas k = {gdImageCreateTrueColor(width * smooth, height * smooth), DENSITY * smooth,
		CHART_FILE_MARGIN_PX, s->plot_y, scratch};

	if (!k.im)
		return NULL;
	for (int py = 0; py < height * smooth; py++)
		for (int px = 0; px < width * smooth; px++)
			k.im->tpixels[py][px] = STYLE_PAPER;
	draw_shapes(&k, &s->plot);
	draw_shapes(&k, &s->key);
	if (smooth > 1) {
		gdImagePtr small = gdImageCreateTrueColor(width, height);
		if (small)
			halve(small, k.im);
		gdImageDestroy(k.im);
		if (!small)
			return NULL;
		k.im = small;
		k.scale = DENSITY;
	}
	*text_ok =
		draw_block(&k, &s->title, SHEET_TITLE_PX, s->title_y, SHEET_TITLE_LINE_PX, style_ink(INK_BOLD), true);
	*text_ok =
		draw_block(&k, &s->subtitle, PLOT_FONT_PX, s->subtitle_y, SHEET_LINE_PX, style_ink(INK_QUIET), false) &&
		*text_ok;
	*text_ok = draw_block(&k, &s->machine, AXIS_FONT_PX10 / 10.0, s->machine_y, SHEET_LINE_PX, style_ink(INK_AXIS),
			   false) &&
		   *text_ok;
	*text_ok = draw_texts(&k, &s->plot) && *text_ok;
	*text_ok = draw_texts(&k, &s->key) && *text_ok;
	return k.im;
}

struct str chart_png(struct arena *a, const struct chart *c, struct diag *d)
{
	bool text_ok = false;
	int len = 0;

	if (access(font_regular, R_OK) != 0) {
		diag_warn(d, (struct pos){0}, "no PNG charts: %s cannot be read; install the package fonts-dejavu-core",
			font_regular);
		return (struct str){0};
	}
	struct sheet s = sheet_new(a, c);
	gdImagePtr im = draw_sheet(&s, *a, &text_ok);
	void *bytes = im && text_ok ? gdImagePngPtrEx(im, &len, 6) : NULL;
	struct str png = bytes ? str_copy(a, (struct str){bytes, len}) : (struct str){0};
	if (!bytes)
		diag_warn(d, (struct pos){0},
			"no PNG for chart %.*s: libgd could not draw it; free some memory, or reinstall "
			"fonts-dejavu-core",
			STR_FMT(c->id));
	gdFree(bytes);
	if (im)
		gdImageDestroy(im);
	return png;
}

bool chart_png_begin(void)
{
	return gdFontCacheSetup() == 0;
}

void chart_png_end(void)
{
	gdFontCacheShutdown();
}
