/* A grid of cells too many to be drawn one by one, and its picture. */
#ifndef RUNQ_CHART_RASTER_H
#define RUNQ_CHART_RASTER_H

#include "base/str.h"

struct raster {
	int nx, ny;
	const float *cells; /* nx * ny, the top row first: 0 the lightest to 1 the darkest, NaN where there is nothing */
};

/* The least intensity drawn, so that a cell of the lowest value differs from one without any. */
#define RASTER_FLOOR 0.08

/* The grey of a cell: 0 where there is nothing, else 255 times RASTER_FLOOR + (1 - RASTER_FLOOR) * intensity, where the intensity is
 * rounded to one of so many shades: as many as an eye tells apart, and few enough for a small file. */
enum { RASTER_SHADES = 33 };
int raster_grey(float intensity);

/* Bytes of a PNG of nx by ny pixels, one a cell, in the cells' greys. An SVG uses it as a mask over a series' colour, so that it
 * follows the page's theme. Empty when gd is out of memory. */
struct str chart_raster_png(struct arena *a, const struct raster *r);

#endif
