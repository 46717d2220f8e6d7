/* nice: how spinners of different nice values share one CPU. Shares are CPU time against the CPU time of all spinners,
 * read by an observer on another CPU while all of them spin; strangers on the CPU shorten the window for all alike. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "probe/stage.h"
#include "probe/sys.h"

enum { ARG_NICE1, ARG_NICE2, ARG_NICE3, ARG_KIND };
/* All in one session but SESSIONS. ALIGNED: the last has the least weight, so little that the window ends with one of
 * its turns rather than hold thirty of them. TENFOLD: ten of the second. NAPPER: the first naps after every slice, which
 * an account that forgets a sleeper's debt rewards. SLEPT: the first has slept long when the window begins, and a fair
 * kernel owes it nothing for that. PAIRS_FULL: not in a quick run. NONE: no third spinner. */
enum { PAIRS, SESSIONS, ALIGNED, TENFOLD, NAPPER, SLEPT, PAIRS_FULL, NONE = 99, SHARES_MAX = 3, TEN = 10 };

enum { QUANTA_QUICK = 30, QUANTA_FULL = 60, TURNS_QUICK = 2, TURNS_FULL = 4, WARM_UP_QUANTA = 4 };
static const int64_t quick_window_most_ns = 2000000000, settle_ns = 20000000, nap_ns = 50000;
static const int64_t sleep_ns = 150000000, sleep_window_ns = 100000000;
static const int64_t quick_turns_ns = 200000000, full_turns_ns = 700000000;

/* sched_prio_to_weight[] of kernel/sched/core.c, from nice -20; each step is a factor of about 1.25. */
static const int weights[40] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100,
	4904, 3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56,
	45, 36, 29, 23, 18, 15};

static int64_t weight_of(int nice)
{
	return weights[nice + 20];
}

/* How long it takes until each has had a turn, when the one with the least weight gets one. */
static int64_t round_ns(const struct probe_env *env, const struct probe_case *c, bool equal_groups)
{
	int64_t sum = 0, least = INT64_MAX;

	for (int i = 0; i < SHARES_MAX && c->arg[i] != NONE; i++) {
		int64_t w = equal_groups ? 1 : weight_of(c->arg[i]);
		sum += i == 1 && c->arg[ARG_KIND] == TENFOLD ? w * TEN : w;
		least = w < least ? w : least;
	}
	return env->quantum_ns * sum / least;
}

static struct str group_text(struct arena *a, pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	return sys_text(a, path);
}

/* Weights only count between neighbours: all must be in one autogroup (unless two sessions are the question) and in one
 * cgroup. */
static void check_groups(struct probe_step *s, const struct stage *st, bool sessions)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str first = group_text(&a, st->actors[0].pid, "autogroup");
	struct str cgroup = group_text(&a, st->actors[0].pid, "cgroup"), none;
	int groups = 1;

	/* "/autogroup-13 nice 0": the name alone. */
	first = str_cut(first, ' ', &none);
	for (int i = 1; i < st->n; i++) {
		struct str own = str_cut(group_text(&a, st->actors[i].pid, "autogroup"), ' ', &none);
		groups += !str_eq(own, first);
		if (!str_eq(group_text(&a, st->actors[i].pid, "cgroup"), cgroup))
			step_status(s, RUN_DEGRADED, "run it where one cgroup holds all its processes",
				"the spinners are in different cgroups");
	}
	if (groups > 1 && !sessions)
		step_status(s, RUN_DEGRADED, "sysctl kernel.sched_autogroup_enabled=0",
			"the spinners are in %d autogroups", groups);
	step_param(s, "autogroups", first.len ? groups : 0);
	arena_free(&block);
}

/* "se.vruntime : 4711.123456", in ms; RUN_NULL where /proc/PID/sched does not tell. */
static int64_t vruntime_ns(pid_t pid)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str below, whole = str_cut(sys_field(group_text(&a, pid, "sched"), "se.vruntime"), '.', &below);
	int64_t ms = sys_number(whole), ns = sys_number(str_slice(below, 0, 6));

	arena_free(&block);
	return ms == RUN_NULL || ns == RUN_NULL ? RUN_NULL : ms * 1000000 + ns;
}

/* A whole number of /proc/PID/sched. */
static int64_t sched_number(pid_t pid, const char *key)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int64_t n = sys_number(sys_field(group_text(&a, pid, "sched"), key));

	arena_free(&block);
	return n;
}

static void report_vruntimes(struct probe_step *s, const struct stage *st)
{
	int64_t first = vruntime_ns(st->actors[0].pid), second = vruntime_ns(st->actors[1].pid);

	if (first != RUN_NULL && second != RUN_NULL)
		step_value(s, "apart", first > second ? first - second : second - first);
	/* The kernel keeps ten more binary digits. */
	int64_t weight = sched_number(st->actors[1].pid, "se.load.weight");
	if (weight != RUN_NULL)
		step_value(s, "weight2", weight / 1024);
	step_param(s, "prio2", sched_number(st->actors[1].pid, "prio"));
}

static void report(struct probe_step *s, const struct probe_case *c, struct stage *st)
{
	static const char *const shares[SHARES_MAX] = {"share1", "share2", "share3"};
	int64_t sum = 0, wall = st->wall_ns;

	for (int i = 0; i < st->n; i++)
		sum += st->actors[i].cpu_ns;
	if (sum <= 0) {
		step_status(
			s, RUN_FAILED, "measure on a kernel of your own", "the CPU clocks of the spinners stand still");
		return;
	}
	if (c->arg[ARG_KIND] == TENFOLD) { /* the second's share is one of ten */
		int64_t others = sum - st->actors[0].cpu_ns;
		step_value(s, shares[0], stage_share(st, 0));
		step_value(s, shares[1], (int64_t)((double)others / TEN / (double)sum * 1e6));
	} else {
		for (int i = 0; i < st->n; i++)
			step_value(s, shares[i], stage_share(st, i));
		if (st->actors[1].wait_ns != RUN_NULL)
			step_value(s, "wait2", (int64_t)((double)st->actors[1].wait_ns / (double)wall * 1e6));
	}
	step_outside(s, wall, wall - sum);
}

/* From the end of a turn of the weakest to the end of a later one: the last turn is then neither cut nor counted twice.
 * False: it had none. */
static bool watch_turns(struct probe_step *s, struct stage *st, int64_t round, int64_t turns)
{
	int weakest = st->n - 1;
	int64_t limit = round * 4 + 1000000000; /* strangers may take their part */
	bool seen = stage_turn_end(s, st, weakest, limit);

	stage_read(st, false);
	for (int64_t i = 0; i < turns && seen; i++)
		seen = stage_turn_end(s, st, weakest, limit);
	stage_read(st, true);
	if (!seen)
		step_status(
			s, RUN_FAILED, "run it again on a quieter machine", "the weakest spinner did not get a turn");
	return seen;
}

/* Kernels before 6.12 do not tell theirs: a turn, then. */
static int64_t slice_ns(const struct probe_env *env)
{
	struct linux_sched_attr attr;

	return linux_sched_get(0, &attr) == 0 && attr.runtime_ns ? (int64_t)attr.runtime_ns : env->quantum_ns;
}

/* The end of a turn is known to the millisecond: some tenths of a second will do, if they hold two turns. */
static int64_t turns_for(const struct probe_env *env, int64_t round)
{
	int64_t least = env->quick ? TURNS_QUICK : TURNS_FULL, ns = env->quick ? quick_turns_ns : full_turns_ns;

	return round > 0 && ns / round > least ? ns / round : least;
}

static bool start(struct probe_step *s, const struct probe_case *c, struct stage *st)
{
	int kind = c->arg[ARG_KIND], copies = kind == TENFOLD ? TEN : 1;
	bool ok = true;

	for (int i = 0; i < SHARES_MAX && c->arg[i] != NONE; i++) {
		struct actor_spec spec = {.cpu = s->env->cpu, .nice = c->arg[i], .own_session = kind == SESSIONS};
		if (kind == NAPPER && i == 0) {
			spec.work_ns = slice_ns(s->env);
			spec.nap_ns = nap_ns;
		}
		for (int k = 0; k < (i == 1 ? copies : 1) && ok; k++)
			ok = stage_add(s, st, spec);
	}
	return ok && stage_start(s, st, settle_ns);
}

static void measure(struct probe_step *s, const struct probe_case *c, struct stage *st, int64_t window, int64_t round)
{
	if (!start(s, c, st))
		return;
	check_groups(s, st, c->arg[ARG_KIND] == SESSIONS);
	if (c->arg[ARG_KIND] == PAIRS || c->arg[ARG_KIND] == ALIGNED)
		report_vruntimes(s, st);
	if (c->arg[ARG_KIND] == ALIGNED && s->pass >= 0) {
		if (!watch_turns(s, st, round, turns_for(s->env, round)))
			return;
		window = st->wall_ns;
	} else {
		if (c->arg[ARG_KIND] == SLEPT) {
			kill(st->actors[0].pid, SIGSTOP); /* the longest sleep of all */
			clock_sleep(s->pass < 0 ? settle_ns : sleep_ns);
			kill(st->actors[0].pid, SIGCONT);
			window = sleep_window_ns;
		}
		stage_watch(st, window);
	}
	step_param(s, "window_ms", window / 1000000);
	report(s, c, st);
}

static void nice_run(struct probe_step *s, const struct probe_case *c)
{
	bool autogroup = sys_int("/proc/sys/kernel/sched_autogroup_enabled") == 1;
	int kind = c->arg[ARG_KIND];
	/* With autogroup, two sessions share equally whatever their nice values: a short window shows it. */
	int64_t round = round_ns(s->env, c, autogroup && kind == SESSIONS);
	int64_t rounds = s->env->quick ? QUANTA_QUICK : QUANTA_FULL;

	int64_t window = round * rounds;

	if (kind == ALIGNED || kind == TENFOLD)
		window = round * turns_for(s->env, round);
	if (s->env->quick && (window > quick_window_most_ns || kind == PAIRS_FULL)) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: a pass takes %d.%d s here",
			(int)(window / 1000000000), (int)(window / 100000000 % 10));
		return;
	}
	if (s->pass < 0)
		window = s->env->quantum_ns * WARM_UP_QUANTA;
	struct stage *st = stage_open(s);
	if (!st)
		return;
	step_param(s, "nice1", c->arg[ARG_NICE1]);
	step_param(s, "nice2", c->arg[ARG_NICE2]);
	if (c->arg[ARG_NICE3] != NONE)
		step_param(s, "nice3", c->arg[ARG_NICE3]);
	measure(s, c, st, window, round);
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"0-0", {0, 0, NONE}},
	{"0-0-napper", {0, 0, NONE, NAPPER}},
	{"0-0-slept", {0, 0, NONE, SLEPT}},
	{"0-1", {0, 1, NONE}},
	{"10-11", {10, 11, NONE, PAIRS_FULL}},
	{"0-3", {0, 3, NONE}},
	{"0-5", {0, 5, NONE, ALIGNED}},
	{"0-10", {0, 10, NONE, ALIGNED}},
	{"0-15", {0, 15, NONE, ALIGNED}},
	{"0-19", {0, 19, NONE, ALIGNED}},
	{"5-15", {5, 15, NONE, ALIGNED}},
	{"5-19", {5, 19, NONE, ALIGNED}},
	{"m5-0-5", {-5, 0, 5, ALIGNED}},
	{"m20-ten-0", {-20, 0, NONE, TENFOLD}},
	{"0-10-sessions", {0, 10, NONE, SESSIONS}},
	{0},
};

const struct probe_ops nice_ops = {
	.name = "nice",
	.twin = "0-5",
	.limit_ms = 120000,
	.cases = cases,
	.run = nice_run,
};
