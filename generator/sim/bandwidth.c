/* Quotas of groups: a pool for each, from which every CPU's queue fetches pieces, filled again each period. After
 * kernel/sched/fair.c (__assign_cfs_rq_runtime, throttle_cfs_rq, distribute_cfs_runtime, do_sched_cfs_period_timer,
 * do_sched_cfs_slack_timer). Time is charged at accounting points only: what runs over stays as a debt of the queue. The
 * whole queue is throttled, at once; from 6.18 on the kernel does it task by task, on their way back to user mode. */
#include "sim/fair.h"

enum {
	PIECE = 5000000, /* sched_cfs_bandwidth_slice_us */
	KEPT = 1000000, /* min_cfs_rq_runtime: what an empty queue keeps */
	SLACK_DELAY = 5000000, /* cfs_bandwidth_slack_period */
	SLACK_MARGIN = 2000000, /* min_bandwidth_expiration: so near the refill nothing is handed out */
};

/* The timer's grid is fixed, whether it runs or not. */
static int64_t next_refill(const struct sim *s, int group)
{
	const struct sim_group *g = &s->sc->groups[group];
	int64_t phase = g->phase % g->period;

	return s->now < phase ? phase : phase + ((s->now - phase) / g->period + 1) * g->period;
}

/* start_cfs_bandwidth. */
static void start(struct sim *s, int group)
{
	struct sim_pool *p = &s->parts.pools[group];

	if (p->active)
		return;
	p->active = true;
	sim_timer_set(s, SIM_TIMER_QUOTA + group, next_refill(s, group));
}

/* __refill_cfs_bandwidth_runtime: what was not used is kept up to the burst. */
static void refill(struct sim *s, int group)
{
	const struct sim_group *g = &s->sc->groups[group];
	struct sim_pool *p = &s->parts.pools[group];
	int64_t left = sim_min(p->left + g->quota, g->quota + g->burst);

	p->filled += left - p->left;
	p->left = left;
}

static void give(struct sim_pool *p, struct sim_queue *q, int64_t ns)
{
	ns = sim_min(ns, p->left);
	p->left -= ns;
	q->budget += ns;
}

/* A queue whose budget is gone asks for so much that it has `target` then, its debt included. */
static bool fetch(struct sim *s, struct sim_queue *q, int64_t target)
{
	struct sim_pool *p = &s->parts.pools[q->group];

	start(s, q->group);
	if (p->left)
		p->idle = false;
	give(p, q, target - q->budget);
	return q->budget > 0;
}

static bool throttle(struct sim *s, struct sim_queue *q)
{
	if (fetch(s, q, 1))
		return false;
	q->throttled = true;
	q->throttle_order = s->sequence++;
	q->throttled_at = s->now;
	sim_owner_dequeue(s, q);
	sim_note(s, q->cpu, SIM_THROTTLE, SIM_NONE, q->group, q->budget);
	return true;
}

/* unthrottle_cfs_rq: only an idle CPU looks again at once. */
static void unthrottle(struct sim *s, struct sim_queue *q)
{
	q->throttled = false;
	s->out->groups[q->group].throttled_ns += s->now - q->throttled_at;
	if (q->n)
		sim_owner_enqueue(s, q);
	sim_note(s, q->cpu, SIM_REFILL, SIM_NONE, q->group, q->budget);
	if (s->cpus[q->cpu].curr == SIM_NONE)
		sim_request(s, q->cpu, SIM_REFILL);
}

static struct sim_queue *first_throttled(struct sim *s, int group)
{
	struct sim_queue *best = NULL;

	for (int cpu = 0; cpu < s->n_cpus; cpu++) {
		struct sim_queue *q = &s->queues[sim_queue_of(group, cpu)];
		if (q->throttled && (!best || q->throttle_order < best->throttle_order))
			best = q;
	}
	return best;
}

/* In the order of their throttling, to each just enough to run again. */
static void distribute(struct sim *s, int group)
{
	struct sim_pool *p = &s->parts.pools[group];
	struct sim_queue *q;

	while (p->left && (q = first_throttled(s, group))) {
		give(p, q, 1 - q->budget);
		if (q->budget > 0)
			unthrottle(s, q);
	}
}

static void period_timer(struct sim *s, int group)
{
	struct sim_pool *p = &s->parts.pools[group];
	bool throttled = first_throttled(s, group);

	s->out->groups[group].periods++;
	refill(s, group);
	if (p->idle && !throttled) {
		p->active = false;
		return;
	}
	sim_timer_set(s, SIM_TIMER_QUOTA + group, next_refill(s, group));
	p->idle = !throttled;
	if (!throttled)
		return;
	s->out->groups[group].throttled++;
	distribute(s, group);
}

/* runtime_refresh_within. */
static bool refill_within(const struct sim *s, int group, int64_t ns)
{
	return s->timers[SIM_TIMER_QUOTA + group] - s->now < ns;
}

void sim_bandwidth_init(struct sim *s)
{
	for (int g = 0; g < s->sc->n_groups; g++) {
		if (!s->sc->groups[g].quota)
			continue;
		for (int cpu = 0; cpu < s->n_cpus; cpu++)
			s->queues[sim_queue_of(g, cpu)].limited = true;
		refill(s, g);
		start(s, g); /* as setting cpu.max does */
	}
}

/* __account_cfs_rq_runtime. */
void sim_bandwidth_charge(struct sim *s, struct sim_queue *q, int64_t ns)
{
	q->budget -= ns;
	s->out->groups[q->group].cpu_ns += ns;
	if (q->budget <= 0 && !q->throttled && !fetch(s, q, PIECE))
		sim_request(s, q->cpu, SIM_THROTTLE);
}

/* check_enqueue_throttle. */
void sim_bandwidth_first(struct sim *s, struct sim_queue *q)
{
	if (q->throttled || q->curr != SIM_NONE || q->budget > 0)
		return;
	if (!fetch(s, q, PIECE))
		throttle(s, q);
}

/* __return_cfs_rq_runtime, start_cfs_slack_bandwidth. */
void sim_bandwidth_empty(struct sim *s, struct sim_queue *q)
{
	struct sim_pool *p = &s->parts.pools[q->group];
	int64_t slack = q->budget - KEPT;

	if (slack <= 0)
		return;
	q->budget -= slack;
	p->left += slack;
	if (p->left <= PIECE || p->slack || !first_throttled(s, q->group) ||
		refill_within(s, q->group, SLACK_DELAY + SLACK_MARGIN))
		return;
	p->slack = true;
	sim_timer_set(s, SIM_TIMER_SLACK + q->group, s->now + SLACK_DELAY);
}

/* check_cfs_rq_runtime. */
bool sim_bandwidth_pick(struct sim *s, struct sim_queue *q)
{
	return q->budget <= 0 && (q->throttled || throttle(s, q));
}

void sim_bandwidth_timer(struct sim *s, int group, bool slack)
{
	struct sim_pool *p = &s->parts.pools[group];

	if (!slack) {
		period_timer(s, group);
		return;
	}
	p->slack = false;
	if (!refill_within(s, group, SLACK_MARGIN) && p->left > PIECE)
		distribute(s, group);
}

/* Nothing is lost and nothing comes from nowhere; and what was used stays within the quota of the periods begun, the burst, and
 * on each CPU a tick and what an empty queue keeps. */
bool sim_bandwidth_sound(const struct sim *s, int group)
{
	const struct sim_group *g = &s->sc->groups[group];
	const struct sim_pool *p = &s->parts.pools[group];
	const struct sim_group_use *use = &s->out->groups[group];
	int64_t sum = p->left + use->cpu_ns;

	for (int cpu = 0; cpu < s->n_cpus; cpu++)
		sum += s->queues[sim_queue_of(group, cpu)].budget;
	return sum == p->filled && p->left >= 0 && p->left <= g->quota + g->burst + s->n_cpus * (int64_t)PIECE * 2 &&
	       use->cpu_ns <= g->quota * (use->periods + 1) + g->burst + s->n_cpus * (s->tick_ns + KEPT);
}
