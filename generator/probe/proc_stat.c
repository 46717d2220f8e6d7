/* proc-stat: what the columns of /proc/stat, that every monitor shows, say of known loads: nice > 0 moves the time to
 * another column and changes nothing else; the average of all CPUs hides one that is full; procs_running counts those that
 * run too; the load average follows late; beside a quota a CPU is idle while work waits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/hogs.h"
#include "probe/meter.h"
#include "probe/sys.h"

enum { ARG_SPINNERS, ARG_NICE, ARG_QUOTA_US };
enum { CROWD = -1, PER_CPU = 2, PERIOD_US = 100000, LOOKS = 10 };
enum column { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };
static const int64_t window_ns = 200000000, settle_ns = 20000000, gap_ns = 5000000;

/* Of a line that begins with `name`, in ticks of 1/100 s. */
static bool columns_read(struct str text, const char *name, int64_t to[COLUMNS])
{
	struct str line = sys_field(text, name);

	for (int i = 0; i < COLUMNS; i++) {
		to[i] = sys_number(sys_word(line, i));
		if (to[i] == RUN_NULL)
			return false;
	}
	return true;
}

struct sight {
	int64_t one[COLUMNS], all[COLUMNS], running;
};

static bool look(const struct probe_env *env, struct sight *to)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str text = sys_text(&a, "/proc/stat");
	char name[16];

	snprintf(name, sizeof name, "cpu%d", env->cpu);
	bool ok = columns_read(text, name, to->one) && columns_read(text, "cpu", to->all);
	to->running = sys_number(sys_field(text, "procs_running"));
	arena_free(&block);
	return ok;
}

static int64_t total(const int64_t from[COLUMNS], const int64_t now[COLUMNS])
{
	int64_t sum = 0;

	for (int i = 0; i < COLUMNS; i++)
		sum += now[i] > from[i] ? now[i] - from[i] : 0; /* idle of a CPU may be a tick less */
	return sum;
}

static int64_t load_milli(void)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str text = sys_text(&a, "/proc/loadavg"), rest;
	int64_t whole = sys_number(str_cut(text, '.', &rest)), hundredths = sys_number(rest);

	arena_free(&block);
	return whole == RUN_NULL || hundredths == RUN_NULL ? RUN_NULL : whole * 1000 + hundredths * 10;
}

static void watch(struct probe_step *s, int spinners)
{
	struct sight from, now;
	int64_t running = 0;

	clock_sleep(settle_ns);
	bool ok = look(s->env, &from);
	now = from;
	for (int i = 0; i < LOOKS && ok; i++) {
		clock_sleep(window_ns / LOOKS);
		ok = look(s->env, &now);
		running += now.running;
	}
	int64_t one = ok ? total(from.one, now.one) : 0, all = ok ? total(from.all, now.all) : 0;
	if (one <= 0 || all <= 0) {
		step_status(s, RUN_SKIPPED, "measure on a kernel of your own", "/proc/stat tells no time of CPU %d",
			s->env->cpu);
		return;
	}
	step_value(s, "user", ppm_of(now.one[USER] - from.one[USER], one));
	step_value(s, "nice", ppm_of(now.one[NICE] - from.one[NICE], one));
	int64_t idle = now.one[IDLE] - from.one[IDLE], idle_all = now.all[IDLE] - from.all[IDLE];
	step_value(s, "idle", ppm_of(idle > 0 ? idle : 0, one));
	step_value(s, "average-idle", ppm_of(idle_all > 0 ? idle_all : 0, all));
	/* The observer counts itself: it is the one that reads. */
	step_value(s, "running", running * 1000 / LOOKS - 1000);
	step_value(s, "load", load_milli());
	step_param(s, "spinners", spinners);
	step_param(s, "window_ms", window_ns / 1000000);
}

static void measure(struct probe_step *s, const struct probe_case *c, struct groups *g, struct guard *guard)
{
	int spinners = c->arg[ARG_SPINNERS] == CROWD ? PER_CPU * s->env->n_cpus : c->arg[ARG_SPINNERS], err = 0;
	int group = g ? group_make(s, g) : HOG_NO_GROUP;

	spinners = spinners > HOGS_MAX ? HOGS_MAX : spinners;
	if (g && (group < 0 || !group_quota(s, g, group, c->arg[ARG_QUOTA_US], PERIOD_US)))
		return;
	struct hogs *h = hogs_open(s, guard, 2 * window_ns + INT64_C(5000000000));
	if (!h)
		return;
	if (s->env->other >= 0)
		env_pin(s->env->other);
	for (int i = 0; i < spinners && !err; i++)
		err = hogs_add(h, s->env, g,
			(struct hog_plan){.cpu = spinners > 1 ? s->env->cpus[i % s->env->n_cpus] : s->env->cpu,
				.group = group,
				.nice = c->arg[ARG_NICE],
				.gap_ns = gap_ns});
	if (!err)
		err = hogs_ready(h);
	if (!err)
		err = hogs_begin(h);
	if (err)
		step_status(s, RUN_SKIPPED, "a container's seccomp or its limits may forbid it",
			"a spinner could not take its place: %s", strerror(err));
	else
		watch(s, spinners);
	if (g)
		group_quota(s, g, group, 0, PERIOD_US);
	hogs_close(h);
}

static void proc_stat_run(struct probe_step *s, const struct probe_case *c)
{
	struct groups g;
	struct guard guard;

	if (s->env->quick) {
		step_status(s, RUN_SKIPPED, "run it without --quick",
			"quick: the columns count hundredths of a second and need a long window");
		return;
	}
	if (c->arg[ARG_QUOTA_US]) {
		if (!groups_open(s, &g, false))
			return;
		if (s->pass >= 0)
			measure(s, c, &g, &g.guard);
		groups_close(&g);
		return;
	}
	if (s->pass < 0)
		return;
	if (!guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return;
	}
	measure(s, c, NULL, &guard);
	guard_close(&guard);
}

static const struct probe_case cases[] = {
	{"spin", {1}},
	{"spin-nice-5", {1, 5}},
	{"crowd", {CROWD}},
	{"quota-quarter", {1, 0, PERIOD_US / 4}},
	{0},
};

const struct probe_ops proc_stat_ops = {
	.name = "proc-stat",
	.twin = "spin",
	.limit_ms = 20000,
	.cases = cases,
	.run = proc_stat_run,
};
