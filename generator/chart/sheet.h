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

enum {
	CARD_WIDE_PX = 1200,
	CARD_HIGH_PX = 630,
	CARD_MARGIN_PX = 48,
	CARD_TITLE_PX = 38,
	CARD_TITLE_LINE_PX = 46,
	CARD_TEXT_PX = 23,
	CARD_TEXT_LINE_PX = 31,
	CARD_FOOT_PX = 20,
};

/* A picture for links to the chart. All in the card's px but the plot and the key, which are drawn `scale` times as large. */
struct card {
	struct label title, numbers, machine, site;
	double title_y, numbers_y, foot_y; /* first baselines */
	double plot_y; /* top of the plot */
	double scale;
	ptrdiff_t rows; /* drawn: less than the chart's if it is too tall */
	struct plot plot, key;
};

struct card card_new(struct arena *a, const struct chart *c, struct str site);

#endif
