/* How roles look: classes in SVG, colours of the style guide in files that carry their own style. */
#ifndef RUNQ_CHART_STYLE_H
#define RUNQ_CHART_STYLE_H

#include "chart/plot.h"

#define CHART_FILE_PX 720
#define CHART_FILE_MARGIN_PX 20

struct xy {
	double x, y;
};

/* Lengths in px along a run; without `on` it is solid. */
struct dash {
	double on, off;
};
struct dash style_dash(enum role role, int series);
const char *style_class(enum role role, int series);
const char *style_text_class(enum ink ink, enum anchor anchor, bool wide); /* NULL: none */
const char *style_sheet(void); /* for standalone files: light, and dark by the reader's preference */

/* Light colours as 0xRRGGBB; no stroke or fill is -1. Runs are filled. */
struct look {
	int fill, stroke;
	double stroke_px, opacity;
};
struct look style_look(enum role role, int series);
int style_ink(enum ink ink);
enum { STYLE_PAPER = 0xfcfcfa };

/* The corners of a series' marker around 0,0, as many as returned; 0 means a circle of that radius. */
int style_marker(enum role role, int series, double radius, struct xy out[4]);

#endif
