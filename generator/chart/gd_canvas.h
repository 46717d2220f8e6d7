/* Inside gd*.c: a picture being drawn. Shapes are drawn twice as large and scaled down, which smooths every edge alike; text is drawn
 * afterwards at its final size, where FreeType does better. The picture is the caller's to destroy. */
#ifndef RUNQ_CHART_GD_CANVAS_H
#define RUNQ_CHART_GD_CANVAS_H

#include <gd.h>

#include "base/diag.h"
#include "chart/label.h"
#include "chart/plot.h"
#include "chart/style.h"

struct canvas {
	gdImagePtr im;
	double scale; /* pixels of `im` per px */
	double x, y, wide; /* of the plot, in px */
	struct arena scratch;
};

/* Paper of so many pixels; NULL when gd is out of memory. */
gdImagePtr canvas_paper(int wide, int high);
/* Each pixel the mean of four of `big`, which is destroyed; NULL when gd is out of memory. */
gdImagePtr canvas_halve(gdImagePtr big);
void canvas_shapes(const struct canvas *k, const struct plot *p);

struct gd_font {
	double px;
	int rgb;
	bool bold;
};
/* x, y in px: where the baseline begins, ends or has its middle. False when the font cannot be used. */
bool canvas_text(struct canvas k, struct str text, struct gd_font font, double x, double y, enum anchor anchor);
bool canvas_texts(const struct canvas *k, const struct plot *p);
/* Lines from x, y downwards. */
bool canvas_lines(const struct canvas *k, const struct label *l, struct gd_font font, double x, double y, double leading);

const char *canvas_font(bool bold); /* its file */
/* Whether there is a font to draw with; if not, which package brings it is a warning. */
bool canvas_has_font(struct diag *d);
/* The picture as PNG bytes, and destroys it (NULL is fine). Empty, with a warning about chart `id`, unless `ok`. */
struct str canvas_png(struct arena *a, gdImagePtr im, bool ok, struct str id, struct diag *d);

#endif
