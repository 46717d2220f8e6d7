/* quota: spinners in a group that may use only so much CPU in each period. What cpu.stat counts, and what a spinner
 * itself waits: the counters' quotient is the stall summed over all CPUs, and longer than a period can be. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/hogs.h"
#include "probe/linux.h"
#include "probe/sys.h"

enum { ARG_SPINNERS, ARG_QUOTA_US, ARG_PERIOD_US, ARG_FLAGS };
enum { PER_CPU = -1, TWICE = -2 };
enum { FULL_ONLY = 1, BURSTY = 2, BURST = 4, SHORT = 8, FREE = 16, WAKES = 32, NESTED = 64 };
enum {
	QUICK_PERIODS = 2,
	SHORT_PERIODS = 3,
	FULL_PERIODS = 10,
	OUTER_TIMES = 2,
	LOOK_NS = 10000000,
	USAGE_SLACK_MILLI = 100
};
/* A bursty spinner: more than its part of the quota in one period, less on the average. */
static const int64_t bursty_work_ns = 37000000, bursty_every_ns = 200000000;
/* Short wake-ups on all CPUs: each may leave behind a slice that was handed out and not used. */
static const int64_t wakes_work_ns = 300000, wakes_every_ns = 5000000;

static int spinners_of(const struct probe_env *env, const struct probe_case *c)
{
	int n = c->arg[ARG_SPINNERS];

	n = n == PER_CPU ? env->n_cpus : n == TWICE ? 2 * env->n_cpus : n;
	return n < HOGS_MAX ? n : HOGS_MAX;
}

/* All of them stop together when the quota is used up, which takes quota / min(spinners, CPUs). */
static int64_t predicted_stall_ns(const struct probe_env *env, const struct probe_case *c, int spinners)
{
	int side_by_side = spinners < env->n_cpus ? spinners : env->n_cpus;
	int64_t stall = c->arg[ARG_PERIOD_US] - c->arg[ARG_QUOTA_US] / side_by_side;

	return stall > 0 ? stall * 1000 : 0;
}

static void report_counters(
	struct probe_step *s, const struct probe_case *c, struct group_stat st, int64_t cpu_ns, int64_t wall_ns)
{
	int64_t usage = cpu_ns * 1000 / wall_ns;
	int64_t allowed = (int64_t)c->arg[ARG_QUOTA_US] * 1000 / c->arg[ARG_PERIOD_US];

	if (st.periods == RUN_NULL || st.periods <= 0) {
		step_status(s, RUN_DEGRADED, "look at a longer window", "cpu.stat counted no period");
		return;
	}
	step_value(s, "throttled", st.throttled * 1000000 / st.periods);
	step_value(s, "usage", usage);
	step_param(s, "periods", st.periods);
	if (st.throttled > 0)
		step_value(s, "naive", st.throttled_ns / st.throttled);
	if (st.bursts != RUN_NULL)
		step_value(s, "bursts", st.bursts);
	/* Slices that were handed out and not used may be used up to a period later. */
	if (usage > allowed + allowed / 10 + USAGE_SLACK_MILLI && !(c->arg[ARG_FLAGS] & BURST))
		step_status(s, RUN_DEGRADED, "look whether another program changes the group",
			"used %d thousandths of a CPU, allowed are %d", (int)usage, (int)allowed);
}

/* Sleeps, looking where free spinners are: a quota is of time, and binds nobody to a CPU. */
static void sleep_looking(struct probe_step *s, const struct hogs *h, int64_t window, bool looks)
{
	cpu_set_t seen;
	char path[64];

	CPU_ZERO(&seen);
	for (int64_t end = clock_ns() + window, now; (now = clock_ns()) < end;) {
		clock_sleep(!looks || end - now < LOOK_NS ? end - now : LOOK_NS);
		for (int i = 0; i < h->n && looks; i++) {
			struct arena_block block;
			struct arena a = arena_new(&block, SYS_SCRATCH);
			snprintf(path, sizeof path, "/proc/%d/stat", (int)h->hogs[i].pid);
			/* The name is in brackets and may hold blanks: the 39th field is the 37th behind it. */
			struct str text = sys_text(&a, path);
			int64_t cpu = sys_number(sys_word(str_from(text, str_find_char(text, ')') + 1), 36));
			if (cpu >= 0 && cpu < CPU_SETSIZE)
				CPU_SET(cpu, &seen);
			arena_free(&block);
		}
	}
	if (looks && CPU_COUNT(&seen))
		step_value(s, "cpus", CPU_COUNT(&seen));
}

static void watch(struct probe_step *s, const struct probe_case *c, struct groups *g, int group, struct hogs *h)
{
	int64_t period_ns = (int64_t)c->arg[ARG_PERIOD_US] * 1000, hundred = 100000000;
	int flags = c->arg[ARG_FLAGS];
	int periods = s->env->quick ? QUICK_PERIODS : flags & SHORT ? SHORT_PERIODS : FULL_PERIODS;
	int64_t window = periods * (period_ns > hundred ? period_ns : hundred);

	if (flags & BURSTY)
		window = window < 2 * bursty_every_ns ? 2 * bursty_every_ns : window;
	hogs_go(h);
	clock_sleep(period_ns + period_ns / 10); /* the first period has no beginning */
	struct group_stat from = group_stat(g, group);
	int64_t began = clock_ns();
	hogs_read(h, false);
	sleep_looking(s, h, window, flags & FREE);
	hogs_read(h, true);
	struct group_stat st = group_stat_since(g, group, from);
	int64_t ended = clock_ns();
	report_counters(s, c, st, hogs_cpu_ns(h), h->wall_ns);
	/* The last gap is still open when we look: only those that have ended by then are there to be counted. */
	step_value(s, "stall", hog_gap(h, began, ended, 0, h->n, 500));
	step_value(s, "longest", hog_gap(h, began, ended, 0, h->n, 1000));
	for (int i = 0; i < h->n; i++) {
		char lane[24];
		snprintf(lane, sizeof lane, "spinner %d", i + 1);
		hog_spans(s, &h->hogs[i], lane, "stalled", began, ended);
	}
	step_param(s, "window_ms", window / 1000000);
}

/* The group of the spinners, or -1. Nested, the group around it may use more: the least on the way up counts. */
static int limited_group(struct probe_step *s, const struct probe_case *c, struct groups *g)
{
	int group = group_make(s, g), quota = c->arg[ARG_QUOTA_US], period = c->arg[ARG_PERIOD_US];

	/* So heavy that strangers do not keep it from its quota. */
	if (group < 0 || !group_weight(s, g, group, GROUP_WEIGHT_MAX))
		return -1;
	if (c->arg[ARG_FLAGS] & NESTED) {
		if (!group_quota(s, g, group, OUTER_TIMES * quota, period))
			return -1;
		group = group_nest(s, g);
	}
	return group >= 0 && group_quota(s, g, group, quota, period) ? group : -1;
}

static void measure(struct probe_step *s, const struct probe_case *c, struct groups *g)
{
	int group = limited_group(s, c, g), spinners = spinners_of(s->env, c), flags = c->arg[ARG_FLAGS], err = 0;
	int64_t stall = predicted_stall_ns(s->env, c, spinners);
	struct hog_plan plan = {.group = group};
	char text[32];

	plan.gap_ns = stall ? stall / 2 : (int64_t)c->arg[ARG_PERIOD_US] * 1000 / 8;
	if (flags & (BURSTY | WAKES)) {
		plan.work_ns = flags & BURSTY ? bursty_work_ns : wakes_work_ns;
		plan.every_ns = flags & BURSTY ? bursty_every_ns : wakes_every_ns;
	}
	if (group < 0)
		return;
	if (flags & BURST) {
		const char *file = g->version == 2 ? "cpu.max.burst" : "cpu.cfs_burst_us";
		snprintf(text, sizeof text, "%d", c->arg[ARG_QUOTA_US]);
		if (!group_has(g, group, file)) {
			step_status(s, RUN_SKIPPED, "use Linux 5.14 or later", "the kernel has no %s", file);
			return;
		}
		if (!group_set(s, g, group, file, text))
			return;
	}
	struct hogs *h = hogs_open(s, &g->guard, INT64_C(20000000000));
	if (!h)
		return;
	for (int i = 0; i < spinners && !err; i++) {
		plan.cpu = flags & FREE ? HOG_ANY_CPU : s->env->cpus[i % s->env->n_cpus];
		err = hogs_add(h, s->env, g, plan);
	}
	if (!err)
		err = hogs_ready(h);
	step_param(s, "spinners", spinners);
	step_param(s, "quota_us", c->arg[ARG_QUOTA_US]);
	step_param(s, "period_us", c->arg[ARG_PERIOD_US]);
	step_param(s, "cgroup", g->version);
	if (!(flags & (BURSTY | WAKES)))
		step_param(s, "predicted_stall_us", stall / 1000);
	if (err)
		step_status(s, RUN_SKIPPED, "a container's seccomp or its limits may forbid it",
			"a spinner could not be started or put into the group: %s", strerror(err));
	else
		watch(s, c, g, group, h);
	/* What is held back could not die. */
	group_quota(s, g, group, 0, c->arg[ARG_PERIOD_US]);
	hogs_close(h);
}

static void quota_run(struct probe_step *s, const struct probe_case *c)
{
	struct groups g;

	if (s->env->quick && (c->arg[ARG_FLAGS] & FULL_ONLY)) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: left out to save time");
		return;
	}
	if (!groups_open(s, &g, false))
		return;
	if (s->pass >= 0)
		measure(s, c, &g);
	groups_close(&g);
}

static const struct probe_case cases[] = {
	{"1", {1, 50000, 100000, 0}},
	{"2", {2, 50000, 100000, 0}},
	{"n", {PER_CPU, 50000, 100000, FULL_ONLY}},
	{"2n", {TWICE, 50000, 100000, FULL_ONLY}},
	{"2-half", {2, 25000, 50000, 0}},
	{"2-fifth", {2, 10000, 20000, FULL_ONLY}},
	{"2-period-half", {2, 50000, 50000, FULL_ONLY}},
	{"1-quarter", {1, 25000, 100000, FULL_ONLY}},
	{"n-whole", {PER_CPU, 100000, 100000, FULL_ONLY}},
	{"1-whole", {1, 100000, 100000, FULL_ONLY | SHORT}},
	{"2-whole-free", {2, 100000, 100000, FULL_ONLY | SHORT | FREE}},
	{"1-quarter-nested", {1, 25000, 100000, FULL_ONLY | SHORT | NESTED}},
	{"2n-wakes", {TWICE, 10000, 100000, FULL_ONLY | SHORT | WAKES}},
	{"2-bursty", {2, 50000, 100000, FULL_ONLY | BURSTY}},
	{"2-bursty-burst", {2, 50000, 100000, FULL_ONLY | BURSTY | BURST}},
	{0},
};

const struct probe_ops quota_ops = {
	.name = "quota",
	.twin = "2",
	.limit_ms = 40000,
	.cases = cases,
	.run = quota_run,
};
