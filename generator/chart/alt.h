/* Inside alt: sentences appended to a text, each ending in a full stop and a space. The chart has rows. */
#ifndef RUNQ_CHART_ALT_H
#define RUNQ_CHART_ALT_H

#include "chart/chart.h"

void alt_value(struct buf *b, const struct chart *c, double v); /* in the chart's unit */
void alt_cut(struct buf *b, struct str s); /* a name, cut if long */

void alt_counts(struct buf *b, const struct chart *c); /* histogram, ecdf */
void alt_heatmap(struct buf *b, const struct chart *c);
void alt_timeline(struct buf *b, const struct chart *c);

#endif
