/* A heatmap's picture inside an SVG: a grey PNG that masks a rectangle of the series' colour, so that it follows theme, print and
 * forced colours. Without a picture the cells are bars. */
#include <math.h>

#include "chart/style.h"
#include "chart/svg.h"

enum { SHADES = 16, WIDTH = 10000 };

static struct str base64(struct arena *a, struct str bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *out = ARENA_NEW(a, char, (bytes.len + 2) / 3 * 4), *at = out;

	for (ptrdiff_t i = 0; i < bytes.len; i += 3) {
		ptrdiff_t n = bytes.len - i < 3 ? bytes.len - i : 3;
		uint32_t v = 0;
		for (ptrdiff_t k = 0; k < 3; k++)
			v = v << 8 | (k < n ? (unsigned char)bytes.ptr[i + k] : 0);
		for (ptrdiff_t k = 0; k < 4; k++)
			*at++ = k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
	}
	return (struct str){out, at - out};
}

static void attr_box(struct html_out *w, const struct mark *m)
{
	html_attr_fmt(w, "x", "%.2f%%", 100 * m->x1.f);
	html_attr_fmt(w, "y", "%.1f", m->y1);
	html_attr_fmt(w, "width", "%.2f%%", 100 * (m->x2.f - m->x1.f));
	html_attr_fmt(w, "height", "%.1f", m->y2 - m->y1);
}

/* Neighbours of one shade are one bar. */
static void add_bars(struct plot *bars, const struct mark *m, int shade)
{
	const struct raster *r = m->raster;
	struct run_px *runs = ARENA_NEW(bars->arena, struct run_px, (ptrdiff_t)r->nx * r->ny);
	double cell = (m->y2 - m->y1) / r->ny, wide = (m->x2.f - m->x1.f) / r->nx;
	ptrdiff_t n = 0;
	bool joins = false;

	for (ptrdiff_t i = 0; i < (ptrdiff_t)r->nx * r->ny; i++) {
		ptrdiff_t x = i % r->nx, y = i / r->nx;
		float v = r->cells[i];
		bool ours = !isnan(v) && (int)fmin(v * SHADES, SHADES - 1) == shade;
		if (ours && joins && x)
			runs[n - 1].f2 = m->x1.f + wide * (double)(x + 1);
		else if (ours)
			runs[n++] = (struct run_px){m->x1.f + wide * (double)x, m->x1.f + wide * (double)(x + 1),
				m->y1 + cell * ((double)y + 0.5)};
		joins = ours;
	}
	if (!n)
		return;
	plot_runs(bars, ROLE_CELL, 0, cell, runs, n);
	bars->marks[bars->n - 1].opacity = RASTER_FLOOR + (1 - RASTER_FLOOR) * (shade + 0.5) / SHADES;
}

void svg_raster(struct html_out *w, const struct plot *p, const struct mark *m)
{
	struct str png = chart_raster_png(p->arena, m->raster);

	if (!png.len) {
		struct plot bars = {.arena = p->arena, .row = -1, .height = p->height};
		for (int shade = 0; shade < SHADES; shade++)
			add_bars(&bars, m, shade);
		svg_marks(w, &bars, true);
		return;
	}
	struct str id = str_printf(p->arena, "cells-%.*s-%.0f", STR_FMT(p->id), m->y1);
	html_open(w, "mask");
	html_attr(w, "id", id);
	html_open(w, "image");
	attr_box(w, m);
	html_attr(w, "preserveAspectRatio", STR("none"));
	html_attr(w, "image-rendering", STR("pixelated"));
	html_attr_fmt(w, "href", "data:image/png;base64,%.*s", STR_FMT(base64(p->arena, png)));
	html_void(w);
	html_close(w, "mask");
	html_open(w, "rect");
	html_attr(w, "class", str_of(style_class(ROLE_FILL, 0)));
	attr_box(w, m);
	html_attr_fmt(w, "mask", "url(#%.*s)", STR_FMT(id));
	html_void(w);
}
