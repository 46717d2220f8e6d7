/* clocks: what a reading of each clock costs and how finely it counts; and, for some lives of a second thread or none,
 * where the wall time went: on a CPU, waiting for one, or blocked. The parts are measured apart and must add up. */
#include <errno.h>
#include <string.h>

#include "probe/load.h"
#include "probe/meter.h"

enum { ARG_CLOCK, ARG_LIFE, ARG_RIVALS };
enum { SPLIT = -1 }; /* instead of a clock: where the wall time goes */
enum { PARALLEL = LOAD_YIELD + 1, READS = 2000, BATCHES_QUICK = 5, BATCHES_FULL = 20, STEP_READS = 2000 };
static const int64_t quick_ns = 60000000, full_ns = 240000000, warm_up_ns = 10000000, step_most_ns = 20000000;

static int64_t read_once(int clock)
{
	return cpu_clock_ns(clock);
}

/* The smallest step above 0 between neighbouring readings. A coarse clock stands still for a tick: up to 20 ms. */
static int64_t smallest_step(int clock)
{
	int64_t least = INT64_MAX, end = clock_ns() + step_most_ns, last = read_once(clock);

	for (int i = 0; i < STEP_READS || (least == INT64_MAX && clock_ns() < end); i++) {
		int64_t now = read_once(clock);
		if (now > last && now - last < least)
			least = now - last;
		last = now;
	}
	return least == INT64_MAX ? RUN_NULL : least;
}

static void price(struct probe_step *s, int clock)
{
	int64_t best = INT64_MAX;
	struct timespec resolution;

	if (clock_getres(clock, &resolution) != 0) {
		step_status(s, RUN_SKIPPED, "use a newer kernel", "no such clock here: %s", strerror(errno));
		return;
	}
	for (int i = 0; i < (s->env->quick ? BATCHES_QUICK : BATCHES_FULL); i++) {
		int64_t began = clock_ns();
		for (int k = 0; k < READS; k++)
			read_once(clock);
		int64_t took = clock_ns() - began;
		best = took < best ? took : best;
	}
	/* The best batch: a stranger's turn is not the clock's cost. In hundredths, for some take few nanoseconds. */
	step_value(s, "cost", best / READS);
	step_value(s, "resolution", resolution.tv_sec * INT64_C(1000000000) + resolution.tv_nsec);
	step_value(s, "step", smallest_step(clock));
	step_param(s, "reads", READS);
}

static void report_split(struct probe_step *s, struct meter m, struct load_done done, int64_t process_ns)
{
	/* Away is from asking for a sleep until running again: what it computes and waits within is counted as such. */
	int64_t blocked = done.away_ns - done.away_cpu_ns - (done.away_wait_ns == RUN_NULL ? 0 : done.away_wait_ns);

	blocked = blocked < 0 ? 0 : blocked;

	step_value(s, "thread", ppm_of(m.cpu_ns, m.wall_ns));
	step_value(s, "process", ppm_of(process_ns, m.wall_ns));
	if (m.wait_ns != RUN_NULL) {
		step_value(s, "waiting", ppm_of(m.wait_ns, m.wall_ns));
		step_value(s, "sum", ppm_of(m.cpu_ns + m.wait_ns + blocked, m.wall_ns));
	}
	step_value(s, "blocked", ppm_of(blocked, m.wall_ns));
	step_param(s, "window_ms", m.wall_ns / 1000000);
}

static void split(struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	bool parallel = c->arg[ARG_LIFE] == PARALLEL;
	struct rivals rivals, second = {0};

	if (parallel && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "allow it a second CPU", "one CPU: nothing runs in parallel");
		return;
	}
	if (!env_pin(s->env->cpu)) {
		step_status(s, RUN_FAILED, "allow it the CPU", "cannot be pinned to its CPU: %s", strerror(errno));
		return;
	}
	/* Two threads that spin, a CPU each, while the main thread sleeps; or so many rivals on our own CPU. */
	bool ok = rivals_start(s, &rivals, parallel ? 1 : c->arg[ARG_RIVALS], s->env->cpu, LOAD_SPIN) &&
		  (!parallel || rivals_start(s, &second, 1, s->env->other, LOAD_SPIN));
	if (ok) {
		struct meter from = meter_now();
		int64_t process = cpu_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		struct load_done done = {0};
		if (parallel) {
			clock_sleep(window);
			struct meter slept = meter_since(from);
			done = (struct load_done){0, slept.wall_ns, slept.cpu_ns, slept.wait_ns};
		} else {
			done = load_run((enum load_kind)c->arg[ARG_LIFE], from.wall_ns + window);
		}
		process = cpu_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - process;
		report_split(s, meter_since(from), done, process);
	}
	rivals_stop(&rivals);
	if (parallel)
		rivals_stop(&second);
}

static void clocks_run(struct probe_step *s, const struct probe_case *c)
{
	if (c->arg[ARG_CLOCK] == SPLIT) {
		split(s, c);
	} else {
		env_pin(s->env->cpu);
		price(s, c->arg[ARG_CLOCK]);
	}
}

static const struct probe_case cases[] = {
	{"monotonic", {CLOCK_MONOTONIC}},
	{"monotonic-raw", {CLOCK_MONOTONIC_RAW}},
	{"monotonic-coarse", {CLOCK_MONOTONIC_COARSE}},
	{"realtime", {CLOCK_REALTIME}},
	{"process-cpu", {CLOCK_PROCESS_CPUTIME_ID}},
	{"thread-cpu", {CLOCK_THREAD_CPUTIME_ID}},
	{"spin", {SPLIT, LOAD_SPIN}},
	{"spin-rival", {SPLIT, LOAD_SPIN, 1}},
	{"sleep", {SPLIT, LOAD_SLEEP}},
	{"half", {SPLIT, LOAD_MIXED}},
	{"parallel", {SPLIT, PARALLEL}},
	{0},
};

const struct probe_ops clocks_ops = {
	.name = "clocks",
	.twin = "monotonic",
	.limit_ms = 15000,
	.cases = cases,
	.run = clocks_run,
};
