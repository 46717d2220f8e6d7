/* What a trace comes to, small enough to keep: each task's share, how long its runs were, how long it waited after a wake-up, and
 * who followed whom. Two of these can be compared without the traces they came from. Freestanding, integers only; results
 * live in the arena passed.
 *
 * A run is a stretch on one CPU; what strangers took in between (they came while the task still wanted to run, and it came
 * back first) is left out and does not end it. Runs cut by either end of the trace are dropped. A wait is the time from a
 * wake-up to the next stretch of the task; the first, which starts it, is none. A share is of the CPU time that strangers left. */
#ifndef RUNQ_MODEL_TRACE_STATS_H
#define RUNQ_MODEL_TRACE_STATS_H

#include "model/trace.h"

enum { TRACE_QUANTILES = 41, TRACE_Q10 = 4, TRACE_Q50 = 20, TRACE_Q90 = 36, TRACE_STATS_BYTES_MAX = 256 << 10 };
#define TRACE_AT_ONCE_NS INT64_C(300000) /* a wait below this was none (spec of the comparison) */

struct trace_dist {
	int64_t n, mean_ns;
	int64_t under_ppm; /* of those below TRACE_AT_ONCE_NS */
	int64_t q_ns[TRACE_QUANTILES]; /* by nearest rank, every fortieth: least to most; zero when n is 0 */
};

struct trace_task {
	struct str name;
	int64_t share_ppm;
	struct trace_dist runs, waits;
};

struct trace_stats {
	struct str scenario;
	struct run_facts machine;
	int64_t duration_ns, lost, steal_ns;
	int64_t inferred; /* switches out of idle that the kernel did not tell (trace.h) */
	int64_t others_ppm; /* of all CPU time: strangers */
	int64_t idle_ppm; /* of what they left */
	struct trace_task *tasks; /* the scenario's, without idle and other */
	int n;
	int64_t *
		turns; /* (n + 1) * (n + 1): how often column followed row on a CPU, strangers passed over; 0 is idle */
};

/* NULL: the arena is full. */
struct trace_stats *trace_stats_of(struct arena *a, const struct trace *t);

/* The file of a recording that is kept without its events: {"duration_ns","format":"runq-trace-stats","idle":ppm,"inferred" unless 0,
 * "lost","machine","others":ppm,"scenario","steal_ns","tasks":[{"name","runs":{"mean","n","q":[…]},"share":ppm,"waits":{…,"under":ppm}}],"turns":
 * [[…]…],"version":1}, canonical. */
void trace_stats_write(const struct trace_stats *s, struct buf *out);
struct trace_stats_result {
	struct trace_stats *stats; /* NULL on error */
	struct run_error error;
};
struct trace_stats_result trace_stats_read(struct arena *a, struct str bytes);

/* Ascending, in place, without a C library. */
void trace_sort(int64_t *v, ptrdiff_t n);

#endif
