/* An open loop: requests due at times fixed before (a Poisson process of a fixed seed), taken in turn by a few workers,
 * each latency from when the request was due. The workers are threads of a process of their own. */
#ifndef RUNQ_PROBE_LOAD_OPEN_H
#define RUNQ_PROBE_LOAD_OPEN_H

#include <stdatomic.h>
#include <sys/types.h>

#include "probe/guard.h"
#include "probe/harness.h"

enum { OPEN_REQUESTS_MAX = 4096, OPEN_WORKERS_MAX = 8 };

struct open_plan {
	int64_t work_ns, every_ns; /* CPU a request uses; the mean distance of two */
	int64_t window_ns; /* requests are due in it */
	int workers;
	int64_t gap_ns; /* a worker that did not run for so long within a request was stalled */
};

/* Shared memory. */
struct open_load {
	struct open_plan plan;
	pid_t pid;
	int n, workers;
	int64_t due_ns[OPEN_REQUESTS_MAX]; /* from the beginning */
	int64_t latency_ns[OPEN_REQUESTS_MAX]; /* 0: not done */
	int64_t began_ns;
	_Atomic int next, stalls[OPEN_WORKERS_MAX];
	_Atomic bool go;
	_Atomic int ended; /* workers */
};

/* Makes the schedule and starts the process, which waits. NULL: told in the step. */
struct open_load *open_load_start(struct probe_step *s, struct guard *guard, struct open_plan plan);
/* Lets the requests come, and waits until all are served; at most as long again as the window. */
void open_load_run(struct open_load *l);
void open_load_end(struct open_load *l); /* kills and collects it; NULL is fine */
/* The distances of a Poisson process from a fixed seed: due times in ns, ascending, below `window_ns`; how many. */
int open_schedule(int64_t *due_ns, int max, int64_t every_ns, int64_t window_ns);

#endif
