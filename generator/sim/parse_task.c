/* Scenarios from text: groups, tasks and their programs. */
#include <string.h>

#include "sim/parse.h"

int sim_group_find(const struct sim_scenario *sc, struct sim_token t)
{
	for (int i = 0; i < sc->n_groups; i++)
		if (sim_token_is(t, sc->groups[i].name))
			return i;
	return SIM_NONE;
}

bool sim_parse_group_name(struct sim_parser *p, int32_t *out)
{
	const char *names[SIM_GROUPS_MAX];
	struct sim_token t = sim_parse_take(p);

	for (int i = 0; i < p->sc->n_groups; i++)
		names[i] = p->sc->groups[i].name;
	*out = sim_group_find(p->sc, t);
	return *out != SIM_NONE || sim_parse_unknown(p, t, "group", names, p->sc->n_groups);
}

/* NULL on error; it counts once the caller has read it. */
static struct sim_group *new_group(struct sim_parser *p)
{
	struct sim_token t = p->token;
	struct sim_group *g = &p->sc->groups[p->sc->n_groups < SIM_GROUPS_MAX ? p->sc->n_groups : 0];

	if (p->sc->n_groups == SIM_GROUPS_MAX) {
		sim_parse_fail(p, t, "more than 16 groups; leave some out", NULL);
		return NULL;
	}
	*g = (struct sim_group){.weight = 100, .parent = SIM_NONE};
	if (!sim_parse_name(p, "the name of a group: ", g->name))
		return NULL;
	if (sim_group_find(p->sc, t) == SIM_NONE)
		return g;
	sim_parse_fail(p, t, "a second group ", "; name it differently");
	return NULL;
}

/* "50ms/100ms": at least 1 ms in at most 1 s, as the kernel demands. */
static bool read_quota(struct sim_parser *p, struct sim_group *g)
{
	struct sim_token t = sim_parse_take(p);
	size_t slash = 0;

	while (slash < t.len && t.ptr[slash] != '/')
		slash++;
	g->period = 100000000;
	if (t.kind != 'w' || !sim_time_of(t.ptr, slash, &g->quota) ||
		(slash < t.len && !sim_time_of(t.ptr + slash + 1, t.len - slash - 1, &g->period)))
		return sim_parse_fail(p, t, "no quota: ", "; write quota 50ms/100ms");
	if (g->quota < 1000000 || g->period < 1000000 || g->period > 1000000000)
		return sim_parse_fail(
			p, t, "the kernel refuses the quota ", "; both times at least 1ms, the period at most 1s");
	return true;
}

static bool read_group_option(struct sim_parser *p, struct sim_group *g)
{
	static const char *const names[] = {"in", "weight", "quota", "burst", "phase", "idle"};
	struct sim_token t = sim_parse_take(p);

	if (sim_token_is(t, "in"))
		return sim_parse_group_name(p, &g->parent);
	if (sim_token_is(t, "weight"))
		return sim_parse_int(p, 1, 10000, "a weight is a number from 1 to 10000: ", &g->weight);
	if (sim_token_is(t, "quota"))
		return read_quota(p, g);
	if (sim_token_is(t, "burst"))
		return sim_parse_time(p, 0, "a burst of ", &g->burst);
	if (sim_token_is(t, "phase"))
		return sim_parse_time(p, 0, "a phase of ", &g->phase);
	if (sim_token_is(t, "idle")) {
		g->idle = 1;
		return true;
	}
	return sim_parse_unknown(p, t, "property of a group", names, 6);
}

bool sim_parse_group(struct sim_parser *p)
{
	struct sim_token t = p->token;
	struct sim_group *g = new_group(p);

	if (!g)
		return false;
	while (p->token.kind == 'w')
		if (!read_group_option(p, g))
			return false;
	if (g->burst > g->quota)
		return sim_parse_fail(
			p, t, "group ", " has a burst above its quota, which the kernel refuses; lower it");
	if (g->phase > g->period)
		return sim_parse_fail(p, t, "group ", " has a phase without a period as long; lower it");
	p->sc->n_groups++;
	return true;
}

bool sim_parse_session(struct sim_parser *p)
{
	struct sim_group *g = new_group(p);

	if (!g)
		return false;
	g->session = 1;
	p->sc->n_groups++;
	return true;
}

/* "0", "0-3", "0,2": words and commas. */
static bool read_cpu_list(struct sim_parser *p, struct sim_task *task)
{
	uint32_t mask = 0;

	for (;;) {
		struct sim_token t = sim_parse_take(p);
		size_t dash = 0;
		int64_t lo = 0, hi = 0;
		while (dash < t.len && t.ptr[dash] != '-')
			dash++;
		bool fine = t.kind == 'w' && sim_number_of(t.ptr, dash, &lo);
		hi = lo;
		if (fine && dash < t.len)
			fine = sim_number_of(t.ptr + dash + 1, t.len - dash - 1, &hi);
		if (!fine || lo < 0 || hi < lo || hi >= SIM_CPUS_MAX)
			return sim_parse_fail(p, t, "no CPUs: ", "; write 0, 0-3 or 0,2, of CPUs 0 to 15");
		for (int64_t c = lo; c <= hi; c++)
			mask |= 1U << c;
		if (p->token.kind != ',')
			break;
		sim_parse_next(p);
	}
	task->cpus = mask;
	return true;
}

static bool read_reservation(struct sim_parser *p, struct sim_task *task)
{
	task->policy = SIM_DEADLINE;
	return sim_parse_time(p, 1024, "a reservation's runtime ", &task->runtime) &&
	       sim_parse_time(p, task->runtime, "a deadline before the runtime: ", &task->deadline) &&
	       sim_parse_time(p, task->deadline, "a period before the deadline: ", &task->period);
}

static bool read_slice(struct sim_parser *p, struct sim_task *task)
{
	if (!sim_parse_time(p, 1, "a slice of ", &task->slice))
		return false;
	/* kernel/sched/syscalls.c clamps to these. */
	task->slice = task->slice < 100000 ? 100000 : task->slice > 100000000 ? 100000000 : task->slice;
	return true;
}

static bool read_prio(struct sim_parser *p, struct sim_task *task, int policy)
{
	task->policy = policy;
	return sim_parse_int(p, 1, 99, "a priority is a number from 1 to 99: ", &task->prio);
}

static bool read_task_seed(struct sim_parser *p, struct sim_task *task)
{
	struct sim_token t = sim_parse_take(p);
	int64_t v = 0;

	if (t.kind != 'w' || !sim_number_of(t.ptr, t.len, &v) || v < 1 || v > UINT32_MAX)
		return sim_parse_fail(p, t, "a seed is a number from 1 to 4294967295: ", " is none");
	task->seed = (uint32_t)v;
	task->seeded = 1;
	return true;
}

static bool read_task_option(struct sim_parser *p, struct sim_task *task)
{
	static const char *const names[] = {
		"nice", "batch", "idle", "fifo", "rr", "deadline", "slice", "cpu", "in", "start", "woken", "seed"};
	struct sim_token t = sim_parse_take(p);

	if (sim_token_is(t, "nice"))
		return sim_parse_int(p, -20, 19, "a nice value is a number from -20 to 19: ", &task->nice);
	if (sim_token_is(t, "batch") || sim_token_is(t, "idle")) {
		task->policy = sim_token_is(t, "idle") ? SIM_IDLE : SIM_BATCH;
		return true;
	}
	if (sim_token_is(t, "fifo") || sim_token_is(t, "rr"))
		return read_prio(p, task, sim_token_is(t, "rr") ? SIM_TASK_RR : SIM_TASK_FIFO);
	if (sim_token_is(t, "deadline"))
		return read_reservation(p, task);
	if (sim_token_is(t, "slice"))
		return read_slice(p, task);
	if (sim_token_is(t, "cpu"))
		return read_cpu_list(p, task);
	if (sim_token_is(t, "in"))
		return sim_parse_group_name(p, &task->group);
	if (sim_token_is(t, "start"))
		return sim_parse_time(p, 0, "a start at ", &task->start);
	if (sim_token_is(t, "seed"))
		return read_task_seed(p, task);
	if (!sim_token_is(t, "woken"))
		return sim_parse_unknown(p, t, "property of a task", names, sizeof names / sizeof *names);
	task->woken = 1;
	return true;
}

bool sim_parse_task(struct sim_parser *p)
{
	struct sim_scenario *sc = p->sc;
	struct sim_token name = p->token;
	struct sim_task *task = &sc->tasks[sc->n_tasks];

	if (sc->n_tasks == SIM_TASKS_MAX)
		return sim_parse_fail(p, name, "more than 64 tasks; leave some out", NULL);
	*task = (struct sim_task){.group = SIM_NONE, .cpus = (1U << SIM_CPUS_MAX) - 1};
	if (!sim_parse_name(p, "the name of a task: ", task->name))
		return false;
	if (sim_task_find(sc, name.ptr, name.len) != SIM_NONE)
		return sim_parse_fail(p, name, "a second task ", "; name it differently");
	while (p->token.kind == 'w')
		if (!read_task_option(p, task))
			return false;
	if (p->token.kind != ':')
		return sim_parse_fail(
			p, p->token, "a colon and the task's program must stand before ", "; write task a: run");
	sim_parse_next(p);
	if (!sim_parse_program(p, task))
		return false;
	p->names[sc->n_tasks++] = name;
	return true;
}
