/* Simple lives of a thread, to be measured by its counters, and rivals that share its CPU. */
#ifndef RUNQ_PROBE_LOAD_H
#define RUNQ_PROBE_LOAD_H

#include "probe/crew.h"
#include "probe/harness.h"

/* Computes all the time; sleeps a millisecond at a time; computes 5 ms and sleeps 5 ms; gives the CPU away at once. */
enum load_kind { LOAD_SPIN, LOAD_SLEEP, LOAD_MIXED, LOAD_YIELD };

struct load_done {
	int64_t ops; /* units of work, sleeps, both, yields */
	int64_t away_ns; /* from asking for a sleep until running again */
	int64_t away_cpu_ns,
		away_wait_ns; /* of it, computing and waiting for the CPU; the latter RUN_NULL if not told */
};
struct load_done load_run(enum load_kind kind, int64_t until_ns); /* in the calling thread */

enum { RIVALS_MAX = 8 };
/* Threads that lead such a life on one CPU until they are told to stop. */
struct rivals {
	struct crew crew;
	struct rival {
		struct rivals *all;
		int cpu;
		enum load_kind kind;
	} each[RIVALS_MAX];
};
/* Starts n of them. False: told in the step; in any case rivals_stop. */
bool rivals_start(struct probe_step *s, struct rivals *r, int n, int cpu, enum load_kind kind);
void rivals_stop(struct rivals *r);

#endif
