/* preemption: what takes the CPU from a thread that only reads the clock, alone and beside rivals that spin. Each pause
 * is told by its cause; what the kernel does not account for is the interrupts', the firmware's or the host's. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/gaps.h"
#include "probe/load.h"
#include "probe/meter.h"

enum { ARG_RIVALS };
static const int64_t quick_ns = 100000000, full_ns = 440000000, warm_up_ns = 20000000;

static void report(struct probe_step *s, const struct gaps *g, int rivals)
{
	int64_t wall = g->ended_ns - g->began_ns, longest = 0;
	int switches, hosts, others;
	int64_t switched = gaps_total_ns(g, GAP_SWITCH, &switches), host = gaps_total_ns(g, GAP_HOST, &hosts);
	int64_t other = gaps_total_ns(g, GAP_OTHER, &others);

	for (int i = 0; i < g->n; i++) {
		int64_t length = g->items[i].to_ns - g->items[i].from_ns;
		step_hist(s, "gap", RUN_UNIT_NS, length);
		longest = length > longest ? length : longest;
	}
	step_value(s, "lost", ppm_of(switched + host + other, wall));
	step_value(s, "switches", milli_per_second(switches, wall));
	step_value(s, "switch-gap", gaps_median_ns(g, GAP_SWITCH));
	step_value(s, "interrupts", milli_per_second(others, wall));
	step_value(s, "interrupt-gap", gaps_median_ns(g, GAP_OTHER));
	step_value(s, "host", ppm_of(host, wall));
	step_value(s, "longest", longest);
	step_param(s, "gap_least_ns", gap_least_ns(s->env));
	step_param(s, "tick_ns", s->env->tick_ns);
	step_param(s, "window_ms", wall / 1000000);
	if (!rivals)
		step_outside(s, wall, switched + host);
	else if (!switches)
		step_status(s, RUN_DEGRADED, "measure on a kernel of your own",
			"the kernel counts no involuntary switches, though there are rivals");
}

static void preemption_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	struct gaps *g = malloc(sizeof *g);
	struct rivals rivals;

	if (!g || !env_pin(s->env->cpu)) {
		step_status(s, RUN_FAILED, "free some memory, allow it the CPU", "not started: %s", strerror(errno));
		free(g);
		return;
	}
	if (rivals_start(s, &rivals, c->arg[ARG_RIVALS], s->env->cpu, LOAD_SPIN)) {
		gaps_watch(g, s->env, s->env->cpu, clock_ns() + window);
		report(s, g, c->arg[ARG_RIVALS]);
	}
	rivals_stop(&rivals);
	free(g);
}

static const struct probe_case cases[] = {
	{"alone", {0}},
	{"1-rival", {1}},
	{"3-rivals", {3}},
	{0},
};

const struct probe_ops preemption_ops = {
	.name = "preemption",
	.twin = "1-rival",
	.limit_ms = 15000,
	.cases = cases,
	.run = preemption_run,
};
