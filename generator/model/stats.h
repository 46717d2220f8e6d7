/* Statistics of small samples. Inputs are not changed and, but for stats_noise, hold no NaN; scratch is used for sorting. */
#ifndef RUNQ_MODEL_STATS_H
#define RUNQ_MODEL_STATS_H

#include "base/arena.h"

/* NaN for n == 0. Quantile q in [0, 1] by linear interpolation between order statistics (Hyndman and Fan 1996, type 7). */
double stats_quantile(const double *v, ptrdiff_t n, double q, struct arena scratch);
double stats_median(const double *v, ptrdiff_t n, struct arena scratch);
double stats_mad(const double *v, ptrdiff_t n, struct arena scratch);	/* median absolute deviation, unscaled */
double stats_min(const double *v, ptrdiff_t n);
double stats_max(const double *v, ptrdiff_t n);
/* The A/A noise of DESIGN section 6: the largest |a[i] - b[i]| over the passes both have (a failed pass is NaN), as a fraction of
 * the median of a in these; NaN without such a pass or when the median is not above 0. */
double stats_noise(const double *a, const double *b, ptrdiff_t n, struct arena scratch);

#endif
