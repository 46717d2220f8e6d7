/* idle-batch: what is left of the fair class below nice 19. SCHED_IDLE is a weight of 3, not zero; SCHED_BATCH has the
 * weight of its nice value, but does not preempt when it wakes, save those of SCHED_IDLE. */
#include "probe/stage.h"

enum { ARG_KIND, ARG_POLICY, ARG_RIVAL_POLICY, ARG_RIVAL_NICE };
enum { SHARE, WAKES, TURNS };

/* Weights of kernel/sched/sched.h and core.c: 3, 15 for nice 19, 1024 for nice 0. */
enum { ROUND_QUANTA_19 = 6, ROUND_QUANTA_0 = 343, ROUNDS_QUICK = 5, ROUNDS_FULL = 12, TURNS_FULL = 1 };
enum { WAKES_QUICK = 12, WAKES_FULL = 50, WAKES_LEAST = 3 };
static const int64_t settle_ns = 10000000, period_ns = 7000000, jitter_ns = 2000000, limit_ns = 8000000000;

static void report_share(struct probe_step *s, const struct stage *st)
{
	int64_t sum = 0;

	for (int i = 0; i < st->n; i++)
		sum += st->actors[i].cpu_ns;
	step_value(s, "share", stage_share(st, 0));
	step_outside(s, st->wall_ns, st->wall_ns - sum);
}

/* The weakest pair has a round of over a second: the window goes from the end of one of its turns to that of another. */
static void watch_turns(struct probe_step *s, struct stage *st)
{
	int64_t round = s->env->quantum_ns * ROUND_QUANTA_0;
	bool seen = s->pass < 0 || stage_turn_end(s, st, 0, round * 4);

	stage_read(st, false);
	for (int i = 0; i < TURNS_FULL && seen && s->pass >= 0; i++)
		seen = stage_turn_end(s, st, 0, round * 4);
	stage_read(st, true);
	if (seen)
		report_share(s, st);
	else
		step_status(s, RUN_FAILED, "run it again on a quieter machine", "SCHED_IDLE did not get a turn");
}

static void measure(struct probe_step *s, const struct probe_case *c, struct stage *st)
{
	int64_t quantum = s->env->quantum_ns;

	if (!stage_start(s, st, settle_ns))
		return;
	if (c->arg[ARG_KIND] == TURNS) {
		watch_turns(s, st);
	} else if (c->arg[ARG_KIND] == SHARE) {
		stage_watch_light(st, quantum * ROUND_QUANTA_19 *
					      (s->pass < 0	      ? 1
						      : s->env->quick ? ROUNDS_QUICK
								      : ROUNDS_FULL));
		report_share(s, st);
	} else {
		stage_read(st, false);
		if (!stage_wakes(s, st, limit_ns))
			return;
		stage_read(st, true);
		report_share(s, st);
		stage_report_waits(s, st);
	}
}

static void idle_batch_run(struct probe_step *s, const struct probe_case *c)
{
	struct actor_spec me = {.cpu = s->env->cpu, .policy = c->arg[ARG_POLICY]};
	struct actor_spec rival = {
		.cpu = s->env->cpu, .policy = c->arg[ARG_RIVAL_POLICY], .nice = c->arg[ARG_RIVAL_NICE]};

	if (c->arg[ARG_KIND] == TURNS && s->env->quick) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: SCHED_IDLE has a turn every %lld ms here",
			(long long)(s->env->quantum_ns * ROUND_QUANTA_0 / 1000000));
		return;
	}
	if (c->arg[ARG_KIND] == WAKES) {
		me.period_ns = period_ns;
		me.jitter_ns = jitter_ns;
		me.wakes = s->pass < 0 ? WAKES_LEAST : s->env->quick ? WAKES_QUICK : WAKES_FULL;
	}
	struct stage *st = stage_open(s);
	if (!st)
		return;
	if (stage_add(s, st, me) && stage_add(s, st, rival))
		measure(s, c, st);
	stage_close(st);
}

static const struct probe_case cases[] = {
	{"idle-beside-19", {SHARE, SCHED_IDLE, SCHED_OTHER, 19}},
	{"idle-beside-0", {TURNS, SCHED_IDLE, SCHED_OTHER, 0}},
	{"batch-beside-0", {SHARE, SCHED_BATCH, SCHED_OTHER, 0}},
	{"other-wakes", {WAKES, SCHED_OTHER, SCHED_OTHER, 0}},
	{"batch-wakes", {WAKES, SCHED_BATCH, SCHED_OTHER, 0}},
	{"batch-wakes-beside-idle", {WAKES, SCHED_BATCH, SCHED_IDLE, 0}},
	{0},
};

const struct probe_ops idle_batch_ops = {
	.name = "idle-batch",
	.twin = "idle-beside-19",
	.limit_ms = 60000,
	.cases = cases,
	.run = idle_batch_run,
};
