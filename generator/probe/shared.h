/* What a pass's process and its parent share. Private to the harness. */
#ifndef RUNQ_PROBE_SHARED_H
#define RUNQ_PROBE_SHARED_H

#include <stdatomic.h>

#include "probe/harness.h"

/* One writer, the pass's process; the parent reads `position` and `began_ns` while it runs, the rest when it is dead. */
struct probe_shared {
	_Atomic int position; /* being measured now, in the pass's order */
	_Atomic int64_t began_ns; /* when that step began */
	int64_t run_delay_ns; /* summed over the passes' processes */
	int64_t unit_ns; /* the unit of work in the last pass */
	struct probe_cell cells[PROBE_CASES_MAX];
};

/* In the pass's process: measures from `position` to the end of the pass. Does not return. */
_Noreturn void pass_run(struct probe_table *t, int pass, int position);
/* Parts of the wall time of a whole table: the hypervisor's, and what others used of the CPUs we pin to. */
struct table_load {
	double steal, others;
};
/* Decides each row when all passes are over: lost passes, contention. */
void table_settle(struct probe_table *t, struct table_load load);

#endif
