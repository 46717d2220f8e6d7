/* Runs a scenario under the recorder and makes a trace of it. */
#ifndef RUNQ_PROBE_TRACE_DIRECT_H
#define RUNQ_PROBE_TRACE_DIRECT_H

#include "model/trace.h"
#include "probe/trace_fs.h"
#include "probe/trace_stage.h"

/* What the kernel's records become. */
struct trace_collector {
	struct arena *arena;
	const struct trace_stage *stage;
	int64_t duration_ns;
	int cpu; /* the scenario's number of the CPU whose records come, or SIM_NONE: one that it does not use */
	struct trace_event *events;
	ptrdiff_t n, cap;
	int64_t lost;
};
void trace_collect(void *collector, const struct trace_raw *raw);
/* Sorts what was collected into a trace, cut to what one may hold; the texts are the caller's to fill in. */
struct trace *trace_collected(struct trace_collector *c);

/* In a process of its own, in a session of its own, single-threaded. NULL: told in the step. Everything is put back before it
 * returns; whoever kills it leaves that to the guard. */
struct trace *trace_direct(struct probe_step *s, struct arena *a, const struct sim_scenario *scenario);

#endif
