/* Marks as SVG elements, inside an <svg> the caller has opened. */
#ifndef RUNQ_CHART_SVG_H
#define RUNQ_CHART_SVG_H

#include "chart/plot.h"
#include "text/html.h"

void svg_marks(struct html_out *w, const struct plot *p, bool all_wide); /* all_wide: the width is known to have room */
void svg_raster(struct html_out *w, const struct plot *p, const struct mark *m);

#endif
