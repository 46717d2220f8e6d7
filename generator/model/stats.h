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
/* The largest |a[i] - b[i]| over the passes both have (a failed pass is NaN); NaN without such a pass. */
double stats_gap(const double *a, const double *b, ptrdiff_t n);
/* The A/A noise of DESIGN section 6: the largest |a[i] - b[i]| over the passes both have (a failed pass is NaN), as a fraction of
 * the median of a in these; NaN without such a pass or when the median is not above 0. */
double stats_noise(const double *a, const double *b, ptrdiff_t n, struct arena scratch);

/* The chance that the true median lies between the k-th smallest and the k-th largest of n values, 1 <= k <= n / 2 rounded up:
 * 1 - 2 * sum over i < k of C(n, i) / 2^n, whatever the distribution, at least that when values tie. David and Nagaraja, Order
 * Statistics, 3rd edition 2003, section 7.1. For k = 1, [min, max]: 1 - 2 * 2^-n. n at most 1,000. */
double stats_median_coverage(ptrdiff_t n, ptrdiff_t k);
struct stats_interval {
	double lo, hi;
	double coverage; /* what it really has, at least what was wanted unless it is [min, max] */
};
/* The narrowest interval [k-th smallest, k-th largest] that covers the median with probability `wanted`; [min, max] when none
 * does. NaN and coverage 0 for n == 0; a single value covers its median with probability 0. */
struct stats_interval stats_median_interval(const double *v, ptrdiff_t n, double wanted, struct arena scratch);
/* Exact two-sided p of the paired sign test: of `plus` rises and `minus` falls (pairs without a difference left out), the chance of a
 * split at least as uneven when both are equally likely. 1 without pairs. Conover, Practical Nonparametric Statistics, 3rd edition
 * 1999, section 3.4. plus + minus at most 1,000. */
double stats_sign_test(ptrdiff_t plus, ptrdiff_t minus);

/* Fewer pairs that agree happen by chance too often: the best p of 5 pairs is 1/16, of 6 it is 1/32. */
enum { STATS_PAIRS_MIN = 6 };
enum stats_verdict { STATS_MOVED, STATS_NONE_SHOWN, STATS_FEW_PAIRS, STATS_NO_NOISE };
struct stats_change {
	enum stats_verdict verdict;
	ptrdiff_t pairs, rose, fell; /* pairs: passes both have */
	double effect; /* median of after[i] - before[i]; NaN without pairs */
	struct stats_interval interval; /* of that median, with a coverage of 95 % where the pairs allow it */
	double p; /* of the sign test */
	double smallest; /* with these passes' spread a median difference beyond this is called one, in the direction of `effect` (in
			  * either when that is 0): of enough pairs, STATS_MOVED is |effect| > smallest; NaN without pairs or noise */
};
/* The rule for a difference: at least STATS_PAIRS_MIN pairs, all of which agree in sign, and a median difference beyond twice the A/A
 * noise. `noise`: the A/A gap in the unit of the values, NaN when unknown. Values of failed passes are NaN. That two sessions a side agree
 * before a difference is put down to more than the day is for the caller to see to. */
struct stats_change stats_compare(const double *before, const double *after, ptrdiff_t n, double noise, struct arena scratch);

#endif
