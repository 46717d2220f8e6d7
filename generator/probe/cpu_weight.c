/* cpu-weight: spinners in groups of different weight on one CPU; a nice value inside a group; a group whose rival does
 * not want the CPU. Without groups of our own, autogroups show the same: one session, one group. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/hogs.h"
#include "probe/sys.h"

enum { ARG_WEIGHT1, ARG_WEIGHT2, ARG_NICE2, ARG_KIND };
enum { TWO_GROUPS, ONE_GROUP, SESSIONS, IDLE_RIVAL, NICE_FILE };
enum { TURNS_QUICK = 10, TURNS_FULL = 60, STARVED_PART = 20 };
static const int64_t settle_ns = 30000000, hog_gap_ns = 2000000;

/* Long enough for the lighter side to get its turns. */
static int64_t window_ns(const struct probe_env *env, const struct probe_case *c)
{
	int64_t turns = env->quick ? TURNS_QUICK : TURNS_FULL, a = c->arg[ARG_WEIGHT1], b = c->arg[ARG_WEIGHT2];
	int64_t part = c->arg[ARG_KIND] == ONE_GROUP ? 4 : 2; /* 1024 and 335 are the weights of nice 0 and 5 */

	if (c->arg[ARG_KIND] == TWO_GROUPS)
		part = (a + b) / (a < b ? a : b);
	return turns * env->quantum_ns * part;
}

static void report(struct probe_step *s, const struct probe_case *c, const struct hogs *h)
{
	int64_t sum = hogs_cpu_ns(h);

	if (sum <= h->wall_ns / STARVED_PART) {
		step_status(
			s, RUN_FAILED, "stop what holds the CPU and run it again", "others held the CPU all the time");
		return;
	}
	step_value(s, "share1", (int64_t)((double)h->hogs[0].cpu_ns / (double)sum * 1e6));
	if (h->n > 1)
		step_value(s, "share2", (int64_t)((double)h->hogs[1].cpu_ns / (double)sum * 1e6));
	step_value(s, "used", sum * 1000 / h->wall_ns);
	step_param(s, "nice2", c->arg[ARG_NICE2]);
	step_param(s, "window_ms", h->wall_ns / 1000000);
	step_outside(s, h->wall_ns, h->wall_ns - sum);
}

static void measure(struct probe_step *s, const struct probe_case *c, const struct groups *g, struct guard *guard,
	const int group[2])
{
	int64_t window = window_ns(s->env, c);
	struct hogs *h = hogs_open(s, guard, window + INT64_C(5000000000));
	int kind = c->arg[ARG_KIND], n = kind == IDLE_RIVAL ? 1 : 2, err = 0;

	if (!h)
		return;
	if (s->env->other >= 0)
		env_pin(s->env->other);
	for (int i = 0; i < n && !err; i++)
		err = hogs_add(h, s->env, g,
			(struct hog_plan){.cpu = s->env->cpu,
				.group = group[i],
				.nice = i ? c->arg[ARG_NICE2] : 0,
				.own_session = kind == SESSIONS,
				.gap_ns = hog_gap_ns});
	if (!err)
		err = hogs_ready(h);
	if (!err)
		err = hogs_begin(h);
	if (err) {
		step_status(s, RUN_SKIPPED, "a container's seccomp or its limits may forbid it",
			"a spinner could not take its place: %s", strerror(err));
	} else {
		clock_sleep(settle_ns);
		hogs_read(h, false);
		clock_sleep(window);
		hogs_read(h, true);
		report(s, c, h);
	}
	hogs_close(h);
}

/* Two sessions, no group of ours: where autogroups are off, the nice values decide instead, and the row says so. */
static void run_sessions(struct probe_step *s, const struct probe_case *c)
{
	const int none[2] = {HOG_NO_GROUP, HOG_NO_GROUP};
	int64_t autogroup = sys_int("/proc/sys/kernel/sched_autogroup_enabled");
	struct guard guard;

	if (autogroup != 1) {
		step_status(s, RUN_SKIPPED, "sysctl kernel.sched_autogroup_enabled=1",
			autogroup == RUN_NULL ? "the kernel has no autogroups" : "autogroups are off");
		return;
	}
	if (s->pass < 0)
		return;
	if (!guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return;
	}
	measure(s, c, NULL, &guard, none);
	guard_close(&guard);
}

/* A nice value may be written instead of a weight; what weight it is can be read back. */
static void ask_nice_file(struct probe_step *s, struct groups *g, int group, int nice)
{
	char text[16];

	snprintf(text, sizeof text, "%d", nice);
	if (!group_has(g, group, "cpu.weight.nice"))
		step_status(s, RUN_SKIPPED, "use a kernel whose cpu controller is in cgroup v2",
			"cgroup v1 has no cpu.weight.nice");
	else if (group_set(s, g, group, "cpu.weight.nice", text))
		step_value(s, "weight", group_int(g, group, "cpu.weight"));
	step_param(s, "nice", nice);
	step_outside(s, 1, 0); /* a question with one answer: no load changes it */
}

static void cpu_weight_run(struct probe_step *s, const struct probe_case *c)
{
	struct groups g;
	int group[2], kind = c->arg[ARG_KIND];

	if (kind == SESSIONS) {
		run_sessions(s, c);
		return;
	}
	if (!groups_open(s, &g, false))
		return;
	group[0] = group_make(s, &g);
	group[1] = kind == ONE_GROUP ? group[0] : group_make(s, &g);
	bool fine = group[0] >= 0 && group[1] >= 0 && group_weight(s, &g, group[0], c->arg[ARG_WEIGHT1]) &&
		    (kind == ONE_GROUP || group_weight(s, &g, group[1], c->arg[ARG_WEIGHT2]));
	step_param(s, "weight1", c->arg[ARG_WEIGHT1]);
	step_param(s, "weight2", c->arg[ARG_WEIGHT2]);
	step_param(s, "cgroup", g.version);
	if (fine && kind == NICE_FILE) {
		ask_nice_file(s, &g, group[0], c->arg[ARG_NICE2]);
		fine = false;
	}
	if (fine && s->pass >= 0)
		measure(s, c, &g, &g.guard, group);
	groups_close(&g);
}

static const struct probe_case cases[] = {
	{"100-20", {100, 20, 0, TWO_GROUPS}},
	{"100-100-nice-19", {100, 100, 19, TWO_GROUPS}},
	{"one-group-nice-5", {100, 100, 5, ONE_GROUP}},
	{"sessions-nice-19", {100, 100, 19, SESSIONS}},
	{"20-idle", {20, 100, 0, IDLE_RIVAL}},
	{"nice-5-file", {100, 100, 5, NICE_FILE}},
	{0},
};

const struct probe_ops cpu_weight_ops = {
	.name = "cpu-weight",
	.twin = "100-20",
	.limit_ms = 60000,
	.cases = cases,
	.run = cpu_weight_run,
};
