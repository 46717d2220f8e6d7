/* asymmetry: are all CPUs equally fast? The same work, pinned to each allowed CPU in turn, there and back; then beside a
 * busy SMT sibling, and with utilisation clamped, where the kernel knows that. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/stage.h"
#include "probe/sys.h"

enum { ARG_KIND };
enum { EACH_CPU, BESIDE_SIBLING, BESIDE_OTHER, CLAMPED };
enum { CPUS_MAX = 32 };

static const int64_t quick_ns = 10000000, full_ns = 40000000, settle_ns = 5000000;

static int64_t unit_on(struct probe_step *s, int cpu)
{
	return env_pin(cpu) ? spin_unit_ns(s->env->quick ? quick_ns : full_ns) : RUN_NULL;
}

/* All CPUs, or 32 of them evenly chosen. */
static void each_cpu(struct probe_step *s)
{
	const struct probe_env *env = s->env;
	int n = env->n_cpus < CPUS_MAX ? env->n_cpus : CPUS_MAX;
	int64_t fastest = INT64_MAX, slowest = 0;

	for (int i = 0; i < n; i++) {
		int at = s->pass % 2 ? n - 1 - i : i;
		int64_t unit = unit_on(s, env->cpus[(int64_t)at * env->n_cpus / n]);
		if (unit == RUN_NULL) {
			step_status(
				s, RUN_SKIPPED, "allow sched_setaffinity", "cannot pin to a CPU: %s", strerror(errno));
			return;
		}
		fastest = unit < fastest ? unit : fastest;
		slowest = unit > slowest ? unit : slowest;
	}
	step_value(s, "ratio", slowest * 1000 / fastest);
	step_value(s, "fastest", fastest);
	step_value(s, "slowest", slowest);
	step_param(s, "cpus", n);
}

/* What the firmware says, of 1024 for the biggest; nothing on most machines with equal CPUs. */
static void report_capacity(struct probe_step *s)
{
	int64_t least = INT64_MAX, most = 0;
	char path[80];

	for (int i = 0; i < s->env->n_cpus; i++) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpu_capacity", s->env->cpus[i]);
		int64_t v = sys_int(path);
		if (v == RUN_NULL || v <= 0)
			return;
		least = v < least ? v : least;
		most = v > most ? v : most;
	}
	step_param(s, "capacity_least", least);
	step_param(s, "capacity_most", most);
}

static void report_against(struct probe_step *s, int64_t alone, int64_t changed)
{
	step_value(s, "ratio", changed * 1000 / alone);
	step_value(s, "fastest", alone < changed ? alone : changed);
	step_value(s, "slowest", alone < changed ? changed : alone);
}

static void beside(struct probe_step *s, int neighbour)
{
	int64_t alone = unit_on(s, s->env->cpu), busy = RUN_NULL;
	struct stage *st = stage_open(s);

	if (st && stage_add(s, st, (struct actor_spec){.cpu = neighbour}) && stage_start(s, st, settle_ns))
		busy = unit_on(s, s->env->cpu);
	stage_close(st);
	if (busy != RUN_NULL && alone != RUN_NULL)
		report_against(s, alone, busy);
}

/* The thread sharing our core, if it is allowed to us; -1 if not. */
static int sibling_of(const struct probe_env *env)
{
	char path[96];
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int found = -1;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", env->cpu);
	struct str list = sys_text(&a, path);
	while (list.len) {
		struct str to, part = str_cut(list, ',', &list);
		int64_t lo = sys_number(str_cut(part, '-', &to)), hi = to.ptr ? sys_number(to) : lo;
		for (int i = 0; i < env->n_cpus; i++)
			if (env->cpus[i] >= lo && env->cpus[i] <= hi && env->cpus[i] != env->cpu)
				found = env->cpus[i];
	}
	arena_free(&block);
	return found;
}

/* The request: nothing of the CPU's capacity. Taken back at once. */
static void clamped(struct probe_step *s)
{
	int64_t alone = unit_on(s, s->env->cpu);

	if (linux_util_clamp_max(0) != 0) {
		step_status(s, RUN_SKIPPED, "measure on a kernel with CONFIG_UCLAMP_TASK", "utilisation clamps: %s",
			strerror(errno));
		return;
	}
	int64_t slow = unit_on(s, s->env->cpu);
	linux_util_clamp_max(-1);
	if (alone != RUN_NULL && slow != RUN_NULL)
		report_against(s, alone, slow);
}

static void asymmetry_run(struct probe_step *s, const struct probe_case *c)
{
	int sibling = sibling_of(s->env);

	switch (c->arg[ARG_KIND]) {
	case EACH_CPU:
		each_cpu(s);
		report_capacity(s);
		break;
	case BESIDE_SIBLING:
		if (sibling >= 0)
			beside(s, sibling);
		else
			step_status(s, RUN_SKIPPED,
				"measure on a machine with SMT, with both threads of a core allowed",
				"the CPU has no SMT sibling, or it is not allowed to us");
		break;
	case BESIDE_OTHER:
		if (s->env->other >= 0 && !s->env->other_is_sibling)
			beside(s, s->env->other);
		else
			step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two cores",
				"no other core is allowed to us");
		break;
	default: clamped(s);
	}
}

static const struct probe_case cases[] = {
	{"each-cpu", {EACH_CPU}},
	{"busy-sibling", {BESIDE_SIBLING}},
	{"busy-core", {BESIDE_OTHER}},
	{"clamped", {CLAMPED}},
	{0},
};

const struct probe_ops asymmetry_ops = {
	.name = "asymmetry",
	.twin = "each-cpu",
	.limit_ms = 30000,
	.cases = cases,
	.run = asymmetry_run,
};
