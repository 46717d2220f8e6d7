#include "model/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

double stats_quantile(const double *v, ptrdiff_t n, double q, struct arena scratch)
{
	if (n < 1)
		return (double)NAN;
	double *sorted = ARENA_NEW(&scratch, double, n);
	memcpy(sorted, v, (size_t)n * sizeof *v);
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	double at = (double)(n - 1) * q;
	ptrdiff_t low = (ptrdiff_t)at;
	if (low >= n - 1)
		return sorted[n - 1];
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

double stats_noise(const double *a, const double *b, ptrdiff_t n, struct arena scratch)
{
	double *both = ARENA_NEW(&scratch, double, n);
	double gap = 0;
	ptrdiff_t pairs = 0;

	for (ptrdiff_t i = 0; i < n; i++) {
		if (isnan(a[i]) || isnan(b[i]))
			continue;
		both[pairs++] = a[i];
		gap = fmax(gap, fabs(a[i] - b[i]));
	}
	double median = stats_median(both, pairs, scratch);
	return pairs && median > 0 ? gap / median : (double)NAN;
}
