/* Quantiles of counted values, for the figure and its words alike. */
#ifndef RUNQ_CHART_COUNTS_H
#define RUNQ_CHART_COUNTS_H

#include "model/series.h"

/* The smallest value that at least the share q of all lies at or below: an ecdf's value or, `upper`, a bucket's upper end. Rows
 * ascend; NaN without any. */
double counts_quantile(const struct chart_row *const *sorted, ptrdiff_t n, double q, bool upper);

#endif
