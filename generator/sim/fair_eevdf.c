/* EEVDF: among those who have not had more than their share, the earliest deadline. After kernel/sched/fair.c of 6.6 to 7.1;
 * what differs between them is in the table of profiles. */
#include "sim/fair.h"

/* slice_unit: 0.75 ms until 6.14, 0.70 ms from 6.15 on. rt_throttle: since 6.12 only kernels with RT_GROUP_SCHED have it. */
static const struct sim_rules profiles[] = {
	[SIM_EEVDF618] = {&sim_rules_eevdf, 700000, true, true, true, true, false, false, false, true},
	[SIM_EEVDF6180] = {&sim_rules_eevdf, 700000, true, true, true, false, false, false, false, true},
	[SIM_EEVDF71] = {&sim_rules_eevdf, 700000, true, true, true, true, true, true, false, true},
	[SIM_EEVDF612] = {&sim_rules_eevdf, 750000, false, true, true, false, false, false, false, true},
	[SIM_EEVDF66] = {&sim_rules_eevdf, 750000, false, false, false, false, false, false, true, false},
	[SIM_CFS65] = {&sim_rules_cfs, 750000, false, false, false, false, false, false, true, false},
};

const struct sim_rules *sim_rules_of(int profile)
{
	return profile < SIM_FIFO ? &profiles[profile] : &profiles[SIM_EEVDF618];
}

struct sim_average sim_average_of(const struct sim *s, const struct sim_queue *q)
{
	struct sim_average a = {0};

	if (!q->n)
		return a;
	a.base = s->entities[q->first].v;
	a.load = q->load;
	for (int i = s->entities[q->first].next; i != SIM_NONE; i = s->entities[i].next)
		a.sum += s->entities[i].weight * (s->entities[i].v - a.base);
	return a;
}

int64_t sim_average_v(struct sim_average a, int64_t empty)
{
	if (!a.load)
		return empty;
	int64_t sum = a.sum < 0 ? a.sum - (a.load - 1) : a.sum;
	return a.base + sum / a.load;
}

bool sim_average_eligible(struct sim_average a, int64_t v)
{
	return a.sum >= a.load * (v - a.base);
}

static int64_t clamp(int64_t v, int64_t limit)
{
	return v > limit ? limit : v < -limit ? -limit : v;
}

int64_t sim_slice_min(const struct sim *s, const struct sim_queue *q, int but)
{
	int64_t best = SIM_FOREVER;

	for (int i = q->first; i != SIM_NONE; i = s->entities[i].next)
		if (i != but)
			best = sim_min(best, s->entities[i].slice);
	return best;
}

int64_t sim_lag_limit(const struct sim *s, const struct sim_queue *q, const struct sim_entity *e)
{
	int64_t longest = e->slice;

	if (!s->rules->late)
		return sim_virtual(sim_max(2 * e->slice, s->tick_ns), e->weight);
	for (int i = q->first; i != SIM_NONE; i = s->entities[i].next)
		longest = sim_max(longest, s->entities[i].slice);
	return sim_virtual(longest + s->tick_ns, e->weight);
}

/* Protected until vprot; before 6.17 until the deadline it was picked with has moved. */
static bool protected(const struct sim *s, const struct sim_entity *e)
{
	return s->rules->vprot ? e->v < e->vprot : e->vprot == e->deadline;
}

static void unprotect(const struct sim *s, struct sim_entity *e)
{
	if (!s->rules->vprot)
		e->vprot = e->deadline + 1;
	else if (protected(s, e))
		e->vprot = e->v;
}

static void place(struct sim *s, struct sim_queue *q, struct sim_entity *e, enum sim_how how)
{
	int64_t v = sim_average_v(sim_average_of(s, q), q->min_v), lag = 0;

	if (!e->custom)
		e->slice = s->base_slice;
	/* Its own weight will pull V: what it is owed is inflated so that it is still owed that much then. */
	if (q->n && e->vlag)
		lag = e->vlag * (q->load + e->weight) / q->load;
	e->v = v - lag;
	if (e->relative) {
		e->relative = false;
		e->deadline += e->v;
		return;
	}
	int64_t request = sim_virtual(e->slice, e->weight);
	e->deadline = e->v + (how == SIM_BY_FORK ? request / 2 : request);
}

static int64_t lag_of(const struct sim *s, const struct sim_queue *q, const struct sim_entity *e)
{
	int64_t v = sim_average_v(sim_average_of(s, q), q->min_v);

	return clamp(v - e->v, sim_lag_limit(s, q, e));
}

static void leave(struct sim *s, struct sim_queue *q, struct sim_entity *e, bool sleep)
{
	int64_t lag = lag_of(s, q, e);

	if (e->delayed && s->rules->lag_frozen)
		lag = sim_max(lag, e->vlag);
	e->vlag = e->delayed ? sim_min(lag, 0) : lag;
	if (!sleep && s->rules->delay_dequeue) {
		e->deadline -= e->v;
		e->relative = true;
	}
}

static bool delays(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	if (!s->rules->delay_dequeue || sim_average_eligible(sim_average_of(s, q), e->v))
		return false;
	e->vlag = lag_of(s, q, e);
	return true;
}

static void requeue(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	int64_t lag = lag_of(s, q, e), kept = 0;
	bool again = lag > 0;

	if (s->rules->lag_frozen) {
		kept = sim_min(sim_max(lag, e->vlag), 0);
		again = kept != e->vlag;
	}
	if (again) {
		sim_queue_remove(s, q, e);
		e->vlag = kept;
		place(s, q, e, SIM_BY_WAKE);
		sim_queue_add(s, q, e);
	}
	e->delayed = false;
}

static enum sim_reason charge(struct sim *s, struct sim_queue *q, struct sim_entity *e, int64_t ns)
{
	e->v += sim_virtual(ns, e->weight);
	if (e->v >= e->deadline) {
		if (!e->custom)
			e->slice = s->base_slice;
		e->deadline = e->v + sim_virtual(e->slice, e->weight);
		return SIM_TICK_DEADLINE;
	}
	if (s->rules->vprot)
		return protected(s, e) ? SIM_REASON_NONE : SIM_TICK_PROTECTION;
	if (s->rules->preempt_short && q->n > 1 && !protected(s, e) &&
		!sim_average_eligible(sim_average_of(s, q), e->v))
		return SIM_TICK_PROTECTION;
	return SIM_REASON_NONE;
}

static enum sim_reason tick(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	(void)s;
	(void)q;
	(void)e;
	return SIM_REASON_NONE; /* charge has said it */
}

static int choose(const struct sim *s, const struct sim_queue *q, bool protect)
{
	struct sim_average a;
	int curr = q->curr, best = SIM_NONE;

	if (q->n == 1)
		return q->first;
	a = sim_average_of(s, q);
	if (curr != SIM_NONE && (!s->entities[curr].queued || !sim_average_eligible(a, s->entities[curr].v)))
		curr = SIM_NONE;
	if (curr != SIM_NONE && protect && protected(s, &s->entities[curr]))
		return curr;
	for (int i = q->first; i != SIM_NONE; i = s->entities[i].next)
		if (i != q->curr && sim_average_eligible(a, s->entities[i].v) &&
			(best == SIM_NONE || s->entities[i].deadline < s->entities[best].deadline))
			best = i;
	if (best == SIM_NONE || (curr != SIM_NONE && s->entities[curr].deadline < s->entities[best].deadline))
		best = curr;
	return best;
}

static int pick(const struct sim *s, const struct sim_queue *q)
{
	return choose(s, q, true);
}

static void picked(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	e->vprot = e->deadline;
	if (!s->rules->vprot)
		return;
	int64_t shortest = sim_slice_min(s, q, (int)(e - s->entities));
	if (shortest < e->slice)
		e->vprot = sim_min(e->deadline, e->v + sim_virtual(shortest, e->weight));
}

/* Why the woken one lost. */
static enum sim_reason denied(const struct sim *s, const struct sim_queue *q, int curr, int e, int winner, bool protect)
{
	struct sim_average a = sim_average_of(s, q);

	if (winner != curr)
		return sim_average_eligible(a, s->entities[e].v) ? SIM_WAKE_DENIED_OTHER_BETTER
								 : SIM_WAKE_DENIED_INELIGIBLE;
	if (protect && protected(s, &s->entities[curr]))
		return SIM_WAKE_DENIED_PROTECTED;
	return sim_average_eligible(a, s->entities[e].v) ? SIM_WAKE_DENIED_LATER_DEADLINE : SIM_WAKE_DENIED_INELIGIBLE;
}

/* 6.12: a shorter slice breaks protection only if the woken one would win for it. */
static bool breaks_612(
	const struct sim *s, const struct sim_queue *q, const struct sim_entity *run, const struct sim_entity *e)
{
	struct sim_average a = sim_average_of(s, q);

	return s->rules->preempt_short && e->slice < run->slice && sim_average_eligible(a, e->v) &&
	       (e->deadline < run->deadline || !sim_average_eligible(a, run->v));
}

static enum sim_reason woken(struct sim *s, struct sim_queue *q, int curr, int e)
{
	struct sim_entity *run = &s->entities[curr];
	bool shorter = s->rules->preempt_short && s->entities[e].slice < run->slice, was = protected(s, run);
	enum sim_reason reason = SIM_WAKE_EARLIER_DEADLINE;

	if (!s->rules->vprot) {
		shorter = breaks_612(s, q, run, &s->entities[e]);
		if (shorter)
			unprotect(s, run);
	}
	int winner = choose(s, q, !(shorter && s->rules->vprot));
	if (winner != e) {
		reason = denied(s, q, curr, e, winner, !shorter);
		if (s->rules->vprot)
			run->vprot =
				sim_min(run->vprot, run->v + sim_virtual(sim_slice_min(s, q, SIM_NONE), run->weight));
		return reason;
	}
	if (!sim_average_eligible(sim_average_of(s, q), run->v))
		reason = SIM_WAKE_CURR_INELIGIBLE;
	else if (shorter && was)
		reason = SIM_WAKE_SHORT;
	if (shorter)
		unprotect(s, run);
	sim_request(s, q->cpu, reason);
	return reason;
}

static void yield(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	int64_t request = sim_virtual(e->slice, e->weight);

	if (!s->rules->late) {
		e->deadline += request;
	} else if (sim_average_eligible(sim_average_of(s, q), e->v)) {
		e->v = e->deadline;
		e->deadline += request;
	}
}

static void reweight(struct sim *s, struct sim_queue *q, struct sim_entity *e, int64_t weight)
{
	int64_t old = e->weight, v = 0;

	if (e->queued) {
		v = sim_average_v(sim_average_of(s, q), q->min_v);
		e->vlag = clamp(v - e->v, sim_lag_limit(s, q, e));
	}
	e->vlag = e->vlag * old / weight;
	if (e->queued) {
		e->deadline = v + (e->deadline - v) * old / weight;
		e->vprot = v + (e->vprot - v) * old / weight;
		e->v = v - e->vlag;
	} else if (e->relative) {
		e->deadline = e->deadline * old / weight;
	}
	e->weight = weight;
}

static int64_t extra(const struct sim *s, const struct sim_queue *q, const struct sim_entity *e)
{
	int64_t target = e->deadline;

	(void)q;
	if (s->rules->vprot && e->vprot > e->v)
		target = sim_min(target, e->vprot);
	return ((target - e->v) * e->weight + 1023) / 1024;
}

const struct sim_fair_rules sim_rules_eevdf = {
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
