/* turn-length: how long each of some equal spinners runs before the next one's turn, and how long it then waits. The
 * spinners themselves read the clock; a pause counts as a switch only if the kernel counted one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/crew.h"
#include "probe/gaps.h"
#include "probe/linux.h"
#include "probe/meter.h"
#include "probe/sys.h"

enum { ARG_HOGS };
enum { HOGS_MAX = 8, TURNS_MAX = HOGS_MAX * GAPS_MAX, SPANS_MAX = 60 };
static const int64_t quick_ns = 100000000, full_ns = 440000000, warm_up_ns = 20000000;

struct hog {
	struct crew *crew;
	const struct probe_env *env;
	const _Atomic int64_t *until_ns;
	struct meter used;
	struct gaps gaps;
};

/* What all hogs came to. */
struct tally {
	struct probe_step *s;
	int hog, spans, n;
	int64_t turns[TURNS_MAX];
};

static void *spin(void *arg)
{
	struct hog *me = arg;

	env_pin(me->env->cpu);
	crew_gate(me->crew);
	struct meter from = meter_now();
	gaps_watch(&me->gaps, me->env, me->env->cpu, atomic_load(me->until_ns));
	me->used = meter_since(from);
	return NULL;
}

/* The slice the kernel grants a task like us; RUN_NULL where it does not tell. */
static int64_t slice_ns(void)
{
	struct linux_sched_attr attr;

	if (linux_sched_get(0, &attr) == 0 && attr.runtime_ns && attr.runtime_ns <= 100000000)
		return (int64_t)attr.runtime_ns;
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int64_t slice = sys_number(sys_field(sys_text(&a, "/proc/self/sched"), "se.slice"));
	arena_free(&block);
	return slice > 0 ? slice : RUN_NULL;
}

static void tell_turn(void *ctx, int i, int64_t from_ns, int64_t to_ns)
{
	struct tally *t = ctx;
	char lane[PROBE_SPAN_TEXT_MAX];

	(void)i;
	step_hist(t->s, "turn", RUN_UNIT_NS, to_ns - from_ns);
	t->turns[t->n++] = to_ns - from_ns;
	if (t->spans < SPANS_MAX) {
		snprintf(lane, sizeof lane, "spinner %d", t->hog + 1);
		step_span(t->s, lane, "running", from_ns, to_ns);
		t->spans++;
	}
}

static void report(struct probe_step *s, const struct hog *hogs, int n, struct tally *t)
{
	struct meter sum = {0};
	int64_t wall = 0, waits = 0;

	*t = (struct tally){.s = s};
	for (t->hog = 0; t->hog < n; t->hog++) {
		const struct hog *h = &hogs[t->hog];
		t->spans = 0;
		gaps_turns(&h->gaps, tell_turn, t);
		meter_add(&sum, &h->used);
		wall = h->used.wall_ns > wall ? h->used.wall_ns : wall;
		int64_t wait = gaps_median_ns(&h->gaps, GAP_SWITCH);
		waits += wait == RUN_NULL ? 0 : wait;
	}
	int64_t turn = values_quantile(t->turns, t->n, 500), slice = slice_ns();
	if (turn == RUN_NULL) {
		step_status(s, sum.involuntary ? RUN_FAILED : RUN_SKIPPED, "measure on a kernel of your own",
			"no whole turn was seen: the kernel counted %lld involuntary switches",
			(long long)sum.involuntary);
		return;
	}
	step_value(s, "turn", turn);
	step_value(s, "mean", sum.involuntary ? wall / sum.involuntary : RUN_NULL);
	step_value(s, "wait", waits / n);
	step_value(s, "ticks", (int64_t)((double)turn * 1000 / (double)s->env->tick_ns + 0.5));
	step_value(s, "busy", ppm_of(sum.cpu_ns, wall));
	step_value(s, "waiting", ppm_of(sum.wait_ns, sum.wall_ns));
	step_value(s, "slice", slice);
	step_value(s, "tick", s->env->tick_ns);
	step_param(s, "hogs", n);
	step_param(s, "window_ms", wall / 1000000);
	/* They end one after another: the wall time is that of the last. */
	step_outside(s, sum.wall_ns / n, sum.wall_ns / n - sum.cpu_ns);
}

static void turn_length_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	int n = c->arg[ARG_HOGS];
	struct hog *hogs = calloc((size_t)n, sizeof *hogs);
	struct tally *tally = calloc(1, sizeof *tally);
	_Atomic int64_t until = 0;
	struct crew crew;

	if (!hogs || !tally) {
		step_status(s, RUN_FAILED, "free some memory", "no memory for the turns");
		free(hogs);
		free(tally);
		return;
	}
	/* Off the spinners' CPU, if there is another. */
	if (s->env->other >= 0)
		env_pin(s->env->other);
	for (int i = 0; i < n; i++) {
		hogs[i].crew = &crew;
		hogs[i].env = s->env;
		hogs[i].until_ns = &until;
	}
	int err = crew_start(&crew, n, spin, hogs, sizeof *hogs);
	if (!err) {
		atomic_store(&until, clock_ns() + window);
		crew_open(&crew);
	}
	crew_join(&crew);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
	else if (s->pass >= 0)
		report(s, hogs, n, tally);
	free(hogs);
	free(tally);
}

static const struct probe_case cases[] = {
	{"2", {2}},
	{"3", {3}},
	{"4", {4}},
	{"8", {8}},
	{0},
};

const struct probe_ops turn_length_ops = {
	.name = "turn-length",
	.twin = "2",
	.limit_ms = 15000,
	.cases = cases,
	.run = turn_length_run,
};
