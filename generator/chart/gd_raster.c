/* Dense heatmaps as pictures, through libgd. */
#include "chart/raster.h"

struct str chart_raster_png(struct arena *a, const struct raster *r)
{
	(void)a;
	(void)r;
	return (struct str){0};
}
