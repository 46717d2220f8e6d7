/* CFS, until 6.5: the least v, from a timeslice that shares out a period. After kernel/sched/fair.c of 5.13 to 6.5
 * (place_entity, check_preempt_tick, wakeup_preempt_entity), without LAST_BUDDY. */
#include "sim/fair.h"

/* What `e` may run in one period, with itself counted in, down the path of groups. */
static int64_t share(const struct sim *s, const struct sim_queue *q, const struct sim_entity *e)
{
	int n = q->n + !e->queued;
	int64_t slice = n <= 8 ? s->latency : n * s->min_gran;

	for (;;) {
		slice = slice * e->weight / (q->load + (e->queued ? 0 : e->weight));
		if (q->owner == SIM_NONE)
			return slice;
		e = &s->entities[q->owner];
		q = &s->queues[e->queue];
	}
}

static int least(const struct sim *s, const struct sim_queue *q, int but)
{
	int best = SIM_NONE;

	for (int i = q->first; i != SIM_NONE; i = s->entities[i].next)
		if (i != but && (best == SIM_NONE || s->entities[i].v < s->entities[best].v))
			best = i;
	return best;
}

static void update_min(const struct sim *s, struct sim_queue *q)
{
	int i = least(s, q, SIM_NONE);

	if (i != SIM_NONE)
		q->min_v = sim_max(q->min_v, s->entities[i].v);
}

/* A new task begins one share behind. The share is not floored at min_granularity here: the published vectors are not. */
static void place(struct sim *s, struct sim_queue *q, struct sim_entity *e, enum sim_how how)
{
	update_min(s, q);
	int64_t v = q->min_v;

	if (e->relative) {
		e->relative = false;
		e->v += q->min_v;
		return;
	}
	if (how == SIM_BY_FORK)
		v += sim_virtual(share(s, q, e), e->weight);
	else
		v -= e->idle ? s->min_gran / 2 : s->latency / 2;
	e->v = e->sum || how == SIM_BY_FORK ? sim_max(e->v, v) : v;
}

static void leave(struct sim *s, struct sim_queue *q, struct sim_entity *e, bool sleep)
{
	(void)s;
	if (sleep)
		return;
	e->v -= q->min_v;
	e->relative = true;
}

static bool delays(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	(void)s;
	(void)q;
	(void)e;
	return false;
}

static void requeue(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	(void)s;
	(void)q;
	e->delayed = false;
}

static enum sim_reason charge(struct sim *s, struct sim_queue *q, struct sim_entity *e, int64_t ns)
{
	e->v += sim_virtual(ns, e->weight);
	update_min(s, q);
	return SIM_REASON_NONE;
}

static enum sim_reason tick(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	int64_t slice = sim_max(share(s, q, e), s->min_gran), ran = e->sum - e->sum_at_pick;

	if (q->n < 2)
		return SIM_REASON_NONE;
	if (ran > slice)
		return SIM_TICK_SLICE;
	if (ran < s->min_gran)
		return SIM_REASON_NONE;
	int other = least(s, q, (int)(e - s->entities));
	return e->v - s->entities[other].v > slice ? SIM_TICK_SLICE : SIM_REASON_NONE;
}

static int pick(const struct sim *s, const struct sim_queue *q)
{
	int curr = q->curr != SIM_NONE && s->entities[q->curr].queued ? q->curr : SIM_NONE;
	int best = least(s, q, q->curr);

	if (best == SIM_NONE ||
		(curr != SIM_NONE && !s->entities[curr].skip && s->entities[curr].v < s->entities[best].v))
		return curr != SIM_NONE ? curr : best;
	return best;
}

static void picked(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	for (int i = q->first; i != SIM_NONE; i = s->entities[i].next)
		s->entities[i].skip = false;
	e->vprot = e->deadline = 0;
}

static enum sim_reason woken(struct sim *s, struct sim_queue *q, int curr, int e)
{
	int64_t behind = s->entities[curr].v - s->entities[e].v;

	if (behind <= sim_virtual(s->wake_gran, s->entities[e].weight))
		return SIM_WAKE_DENIED_GRANULARITY;
	sim_request(s, q->cpu, SIM_WAKE_LEAST_V);
	return SIM_WAKE_LEAST_V;
}

static void yield(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	(void)s;
	(void)q;
	e->skip = true;
}

static void reweight(struct sim *s, struct sim_queue *q, struct sim_entity *e, int64_t weight)
{
	(void)s;
	(void)q;
	e->weight = weight; /* v stays: CFS had no lag to keep */
}

static int64_t extra(const struct sim *s, const struct sim_queue *q, const struct sim_entity *e)
{
	int64_t left = sim_max(share(s, q, e), s->min_gran) + 1 - (e->sum - e->sum_at_pick);

	return sim_max(left, 1);
}

const struct sim_fair_rules sim_rules_cfs = {
	.place = place,
	.leave = leave,
	.delays = delays,
	.requeue = requeue,
	.charge = charge,
	.tick = tick,
	.pick = pick,
	.picked = picked,
	.woken = woken,
	.yield = yield,
	.reweight = reweight,
	.extra = extra,
};
