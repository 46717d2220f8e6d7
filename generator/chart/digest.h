/* What a chart's picture depends on, as a digest: same digest, same bytes. */
#ifndef RUNQ_CHART_DIGEST_H
#define RUNQ_CHART_DIGEST_H

#include "base/sha256.h"
#include "model/series.h"

/* Adds all of the chart that is drawn. */
void chart_digest(struct sha256 *h, const struct chart *c);
/* Adds what draws it: this program's drawing code, gd, the fonts. */
void chart_digest_tools(struct sha256 *h);

#endif
