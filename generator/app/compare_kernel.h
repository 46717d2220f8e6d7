/* The simulator beside a kernel: a scenario is simulated as the machine that was recorded would run it, and both logs come to
 * the same statistics. Results live in the arena passed; nothing is freed singly. */
#ifndef RUNQ_APP_COMPARE_KERNEL_H
#define RUNQ_APP_COMPARE_KERNEL_H

#include <stdio.h>

#include "base/diag.h"
#include "model/compare.h"
#include "sim/sim.h"

/* The scenario with that machine's facts in place of its own: the profile of its kernel, its tick, its number of CPUs, and
 * whether real-time throttling acts. A profile that is a textbook's stays. */
struct sim_scenario kernel_scenario(const struct sim_scenario *sc, const struct run_facts *machine);
enum sim_profile kernel_profile(struct str release); /* "6.18.44-…": the rules of that kernel */

struct kernel_prediction {
	struct sim_scenario scenario; /* as it was simulated */
	struct trace *trace;
	struct trace_stats *stats;
	struct str error; /* not empty: why there is none ("what; what to do") */
};
/* Simulates `duration_ns` of the scenario as given. */
struct kernel_prediction kernel_predict(struct arena *a, const struct sim_scenario *sc, int64_t duration_ns);
/* The log as a trace of the CPUs that the scenario's tasks may use. */
struct trace *kernel_trace_of(
	struct arena *a, const struct sim_scenario *sc, const struct sim_record *log, uint32_t n, int64_t duration_ns);

/* A recording, with its events or already come to its statistics. NULL: told in `d`. */
struct trace_stats *kernel_recording(struct arena *a, struct diag *d, struct str path, struct str bytes);

/* For `runq sim SCENARIO --compare FILE...`: reads the recordings, prints the comparison on `out`, errors on stderr.
 * Exit status: 0 every line of the rule agrees, 1 one does not, or a file has an error, 3 a file cannot be read. */
int compare_kernel(struct arena *a, struct arena scratch, const struct sim_scenario *sc, char *const *paths, int n,
	bool json, FILE *out);

/* One line of the comparison as words: "50.1 %", "4.00 ms". */
struct str compare_value_text(struct arena *a, enum compare_what what, int64_t value);
/* What the simulator leaves out on purpose, so that a kernel may differ; ends with NULL. */
extern const char *const compare_may_differ[];

#endif
