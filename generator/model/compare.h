/* Is what the simulator predicts what the kernel did? The rule is fixed before anything is recorded and is the same for all
 * scenarios: against the median of the recordings (five of ten seconds are asked for), for each task
 *   share               within 1 point
 *   run length          its median and its 90th percentile within one tick
 *   wait after a wake   its median within 1 ms, the part of waits below 0.3 ms within 0.05, its mean within 15 % or 0.1 ms
 * Runs count where both sides have five of them, waits where they have twenty. Beside the rule, never part of it: how far apart whole
 * distributions are, and the order of turns. Freestanding; results live in the arena passed. */
#ifndef RUNQ_MODEL_COMPARE_H
#define RUNQ_MODEL_COMPARE_H

#include "model/trace_stats.h"

enum compare_what {
	COMPARE_SHARE,
	COMPARE_RUN_P50,
	COMPARE_RUN_P90,
	COMPARE_WAIT_P50,
	COMPARE_WAIT_AT_ONCE,
	COMPARE_WAIT_MEAN,
	COMPARE_WHAT_MAX,
};
extern const char *const compare_labels[COMPARE_WHAT_MAX]; /* "share of CPU time" … */
bool compare_is_ppm(enum compare_what what); /* else ns */

enum { COMPARE_RECORDINGS = 5, COMPARE_RUNS_LEAST = 5, COMPARE_WAITS_LEAST = 20 };

struct compare_line {
	int task; /* of the stats */
	enum compare_what what;
	int64_t predicted, median, least, most; /* ns or ppm */
	int64_t tolerance;
	bool agrees;
};

struct compare_task {
	int64_t runs_ns, waits_ns; /* the distance; RUN_NULL where there is nothing to compare */
};

struct compare {
	struct compare_line *lines;
	int n, misses;
	struct compare_task *tasks; /* one a task */
	/* Half the sum of the differences between the parts that each pair of followers has of all turns: 0 the same order,
	 * 10^6 none alike. The median over the recordings. */
	int64_t turns_ppm;
};

/* `error`: why they cannot be compared ("what; what to do"), else empty. NULL results mean that or a full arena. */
struct compare_result {
	struct compare *compare;
	struct str error;
};
struct compare_result compare_stats(struct arena *a, const struct trace_stats *predicted,
	const struct trace_stats *const *recorded, int n_recorded, int64_t tick_ns);

/* The area between two distributions, by their fortieths: by how much, on average, a value would have to move for one to
 * become the other (the earth mover's distance, Wasserstein's first). RUN_NULL when one is empty. */
int64_t compare_distance(const struct trace_dist *a, const struct trace_dist *b);
/* Of n values, which it sorts; the mean of the middle two when n is even. */
int64_t compare_median(int64_t *v, int n);

#endif
