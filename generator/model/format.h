/* Numbers for people: three significant digits, thousands separated by a narrow no-break space from 10,000 on, a no-break space
 * before the unit, U+2212 for minus. One set of rules for prose, tables, axes and alt text. Never empty: NaN is an en dash,
 * infinity its sign. Results live in the arena passed. */
#ifndef RUNQ_MODEL_FORMAT_H
#define RUNQ_MODEL_FORMAT_H

#include "base/buf.h"

#define FORMAT_THIN "\xe2\x80\xaf"	/* U+202F, between thousands */
#define FORMAT_NBSP "\xc2\xa0"	/* U+00A0, before a unit */
#define FORMAT_MINUS "\xe2\x88\x92"	/* U+2212 */

/* `digits` significant digits: 2 and 3 give "2.00", 12734 and 3 "12 700". `digits` 0: a whole number in full ("12 734"),
 * others with three digits. */
struct str format_num(struct arena *a, double v, int digits);
struct str format_fixed(struct arena *a, double v, int decimals);
/* By SI prefix: 127000 "ns" is "127 µs"; 0.25 "fraction" is "25.0 %"; bytes as KiB…; ratio as "5.90 ×"; a whole count in full.
 * Any other unit is printed as it is. Values are natural, so "ppm" means a fraction and "milli" a plain number. */
struct str format_si(struct arena *a, double v, struct str unit);
/* v / divisor, 3 digits (a whole "count" in full), then `shown` unless that is empty. */
struct str format_unit(struct arena *a, double v, struct str unit, double divisor, struct str shown);

/* How values up to `magnitude` of a unit are shown together, on an axis or in a column: divide, then name. */
struct format_scale {
	double divisor;
	struct str shown;	/* "µs", "%", "KiB", "thousand"; empty for bare numbers */
};
struct format_scale format_scale_of(double magnitude, struct str unit);

#endif
