/* What differs between two runs: of each measurement both medians, the change and a verdict. Results live in the arena passed; slices
 * point into the runs. */
#ifndef RUNQ_MODEL_DIFF_H
#define RUNQ_MODEL_DIFF_H

#include "model/run.h"
#include "model/stats.h"

enum diff_verdict { DIFF_MOVED, DIFF_NONE_SHOWN, DIFF_NOT_COMPARED, DIFF_VERDICT_MAX };
extern const char *const diff_verdict_texts[DIFF_VERDICT_MAX]; /* "moved beyond noise" … */

/* Why a key cannot be compared; the first that applies. */
enum diff_reason {
	DIFF_COMPARED,
	DIFF_ONLY_BEFORE,
	DIFF_ONLY_AFTER,
	DIFF_OTHER_CONFIG,
	DIFF_OTHER_VERSION,
	DIFF_EMULATED, /* a time under emulation */
	DIFF_FEW_PASSES,
	DIFF_NO_NOISE,
	DIFF_REASON_MAX
};
extern const char *const diff_reason_texts[DIFF_REASON_MAX];

/* Numbers are natural: ns, counts, bytes, fractions. */
struct diff_row {
	struct str key, probe, case_id, metric;
	enum run_unit unit;
	double before, after; /* medians, NaN where there is none */
	double relative; /* change.effect as a fraction of the first run's median; NaN when that is not above 0 */
	struct stats_change change; /* all 0 unless the key was compared or has too few passes or no noise */
	enum diff_verdict verdict;
	enum diff_reason reason;
	int order, place; /* of the case and of the metric in the registry */
};

struct diff {
	const struct run *before, *after;
	struct diff_row *rows; /* in the registry's order */
	ptrdiff_t n;
	int verdicts[DIFF_VERDICT_MAX], reasons[DIFF_REASON_MAX]; /* how many rows */
	struct str *config_keys; /* in which the machines differ: NULL text and number of a fact that only one could read are a difference */
	ptrdiff_t n_config_keys;
};

/* Pairs the passes by their number: both runs took them in the same order. The noise of a key is the larger of the two runs'. `emulated`:
 * only metrics of behaviour are compared (DESIGN section 6). */
struct diff diff_runs(struct arena *a, const struct run *before, const struct run *after, bool emulated, struct arena scratch);
/* Whether any key could be compared: the same configuration and a probe of the same version in both. */
bool diff_possible(const struct run *before, const struct run *after);
/* A machine fact for people, "not readable" for null and absent ones. */
struct str diff_fact_text(struct arena *a, const struct run *r, const char *key);

#endif
