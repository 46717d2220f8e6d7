/* slice: from Linux 6.12 on a task may ask for a slice of its own (sched_setattr, sched_runtime). What the kernel makes of
 * the request, what it does to the wait of a sleeper beside two spinners, and that it does nothing to the share. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "probe/stage.h"
#include "probe/sys.h"

enum { ARG_KIND, ARG_SLICE_US, ARG_RIVAL_SLICE_US };
enum { CLAMP, SLEEPER, LIGHT_SLEEPER, SPINNER };
enum { RIVALS = 2, WAKES_QUICK = 16, WAKES_FULL = 40, WAKES_LEAST = 3, SPIN_QUANTA_QUICK = 24, SPIN_QUANTA_FULL = 100 };

static const int64_t settle_ns = 15000000, long_turn_ns = 100000000;
/* The sleeper uses 2.5 ms in every 10 or so: a little less than its fair third, so that most of its wakes wait with the
 * default slice, and the median tells; the other 1 ms in every 3, all of its third. */
static const int64_t period_ns = 10000000, jitter_ns = 1000000, work_ns = 2500000;
static const int64_t light_period_ns = 3000000, light_work_ns = 1000000;

/* The version decides: older kernels take the request and ignore it. */
static bool possible(struct probe_step *s)
{
	struct utsname u;
	struct str minor, major;

	if (uname(&u) != 0)
		return true;
	major = str_cut(str_of(u.release), '.', &minor);
	int64_t version = sys_number(major) * 1000 + sys_number(minor);
	if (version >= 6012)
		return true;
	step_status(s, RUN_SKIPPED, "measure on Linux 6.12 or later",
		"Linux %lld.%lld is older than 6.12, the first to give a task a slice of its own",
		(long long)(version / 1000), (long long)(version % 1000));
	return false;
}

/* Asks for it in this process, reads back, goes back to the default. */
static void clamp(struct probe_step *s, const struct probe_case *c)
{
	struct linux_sched_attr before, attr;

	if (linux_sched_get(0, &before) != 0) {
		step_status(s, RUN_SKIPPED, "allow sched_getattr", "sched_getattr: %s", strerror(errno));
		return;
	}
	attr = (struct linux_sched_attr){.nice = before.nice, .runtime_ns = (uint64_t)c->arg[ARG_SLICE_US] * 1000};
	if (linux_sched_set(0, &attr) != 0 || linux_sched_get(0, &attr) != 0) {
		step_status(s, RUN_SKIPPED, "a container's seccomp or a security module may forbid it",
			"sched_setattr: %s", strerror(errno));
		return;
	}
	struct linux_sched_attr none = {.nice = before.nice};
	linux_sched_set(0, &none);
	step_value(s, "slice", (int64_t)attr.runtime_ns);
	step_outside(s, 1, 0); /* a question with one answer: no load on the CPU changes it */
}

static void report_slice(struct probe_step *s, const struct actor *a)
{
	struct linux_sched_attr attr;

	if (linux_sched_get(a->pid, &attr) == 0)
		step_value(s, "slice", (int64_t)attr.runtime_ns);
}

static void sleeper(struct probe_step *s, const struct probe_case *c, struct stage *st)
{
	bool light = c->arg[ARG_KIND] == LIGHT_SLEEPER;
	int wakes = s->pass < 0 ? WAKES_LEAST : s->env->quick ? WAKES_QUICK : WAKES_FULL;
	struct actor_spec me = {.cpu = s->env->cpu,
		.slice_ns = c->arg[ARG_SLICE_US] * INT64_C(1000),
		.period_ns = light ? light_period_ns : period_ns,
		.jitter_ns = light ? 0 : jitter_ns,
		.work_ns = light ? light_work_ns : work_ns,
		.slack_ns = 1,
		.catches_up = true,
		.wakes = light ? wakes * 2 : wakes};
	struct actor_spec rival = {.cpu = s->env->cpu, .slice_ns = c->arg[ARG_RIVAL_SLICE_US] * INT64_C(1000)};

	bool ok = true;

	for (int i = 0; i < RIVALS && ok; i++)
		ok = stage_add(s, st, rival);
	if (!ok || !stage_add(s, st, me) || !stage_start(s, st, settle_ns))
		return;
	report_slice(s, &st->actors[RIVALS]);
	stage_read(st, false);
	if (!stage_wakes(s, st, me.period_ns * me.wakes * 10 + 10 * long_turn_ns))
		return;
	stage_read(st, true);
	step_value(s, "share", stage_share(st, RIVALS));
	int64_t sum = 0;
	for (int i = 0; i < st->n; i++)
		sum += st->actors[i].cpu_ns;
	step_outside(s, st->wall_ns, st->wall_ns - sum);
	stage_report_waits(s, st);
}

static void spinner(struct probe_step *s, const struct probe_case *c, struct stage *st)
{
	int64_t slice = c->arg[ARG_SLICE_US] * INT64_C(1000);
	int64_t quantum = slice > s->env->quantum_ns ? slice / 4 : s->env->quantum_ns;
	int64_t window = quantum * (s->env->quick ? SPIN_QUANTA_QUICK : SPIN_QUANTA_FULL);
	struct actor_spec me = {.cpu = s->env->cpu, .slice_ns = slice}, rival = {.cpu = s->env->cpu};

	if (!stage_add(s, st, me) || !stage_add(s, st, rival) || !stage_start(s, st, settle_ns))
		return;
	report_slice(s, &st->actors[0]);
	stage_watch(st, s->pass < 0 ? quantum * 4 : window);
	struct actor *a = &st->actors[0];
	step_value(s, "share", stage_share(st, 0));
	if (a->turns != RUN_NULL && a->turns > 0)
		step_value(s, "turn", a->cpu_ns / a->turns);
	step_outside(s, st->wall_ns, st->wall_ns - a->cpu_ns - st->actors[1].cpu_ns);
	step_param(s, "window_ms", window / 1000000);
}

static void slice_run(struct probe_step *s, const struct probe_case *c)
{
	if (!possible(s))
		return;
	if (c->arg[ARG_SLICE_US])
		step_param(s, "slice_us", c->arg[ARG_SLICE_US]);
	if (c->arg[ARG_RIVAL_SLICE_US])
		step_param(s, "rival_slice_us", c->arg[ARG_RIVAL_SLICE_US]);
	if (c->arg[ARG_KIND] == CLAMP) {
		clamp(s, c);
		return;
	}
	struct stage *st = stage_open(s);
	if (!st)
		return;
	if (c->arg[ARG_KIND] == SPINNER)
		spinner(s, c, st);
	else
		sleeper(s, c, st);
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"ask-10us", {CLAMP, 10}},
	{"ask-100us", {CLAMP, 100}},
	{"ask-1ms", {CLAMP, 1000}},
	{"ask-20ms", {CLAMP, 20000}},
	{"ask-200ms", {CLAMP, 200000}},
	{"sleeper", {SLEEPER}},
	{"sleeper-100us", {SLEEPER, 100}},
	{"sleeper-20ms", {SLEEPER, 20000}},
	{"sleeper-rivals-100ms", {SLEEPER, 0, 100000}},
	{"light-sleeper", {LIGHT_SLEEPER}},
	{"light-sleeper-100us", {LIGHT_SLEEPER, 100}},
	{"spinner", {SPINNER}},
	{"spinner-100us", {SPINNER, 100}},
	{"spinner-20ms", {SPINNER, 20000}},
	{0},
};

const struct probe_ops slice_ops = {
	.name = "slice",
	.twin = "sleeper",
	.limit_ms = 60000,
	.cases = cases,
	.run = slice_run,
};
