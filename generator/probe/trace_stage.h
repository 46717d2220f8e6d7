/* A scenario on this kernel: one process a task, each in its place, all beginning at one moment. They never look at a CPU
 * clock, for reading it is an accounting point of the scheduler: work is a number of loops, counted out beforehand. */
#ifndef RUNQ_PROBE_TRACE_STAGE_H
#define RUNQ_PROBE_TRACE_STAGE_H

#include <stdatomic.h>
#include <sys/types.h>

#include "probe/groups.h"
#include "sim/sim.h"

enum trace_deed { TRACE_PINS, TRACE_SCHEDULES, TRACE_LIMITS };

struct trace_player {
	pid_t pid;
	_Atomic bool alive, placed; /* it is there; it is in its group */
	_Atomic bool ready, done; /* it has its CPU and policy; its program is over, or it was told to stop and did */
	_Atomic int err; /* an errno: it could not take its place, because of `deed` */
	_Atomic enum trace_deed deed;
	_Atomic int token; /* a futex: a wake-up that WAIT takes */
};

/* In shared memory. */
struct trace_stage {
	const struct sim_scenario *scenario;
	const struct probe_env *env;
	int cpus[SIM_CPUS_MAX], n_cpus; /* the kernel's number of each of the scenario's CPUs that is used */
	char prefix[10]; /* of the tasks' names in the kernel: nobody else's begin so */
	int64_t chunk_ps; /* a chunk of work takes so long */
	int64_t t0_ns; /* when the scenario begins, CLOCK_MONOTONIC */
	_Atomic int go; /* a futex */
	_Atomic bool stop;
	struct trace_player players[SIM_TASKS_MAX];
};

/* How long a chunk of work takes on the CPU we are on: the median of many. */
int64_t trace_chunk_ps(void);
/* In a process of its own, whose parent is `parent`: takes its place, plays task `i`. */
_Noreturn void trace_play(struct trace_stage *st, int i, pid_t parent);

/* May this kernel and this user do what the scenario asks for? Fills the stage's CPUs. False: told in the step. */
bool trace_able(struct probe_step *s, struct trace_stage *st, int64_t duration_ns);
bool trace_real_time(const struct sim_scenario *sc); /* any task of FIFO or RR */

#endif
