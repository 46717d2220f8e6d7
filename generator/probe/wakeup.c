/* wakeup: how late a sleeper runs after the time it asked for, beside none, one or two spinners. Two answers: as
 * observed, and corrected for what a late sleeper could not observe: one that is late by more than a period missed the
 * following wakes too, which would have been late by a period less each. */
#include <stdlib.h>

#include "probe/stage.h"

enum { ARG_HOGS, ARG_SLACK_NS, ARG_SLICE_US, ARG_ELSEWHERE };
enum { WAKES_QUICK = 30, WAKES_FULL = 105, WAKES_LEAST = 5, ENOUGH_FOR_P99 = 100 };

static const int64_t period_ns = 3000000, settle_ns = 15000000, limit_ns = 8000000000;

/* With the wakes that were missed; 0 if there is no memory for them. */
static int with_missed(const struct stage *st, int64_t **out)
{
	int n = 0, room = 0, kept = atomic_load(&st->n_late);

	for (int i = 0; i < kept; i++)
		room += 1 + (int)(st->late_ns[i] / period_ns);
	*out = malloc(sizeof **out * (size_t)(room + 1));
	for (int i = 0; i < kept && *out; i++)
		for (int64_t late = st->late_ns[i]; late >= 0 && n < room; late -= period_ns)
			(*out)[n++] = late;
	return n;
}

static void report(struct probe_step *s, struct stage *st, const struct actor *sleeper)
{
	int kept = atomic_load(&st->n_late);
	int64_t *all, sum = 0;
	int n = with_missed(st, &all);

	for (int i = 0; i < kept; i++)
		sum += st->late_ns[i];
	step_value(s, "mean", sum / (kept ? kept : 1));
	/* The kernel's own count of the wait, per turn: what of the lateness was spent in the queue. */
	if (sleeper->wait_ns != RUN_NULL && sleeper->turns != RUN_NULL && sleeper->turns > 0)
		step_value(s, "queued", sleeper->wait_ns / sleeper->turns);
	if (n) {
		step_value(s, "corrected-p50", stage_quantile(all, n, 500));
		step_value(s, "corrected-p90", stage_quantile(all, n, 900));
		if (kept >= ENOUGH_FOR_P99)
			step_value(s, "corrected-p99", stage_quantile(all, n, 990));
		step_value(s, "missed", n - kept);
	}
	free(all);
	stage_report_waits(s, st);
}

static void wakeup_run(struct probe_step *s, const struct probe_case *c)
{
	struct actor_spec hog = {.cpu = c->arg[ARG_ELSEWHERE] ? s->env->other : s->env->cpu};
	struct actor_spec sleeper = {.cpu = s->env->cpu,
		.slack_ns = c->arg[ARG_SLACK_NS],
		.slice_ns = c->arg[ARG_SLICE_US] * INT64_C(1000),
		.period_ns = period_ns,
		.wakes = s->pass < 0	 ? WAKES_LEAST
			 : s->env->quick ? WAKES_QUICK
					 : WAKES_FULL};

	if (c->arg[ARG_ELSEWHERE] && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	struct stage *st = stage_open(s);
	if (!st)
		return;
	bool ok = true;
	for (int i = 0; i < c->arg[ARG_HOGS] && ok; i++)
		ok = stage_add(s, st, hog);
	if (ok && stage_add(s, st, sleeper) && stage_start(s, st, settle_ns)) {
		stage_read(st, false);
		if (stage_wakes(s, st, limit_ns)) {
			stage_read(st, true);
			report(s, st, &st->actors[st->n - 1]);
			step_param(s, "slack_ns", c->arg[ARG_SLACK_NS] ? c->arg[ARG_SLACK_NS] : 50000);
		}
	}
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"alone", {0}},
	{"alone-slack-1ns", {0, 1}},
	{"1-hog", {1}},
	{"1-hog-slack-1ns", {1, 1}},
	{"1-hog-elsewhere", {1, 0, 0, true}},
	{"2-hogs", {2}},
	{"2-hogs-slack-1ns", {2, 1}},
	{"2-hogs-slice-100us", {2, 0, 100}},
	{0},
};

const struct probe_ops wakeup_ops = {
	.name = "wakeup",
	.twin = "1-hog",
	.limit_ms = 30000,
	.cases = cases,
	.run = wakeup_run,
};
