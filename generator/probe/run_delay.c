/* run-delay: who waits, how long, how often. Two spinners (workers) and a sleeper share a CPU: the kernel's own sums
 * (/proc/PID/schedstat), the waits of the sleeper and the gaps of the workers by the clock. Then one worker moves to
 * another CPU. */
#include <errno.h>
#include <string.h>

#include "probe/stage.h"

enum { ARG_MOVED };
enum { WORKER, MOVER, SLEEPER };
enum { WAKES = 1800 };

static const int64_t quick_window_ns = 150000000, full_window_ns = 400000000, settle_ns = 20000000;
static const int64_t period_ns = 1000000;

static void value(struct probe_step *s, const char *metric, int64_t part, int64_t whole)
{
	if (part != RUN_NULL && whole != RUN_NULL && whole > 0)
		step_value(s, metric, part / whole);
}

static int64_t a_second(int64_t n, int64_t wall_ns)
{
	return n == RUN_NULL || wall_ns <= 0 ? RUN_NULL : (int64_t)((double)n * 1e9 / (double)wall_ns);
}

static void report_gaps(struct probe_step *s, struct stage *st)
{
	int n = atomic_load(&st->n_gaps);

	if (n > STAGE_GAPS_MAX)
		n = STAGE_GAPS_MAX;
	for (int i = 0; i < n; i++)
		step_hist(s, "gap", RUN_UNIT_NS, st->gap_ns[i]);
	step_value(s, "worker-p50", stage_quantile(st->gap_ns, n, 500));
	step_value(s, "worker-max", stage_quantile(st->gap_ns, n, 1000));
}

static void report(struct probe_step *s, struct stage *st)
{
	struct actor *worker = &st->actors[WORKER], *sleeper = &st->actors[SLEEPER];
	int64_t wall = st->wall_ns;
	int n = atomic_load(&st->n_late);

	if (worker->wait_ns == RUN_NULL) {
		step_status(s, RUN_SKIPPED, "measure on a kernel with CONFIG_SCHED_INFO", "no /proc/PID/schedstat");
		return;
	}
	step_value(s, "wait", stage_ppm(worker->wait_ns, wall));
	value(s, "wait-a-turn", worker->wait_ns, worker->turns);
	step_value(s, "involuntary", a_second(worker->involuntary, wall));
	step_value(s, "sleeper-wait", stage_ppm(sleeper->wait_ns, wall));
	value(s, "sleeper-wait-a-turn", sleeper->wait_ns, sleeper->turns);
	step_value(s, "sleeper-voluntary", a_second(sleeper->voluntary, wall));
	report_gaps(s, st);
	for (int i = 0; i < n; i++)
		step_hist(s, "wait", RUN_UNIT_NS, st->late_ns[i]);
	step_value(s, "sleeper-p50", stage_quantile(st->late_ns, n, 500));
	step_value(s, "sleeper-max", stage_quantile(st->late_ns, n, 1000));
	step_param(s, "window_ms", wall / 1000000);
}

/* Another's affinity, read back. */
static bool move(pid_t pid, int cpu)
{
	cpu_set_t set, got;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(pid, sizeof set, &set) == 0 && sched_getaffinity(pid, sizeof got, &got) == 0 &&
	       CPU_EQUAL(&set, &got);
}

static void measure(struct probe_step *s, const struct probe_case *c, struct stage *st)
{
	int64_t window = s->pass < 0 ? settle_ns : s->env->quick ? quick_window_ns : full_window_ns;

	if (!stage_start(s, st, settle_ns))
		return;
	if (c->arg[ARG_MOVED]) {
		if (!move(st->actors[MOVER].pid, s->env->other)) {
			step_status(
				s, RUN_SKIPPED, "allow sched_setaffinity", "cannot move a worker: %s", strerror(errno));
			return;
		}
		/* What was kept before the move is another case's. */
		clock_sleep(settle_ns);
		atomic_store(&st->n_gaps, 0);
		atomic_store(&st->n_late, 0);
	}
	stage_watch(st, window);
	report(s, st);
}

static void run_delay_run(struct probe_step *s, const struct probe_case *c)
{
	struct actor_spec worker = {.cpu = s->env->cpu, .keeps_gaps = true};
	struct actor_spec sleeper = {.cpu = s->env->cpu, .period_ns = period_ns, .wakes = WAKES};
	struct actor_spec mover = worker;

	/* Only the one that stays tells of its gaps. */
	mover.keeps_gaps = false;
	if (c->arg[ARG_MOVED] && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	struct stage *st = stage_open(s);
	if (!st)
		return;
	if (stage_add(s, st, worker) && stage_add(s, st, mover) && stage_add(s, st, sleeper))
		measure(s, c, st);
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"two-workers", {false}},
	{"one-moved", {true}},
	{0},
};

const struct probe_ops run_delay_ops = {
	.name = "run-delay",
	.twin = "two-workers",
	.limit_ms = 30000,
	.cases = cases,
	.run = run_delay_run,
};
