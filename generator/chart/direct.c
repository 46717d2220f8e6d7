/* Names beside their lines. A name must stand closer to its own line than to any other, at every width. */
#include <math.h>

#include "chart/frame.h"
#include "chart/label.h"

static const double widths[] = {PLOT_PAGE_PX, 480, 760, 1300};
enum { WIDTHS = sizeof widths / sizeof *widths, VERTICES_MAX = 400 };
static const double ascent_px = 10, descent_px = 3, marker_px = 6, clear_px = 9, name_px_max = 150;

struct spot {
	double f, y, wide; /* the text's right end, its baseline and width in px */
};

/* The highest and lowest px of a line between two fractions; false where it is not. */
static bool range_of(const struct direct *d, double from, double to, double *top, double *bottom)
{
	*top = (double)INFINITY;
	*bottom = -*top;
	for (ptrdiff_t i = 0; i < d->n; i++) {
		double x = d->hi[i].f;
		if (x >= from && x <= to) {
			*top = fmin(*top, d->hi[i].y);
			*bottom = fmax(*bottom, d->lo[i].y);
		}
		if (i + 1 == d->n || d->hi[i + 1].f <= x)
			continue;
		for (int end = 0; end < 2; end++) {
			double at = end ? to : from, t = (at - x) / (d->hi[i + 1].f - x);
			if (t < 0 || t > 1)
				continue;
			*top = fmin(*top, d->hi[i].y + t * (d->hi[i + 1].y - d->hi[i].y));
			*bottom = fmax(*bottom, d->lo[i].y + t * (d->lo[i + 1].y - d->lo[i].y));
		}
	}
	return *top <= *bottom;
}

/* Whether a name clears everything at one width; near its own line it may be. */
static bool is_free(const struct frame *f, const struct direct *lines, int n, int own, struct spot s, double width)
{
	double right = s.f, left = s.f - s.wide / width, top = s.y - ascent_px, bottom = s.y + descent_px, hi, lo;

	if (left * width < f->lead_px / f->p->px * width + 2 || top < f->top_px || bottom > f->top_px + f->area_px - 4)
		return false;
	for (int i = 0; i < n; i++) {
		double gap = i == own ? marker_px - 2 : marker_px + clear_px;
		if (!range_of(&lines[i], left - gap / width, right + gap / width, &hi, &lo))
			continue;
		if (hi - gap < bottom && lo + gap > top)
			return false;
	}
	return true;
}

/* Above or below the line's part that ends at fraction `at`. False when the line leaves the name behind. */
static bool beside(const struct direct *d, double at, bool above, double wide, struct spot *s)
{
	double hi, lo, end_hi, end_lo;

	if (!range_of(d, at - (wide + marker_px) / PLOT_PAGE_PX, at + marker_px / PLOT_PAGE_PX, &hi, &lo) ||
		!range_of(d, at - marker_px / PLOT_PAGE_PX, at, &end_hi, &end_lo))
		return false;
	*s = (struct spot){at, above ? hi - marker_px - descent_px : lo + marker_px + ascent_px, wide};
	return (above ? end_hi - s->y : s->y - end_lo) < 34;
}

static bool meets(const struct spot *placed, int n, struct spot s)
{
	for (int i = 0; i < n; i++)
		for (int w = 0; w < WIDTHS; w++) {
			double left = s.f * widths[w] - s.wide, other = placed[i].f * widths[w] - placed[i].wide;
			if (left < placed[i].f * widths[w] + 8 && other < s.f * widths[w] + 8 &&
				fabs(s.y - placed[i].y) < ascent_px + descent_px + 4)
				return true;
		}
	return false;
}

static bool find_spot(const struct frame *f, const struct direct *lines, int n, int own, struct spot *placed)
{
	static const double along[] = {1, 0.9, 0.8, 0.7, 0.6, 0.5};
	const struct direct *d = &lines[own];
	double wide = label_width(d->text, PLOT_FONT_PX), from = d->hi[0].f, to = d->hi[d->n - 1].f;

	for (size_t i = 0; i < sizeof along / sizeof *along; i++)
		for (int above = 1; above >= 0; above--) {
			struct spot s;
			bool ok = beside(d, from + (to - from) * along[i], above, wide, &s) && !meets(placed, own, s);
			for (int w = 0; ok && w < WIDTHS; w++)
				ok = is_free(f, lines, n, own, s, widths[w]);
			if (ok) {
				placed[own] = s;
				return true;
			}
		}
	return false;
}

bool frame_name_lines(struct frame *f, const struct direct *lines, int n)
{
	struct spot placed[CHART_SERIES_MAX];
	ptrdiff_t vertices = 0;

	if (n < 2 || f->c->panels.n > 1 || f->p->px < PLOT_PAGE_PX)
		return false;
	for (int i = 0; i < n; i++) {
		vertices += lines[i].n;
		if (!lines[i].text.len || label_width(lines[i].text, PLOT_FONT_PX) > name_px_max)
			return false;
	}
	if (vertices > VERTICES_MAX)
		return false;
	for (int i = 0; i < n; i++)
		if (!find_spot(f, lines, n, i, placed))
			return false;
	for (int i = 0; i < n; i++)
		plot_text(f->p, INK_LABEL, ANCHOR_END, (struct place){placed[i].f, 0}, placed[i].y, lines[i].text)->halo = true;
	return true;
}
