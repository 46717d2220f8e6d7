/* Marks as pixels. */
#include "chart/gd_canvas.h"

#include <math.h>

gdImagePtr canvas_paper(int wide, int high)
{
	gdImagePtr im = gdImageCreateTrueColor(wide, high);

	for (int y = 0; im && y < high; y++)
		for (int x = 0; x < wide; x++)
			im->tpixels[y][x] = STYLE_PAPER;
	return im;
}

/* Much faster than gd's general resampling. */
gdImagePtr canvas_halve(gdImagePtr big)
{
	gdImagePtr small = gdImageCreateTrueColor(gdImageSX(big) / 2, gdImageSY(big) / 2);

	for (ptrdiff_t y = 0; small && y < gdImageSY(small); y++) {
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
	gdImageDestroy(big);
	return small;
}

static int colour(int rgb, double opacity)
{
	return gdTrueColorAlpha(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, (int)lrint((1 - opacity) * gdAlphaMax));
}

static double across(const struct canvas *k, struct place x)
{
	return (k->x + x.f * k->wide + x.px) * k->scale;
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
	draw_shape(k, m, look->stroke_px / 2, colour(look->stroke < 0 ? look->fill : look->stroke, 1));
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
	if (m->role == ROLE_BAND || m->role == ROLE_FILL)
		fill_polygon(&k, p, (int)m->n_points, colour(look->fill, look->opacity));
	else
		draw_stroke(&k, p, m->n_points, look->stroke_px * k.scale, colour(look->stroke, 1));
}

/* One run in pixels; without length it is a dot, round for every other series. */
static void draw_run(const struct canvas *k, const struct mark *m, double x1, double x2, double y, int c)
{
	double half = m->y2 * k->scale / 2;
	struct dash dash = style_dash(m->role, m->series);
	double step = (dash.on + dash.off) * k->scale;

	if (x1 == x2 && m->series % 2 == 0) {
		gdImageFilledEllipse(k->im, (int)lrint(x1), (int)lrint(y), (int)lrint(2 * half), (int)lrint(2 * half), c);
		return;
	}
	if (x1 == x2) {
		x1 -= half;
		x2 += half;
	}
	if (!(dash.on > 0)) {
		fill_rect(k, x1, y - half, x2, y + half, c);
		return;
	}
	for (int i = 0; x1 + i * step < x2; i++)
		fill_rect(k, x1 + i * step, y - half, fmin(x1 + i * step + dash.on * k->scale, x2), y + half, c);
}

static void draw_runs(const struct canvas *k, const struct mark *m, const struct look *look)
{
	int c = colour(look->fill, m->opacity > 0 ? m->opacity : look->opacity);

	if (!m->n_runs)
		draw_run(k, m, across(k, m->x1), across(k, m->x2), down(k, m->y1), c);
	for (ptrdiff_t i = 0; i < m->n_runs; i++) {
		const struct run_px *r = &m->runs[i];
		draw_run(k, m, across(k, (struct place){r->f1, 0}), across(k, (struct place){r->f2, 0}), down(k, r->y), c);
	}
}

static int mix(int paper, int ink, double share)
{
	int out = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		int p = paper >> shift & 255, i = ink >> shift & 255;
		out |= (int)lrint(p + (i - p) * share) << shift;
	}
	return out;
}

/* Every pixel takes the shade of the cell it lies in. */
static void draw_raster(const struct canvas *k, const struct mark *m, const struct look *look)
{
	double x1 = across(k, m->x1), x2 = across(k, m->x2), y1 = down(k, m->y1), y2 = down(k, m->y2);
	int left = (int)lrint(fmax(x1, 0)), right = (int)lrint(fmin(x2, gdImageSX(k->im)));
	int top = (int)lrint(fmax(y1, 0)), bottom = (int)lrint(fmin(y2, gdImageSY(k->im)));

	for (int y = top; y < bottom; y++)
		for (int x = left; x < right; x++) {
			int cx = (int)((x + 0.5 - x1) / (x2 - x1) * m->raster->nx);
			int cy = (int)((y + 0.5 - y1) / (y2 - y1) * m->raster->ny);
			cx = cx < 0 ? 0 : cx < m->raster->nx ? cx : m->raster->nx - 1;
			cy = cy < 0 ? 0 : cy < m->raster->ny ? cy : m->raster->ny - 1;
			int grey = raster_grey(m->raster->cells[(ptrdiff_t)cy * m->raster->nx + cx]);
			if (grey)
				k->im->tpixels[y][x] = mix(STYLE_PAPER, look->fill, grey / 255.0);
		}
}

void canvas_shapes(const struct canvas *k, const struct plot *p)
{
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		struct look look = style_look(m->role, m->series);
		switch (m->kind) {
		case MARK_LINE: draw_line(k, m, &look); break;
		case MARK_RECT: draw_rect(k, m, &look); break;
		case MARK_POINT: draw_point(k, m, &look); break;
		case MARK_PATH: draw_path(*k, m, &look); break;
		case MARK_RUNS: draw_runs(k, m, &look); break;
		case MARK_RASTER: draw_raster(k, m, &look); break;
		case MARK_TEXT:
		case MARK_OPEN:
		case MARK_CLOSE: break;
		}
	}
}
