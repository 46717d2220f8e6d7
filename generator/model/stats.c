#include "model/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

/* Puts the k-th smallest where sorting would, the smaller before it, the larger behind: Hoare, "Algorithm 65: Find", CACM 4 (1961),
 * with the median of three as pivot, and sorting where that chooses badly too often. */
static void place(double *v, ptrdiff_t n, ptrdiff_t k)
{
	ptrdiff_t lo = 0, hi = n - 1;

	for (int tries = 0; hi - lo > 16; tries++) {
		if (tries == 64) {
			qsort(v + lo, (size_t)(hi - lo + 1), sizeof *v, by_value);
			return;
		}
		double a = v[lo], b = v[lo + (hi - lo) / 2], c = v[hi];
		double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
		ptrdiff_t i = lo, j = hi;
		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (pivot < v[j])
				j--;
			if (i > j)
				break;
			double t = v[i];
			v[i++] = v[j];
			v[j--] = t;
		}
		if (k <= j)
			hi = j;
		else if (k >= i)
			lo = i;
		else
			return;
	}
	for (ptrdiff_t i = lo + 1; i <= hi; i++) {
		double x = v[i];
		ptrdiff_t at = i;
		for (; at > lo && x < v[at - 1]; at--)
			v[at] = v[at - 1];
		v[at] = x;
	}
}

double stats_quantile(const double *v, ptrdiff_t n, double q, struct arena scratch)
{
	if (n < 1)
		return (double)NAN;
	double *sorted = ARENA_NEW(&scratch, double, n);
	memcpy(sorted, v, (size_t)n * sizeof *v);
	double at = (double)(n - 1) * q;
	ptrdiff_t low = (ptrdiff_t)at < n - 1 ? (ptrdiff_t)at : n - 1;
	place(sorted, n, low);
	if (low >= n - 1)
		return sorted[n - 1];
	place(sorted + low + 1, n - low - 1, 0);
	return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

double stats_median(const double *v, ptrdiff_t n, struct arena scratch)
{
	return stats_quantile(v, n, 0.5, scratch);
}

double stats_mad(const double *v, ptrdiff_t n, struct arena scratch)
{
	double median = stats_median(v, n, scratch);
	double *away = ARENA_NEW(&scratch, double, n);

	for (ptrdiff_t i = 0; i < n; i++)
		away[i] = fabs(v[i] - median);
	return stats_median(away, n, scratch);
}

double stats_min(const double *v, ptrdiff_t n)
{
	double least = n > 0 ? v[0] : (double)NAN;

	for (ptrdiff_t i = 1; i < n; i++)
		least = v[i] < least ? v[i] : least;
	return least;
}

double stats_max(const double *v, ptrdiff_t n)
{
	double most = n > 0 ? v[0] : (double)NAN;

	for (ptrdiff_t i = 1; i < n; i++)
		most = v[i] > most ? v[i] : most;
	return most;
}

double stats_gap(const double *a, const double *b, ptrdiff_t n)
{
	double gap = (double)NAN;

	for (ptrdiff_t i = 0; i < n; i++)
		gap = fmax(gap, fabs(a[i] - b[i])); /* fmax leaves NaN out */
	return gap;
}

double stats_noise(const double *a, const double *b, ptrdiff_t n, struct arena scratch)
{
	double *both = ARENA_NEW(&scratch, double, n);
	ptrdiff_t pairs = 0;

	for (ptrdiff_t i = 0; i < n; i++)
		if (!isnan(a[i]) && !isnan(b[i]))
			both[pairs++] = a[i];
	double median = stats_median(both, pairs, scratch);
	return pairs && median > 0 ? stats_gap(a, b, n) / median : (double)NAN;
}

/* The chance of fewer than k heads in n tosses of a fair coin. */
static double fewer_heads(ptrdiff_t n, ptrdiff_t k)
{
	double term = ldexp(1, -(int)n), sum = 0;

	for (ptrdiff_t i = 0; i < k; i++) {
		sum += term;
		term *= (double)(n - i) / (double)(i + 1);
	}
	return sum;
}

double stats_median_coverage(ptrdiff_t n, ptrdiff_t k)
{
	return fmax(0, 1 - 2 * fewer_heads(n, k));
}

struct stats_interval stats_median_interval(const double *v, ptrdiff_t n, double wanted, struct arena scratch)
{
	ptrdiff_t k = 1;

	if (n < 1)
		return (struct stats_interval){(double)NAN, (double)NAN, 0};
	double *sorted = ARENA_NEW(&scratch, double, n);
	memcpy(sorted, v, (size_t)n * sizeof *v);
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	while (k < (n + 1) / 2 && stats_median_coverage(n, k + 1) >= wanted)
		k++;
	return (struct stats_interval){sorted[k - 1], sorted[n - k], stats_median_coverage(n, k)};
}

double stats_sign_test(ptrdiff_t plus, ptrdiff_t minus)
{
	ptrdiff_t fewer = plus < minus ? plus : minus;

	return fmin(1, 2 * fewer_heads(plus + minus, fewer + 1));
}

struct stats_change stats_compare(const double *before, const double *after, ptrdiff_t n, double noise, struct arena scratch)
{
	double *d = ARENA_NEW(&scratch, double, n);
	struct stats_change c = {.verdict = STATS_NONE_SHOWN};

	for (ptrdiff_t i = 0; i < n; i++) {
		if (isnan(before[i]) || isnan(after[i]))
			continue;
		d[c.pairs++] = after[i] - before[i];
		c.rose += after[i] > before[i];
		c.fell += after[i] < before[i];
	}
	c.effect = stats_median(d, c.pairs, scratch);
	c.interval = stats_median_interval(d, c.pairs, 0.95, scratch);
	c.p = stats_sign_test(c.rose, c.fell);
	/* All signs agree once the whole spread lies on one side of nothing. */
	double below = c.effect - stats_min(d, c.pairs), above = stats_max(d, c.pairs) - c.effect;
	double spread = c.effect > 0 ? below : c.effect < 0 ? above : fmax(below, above);
	c.smallest = isnan(noise) || !c.pairs ? (double)NAN : fmax(spread, 2 * noise);
	if (c.pairs < STATS_PAIRS_MIN)
		c.verdict = STATS_FEW_PAIRS;
	else if (isnan(noise))
		c.verdict = STATS_NO_NOISE;
	else if ((c.rose == c.pairs || c.fell == c.pairs) && fabs(c.effect) > 2 * noise)
		c.verdict = STATS_MOVED;
	return c;
}
