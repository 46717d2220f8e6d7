/* rt: what a FIFO spinner leaves to the fair class, and whether it is held back when nobody waits. One stretch a pass
 * measures all rows, for the kernel's period of real-time bandwidth is a second: FIFO alone, then beside a fair spinner,
 * then that again for the twin. Shares come from the spinners' own gaps. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/realtime.h"

enum { ARG_ROW };
enum { ROW_FAIR, ROW_ALONE, ROW_GROUP };
enum { GAP_NS = 200000, HELD_PPM = 985000, NEAR_PPM = 7000 }; /* near: a tick or two */
static const int64_t slack_ns = 300000000, lead_ns = 20000000, settled_ns = 1000000, group_window_ns = 50000000;
static const int64_t stretch_most_ns = 5000000000;

struct spell {
	int64_t fifo, own, fifo_gap, fair_gap; /* ppm, ns; own: the fair spinner's share; RUN_NULL: it was stopped */
};

/* What the pass's stretch gave; the twin's row is the second asked for with ROW_FAIR. */
static struct {
	bool done, usable;
	int pass;
	int64_t ended_ns;
	struct spell alone, beside[2];
	int given;
} stretch;

static struct spell look(const struct hogs *fifo, const struct hogs *fair, int64_t from, int64_t to)
{
	struct spell sp = {.own = RUN_NULL, .fair_gap = RUN_NULL};
	double wall = (double)(to - from);

	sp.fifo = (int64_t)((double)hog_ran_ns(&fifo->hogs[0], from, to, &sp.fifo_gap) / wall * 1e6);
	if (fair)
		sp.own = (int64_t)((double)hog_ran_ns(&fair->hogs[0], from, to, &sp.fair_gap) / wall * 1e6);
	return sp;
}

static void sleep_until(int64_t when)
{
	int64_t now = clock_ns();

	if (when > now)
		clock_sleep(when - now);
}

/* FIFO alone for a period. Where the kernel's clock of periods was already running, the first may be a piece of one: then
 * the second counts. */
static void alone(struct hogs *fifo, int64_t from)
{
	int64_t period = realtime_period_ns();

	for (int i = 0; i < 2; i++) {
		sleep_until(from + period + settled_ns);
		stretch.alone = look(fifo, NULL, from, from + period);
		from += period;
		if (llabs(stretch.alone.fifo - realtime_ppm()) < NEAR_PPM)
			break;
	}
}

/* FIFO spins from here until we stop it. False: it may not. */
static bool spells(struct probe_step *s, struct hogs *fifo, struct hogs *fair)
{
	int64_t beside = realtime_period_ns(), windows = s->env->quick ? 1 : 2;

	hogs_go(fair);
	clock_sleep(lead_ns);
	/* It stops while it still can: one that waits for the CPU is somebody who waits. */
	kill(fair->hogs[0].pid, SIGSTOP);
	clock_sleep(lead_ns);
	hogs_go(fifo);
	while (!atomic_load(&fifo->hogs[0].began_ns))
		clock_sleep(lead_ns / 100);
	int err = atomic_load(&fifo->hogs[0].err);
	if (err) {
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, err, NULL);
		return false;
	}
	int64_t t0 = atomic_load(&fifo->hogs[0].began_ns);
	alone(fifo, t0);
	kill(fair->hogs[0].pid, SIGCONT);
	int64_t t1 = clock_ns();
	sleep_until(t1 + windows * beside);
	stretch.ended_ns = clock_ns();
	hogs_stop(fifo); /* its record stays */
	clock_sleep(lead_ns / 10);
	stretch.beside[0] = look(fifo, fair, t1, t1 + beside);
	if (windows > 1)
		stretch.beside[1] = look(fifo, fair, t1 + beside, t1 + 2 * beside);
	hog_spans(s, &fifo->hogs[0], "fifo", "waiting", t0, t1 + windows * beside);
	hog_spans(s, &fair->hogs[0], "fair", "waiting", t1, t1 + windows * beside);
	return true;
}

static bool run_stretch(struct probe_step *s)
{
	struct guard guard;
	int64_t period = realtime_period_ns(), most = 4 * period;
	struct hog_plan plan = {.cpu = realtime_cpu(s->env), .group = HOG_NO_GROUP, .gap_ns = GAP_NS};
	bool usable = false;

	if (most > stretch_most_ns) {
		step_status(s, RUN_SKIPPED, "sysctl kernel.sched_rt_period_us=1000000",
			"a period of real-time bandwidth is %lld ms here", (long long)(period / 1000000));
		return false;
	}
	/* The kernel's clock of periods runs on for one after the last stretch: a new one begins with a period of its own. */
	sleep_until(s->cell->calibrated ? s->cell->calibrated + period + lead_ns : 0);
	if (!guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return false;
	}
	struct hogs *fair = hogs_open(s, &guard, most + slack_ns), *fifo = hogs_open(s, &guard, most + slack_ns);
	int err = !fair || !fifo ? ENOMEM : hogs_add(fair, s->env, NULL, plan);
	plan.policy = SCHED_FIFO;
	plan.priority = 1;
	if (!err)
		err = hogs_add(fifo, s->env, NULL, plan);
	if (!err)
		err = hogs_ready(fair);
	if (!err)
		err = hogs_ready(fifo);
	pid_t watchdog = err ? -1 : watchdog_start(s->env, fifo, &guard);
	if (err)
		step_status(s, RUN_SKIPPED, "a container's seccomp may forbid sched_setaffinity",
			"a spinner could not take its place: %s", strerror(err));
	else if (watchdog < 0)
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, errno, NULL);
	else
		usable = spells(s, fifo, fair);
	hogs_close(fifo);
	hogs_close(fair);
	watchdog_stop(watchdog);
	guard_close(&guard);
	return usable;
}

/* Who holds FIFO back is told by the row without anybody who waits, not by the kernel's configuration. */
static void attribute(struct probe_step *s)
{
	/* Held, it is held to what is allowed, give or take a tick. */
	double alone = (double)(stretch.alone.fifo < HELD_PPM ? realtime_ppm() : stretch.alone.fifo) / 1e4;
	bool server = kernel_at_least(6, 12);

	if (stretch.alone.fifo < HELD_PPM)
		step_note(s, "FIFO alone is also held to %.0f %%, so RT throttling acts here%s", alone,
			server ? "; the fair server would give the same 5 %" : "");
	else
		step_note(s, "FIFO alone gets %.0f %%: nothing throttles it, %s", alone,
			server ? "the fair server serves those who wait" : "and yet the fair class is served");
	step_param(s, "rt_throttling", stretch.alone.fifo < HELD_PPM);
	step_param(s, "fair_server", server);
}

static void report(struct probe_step *s, const struct spell *sp)
{
	step_value(s, "fifo", sp->fifo);
	/* Somebody fair is always waiting: what FIFO leaves goes to the class. */
	if (sp->own != RUN_NULL)
		step_value(s, "fair", 1000000 - sp->fifo);
	step_value(s, "fair-own", sp->own);
	if (sp->fifo_gap >= s->env->tick_ns)
		step_value(s, "fifo-gap", sp->fifo_gap);
	step_value(s, "fair-gap", sp->fair_gap);
	step_param(s, "period_us", realtime_period_ns() / 1000);
	/* Strangers on that CPU take from the fair spinner alone; from FIFO only the throttle takes, and the host. */
	step_outside(s, 1000000, sp->own == RUN_NULL ? 0 : 1000000 - sp->fifo - sp->own);
	attribute(s);
}

/* FIFO in a group of its own, for a moment: where RT_GROUP_SCHED is on, the group has no bandwidth and it is refused. */
static void run_in_group(struct probe_step *s)
{
	struct groups g;
	int64_t none;

	if (!groups_open(s, &g, false))
		return;
	int group = group_make(s, &g);
	struct hogs *h = group < 0 ? NULL : hogs_open(s, &g.guard, 2 * group_window_ns);
	struct hog_plan plan = {
		.cpu = realtime_cpu(s->env), .group = group, .policy = SCHED_FIFO, .priority = 1, .gap_ns = GAP_NS};
	int err = h ? hogs_add(h, s->env, &g, plan) : 0;
	if (h && !err)
		err = hogs_ready(h);
	if (h && !err) {
		hogs_go(h);
		while (!atomic_load(&h->hogs[0].began_ns))
			clock_sleep(lead_ns / 100);
		err = atomic_load(&h->hogs[0].err);
		int64_t from = atomic_load(&h->hogs[0].began_ns);
		sleep_until(from + group_window_ns);
		if (!err)
			step_value(s, "fifo",
				hog_ran_ns(&h->hogs[0], from, from + group_window_ns, &none) * 1000000 /
					group_window_ns);
	}
	if (err)
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, err, &g);
	hogs_close(h);
	groups_close(&g);
}

static void rt_run(struct probe_step *s, const struct probe_case *c)
{
	if (!realtime_safe(s))
		return;
	if (c->arg[ARG_ROW] == ROW_GROUP) {
		run_in_group(s);
		return;
	}
	/* A stretch is five seconds long: the warm-up pass only asks whether it would be allowed. */
	if (s->pass < 0) {
		static int asked;
		/* The second to ask for the row is the twin. */
		if (c->arg[ARG_ROW] == ROW_FAIR && asked++ && s->env->quick)
			step_status(s, RUN_SKIPPED, "run it without --quick",
				"quick: the twin takes another second a pass");
		struct sched_param one = {.sched_priority = 1}, zero = {0};
		if (linux_policy_set(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &one) != 0)
			realtime_refused(s, "sched_setscheduler", SCHED_FIFO, errno, NULL);
		else
			linux_policy_set(0, SCHED_OTHER, &zero);
		return;
	}
	if (!stretch.done || stretch.pass != s->pass) {
		memset(&stretch, 0, sizeof stretch);
		stretch.done = true;
		stretch.pass = s->pass;
		stretch.usable = run_stretch(s);
	}
	s->cell->calibrated = stretch.ended_ns;
	if (!stretch.usable)
		step_status(s, RUN_FAILED, NULL, "no measurement in this pass");
	else if (c->arg[ARG_ROW] == ROW_ALONE)
		report(s, &stretch.alone);
	else
		report(s, &stretch.beside[stretch.given++ & 1]);
}

static const struct probe_case cases[] = {
	{"fifo-fair", {ROW_FAIR}},
	{"fifo-alone", {ROW_ALONE}},
	{"fifo-group", {ROW_GROUP}},
	{0},
};

const struct probe_ops rt_ops = {
	.name = "rt",
	.twin = "fifo-fair",
	.limit_ms = 20000,
	.cases = cases,
	.run = rt_run,
};
