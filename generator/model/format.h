/* Numbers for people: three significant digits, thousands separated by a thin space from 10,000 on, a no-break space before the
 * unit, U+2212 for minus. One set of rules for prose, tables, axes and alt text. */
#ifndef RUNQ_MODEL_FORMAT_H
#define RUNQ_MODEL_FORMAT_H

#include "base/buf.h"

struct str format_num(struct arena *a, double v, int digits);	/* `digits` significant digits: "2.00", "12 700" */
struct str format_fixed(struct arena *a, double v, int decimals);
struct str format_si(struct arena *a, double v, struct str unit);	/* by SI prefix: 127000 "ns" is "127 µs"; 0.25 "fraction" is "25.0 %"; bytes as KiB… */
struct str format_unit(struct arena *a, double v, struct str unit, double divisor, struct str shown);	/* v / divisor, 3 digits, then `shown` */

#endif
