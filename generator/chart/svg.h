/* Marks as SVG elements, inside an <svg> the caller has opened. */
#ifndef RUNQ_CHART_SVG_H
#define RUNQ_CHART_SVG_H

#include "chart/plot.h"
#include "text/html.h"

void svg_marks(struct html_out *w, const struct plot *p, bool all_wide); /* all_wide: the width is known to have room */
/* Inside a system that stretches with the width, which its caller closes. */
void svg_open_stretch(struct html_out *w, double height);
void svg_path(struct html_out *w, const struct mark *m);
void svg_runs(struct html_out *w, const struct mark *m);
/* How many lines from a mark on differ in place only and depend on no px across, 0 when too few to be worth a path. */
ptrdiff_t svg_lines_alike(const struct plot *p, ptrdiff_t from);
void svg_lines(struct html_out *w, const struct mark *lines, ptrdiff_t n);
void svg_attr_bar(struct html_out *w, const struct mark *m);
void svg_raster(struct html_out *w, const struct plot *p, const struct mark *m);

#endif
