/* Claim expressions (DESIGN section 6): numbers, + - * / ( ), comparisons, BETWEEN, AND OR NOT, abs med lo hi noise
 * and the formatters. Checked here, evaluated by SQLite. Slices point into the text passed. */
#ifndef RUNQ_MODEL_EXPR_H
#define RUNQ_MODEL_EXPR_H

#include "base/diag.h"

struct expr_key {
	struct str key; /* probe/case[:metric] */
	struct pos at;
};

struct expr {
	struct expr_key *keys; /* every measurement key named, in order */
	ptrdiff_t n_keys;
	bool inequality; /* a bare < > <= >= : the claim needs a falsifier */
	double lo, hi; /* of the BETWEEN with the widest bounds, NaN if none: more than a decade needs `loose` */
	/* Of a test: some values within the registry's physical bounds make it true, some make it false. Where false, none do; where true,
	 * the bounds leave room for it, which is no promise when a measurement stands in it twice. */
	bool can_hold, can_fail;
	bool ok;
};

/* With `formatters`, ns us ms si pct times num are allowed (for `shows`); without, the whole must be a truth. Errors carry
 * the place in the text. Unknown measurement keys are errors naming the nearest key. Where SQLite and JavaScript would
 * differ (an integer divided by an integer, arithmetic on comparisons, 0x10, .5) there is an error, too. */
struct expr expr_parse(struct arena *a, struct diag *d, struct pos at, struct str text, bool formatters);
/* Measurement keys inside any SQL text, found by med('…'), lo('…'), hi('…'), noise('…'): for checking inline values
 * and titles. */
struct expr expr_keys_in_sql(struct arena *a, struct diag *d, struct pos at, struct str sql);

#endif
