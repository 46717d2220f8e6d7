/* What values a part of a claim can take, from the physical bounds of the measurements in it: interval arithmetic (R. E. Moore,
 * "Interval Analysis", 1966). An interval is never narrower than the truth, so what it calls impossible is impossible. */
#ifndef RUNQ_MODEL_EXPR_RANGE_H
#define RUNQ_MODEL_EXPR_RANGE_H

#include <stdbool.h>

struct range {
	double min, max; /* inclusive; both NaN-free, possibly infinite */
};

/* Of a comparison or what joins several. */
struct truths {
	bool can_hold, can_fail;
};

struct range range_all(void);
struct range range_of(double value);
struct range range_negate(struct range x);
struct range range_abs(struct range x);
struct range range_add(struct range x, struct range y);
struct range range_multiply(struct range x, struct range y);
struct range range_divide(struct range x, struct range y); /* what a divisor of zero gives is NULL, which is no value */

/* `sign` is one of < > <= >= = == != <>. */
struct truths range_compare(struct range x, const char *sign, struct range y);
struct truths truths_not(struct truths t);
struct truths truths_and(struct truths a, struct truths b);
struct truths truths_or(struct truths a, struct truths b);

#endif
