/* Dense heatmaps as pictures, through libgd: a palette, so that a cell is a byte before compression. */
#include "chart/raster.h"

#include <gd.h>
#include <math.h>

int raster_grey(float intensity)
{
	double v = fmin(fmax((double)intensity, 0), 1);

	if (isnan(intensity))
		return 0;
	v = rint(v * (RASTER_SHADES - 1)) / (RASTER_SHADES - 1);
	return (int)lrint(255 * (RASTER_FLOOR + (1 - RASTER_FLOOR) * v));
}

struct str chart_raster_png(struct arena *a, const struct raster *r)
{
	gdImagePtr im = gdImageCreate(r->nx, r->ny);
	int index[256], len = 0;

	if (!im)
		return (struct str){0};
	for (int i = 0; i < 256; i++)
		index[i] = -1;
	for (int y = 0; y < r->ny; y++)
		for (int x = 0; x < r->nx; x++) {
			int grey = raster_grey(r->cells[(ptrdiff_t)y * r->nx + x]);
			if (index[grey] < 0)
				index[grey] = gdImageColorAllocate(im, grey, grey, grey);
			im->pixels[y][x] = (unsigned char)index[grey];
		}
	void *bytes = gdImagePngPtrEx(im, &len, 9);
	struct str png = bytes ? str_copy(a, (struct str){bytes, len}) : (struct str){0};
	gdFree(bytes);
	gdImageDestroy(im);
	return png;
}
