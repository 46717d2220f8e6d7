/* sweep: from one thread to four for each CPU, none pinned: the work done, the involuntary switches, the waiting. N is
 * what we may use: the CPUs of our affinity, or fewer if a cgroup's quota allows fewer. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "probe/crew.h"
#include "probe/harness.h"
#include "probe/linux.h"
#include "probe/meter.h"
#include "probe/sys.h"

enum { ARG_THREADS };
enum { ONE, HALF_N, N, N_PLUS_1, TWICE_N, FOUR_TIMES_N, SPREAD };
enum { UNIT_ROUNDS = 1000, CHUNK_ROUNDS = 10000, CHUNKS = 1600 };
static const int64_t quick_ns = 80000000, full_ns = 300000000, warm_up_ns = 10000000, spread_most_ns = 200000000,
		     look_ns = 200000;

struct sweep {
	struct crew crew;
	const struct probe_env *env;
	int64_t window_ns;
	_Atomic int arrived, chunks; /* at the fixed work; taken of it */
	_Atomic int64_t second_ns; /* when all had arrived */
};

struct sweeper {
	struct sweep *all;
	int64_t units;
	struct meter used;
	int64_t done_ns; /* when there was no fixed work left */
	_Atomic pid_t tid;
	_Atomic int cpu; /* spread: where it was last seen */
};

/* CPUs that we may use at once, at least 1. */
static int cpus_allowed(const struct probe_env *env)
{
	struct arena_block block;
	struct arena a = arena_new(&block, (ptrdiff_t)SYS_SCRATCH * 2);
	struct run_facts facts = facts_context(&a, env);
	const struct run_fact *quota = run_fact_get(&facts, "cpu_quota_milli");
	int n = env->n_cpus;

	if (quota && !quota->text.ptr && quota->num != RUN_NULL && quota->num / 1000 < n)
		n = quota->num < 2000 ? 1 : (int)(quota->num / 1000);
	arena_free(&block);
	return n;
}

static void *sweep_thread(void *arg)
{
	struct sweeper *me = arg;
	struct sweep *all = me->all;

	crew_gate(&all->crew);
	struct meter from = meter_now();
	do {
		spin_work(UNIT_ROUNDS);
		me->units++;
	} while (clock_ns() < from.wall_ns + all->window_ns);
	me->used = meter_since(from);
	/* Then a fixed amount of work, shared by all, once all are there. */
	if (atomic_fetch_add(&all->arrived, 1) == all->crew.n - 1)
		atomic_store(&all->second_ns, clock_ns());
	while (!atomic_load(&all->second_ns))
		clock_sleep(look_ns / 4);
	while (atomic_fetch_add(&all->chunks, 1) < CHUNKS)
		spin_work(CHUNK_ROUNDS);
	me->done_ns = clock_ns();
	return NULL;
}

static void report(struct probe_step *s, const struct sweep *all, const struct sweeper *each, int n, int cpus)
{
	struct meter sum = {0};
	int64_t units = 0, least = INT64_MAX, most = 0, ended = 0;

	for (int i = 0; i < n; i++) {
		meter_add(&sum, &each[i].used);
		units += each[i].units;
		least = each[i].units < least ? each[i].units : least;
		most = each[i].units > most ? each[i].units : most;
		ended = each[i].done_ns > ended ? each[i].done_ns : ended;
	}
	int64_t wall = sum.wall_ns / n;
	if (wall <= 0)
		return;
	step_value(s, "work", (int64_t)((double)units * 1e9 / (double)wall));
	step_value(s, "involuntary", milli_per_second(sum.involuntary, wall));
	step_value(s, "waiting", ppm_of(sum.wait_ns, sum.wall_ns));
	step_value(s, "cpus", sum.cpu_ns * 1000 / wall);
	step_value(s, "fairness", ppm_of(least, most));
	step_value(s, "finish", ended - atomic_load(&all->second_ns));
	step_param(s, "threads", n);
	step_param(s, "n", cpus);
	step_param(s, "window_ms", wall / 1000000);
	/* As many threads as CPUs want that much; fewer want one each. */
	int64_t want = wall * (n < cpus ? n : cpus);
	step_outside(s, want, want - sum.cpu_ns);
}

static void run_sweep(struct probe_step *s, struct sweep *all, int n, int cpus)
{
	struct sweeper *each = calloc((size_t)n, sizeof *each);

	if (!each) {
		step_status(s, RUN_FAILED, "free some memory", "no memory for %d threads", n);
		return;
	}
	all->window_ns = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	for (int i = 0; i < n; i++)
		each[i].all = all;
	int err = crew_start(&all->crew, n, sweep_thread, each, sizeof *each);
	if (!err)
		crew_open(&all->crew);
	crew_join(&all->crew);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no %d threads: %s", n, strerror(err));
	else
		report(s, all, each, n, cpus);
	free(each);
}

static void *spread_thread(void *arg)
{
	struct sweeper *me = arg;

	atomic_store(&me->tid, linux_tid());
	env_pin(me->all->env->cpu);
	crew_gate(&me->all->crew);
	while (!crew_stopped(&me->all->crew)) {
		spin_work(UNIT_ROUNDS);
		atomic_store_explicit(&me->cpu, sched_getcpu(), memory_order_relaxed);
	}
	return NULL;
}

/* Does each of `cpus` CPUs run one of them? */
static bool spread_out(const struct sweeper *each, int n, int cpus)
{
	int different = 0;

	for (int i = 0; i < n; i++) {
		bool seen = false;
		for (int k = 0; k < i && !seen; k++)
			seen = atomic_load(&each[k].cpu) == atomic_load(&each[i].cpu);
		different += !seen;
	}
	return different >= cpus;
}

static bool widen(const struct probe_env *env, const struct sweeper *each, int n)
{
	cpu_set_t set;
	bool ok = true;

	CPU_ZERO(&set);
	for (int i = 0; i < env->n_cpus; i++)
		CPU_SET((size_t)env->cpus[i], &set);
	for (int i = 0; i < n; i++)
		ok &= sched_setaffinity(atomic_load(&each[i].tid), sizeof set, &set) == 0;
	return ok;
}

static void look(struct probe_step *s, const struct sweeper *each, int n, int cpus)
{
	/* Each has had a turn on the first CPU. */
	clock_sleep(s->env->quantum_ns * (n + 1));
	if (!widen(s->env, each, n)) {
		step_status(s, RUN_FAILED, "allow it all its CPUs", "no wider affinity: %s", strerror(errno));
		return;
	}
	int64_t began = clock_ns();
	while (!spread_out(each, n, cpus) && clock_ns() - began < spread_most_ns)
		clock_sleep(look_ns);
	step_value(s, "spread", clock_ns() - began);
	step_param(s, "threads", n);
	step_param(s, "n", cpus);
}

/* Twice as many spinners as CPUs, all on one, are set free: until each CPU has one. */
static void run_spread(struct probe_step *s, struct sweep *all, int n, int cpus)
{
	struct sweeper *each = calloc((size_t)n, sizeof *each);

	if (!each) {
		step_status(s, RUN_FAILED, "free some memory", "no memory for %d threads", n);
		return;
	}
	for (int i = 0; i < n; i++) {
		each[i].all = all;
		each[i].cpu = s->env->cpu;
	}
	int err = crew_start(&all->crew, n, spread_thread, each, sizeof *each);
	if (!err) {
		crew_open(&all->crew);
		look(s, each, n, cpus);
	}
	crew_join(&all->crew);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no %d threads: %s", n, strerror(err));
	free(each);
}

static void sweep_run(struct probe_step *s, const struct probe_case *c)
{
	int cpus = cpus_allowed(s->env);
	int counts[] = {1, cpus / 2, cpus, cpus + 1, 2 * cpus, 4 * cpus, 2 * cpus};
	int which = c->arg[ARG_THREADS], n = counts[which];
	struct sweep *all = calloc(1, sizeof *all);

	if (!all) {
		step_status(s, RUN_FAILED, "free some memory", "no memory");
		return;
	}
	all->env = s->env;
	if (n > CREW_MAX)
		step_status(
			s, RUN_SKIPPED, "taskset it to fewer CPUs", "%d threads are more than %d", n, (int)CREW_MAX);
	else if (which == HALF_N && n < 2)
		step_status(s, RUN_SKIPPED, "allow it four CPUs or more", "N is %d: half of it is the case 1", cpus);
	else if (which == SPREAD && cpus < 2)
		step_status(s, RUN_SKIPPED, "allow it a second CPU", "one CPU: there is nowhere to spread to");
	else if (which == SPREAD)
		run_spread(s, all, n, cpus);
	else
		run_sweep(s, all, n, cpus);
	free(all);
}

static const struct probe_case cases[] = {
	{"1", {ONE}},
	{"half-n", {HALF_N}},
	{"n", {N}},
	{"n-plus-1", {N_PLUS_1}},
	{"2n", {TWICE_N}},
	{"4n", {FOUR_TIMES_N}},
	{"spread", {SPREAD}},
	{0},
};

const struct probe_ops sweep_ops = {
	.name = "sweep",
	.twin = "n",
	.limit_ms = 30000,
	.cases = cases,
	.run = sweep_run,
};
