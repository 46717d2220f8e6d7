/* What `runq sim` prints about a finished run. */
#ifndef RUNQ_CLI_SIM_SHOW_H
#define RUNQ_CLI_SIM_SHOW_H

#include "base/buf.h"
#include "sim/sim.h"

struct sim_shown {
	const struct sim_scenario *scenario;
	const struct sim_record *log;
	const struct sim_result *result;
	struct sim_figures *figures; /* one a task */
};

/* Lanes of the whole time, figures of each task, and the first `lines` of the log (all, if negative). */
void sim_show_text(struct buf *out, const struct sim_shown *shown, int64_t lines);
/* {"events","format":"runq-sim","idle_ns","profile","records":[[t,cpu,kind,from,to,reason,point,value,other,event]…],
 * "scenario","stopped","t_ns","tasks":[{…}],"version":1}; from and to are names or null, times are ns. */
void sim_show_json(struct buf *out, const struct sim_shown *shown);
/* Who ran at time t on each CPU and why: the decision that put it there, and every queue member as that decision saw it. */
void sim_show_why(
	struct buf *out, const struct sim_shown *shown, int64_t t, void *memory, size_t bytes, struct sim_state *state);
/* "ran out of the 100000 events allowed; …", NULL if the whole time was simulated. */
const char *sim_show_stop(const struct sim_result *result);

#endif
