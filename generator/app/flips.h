/* Claims that two runs answer differently, for the command line. Results live in the arena passed. */
#ifndef RUNQ_APP_FLIPS_H
#define RUNQ_APP_FLIPS_H

#include "base/diag.h"
#include "model/run.h"

struct flip_text {
	struct str id, says; /* says: as the author wrote it */
	const char *before, *after; /* "holds", "contradicted", "unclear" */
	struct str number_before, number_after; /* what the claim shows; empty if nothing */
};
struct flips {
	struct flip_text *items;
	ptrdiff_t n;
	ptrdiff_t n_judged; /* claims that both runs measured */
	int errors; /* of the content: claims with one are left out */
	bool course; /* there is a course below the root; false: nothing was judged */
};

/* Judges the course's claims on each of two runs by itself. `emulated`: on behaviour alone. False when the database in memory failed,
 * with the reason in *why. */
bool flips_between(const char *root, const struct run_result *before, const struct run_result *after, bool emulated, struct arena *a,
	struct arena scratch, struct flips *out, struct str *why);

#endif
