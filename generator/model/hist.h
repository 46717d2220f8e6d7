/* Histograms of integers in fixed memory. Freestanding.
 *
 * Each octave [2^e, 2^(e+1)) is cut into 32 buckets of equal width 2^(e-5); below 32 each value has a bucket of its own. A value
 * v >= 2^e is thus known to within 2^(e-5) <= v/32, and to v/64 when a bucket stands for its middle. The layout is that of fio's
 * stat.h with M = 6. */
#ifndef RUNQ_MODEL_HIST_H
#define RUNQ_MODEL_HIST_H

#include "model/run.h"

enum { HIST_BITS = 5, HIST_PER_OCTAVE = 1 << HIST_BITS, HIST_BUCKETS = (53 - HIST_BITS + 1) * HIST_PER_OCTAVE };

struct hist {
	int64_t counts[HIST_BUCKETS];
	int64_t n;	   /* values added */
	int64_t least, most; /* exact; meaningless while n is 0 */
};

/* Values below 0 count as 0, those of 2^53 and more as 2^53 - 1. */
void hist_add(struct hist *h, int64_t v);
void hist_merge(struct hist *into, const struct hist *from);
/* The middle of the bucket that holds the value of rank ceil(n * ppm / 10^6), at least the first, but within least and
 * most; the last rank gives most itself. RUN_NULL when empty. */
int64_t hist_quantile(const struct hist *h, int64_t ppm);
/* The non-empty buckets, ascending, as a record holds them; buckets is NULL when the arena is full. */
struct run_hist hist_record(const struct hist *h, struct arena *a, struct str name, enum run_unit unit);

#endif
