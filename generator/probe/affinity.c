/* affinity: a fixed amount of work, wherever the kernel likes and pinned. Pinning helps nobody who is alone, and costs as
 * many times the time as there are rivals on that CPU, however idle the others are. */
#include <errno.h>
#include <string.h>

#include "probe/stage.h"

enum { ARG_JOBS, ARG_PINNED, ARG_RIVALS, ARG_MASK };
enum { MASK_WIDER = 1, MASK_NOWHERE };
enum { UNITS_FIRST = 100, RIVALS = 3 };

static const int64_t quick_job_ns = 40000000, full_job_ns = 100000000, limit_ns = 20000000000, settle_ns = 10000000;

static bool add_all(struct probe_step *s, const struct probe_case *c, struct stage *st, int64_t units)
{
	struct actor_spec rival = {.cpu = s->env->cpu};
	struct actor_spec job = {.cpu = c->arg[ARG_PINNED] ? s->env->cpu : STAGE_ANY_CPU, .units = units};
	bool ok = true;

	/* Rivals first, and well under way before the jobs begin. */
	for (int i = 0; i < c->arg[ARG_RIVALS] && ok; i++)
		ok = stage_add(s, st, rival);
	ok = ok && stage_start(s, st, c->arg[ARG_RIVALS] ? settle_ns : 0);
	for (int i = 0; i < c->arg[ARG_JOBS] && ok; i++)
		ok = stage_add(s, st, job);
	return ok && stage_start(s, st, 0);
}

static void report(struct probe_step *s, const struct probe_case *c, struct stage *st, int64_t wall)
{
	int64_t cpu = 0, wait = 0, moves = 0, most = 0;
	int first = c->arg[ARG_RIVALS];

	for (int i = first; i < st->n; i++) {
		struct actor *a = &st->actors[i];
		int used = atomic_load(&a->cpus_used);
		cpu += a->cpu_ns;
		wait = a->wait_ns == RUN_NULL || wait == RUN_NULL ? RUN_NULL : wait + a->wait_ns;
		moves += atomic_load(&a->moves);
		most = used > most ? used : most;
	}
	step_value(s, "wall", wall);
	step_value(s, "cpu", cpu / (st->n - first));
	/* Per job, as part of the wall time. */
	step_value(s, "wait", wait == RUN_NULL ? RUN_NULL : stage_ppm(wait / (st->n - first), wall));
	step_value(s, "migrations", moves);
	step_value(s, "cpus", most);
	step_param(s, "jobs", st->n - first);
	step_param(s, "rivals", first);
	/* Alone and pinned: what is missing went to others. */
	if (!first && c->arg[ARG_PINNED])
		step_outside(s, wall, wall - cpu);
}

/* The warm-up pass tells how many units fill a job's time. The twin and all cases do the same work. */
static int64_t units_for(struct probe_step *s)
{
	int64_t unit = s->cell->calibrated;

	if (s->pass < 0 || unit <= 0) {
		env_pin(s->env->cpu);
		unit = spin_unit_ns(5000000);
		s->cell->calibrated = unit;
	}
	int64_t n = (s->env->quick ? quick_job_ns : full_job_ns) / unit;
	return s->pass < 0 ? UNITS_FIRST : n > UNITS_FIRST ? n : UNITS_FIRST;
}

/* What the kernel makes of a mask that names CPUs which are not ours: it takes what is ours, and refuses a mask with none. */
static void ask_mask(struct probe_step *s, int kind)
{
	cpu_set_t mask, back;

	CPU_ZERO(&mask);
	for (int i = 0; i < CPU_SETSIZE; i++)
		CPU_SET(i, &mask);
	for (int i = 0; i < s->env->n_cpus && kind == MASK_NOWHERE; i++)
		if (s->env->cpus[i] < CPU_SETSIZE)
			CPU_CLR(s->env->cpus[i], &mask);
	int err = sched_setaffinity(0, sizeof mask, &mask) == 0 ? 0 : errno;
	if (err && err != EINVAL)
		step_status(
			s, RUN_SKIPPED, "a container's seccomp may forbid it", "sched_setaffinity: %s", strerror(err));
	else if (sched_getaffinity(0, sizeof back, &back) == 0) {
		step_value(s, "accepted", err == 0);
		step_value(s, "in-mask", CPU_COUNT(&back));
	}
	step_param(s, "asked", CPU_COUNT(&mask));
	step_param(s, "errno", err);
	step_outside(s, 1, 0); /* a question with one answer: no load changes it */
	env_unpin(s->env);
}

static void affinity_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t wall;

	if (c->arg[ARG_MASK]) {
		ask_mask(s, c->arg[ARG_MASK]);
		return;
	}
	int64_t units = units_for(s);
	if (!c->arg[ARG_PINNED] && s->env->n_cpus < 2) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	struct stage *st = stage_open(s);
	if (!st)
		return;
	/* The observer sleeps; it must not be confined to a job's CPU nor keep jobs off another. */
	if (add_all(s, c, st, units) && stage_jobs(s, st, limit_ns, &wall)) {
		report(s, c, st, wall);
		step_param(s, "units", units);
	}
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"four-jobs", {4, false}},
	{"four-jobs-pinned", {4, true}},
	{"one-job", {1, false}},
	{"one-job-pinned", {1, true}},
	{"one-job-rivals", {1, false, RIVALS}},
	{"one-job-pinned-rivals", {1, true, RIVALS}},
	{"mask-wider", {[ARG_MASK] = MASK_WIDER}},
	{"mask-nowhere", {[ARG_MASK] = MASK_NOWHERE}},
	{0},
};

const struct probe_ops affinity_ops = {
	.name = "affinity",
	.twin = "one-job-pinned",
	.limit_ms = 60000,
	.cases = cases,
	.run = affinity_run,
};
