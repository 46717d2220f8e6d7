/* What a log may say at all: the invariants that need no engine. */
#include <string.h>

#include "sim/sim.h"

const char *sim_defect_text(int defect)
{
	static const char *const texts[] = {
		[SIM_SOUND] = "sound",
		[SIM_DEFECT_LAG] = "the weighted lags of a queue do not add up to 0",
		[SIM_DEFECT_PICK] = "an ineligible task was chosen",
		[SIM_DEFECT_IDLE] = "a CPU idles while a task waits for it",
		[SIM_DEFECT_BANDWIDTH] = "a group used more than its quota allows",
		[SIM_DEFECT_QUEUE] = "a queue's members and counters disagree",
		[SIM_DEFECT_LOG] = "the log contradicts itself",
		[SIM_DEFECT_ORDER] = "a task runs while a more urgent one waits for its CPU",
	};

	return defect >= 0 && (size_t)defect < sizeof texts / sizeof *texts ? texts[defect] : NULL;
}

struct follower {
	int64_t since[SIM_CPUS_MAX], t;
	int64_t used[SIM_GROUPS_MAX];
	int16_t running[SIM_CPUS_MAX];
	bool awake[SIM_TASKS_MAX], on_cpu[SIM_TASKS_MAX];
};

static bool off(int reason)
{
	return reason == SIM_BLOCK || reason == SIM_BLOCK_DELAYED || reason == SIM_EXITED;
}

static bool known(const struct sim_scenario *sc, int task)
{
	return task >= SIM_NONE && task < sc->n_tasks;
}

static bool follow_switch(const struct sim_scenario *sc, struct follower *f, const struct sim_record *r)
{
	if (r->from == r->to || r->from != f->running[r->cpu] || r->value != r->t - f->since[r->cpu])
		return false;
	if (r->from != SIM_NONE) {
		f->on_cpu[r->from] = false;
		if (off(r->reason))
			f->awake[r->from] = false;
	}
	if (r->to != SIM_NONE) {
		if (!f->awake[r->to] || f->on_cpu[r->to] || !(sc->tasks[r->to].cpus >> r->cpu & 1))
			return false;
		f->on_cpu[r->to] = true;
	}
	f->running[r->cpu] = r->to;
	f->since[r->cpu] = r->t;
	return true;
}

/* What a group may have used by a time: the quota of every period begun, the first at the scenario's begin; its burst; and on each
 * CPU a tick, which may run over, and the 1 ms that an emptied queue keeps. */
static int64_t allowed(const struct sim_scenario *sc, const struct sim_group *g, int64_t t)
{
	int64_t periods = 1 + (t + g->period - g->phase % g->period) / g->period;

	return g->quota * periods + g->burst + sc->cpus * ((1000000000 + sc->hz / 2) / sc->hz + INT64_C(1000000));
}

/* Interrupts and switches are not charged: with them the log's times say too little. */
static bool within_quota(const struct sim_scenario *sc, struct follower *f, const struct sim_record *r)
{
	if (r->from == SIM_NONE || sc->tick_loss || sc->switch_cost)
		return true;
	for (int g = sc->tasks[r->from].group; g != SIM_NONE; g = sc->groups[g].parent) {
		f->used[g] += r->value;
		if (sc->groups[g].quota && f->used[g] > allowed(sc, &sc->groups[g], r->t))
			return false;
	}
	return true;
}

int sim_check(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, uint32_t *at)
{
	struct follower f = {0};

	memset(f.running, 0xff, sizeof f.running);
	for (*at = 0; *at < n; ++*at) {
		const struct sim_record *r = &log[*at];
		if (r->t < f.t || r->t >= scenario->horizon || r->cpu < 0 || r->cpu >= scenario->cpus ||
			!known(scenario, r->from) || !known(scenario, r->to) || r->kind > SIM_NOTE ||
			r->reason >= SIM_REASONS)
			return SIM_DEFECT_LOG;
		f.t = r->t;
		if (r->kind == SIM_SWITCH && !follow_switch(scenario, &f, r))
			return SIM_DEFECT_LOG;
		if (r->kind == SIM_SWITCH && !within_quota(scenario, &f, r))
			return SIM_DEFECT_BANDWIDTH;
		if (r->kind == SIM_WOKEN) {
			if (r->to == SIM_NONE || r->t < scenario->tasks[r->to].start)
				return SIM_DEFECT_LOG;
			f.awake[r->to] = true;
		}
	}
	return SIM_SOUND;
}
