/* The fair class: walks the levels of queues; a rule book decides on each. After kernel/sched/fair.c (enqueue_task_fair,
 * dequeue_entities, pick_task_fair, check_preempt_wakeup_fair, put_prev_entity, set_next_entity). */
#include "sim/fair.h"

void sim_queue_account(struct sim *s, struct sim_queue *q)
{
	if (q->curr == SIM_NONE)
		return;
	struct sim_entity *e = &s->entities[q->curr];
	int64_t clock = sim_clock(s, q->cpu), ns = clock - e->accounted;
	if (ns <= 0)
		return;
	e->accounted = clock;
	e->sum += ns;
	enum sim_reason reason = s->rules->fair->charge(s, q, e, ns);
	if (e->child == SIM_NONE && s->serving)
		sim_server_charge(s, q->cpu, ns);
	if (q->limited)
		sim_bandwidth_charge(s, q, ns);
	if (reason != SIM_REASON_NONE && q->n > 1)
		sim_request(s, q->cpu, reason);
}

void sim_queue_add(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	int16_t i = (int16_t)(e - s->entities);

	e->prev = q->last;
	e->next = SIM_NONE;
	*(q->last == SIM_NONE ? &q->first : &s->entities[q->last].next) = i;
	q->last = i;
	q->n++;
	q->load += e->weight;
	e->queued = true;
}

void sim_queue_remove(struct sim *s, struct sim_queue *q, struct sim_entity *e)
{
	*(e->prev == SIM_NONE ? &q->first : &s->entities[e->prev].next) = e->next;
	*(e->next == SIM_NONE ? &q->last : &s->entities[e->next].prev) = e->prev;
	q->n--;
	q->load -= e->weight;
	e->queued = false;
	if (!q->n)
		q->min_v = sim_max(q->min_v, e->v);
}

void sim_entity_reweight(struct sim *s, struct sim_entity *e, int64_t weight)
{
	struct sim_queue *q = &s->queues[e->queue];

	if (e->weight == weight)
		return;
	if (e->queued)
		sim_queue_account(s, q);
	int64_t old = e->weight;
	s->rules->fair->reweight(s, q, e, weight);
	if (e->queued)
		q->load += weight - old;
}

/* A group's slice is the shortest inside; its weights follow the loads. */
static void refresh_owners(struct sim *s, struct sim_queue *q)
{
	for (; q->owner != SIM_NONE; q = &s->queues[s->entities[q->owner].queue]) {
		if (q->n)
			s->entities[q->owner].slice = sim_slice_min(s, q, SIM_NONE);
		sim_groups_weigh(s, q);
	}
}

/* From `e` up to the first level that is queued already. */
static void enqueue_path(struct sim *s, struct sim_entity *e, enum sim_how how)
{
	struct sim_queue *q;

	for (;; how = SIM_BY_WAKE) {
		q = &s->queues[e->queue];
		if (e->queued) {
			if (e->delayed)
				s->rules->fair->requeue(s, q, e);
			break;
		}
		sim_queue_account(s, q);
		s->rules->fair->place(s, q, e, how);
		sim_queue_add(s, q, e);
		if (q->limited && q->n == 1)
			sim_bandwidth_first(s, q);
		if (q->owner == SIM_NONE || q->throttled)
			break;
		s->entities[q->owner].slice = sim_slice_min(s, q, SIM_NONE);
		sim_groups_weigh(s, q);
		e = &s->entities[q->owner];
	}
	refresh_owners(s, q);
}

/* From `e` up to the first level that still has members. False: `e` itself stays, delayed. */
static bool dequeue_path(struct sim *s, struct sim_entity *e, bool sleep, bool done)
{
	const struct sim_entity *first = e;
	struct sim_queue *q;

	for (;; sleep = true, done = false) {
		q = &s->queues[e->queue];
		sim_queue_account(s, q);
		if (!done && sleep && s->rules->fair->delays(s, q, e)) {
			e->delayed = true;
			break;
		}
		s->rules->fair->leave(s, q, e, sleep);
		e->delayed = false;
		sim_queue_remove(s, q, e);
		if (q->limited && !q->n)
			sim_bandwidth_empty(s, q);
		if (q->n || q->owner == SIM_NONE || !s->entities[q->owner].queued)
			break;
		e = &s->entities[q->owner];
	}
	refresh_owners(s, &s->queues[first->queue]);
	return !first->delayed;
}

void sim_owner_enqueue(struct sim *s, struct sim_queue *q)
{
	enqueue_path(s, &s->entities[q->owner], SIM_BY_WAKE);
	if (s->serving)
		sim_server_queued(s, q->cpu);
}

void sim_owner_dequeue(struct sim *s, struct sim_queue *q)
{
	struct sim_entity *e = &s->entities[q->owner];

	/* Throttled, not asleep: no delay. Its deadline is placed anew when it returns. */
	if (e->queued)
		dequeue_path(s, e, true, true);
}

static void enqueue(struct sim *s, int cpu, int task, enum sim_how how)
{
	struct sim_entity *e = &s->entities[task];

	if (how == SIM_BY_DELAYED) {
		s->rules->fair->requeue(s, &s->queues[e->queue], e);
		return;
	}
	e->queue = (int16_t)sim_queue_of(s->sc->tasks[task].group, cpu);
	enqueue_path(s, e, how);
	if (s->serving)
		sim_server_queued(s, cpu);
}

static bool dequeue(struct sim *s, int cpu, int task, bool sleep)
{
	(void)cpu;
	return dequeue_path(s, &s->entities[task], sleep, false);
}

static void account(struct sim *s, int cpu)
{
	sim_queue_account(s, &s->queues[s->entities[s->cpus[cpu].curr].queue]);
}

static int pick(struct sim *s, int cpu)
{
	struct sim_queue *q = &s->queues[cpu];

	while (q->n) {
		if (q->curr != SIM_NONE && s->entities[q->curr].queued)
			sim_queue_account(s, q);
		if (q->limited && sim_bandwidth_pick(s, q)) {
			q = &s->queues[cpu];
			continue;
		}
		int i = s->rules->fair->pick(s, q);
		struct sim_entity *e = &s->entities[i];
		if (s->checking && s->rules->fair == &sim_rules_eevdf && q->n > 1 &&
			!sim_average_eligible(sim_average_of(s, q), e->v))
			s->out->defect = SIM_DEFECT_PICK;
		if (e->delayed) {
			dequeue_path(s, e, true, true);
			if (e->child == SIM_NONE)
				sim_note(s, cpu, SIM_DELAYED_DONE, i, SIM_NONE, 0);
			q = &s->queues[cpu];
			continue;
		}
		if (e->child == SIM_NONE)
			return i;
		q = &s->queues[e->child];
	}
	return SIM_NONE;
}

/* The member stops running; still queued, it goes behind its equals. Returns its queue's owner. */
static int put(struct sim *s, int i)
{
	struct sim_entity *e = &s->entities[i];
	struct sim_queue *q = &s->queues[e->queue];

	if (e->queued) {
		sim_queue_account(s, q);
		sim_queue_remove(s, q, e);
		sim_queue_add(s, q, e);
	}
	if (q->limited)
		sim_bandwidth_pick(s, q);
	q->curr = SIM_NONE;
	return q->owner;
}

static int set(struct sim *s, int i)
{
	struct sim_entity *e = &s->entities[i];
	struct sim_queue *q = &s->queues[e->queue];

	q->curr = (int16_t)i;
	e->accounted = sim_clock(s, q->cpu);
	e->sum_at_pick = e->sum;
	s->rules->fair->picked(s, q, e);
	return q->owner;
}

static int depth(const struct sim *s, int i)
{
	int n = 0;

	while ((i = s->queues[s->entities[i].queue].owner) != SIM_NONE)
		n++;
	return n;
}

/* Only the levels where the running member differs change hands. */
static void change(struct sim *s, int cpu, int from, int to)
{
	int a = from, b = to;

	(void)cpu;
	while (a != SIM_NONE && b != SIM_NONE && s->entities[a].queue != s->entities[b].queue) {
		int da = depth(s, a), db = depth(s, b);
		if (db <= da)
			a = put(s, a);
		if (db >= da)
			b = set(s, b);
	}
	if (a != SIM_NONE && b != SIM_NONE) {
		if (a != b) {
			put(s, a);
			set(s, b);
		}
		return;
	}
	while (a != SIM_NONE)
		a = put(s, a);
	while (b != SIM_NONE)
		b = set(s, b);
}

static enum sim_reason woken(struct sim *s, int cpu, int task)
{
	int a = s->cpus[cpu].curr, b = task;

	while (s->entities[a].queue != s->entities[b].queue) {
		int da = depth(s, a), db = depth(s, b);
		if (da >= db)
			a = s->queues[s->entities[a].queue].owner;
		if (db >= da)
			b = s->queues[s->entities[b].queue].owner;
	}
	struct sim_queue *q = &s->queues[s->entities[a].queue];
	if (s->entities[a].idle && !s->entities[b].idle) {
		s->entities[a].vprot = sim_min(s->entities[a].vprot, s->entities[a].v);
		sim_request(s, cpu, SIM_WAKE_CLASS);
		return SIM_WAKE_CLASS;
	}
	if (s->entities[a].idle != s->entities[b].idle || s->entities[task].batch || s->entities[task].idle)
		return SIM_WAKE_DENIED_CLASS;
	sim_queue_account(s, q);
	return s->rules->fair->woken(s, q, a, b);
}

static void tick(struct sim *s, int cpu)
{
	for (int i = s->cpus[cpu].curr; i != SIM_NONE;) {
		struct sim_queue *q = &s->queues[s->entities[i].queue];
		sim_queue_account(s, q);
		enum sim_reason reason = s->rules->fair->tick(s, q, &s->entities[i]);
		if (reason != SIM_REASON_NONE)
			sim_request(s, cpu, reason);
		if (s->entities[i].child != SIM_NONE)
			sim_groups_weigh(s, &s->queues[s->entities[i].child]);
		i = q->owner;
	}
}

static void yield(struct sim *s, int cpu)
{
	int i = s->cpus[cpu].curr;
	bool alone = true;

	for (int j = i; j != SIM_NONE; j = s->queues[s->entities[j].queue].owner)
		alone = alone && s->queues[s->entities[j].queue].n == 1;
	if (alone)
		return;
	struct sim_queue *q = &s->queues[s->entities[i].queue];
	sim_queue_account(s, q);
	s->rules->fair->yield(s, q, &s->entities[i]);
}

static void reweight(struct sim *s, int cpu, int task)
{
	struct sim_entity *e = &s->entities[task];

	(void)cpu;
	if (e->idle)
		return;
	sim_entity_reweight(s, e, sim_nice_weight(s->threads[task].nice));
	refresh_owners(s, &s->queues[e->queue]);
}

static int64_t extra(struct sim *s, int cpu)
{
	int64_t best = SIM_FOREVER;

	for (int i = s->cpus[cpu].curr; i != SIM_NONE; i = s->queues[s->entities[i].queue].owner) {
		const struct sim_entity *e = &s->entities[i];
		const struct sim_queue *q = &s->queues[e->queue];
		if (q->n > 1)
			best = sim_min(best, s->rules->fair->extra(s, q, e) - (sim_clock(s, cpu) - e->accounted));
	}
	return best;
}

const struct sim_class sim_class_fair = {
	.enqueue = enqueue,
	.dequeue = dequeue,
	.account = account,
	.tick = tick,
	.pick = pick,
	.change = change,
	.woken = woken,
	.yield = yield,
	.reweight = reweight,
	.extra = extra,
};

static void init_queue(struct sim *s, int group, int cpu)
{
	struct sim_queue *q = &s->queues[sim_queue_of(group, cpu)];

	*q = (struct sim_queue){.cpu = (int16_t)cpu,
		.group = (int16_t)group,
		.owner = (int16_t)(group == SIM_NONE ? SIM_NONE : sim_group_entity(group, cpu)),
		.first = SIM_NONE,
		.last = SIM_NONE,
		.curr = SIM_NONE};
	if (group == SIM_NONE)
		return;
	s->entities[q->owner] = (struct sim_entity){.queue = (int16_t)sim_queue_of(s->sc->groups[group].parent, cpu),
		.child = (int16_t)sim_queue_of(group, cpu),
		.slice = s->base_slice,
		.weight = 1024,
		.custom = true,
		.idle = s->sc->groups[group].idle};
}

void sim_fair_init(struct sim *s)
{
	int log = 0;

	while (log < 3 && 2 << log <= s->n_cpus)
		log++;
	s->base_slice = s->rules->slice_unit * (1 + log);
	s->latency = INT64_C(6000000) * (1 + log);
	s->min_gran = INT64_C(750000) * (1 + log);
	s->wake_gran = INT64_C(1000000) * (1 + log);
	for (int cpu = 0; cpu < s->n_cpus; cpu++)
		for (int g = SIM_NONE; g < s->sc->n_groups; g++)
			init_queue(s, g, cpu);
	for (int i = 0; i < s->n_tasks; i++) {
		const struct sim_task *t = &s->sc->tasks[i];
		bool custom = t->slice && s->rules->delay_dequeue;
		s->entities[i] = (struct sim_entity){.queue = SIM_NONE,
			.child = SIM_NONE,
			.slice = custom ? t->slice : s->base_slice,
			.custom = custom,
			.weight = t->policy == SIM_IDLE ? 3 : sim_nice_weight(t->nice),
			.idle = t->policy == SIM_IDLE,
			.batch = t->policy == SIM_BATCH};
	}
}
