/* race: two threads add to one counter without a lock. Each addition reads, adds and writes; whoever comes between is lost.
 * Yielding after each addition changes how often that happens, and mends nothing; an atomic addition loses none. */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "probe/crew.h"
#include "probe/harness.h"

enum { ARG_HOW, ARG_PLACE };
enum { PLAIN, YIELD, ATOMIC };
enum { TWO_CPUS, ONE_CPU };
enum { ADDERS = 2, BATCH = 64 };
static const int64_t quick_ns = 8000000, full_ns = 40000000, first_ns = 1000000;

struct adder {
	struct crew *crew;
	_Atomic int64_t *sum;
	int how, cpu;
	int64_t done;
	bool placed;
};

/* Read, add, write: what `sum++` is, in a form whose outcome C defines. */
static void add_plainly(_Atomic int64_t *sum)
{
	atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + 1, memory_order_relaxed);
}

static void *add(void *arg)
{
	struct adder *me = arg;

	me->placed = env_pin(me->cpu);
	crew_gate(me->crew);
	while (!crew_stopped(me->crew)) {
		for (int i = 0; i < BATCH; i++) {
			if (me->how == ATOMIC)
				atomic_fetch_add_explicit(me->sum, 1, memory_order_relaxed);
			else
				add_plainly(me->sum);
			if (me->how == YIELD)
				sched_yield();
		}
		me->done += BATCH;
	}
	return NULL;
}

static void race_run(struct probe_step *s, const struct probe_case *c)
{
	static struct crew crew;
	static struct adder adders[ADDERS];
	_Alignas(64) static _Atomic int64_t sum;
	bool two = c->arg[ARG_PLACE] == TWO_CPUS;

	if (two && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	atomic_store(&sum, 0);
	for (int i = 0; i < ADDERS; i++)
		adders[i] = (struct adder){.crew = &crew,
			.sum = &sum,
			.how = c->arg[ARG_HOW],
			.cpu = two && i ? s->env->other : s->env->cpu};
	int err = crew_start(&crew, ADDERS, add, adders, sizeof *adders);
	if (err) {
		crew_join(&crew);
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
		return;
	}
	crew_open(&crew);
	int64_t began = clock_ns();
	clock_sleep(s->pass < 0 ? first_ns : s->env->quick ? quick_ns : full_ns);
	crew_join(&crew);
	int64_t wall = clock_ns() - began, added = adders[0].done + adders[1].done, kept = atomic_load(&sum);
	if (!adders[0].placed || !adders[1].placed) {
		step_status(s, RUN_FAILED, "allow it the CPUs", "a thread cannot be pinned to its CPU");
		return;
	}
	if (added <= 0) {
		step_status(s, RUN_FAILED, "run it again on a quieter machine", "no thread had its turn");
		return;
	}
	step_value(s, "lost", (int64_t)((double)(added - kept) / (double)added * 1e6));
	step_value(s, "rate", (int64_t)((double)added * 1e9 / (double)wall));
	step_param(s, "window_ms", wall / 1000000);
}

static const struct probe_case cases[] = {
	{"two-cpus", {PLAIN, TWO_CPUS}},
	{"two-cpus-yield", {YIELD, TWO_CPUS}},
	{"two-cpus-atomic", {ATOMIC, TWO_CPUS}},
	{"one-cpu", {PLAIN, ONE_CPU}},
	{"one-cpu-yield", {YIELD, ONE_CPU}},
	{0},
};

const struct probe_ops race_ops = {
	.name = "race",
	.twin = "two-cpus-atomic",
	.limit_ms = 10000,
	.cases = cases,
	.run = race_run,
};
