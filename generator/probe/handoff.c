/* handoff: what is left of the CPU when items of work w change hands. Two threads take turns: each does its items (a batch
 * of them), hands over through a pipe and sleeps. The same items done by one thread alone come first, so that the
 * overhead is a paired difference: h / (h + w), where h is the price of handing over, divided by the batch. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "probe/channel.h"
#include "probe/crew.h"
#include "probe/harness.h"

enum { ARG_ITEM_US, ARG_BATCH, ARG_CROSS };
enum { UNTIMED = 20, ROUNDS_LEAST = 20, RATE_NS = 1000000 };
static const int64_t quick_part_ns = 18000000, full_part_ns = 65000000, first_part_ns = 4000000;

struct relay {
	struct channel channel;
	uint64_t item_rounds;
	int batch, cpu;
	int64_t rounds;
	struct thread_use partner;
	int err;
};

static void do_batch(const struct relay *r)
{
	for (int i = 0; i < r->batch; i++)
		spin_work(r->item_rounds);
}

static void *answer(void *arg)
{
	struct relay *r = arg;
	struct thread_use from = {0};

	r->err = env_pin(r->cpu) ? 0 : EINVAL;
	for (int64_t i = -UNTIMED; i < r->rounds; i++) {
		if (i == 0)
			from = thread_use();
		/* The work before the answer: the asker waits meanwhile. */
		channel_wait(&r->channel);
		do_batch(r);
		channel_reply(&r->channel);
	}
	r->partner = thread_use_since(from);
	return NULL;
}

/* The wall time of the timed rounds, and what both sides used in them. */
static int run_relay(struct relay *r, int64_t *wall_ns, struct thread_use *both)
{
	pthread_t thread;
	struct thread_use from = {0};
	int64_t began = 0;
	int err = pthread_create(&thread, NULL, answer, r);

	if (err)
		return err;
	for (int64_t i = -UNTIMED; i < r->rounds; i++) {
		if (i == 0) {
			from = thread_use();
			began = clock_ns();
		}
		do_batch(r);
		channel_ask(&r->channel);
	}
	*wall_ns = clock_ns() - began;
	*both = thread_use_since(from);
	pthread_join(thread, NULL);
	both->voluntary += r->partner.voluntary;
	both->involuntary += r->partner.involuntary;
	both->cpu_ns += r->partner.cpu_ns;
	return r->err;
}

/* Time per item of as many rounds, by one thread alone. */
static int64_t item_alone(const struct relay *r)
{
	int64_t began = clock_ns();

	for (int64_t i = 0; i < 2 * r->rounds; i++)
		do_batch(r);
	return (clock_ns() - began) / (2 * r->rounds * r->batch);
}

static void report(struct probe_step *s, const struct relay *r, int64_t alone, int64_t wall, struct thread_use both)
{
	int64_t items = 2 * r->rounds * r->batch, item = wall / items;

	step_value(s, "item", item);
	step_value(s, "alone", alone);
	step_value(s, "handing", item - alone);
	step_value(s, "overhead", (int64_t)((double)(item - alone) / (double)item * 1e6));
	step_value(s, "switches", (both.voluntary + both.involuntary) * 1000 / items);
	/* One of the two always runs: what is missing went to others. */
	if (r->cpu == s->env->cpu)
		step_outside(s, wall, wall - both.cpu_ns);
	step_param(s, "items", items);
	step_param(s, "batch", r->batch);
}

static void handoff_run(struct probe_step *s, const struct probe_case *c)
{
	struct relay r = {.batch = c->arg[ARG_BATCH] ? c->arg[ARG_BATCH] : 1, .cpu = s->env->cpu};
	int64_t part = s->pass < 0 ? first_part_ns : s->env->quick ? quick_part_ns : full_part_ns;
	int64_t wall = 0, each = (int64_t)c->arg[ARG_ITEM_US] * 1000 * r.batch;

	if (c->arg[ARG_CROSS] && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	if (!env_pin(s->env->cpu) || !channel_open(&r.channel, CHANNEL_PIPE, false)) {
		step_status(s, RUN_SKIPPED, "allow sched_setaffinity; raise 'ulimit -n'", "cannot begin: %s",
			strerror(errno));
		return;
	}
	r.cpu = c->arg[ARG_CROSS] ? s->env->other : s->env->cpu;
	r.item_rounds = work_rounds(work_rate(RATE_NS), (int64_t)c->arg[ARG_ITEM_US] * 1000);
	r.rounds = part / (2 * (each + 3000));
	r.rounds = r.rounds < ROUNDS_LEAST ? ROUNDS_LEAST : r.rounds;
	struct thread_use both = {0};
	int64_t alone = item_alone(&r);
	int err = run_relay(&r, &wall, &both);
	channel_close(&r.channel);
	if (err)
		step_status(
			s, RUN_SKIPPED, "allow sched_setaffinity; raise 'ulimit -u'", "no partner: %s", strerror(err));
	else
		report(s, &r, alone, wall, both);
}

static const struct probe_case cases[] = {
	{"1us", {1}},
	{"5us", {5}},
	{"20us", {20}},
	{"100us", {100}},
	{"5us-batch4", {5, 4}},
	{"5us-batch16", {5, 16}},
	{"5us-batch64", {5, 64}},
	{"5us-cross", {5, 1, true}},
	{"100us-cross", {100, 1, true}},
	{0},
};

const struct probe_ops handoff_ops = {
	.name = "handoff",
	.twin = "5us",
	.limit_ms = 30000,
	.cases = cases,
	.run = handoff_run,
};
