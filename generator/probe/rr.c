/* rr: two spinners of one real-time priority on one CPU. Round robin passes the CPU on after a fixed turn, against what
 * the kernel says it is; FIFO never does. The window ends before real-time bandwidth is used up. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "probe/linux.h"
#include "probe/realtime.h"

enum { ARG_POLICY };
enum { RR_QUARTERS = 13, RR_QUICK_QUARTERS = 9, FIFO_QUARTERS = 6 }; /* a quarter of a turn each */
static const int64_t window_most_ns = 800000000, gap_ns = 2000000, rest_ns = 60000000, slack_ns = 20000000;

/* The kernel tells a fair task its slice: be one of round robin for a moment. -1 leaves errno. */
static int64_t rr_interval(void)
{
	struct sched_param one = {.sched_priority = 1}, zero = {0};
	struct timespec t = {0};

	if (linux_policy_set(0, SCHED_RR, &one) != 0)
		return -1;
	int err = sched_rr_get_interval(0, &t) == 0 ? 0 : errno;
	linux_policy_set(0, SCHED_OTHER, &zero);
	errno = err;
	return err ? -1 : (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void report(struct probe_step *s, const struct hogs *h, int64_t window, int64_t interval)
{
	int64_t began[2] = {atomic_load(&h->hogs[0].began_ns), atomic_load(&h->hogs[1].began_ns)};
	/* The one that came first has the CPU; the other begins when it has its turn, or never. */
	int first = began[0] && (!began[1] || began[0] < began[1]) ? 0 : 1;
	const struct hog *me = &h->hogs[first];
	int64_t from = began[first], end = from + window;

	if (!from) {
		step_status(s, RUN_FAILED, "run it again", "no spinner ever began");
		return;
	}
	step_value(s, "turn", (atomic_load(&me->n_gaps) ? me->gaps[0].t0_ns : end) - from);
	step_value(s, "interval", interval);
	step_value(s, "wait", hog_gap(h, from, end, 0, 2, 500));
	step_value(s, "passed-on", atomic_load(&h->hogs[0].n_gaps) + atomic_load(&h->hogs[1].n_gaps));
	step_param(s, "window_ms", window / 1000000);
	step_param(s, "priority", 1);
	hog_spans(s, me, "first", "waiting", from, end);
	if (began[!first])
		hog_spans(s, &h->hogs[!first], "second", "waiting", began[!first], end);
}

static void measure(struct probe_step *s, const struct probe_case *c, struct guard *guard, int64_t interval)
{
	int policy = c->arg[ARG_POLICY], err = 0;
	int quarters = policy == SCHED_FIFO ? FIFO_QUARTERS : s->env->quick ? RR_QUICK_QUARTERS : RR_QUARTERS;
	int64_t window = interval * quarters / 4;
	struct hogs *h = hogs_open(s, guard, window + slack_ns);
	struct hog_plan plan = {.cpu = realtime_cpu(s->env),
		.group = HOG_NO_GROUP,
		.policy = policy,
		.priority = 1,
		.policy_first = true,
		.gap_ns = gap_ns};

	if (!h)
		return;
	for (int i = 0; i < 2 && !err; i++)
		err = hogs_add(h, s->env, NULL, plan);
	if (!err)
		err = hogs_ready(h);
	pid_t watchdog = err ? -1 : watchdog_start(s->env, h, guard);
	if (err || watchdog < 0) {
		realtime_refused(s, "sched_setscheduler", policy, err ? err : errno, NULL);
	} else {
		hogs_go(h);
		clock_sleep(window);
		hogs_stop(h);
		report(s, h, window, interval);
	}
	hogs_close(h);
	watchdog_stop(watchdog);
}

static void rr_run(struct probe_step *s, const struct probe_case *c)
{
	struct guard guard;

	if (!realtime_safe(s))
		return;
	if (s->env->quick && c->arg[ARG_POLICY] == SCHED_FIFO) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: left out to save time");
		return;
	}
	int64_t interval = rr_interval();
	if (interval < 0) {
		realtime_refused(s, "sched_setscheduler", SCHED_RR, errno, NULL);
		return;
	}
	if (interval < 4 * gap_ns || interval * RR_QUARTERS / 4 > window_most_ns) {
		step_status(s, RUN_SKIPPED, "sysctl kernel.sched_rr_timeslice_ms=100",
			"a turn of %lld us cannot be measured beside the 950 ms of real-time bandwidth",
			(long long)(interval / 1000));
		return;
	}
	if (s->pass < 0)
		return;
	if (!guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return;
	}
	measure(s, c, &guard, interval);
	guard_close(&guard);
	/* Some of every second stays with the fair class, or the next row would be throttled. */
	clock_sleep(rest_ns);
}

static const struct probe_case cases[] = {
	{"rr", {SCHED_RR}},
	{"fifo", {SCHED_FIFO}},
	{0},
};

const struct probe_ops rr_ops = {
	.name = "rr",
	.twin = "rr",
	.limit_ms = 10000,
	.cases = cases,
	.run = rr_run,
};
