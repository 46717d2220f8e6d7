/* Where things stand on a chart that leaves the page, 720 px wide: title, subtitle, key, plot, machine. SVG and PNG share it. */
#ifndef RUNQ_CHART_SHEET_H
#define RUNQ_CHART_SHEET_H

#include "chart/label.h"
#include "chart/plot.h"
#include "chart/style.h"

enum {
	SHEET_INNER_PX = CHART_FILE_PX - 2 * CHART_FILE_MARGIN_PX,
	SHEET_TITLE_PX = 17,
	SHEET_TITLE_LINE_PX = 22,
	SHEET_LINE_PX = 18,
};

struct sheet {
	struct label title, subtitle, machine;
	double title_y, subtitle_y, machine_y; /* first baselines */
	double plot_y, height;
	struct plot plot;
	struct plot key; /* its marks are placed like the plot's, above it */
};

struct sheet sheet_new(struct arena *a, const struct chart *c);

#endif
