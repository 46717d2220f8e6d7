#include "model/expr_range.h"

#include <math.h>
#include <string.h>

struct range range_all(void)
{
	return (struct range){-INFINITY, INFINITY};
}

struct range range_of(double value)
{
	return isnan(value) ? range_all() : (struct range){value, value};
}

struct range range_negate(struct range x)
{
	return (struct range){-x.max, -x.min};
}

struct range range_abs(struct range x)
{
	if (x.min >= 0)
		return x;
	if (x.max <= 0)
		return range_negate(x);
	return (struct range){0, fmax(-x.min, x.max)};
}

struct range range_add(struct range x, struct range y)
{
	double lo = x.min + y.min, hi = x.max + y.max;

	return (struct range){isnan(lo) ? -(double)INFINITY : lo, isnan(hi) ? (double)INFINITY : hi};
}

/* 0 times infinity is 0 here: an end of infinity stands for numbers without limit, each of them finite. */
static double product(double x, double y)
{
	return x == 0 || y == 0 ? 0 : x * y;
}

struct range range_multiply(struct range x, struct range y)
{
	double a = product(x.min, y.min), b = product(x.min, y.max), c = product(x.max, y.min), d = product(x.max, y.max);

	return (struct range){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

struct range range_divide(struct range x, struct range y)
{
	if ((y.min < 0 && y.max > 0) || (y.min == 0 && y.max == 0))
		return range_all();
	if (y.min < 0)
		return range_divide(range_negate(x), range_negate(y));
	return range_multiply(x, (struct range){1 / y.max, y.min > 0 ? 1 / y.min : (double)INFINITY});
}

static struct truths less(struct range x, struct range y, bool or_equal)
{
	return or_equal ? (struct truths){x.min <= y.max, x.max > y.min} : (struct truths){x.min < y.max, x.max >= y.min};
}

static struct truths equal(struct range x, struct range y)
{
	bool one = x.min == x.max && y.min == y.max && x.min == y.min;

	return (struct truths){x.min <= y.max && y.min <= x.max, !one};
}

struct truths range_compare(struct range x, const char *sign, struct range y)
{
	bool or_equal = sign[1] == '=';

	if (!strcmp(sign, "<>") || sign[0] == '!')
		return truths_not(equal(x, y));
	if (sign[0] == '=')
		return equal(x, y);
	return sign[0] == '<' ? less(x, y, or_equal) : less(y, x, or_equal);
}

struct truths truths_not(struct truths t)
{
	return (struct truths){t.can_fail, t.can_hold};
}

struct truths truths_and(struct truths a, struct truths b)
{
	return (struct truths){a.can_hold && b.can_hold, a.can_fail || b.can_fail};
}

struct truths truths_or(struct truths a, struct truths b)
{
	return (struct truths){a.can_hold || b.can_hold, a.can_fail && b.can_fail};
}
