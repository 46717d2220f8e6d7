/* event-loop: cooperative scheduling. A loop has a tick due every two milliseconds, and now and then a call that does not
 * come back for a while. In one thread every tick due meanwhile is late by what is left of the call; with the call in a
 * thread of its own the kernel lets the ticks in. Lateness counts from when a tick was due. */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "probe/crew.h"
#include "probe/harness.h"

enum { ARG_HOW };
enum { ONE_THREAD, TWO_THREADS, TWO_ON_ONE_CPU };
enum { TICK_NS = 2000000, TICKS_MAX = 4096, RATE_NS = 1000000, CALL_PART = 4 };
static const int64_t quick_ns = 36000000, full_ns = 200000000, first_ns = 12000000;

struct loop {
	struct crew *crew;
	const struct probe_env *env;
	int how;
	bool blocker;
	uint64_t call_rounds;
	int64_t window_ns, call_ns;
	int64_t lateness[TICKS_MAX];
	int ticks;
	int err;
};

/* The call: so much work, however long it takes. */
static void blocking_call(struct loop *l)
{
	int64_t began = clock_ns();

	spin_work(l->call_rounds);
	l->call_ns = clock_ns() - began;
}

static void tick_loop(struct loop *l)
{
	int64_t begin = clock_ns(), end = begin + l->window_ns;
	bool called = l->how != ONE_THREAD;

	for (int64_t due = begin + TICK_NS; due < end && l->ticks < TICKS_MAX; due += TICK_NS) {
		int64_t now = clock_ns();
		if (due > now)
			clock_sleep(due - now);
		l->lateness[l->ticks++] = clock_ns() - due;
		if (!called && due - begin >= l->window_ns / CALL_PART) {
			blocking_call(l);
			called = true;
		}
	}
}

static void *loop_main(void *arg)
{
	struct loop *l = arg;

	prctl(PR_SET_TIMERSLACK, 1UL);
	if (l->how == TWO_ON_ONE_CPU && !env_pin(l->env->cpu))
		l->err = EINVAL;
	crew_gate(l->crew);
	if (!l->blocker) {
		tick_loop(l);
		return NULL;
	}
	clock_sleep(l->window_ns / CALL_PART);
	blocking_call(l);
	return NULL;
}

static void report(struct probe_step *s, struct loop *l, int64_t call_ns)
{
	for (int i = 0; i < l->ticks; i++)
		step_hist(s, "lateness", RUN_UNIT_NS, l->lateness[i]);
	step_value(s, "p99", values_quantile(l->lateness, l->ticks, 990));
	step_value(s, "p50", values_quantile(l->lateness, l->ticks, 500));
	step_value(s, "part",
		(int64_t)((double)values_quantile(l->lateness, l->ticks, 990) * 1000 / (double)(call_ns + 1)));
	step_param(s, "call_ns", l->window_ns / CALL_PART);
	step_param(s, "ticks", l->ticks);
}

static void event_loop_run(struct probe_step *s, const struct probe_case *c)
{
	static struct loop loops[2];
	static struct crew crew;
	int64_t window = s->pass < 0 ? first_ns : s->env->quick ? quick_ns : full_ns;
	uint64_t rounds = work_rounds(work_rate(RATE_NS), window / CALL_PART);
	int n = c->arg[ARG_HOW] == ONE_THREAD ? 1 : 2;

	if (c->arg[ARG_HOW] == TWO_THREADS && s->env->n_cpus < 2) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	memset(loops, 0, sizeof loops);
	for (int i = 0; i < n; i++) {
		loops[i].crew = &crew;
		loops[i].env = s->env;
		loops[i].how = c->arg[ARG_HOW];
		loops[i].blocker = i == 1;
		loops[i].call_rounds = rounds;
		loops[i].window_ns = window;
	}
	int err = crew_start(&crew, n, loop_main, loops, sizeof *loops);
	if (!err)
		crew_open(&crew);
	crew_join(&crew);
	err = err ? err : loops[0].err ? loops[0].err : loops[1].err;
	if (err)
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u'; allow sched_setaffinity", "no thread in its place: %s",
			strerror(err));
	else
		report(s, &loops[0], loops[n - 1].call_ns);
}

static const struct probe_case cases[] = {
	{"one-thread", {ONE_THREAD}},
	{"two-threads", {TWO_THREADS}},
	{"two-threads-same", {TWO_ON_ONE_CPU}},
	{0},
};

const struct probe_ops event_loop_ops = {
	.name = "event-loop",
	.twin = "one-thread",
	.limit_ms = 20000,
	.cases = cases,
	.run = event_loop_run,
};
