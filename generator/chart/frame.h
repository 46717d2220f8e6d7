/* What charts with two axes share: panels one above the other with the same axes, grid lines with the labels of y in a narrow lead
 * at the left, the labels of x below the last panel. */
#ifndef RUNQ_CHART_FRAME_H
#define RUNQ_CHART_FRAME_H

#include "chart/plot.h"

struct frame {
	struct plot *p;
	const struct chart *c;
	struct axis x, y;
	double top_px, area_px; /* of the panel's area */
	double lead_px; /* what the labels of y take */
	double head_px; /* from where a panel's name has room beside the top label */
	double most; /* the highest value drawn */
	int panel;
	ptrdiff_t first, end; /* rows of the panel */
	const struct chart_row **rows[CHART_SERIES_MAX]; /* its rows by series, in the order of x (of the value in an ecdf) */
	ptrdiff_t n[CHART_SERIES_MAX];
};

struct frame frame_new(struct plot *p, const struct chart *c);
/* Sets the axes; px, from and to of the specs are filled in. `most` as in the frame. */
void frame_set_y(struct frame *f, struct axis_spec *spec, double most);
void frame_set_x(struct frame *f, struct axis_spec *spec);
/* The next panel: its name, grid lines and rows. False after the last. */
bool frame_next(struct frame *f);
/* The axis below; sets the plot's height. */
void frame_finish(struct frame *f);

double frame_x(const struct frame *f, double v); /* fraction */
double frame_y(const struct frame *f, double v); /* px */

/* A line's name beside it instead of in a key. */
struct direct {
	struct str text;
	int series;
	const struct point *hi, *lo; /* what is drawn of it, from left to right: its upper and lower edge, the same without a band */
	ptrdiff_t n;
};
/* Places all names or, when one finds no room at some width, none: false. */
bool frame_name_lines(struct frame *f, const struct direct *lines, int n);

#endif
