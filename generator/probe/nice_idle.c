/* nice-idle: nice decides between rivals and does nothing without one. A lone spinner of each kind keeps its CPU and its
 * speed; and when the rival of a nice 10 stops, the CPU is its own at once. Beside two spinners a CPU it counts: unless a
 * session of its own puts another group above it. */
#include <signal.h>
#include <sys/wait.h>

#include "probe/stage.h"

enum { ARG_NICE, ARG_POLICY, ARG_KIND };
enum { ALONE, RIVAL_STOPS, CROWD, CROWD_SESSION, PER_CPU = 2 };

enum { ROUND_QUANTA = 10 /* a nice 10 beside a nice 0: (1024 + 110) / 110 */, ROUNDS_QUICK = 5, ROUNDS_FULL = 15 };
static const int64_t alone_quick_ns = 40000000, alone_full_ns = 200000000, crowd_ns = 300000000, settle_ns = 10000000,
		     at_once_ns = 20000000;

static void alone(struct probe_step *s, struct stage *st)
{
	struct actor *a = &st->actors[0];
	int64_t work = atomic_load(&a->work), window = s->env->quick ? alone_quick_ns : alone_full_ns;

	stage_watch(st, window);
	work = atomic_load(&a->work) - work;
	step_value(s, "share", stage_ppm(a->cpu_ns, st->wall_ns));
	if (work > 0)
		step_value(s, "unit", a->cpu_ns / work);
	step_outside(s, st->wall_ns, st->wall_ns - a->cpu_ns);
	step_param(s, "window_ms", window / 1000000);
}

static void rival_stops(struct probe_step *s, struct stage *st)
{
	struct actor *rival = &st->actors[0], *weak = &st->actors[1];
	int64_t half = s->env->quantum_ns * ROUND_QUANTA * (s->env->quick ? ROUNDS_QUICK : ROUNDS_FULL);

	stage_watch(st, s->pass < 0 ? half / 4 : half);
	step_value(s, "before", stage_share(st, 1));
	kill(rival->pid, SIGSTOP);
	stage_watch(st, at_once_ns);
	step_value(s, "at-once", stage_ppm(weak->cpu_ns, st->wall_ns));
	stage_watch(st, alone_quick_ns);
	step_value(s, "share", stage_ppm(weak->cpu_ns, st->wall_ns));
	step_outside(s, st->wall_ns, st->wall_ns - weak->cpu_ns);
	step_param(s, "window_ms", half / 1000000);
}

/* One nice task beside two spinners a CPU, all of them on any CPU: 1 in 2n + 1 of n CPUs would be its part at nice 0. */
static void beside_crowd(struct probe_step *s, const struct probe_case *c)
{
	int crowd = PER_CPU * s->env->n_cpus;

	if (s->env->quick) {
		step_status(s, RUN_SKIPPED, "run it without --quick",
			"quick: a crowd takes some tenths of a second to spread");
		return;
	}
	if (crowd >= STAGE_ACTORS_MAX) {
		step_status(s, RUN_SKIPPED, "allow fewer CPUs: taskset",
			"two spinners a CPU are more than %d processes", STAGE_ACTORS_MAX - 1);
		return;
	}
	struct stage *st = stage_open(s);
	bool ok = st && stage_add(s, st,
				(struct actor_spec){.cpu = STAGE_ANY_CPU,
					.nice = c->arg[ARG_NICE],
					.own_session = c->arg[ARG_KIND] == CROWD_SESSION});
	for (int i = 0; i < crowd && ok; i++)
		ok = stage_add(s, st, (struct actor_spec){.cpu = STAGE_ANY_CPU});
	if (ok && stage_start(s, st, crowd_ns / 5)) {
		stage_watch(st, s->pass < 0 ? settle_ns : crowd_ns);
		int64_t sum = 0;
		for (int i = 0; i < st->n; i++)
			sum += st->actors[i].cpu_ns;
		step_value(s, "share", stage_ppm(st->actors[0].cpu_ns, st->wall_ns));
		step_outside(s, st->wall_ns * s->env->n_cpus, st->wall_ns * s->env->n_cpus - sum);
		step_param(s, "rivals", crowd);
		step_param(s, "window_ms", crowd_ns / 1000000);
	}
	stage_close(st);
}

static void nice_idle_run(struct probe_step *s, const struct probe_case *c)
{
	if (c->arg[ARG_KIND] >= CROWD) {
		beside_crowd(s, c);
		return;
	}
	struct stage *st = stage_open(s);
	bool ok = st != NULL;

	if (ok && c->arg[ARG_KIND] == RIVAL_STOPS)
		ok = stage_add(s, st, (struct actor_spec){.cpu = s->env->cpu});
	ok = ok &&
	     stage_add(s, st,
		     (struct actor_spec){.cpu = s->env->cpu, .nice = c->arg[ARG_NICE], .policy = c->arg[ARG_POLICY]});
	if (ok && stage_start(s, st, settle_ns)) {
		/* Where the clocks of CPUs differ, a running task's CPU time seen from another CPU is late by up to a tick.
		 * These windows are short: look from their own CPU, where it does not run while we look. */
		env_pin(s->env->cpu);
		if (c->arg[ARG_KIND] == RIVAL_STOPS)
			rival_stops(s, st);
		else
			alone(s, st);
	}
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"0-alone", {0, SCHED_OTHER}},
	{"10-alone", {10, SCHED_OTHER}},
	{"19-alone", {19, SCHED_OTHER}},
	{"batch-alone", {0, SCHED_BATCH}},
	{"idle-alone", {0, SCHED_IDLE}},
	{"10-rival-stops", {10, SCHED_OTHER, RIVAL_STOPS}},
	{"5-crowd", {5, SCHED_OTHER, CROWD}},
	{"19-crowd", {19, SCHED_OTHER, CROWD}},
	{"19-crowd-session", {19, SCHED_OTHER, CROWD_SESSION}},
	{0},
};

const struct probe_ops nice_idle_ops = {
	.name = "nice-idle",
	.twin = "19-alone",
	.limit_ms = 30000,
	.cases = cases,
	.run = nice_idle_run,
};
