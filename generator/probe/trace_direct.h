/* Runs a scenario under the recorder and makes a trace of it. */
#ifndef RUNQ_PROBE_TRACE_DIRECT_H
#define RUNQ_PROBE_TRACE_DIRECT_H

#include "model/trace.h"
#include "probe/trace_fs.h"
#include "probe/trace_stage.h"

/* What is known of a CPU whose idle task came last, until the next switch there. */
struct trace_gap {
	bool idle; /* the idle task came by the last switch */
	bool told; /* its last record says that it was told to leave */
	int64_t last_ns; /* of its last record; 0: none since it came */
	int64_t seen_ns; /* of the first record by somebody else; 0: none */
};

/* What the kernel's records become. Some kernels do not tell when the idle task of one of their CPUs leaves (on a Linux 6.18
 * it could record nothing in its own context, whatever the event; interrupts that hit it could). Who came instead is who
 * leaves next, and when: at the idle task's last record, made by an interrupt, if that says that it was told to leave, or
 * else when the other was first seen. Such a switch gets the state I. Without either it is lost. */
struct trace_collector {
	struct arena *arena;
	const struct trace_stage *stage;
	int64_t duration_ns;
	int cpu; /* the scenario's number of the CPU whose records come, or SIM_NONE: one that it does not use */
	struct trace_event *events;
	ptrdiff_t n, cap;
	int64_t lost;
	struct trace_gap gaps[SIM_CPUS_MAX];
};
void trace_collect(void *collector, const struct trace_raw *raw);
/* Sorts what was collected into a trace, cut to what one may hold; the texts are the caller's to fill in. */
struct trace *trace_collected(struct trace_collector *c);

/* In a process of its own, in a session of its own, single-threaded. NULL: told in the step. Everything is put back before it
 * returns; whoever kills it leaves that to the guard. */
struct trace *trace_direct(struct probe_step *s, struct arena *a, const struct sim_scenario *scenario);

#endif
