/* SCHED_DEADLINE: a runtime in every period, by a constant bandwidth server each; among them the earliest deadline. After
 * kernel/sched/deadline.c (update_dl_entity, update_curr_dl_se, replenish_dl_entity, dl_task_timer, __dl_overflow) and
 * Documentation/scheduler/sched-deadline.rst. Budgets are noticed to be gone at accounting points, exactly only with hrtick;
 * what ran over is paid back. The fair server competes here: server.c. */
#include "sim/engine.h"

enum {
	BANDWIDTH_SHIFT = 20, /* BW_SHIFT: bandwidths are in 2^-20 CPUs */
	CPU_LIMIT = 996147, /* of 950 ms in 1 s, sched_rt_runtime_us */
	SERVER_SHARE = 52428, /* of 50 ms in 1 s, taken on each CPU where fair servers are */
	PERIOD_MIN = 100000, /* sched_deadline_period_min_us */
};
#define PERIOD_MAX (INT64_C(4194304) * 1000) /* sched_deadline_period_max_us */

static int64_t period_of(const struct sim_task *t)
{
	return t->period ? t->period : t->deadline;
}

static int64_t bandwidth_of(const struct sim_task *t)
{
	return (t->runtime << BANDWIDTH_SHIFT) / period_of(t);
}

static void new_period(struct sim *s, int task)
{
	struct sim_reservation *r = &s->parts.reservations[task];

	r->deadline = s->now + s->sc->tasks[task].deadline;
	r->budget = s->sc->tasks[task].runtime;
}

/* The kernel asks for every CPU in the affinity, and refuses what would exceed the limit; `rt_throttle off`, which is
 * sched_rt_runtime_us -1, lifts it. It is a test of the sum, no proof that no deadline is missed on several CPUs. */
bool sim_deadline_admit(struct sim *s, int task)
{
	const struct sim_task *t = &s->sc->tasks[task];
	int64_t bandwidth = bandwidth_of(t), limit = s->n_cpus * (int64_t)CPU_LIMIT;
	bool server = s->sc->fair_server == SIM_DEFAULT ? s->rules->fair_server : s->sc->fair_server;
	int64_t taken = s->parts.admitted + (server ? s->n_cpus * (int64_t)SERVER_SHARE : 0);

	if (t->cpus != (UINT32_C(1) << s->n_cpus) - 1 || period_of(t) < PERIOD_MIN || period_of(t) > PERIOD_MAX ||
		(s->sc->rt_throttle != 0 && taken + bandwidth > limit)) {
		sim_note(s, 0, SIM_REFUSED, task, SIM_NONE, taken);
		return false;
	}
	s->parts.admitted += bandwidth;
	s->parts.reservations[task].admitted = true;
	new_period(s, task);
	return true;
}

/* dl_entity_overflow: whether what is left of the budget until the deadline would be more than the reservation's bandwidth.
 * All factors are below 2^32. The kernel drops ten bits of each first (DL_SCALE), which decides exact ties by chance. */
bool sim_deadline_stale(int64_t now, int64_t deadline, int64_t budget, int64_t runtime, int64_t relative)
{
	if (budget <= 0 || deadline - now >= relative)
		return false;
	return (uint64_t)(deadline - now) * (uint64_t)runtime < (uint64_t)relative * (uint64_t)budget;
}

int64_t sim_deadline_running(const struct sim *s, int cpu)
{
	int curr = s->cpus[cpu].curr;

	return s->threads[curr].class_id == SIM_CLASS_DEADLINE ? s->parts.reservations[curr].deadline
							       : s->parts.servers[cpu].deadline;
}

/* replenish_dl_entity: a debt larger than a runtime postpones by several periods. */
static void replenish(struct sim *s, int cpu, int task)
{
	const struct sim_task *t = &s->sc->tasks[task];
	struct sim_reservation *r = &s->parts.reservations[task];

	if (r->yielded)
		r->budget = sim_min(r->budget, 0);
	while (r->budget <= 0) {
		r->deadline += period_of(t);
		r->budget += t->runtime;
	}
	if (r->deadline < s->now)
		new_period(s, task);
	if (r->yielded)
		r->due = r->deadline;
	r->yielded = r->throttled = false;
	r->order = s->sequence++;
	sim_note(s, cpu, SIM_REPLENISH, task, SIM_NONE, r->deadline);
}

static int64_t next_period(const struct sim *s, int task)
{
	const struct sim_task *t = &s->sc->tasks[task];

	return s->parts.reservations[task].deadline - t->deadline + period_of(t);
}

/* Its budget is gone, or given up: until its next period, if that has not begun. */
static void deplete(struct sim *s, int cpu, int task)
{
	struct sim_reservation *r = &s->parts.reservations[task];
	int64_t next = next_period(s, task);

	if (next < s->now) {
		replenish(s, cpu, task);
		sim_request(s, cpu, SIM_REPLENISH);
		return;
	}
	r->throttled = true;
	sim_timer_set(s, SIM_TIMER_REPLENISH + task, next);
	if (r->yielded)
		return;
	sim_note(s, cpu, SIM_CBS_THROTTLE, task, SIM_NONE, r->budget);
	sim_request(s, cpu, SIM_CBS_THROTTLE);
}

static void account(struct sim *s, int cpu)
{
	int task = s->cpus[cpu].curr;
	struct sim_reservation *r = &s->parts.reservations[task];
	int64_t clock = sim_clock(s, cpu), ns = clock - r->accounted;

	if (ns <= 0)
		return;
	r->accounted = clock;
	r->budget -= ns;
	if (r->budget <= 0 && !r->throttled)
		deplete(s, cpu, task);
}

/* dl_check_constrained_dl: who wakes between its deadline and its next period waits for that. */
static bool too_early(struct sim *s, int task)
{
	const struct sim_task *t = &s->sc->tasks[task];
	struct sim_reservation *r = &s->parts.reservations[task];
	int64_t next = next_period(s, task);

	if (t->deadline == period_of(t) || r->deadline >= s->now || s->now >= next)
		return false;
	r->throttled = true;
	r->budget = sim_min(r->budget, 0);
	sim_timer_set(s, SIM_TIMER_REPLENISH + task, next);
	return true;
}

/* update_dl_entity: keep budget and deadline, if that cannot exceed the bandwidth; else a new period, or, if the deadline is
 * shorter than the period and has not passed, so much budget as it had at its density. */
static void wake_up(struct sim *s, int task)
{
	const struct sim_task *t = &s->sc->tasks[task];
	struct sim_reservation *r = &s->parts.reservations[task];

	r->due = s->now + t->deadline;
	if (r->throttled || too_early(s, task))
		return;
	bool past = r->deadline < s->now;
	if (!past && !sim_deadline_stale(s->now, r->deadline, r->budget, t->runtime, t->deadline))
		return;
	if (past || t->deadline == period_of(t))
		new_period(s, task);
	else
		r->budget = ((t->runtime << BANDWIDTH_SHIFT) / t->deadline * (r->deadline - s->now)) >> BANDWIDTH_SHIFT;
}

static void enqueue(struct sim *s, int cpu, int task, enum sim_how how)
{
	struct sim_reservation *r = &s->parts.reservations[task];

	(void)cpu;
	r->queued = true;
	r->order = s->sequence++;
	if (how != SIM_BY_MOVE)
		wake_up(s, task);
}

static void judge(struct sim *s, int cpu, int task)
{
	struct sim_reservation *r = &s->parts.reservations[task];

	if (s->now > r->due)
		sim_note(s, cpu, SIM_MISSED, task, SIM_NONE, s->now - r->due);
}

static bool dequeue(struct sim *s, int cpu, int task, bool sleep)
{
	struct sim_reservation *r = &s->parts.reservations[task];

	if (s->cpus[cpu].curr == task)
		account(s, cpu);
	r->queued = false;
	if (sleep)
		judge(s, cpu, task);
	if (s->threads[task].state == SIM_GONE) {
		s->parts.admitted -= bandwidth_of(&s->sc->tasks[task]);
		r->admitted = r->throttled = false;
		sim_timer_set(s, SIM_TIMER_REPLENISH + task, SIM_FOREVER);
	}
	return true;
}

static int earliest(const struct sim *s, int cpu)
{
	const struct sim_reservation *all = s->parts.reservations;
	int best = SIM_NONE;

	for (int i = 0; i < s->n_tasks; i++) {
		if (!all[i].queued || all[i].throttled || s->threads[i].cpu != cpu)
			continue;
		if (best == SIM_NONE || all[i].deadline < all[best].deadline ||
			(all[i].deadline == all[best].deadline && (int32_t)(all[i].order - all[best].order) < 0))
			best = i;
	}
	return best;
}

/* The choice of a fair task may use up the server's budget, or find nothing to serve. */
static int pick(struct sim *s, int cpu)
{
	const struct sim_cpu *c = &s->cpus[cpu];
	const struct sim_server *v = &s->parts.servers[cpu];

	if (c->curr != SIM_NONE && s->threads[c->curr].class_id == SIM_CLASS_DEADLINE)
		account(s, cpu);
	int best = earliest(s, cpu);
	while (sim_server_ready(s, cpu) && (best == SIM_NONE || v->deadline < s->parts.reservations[best].deadline)) {
		int task = s->classes[SIM_CLASS_FAIR]->pick(s, cpu);
		if (task == SIM_NONE)
			sim_server_stop(s, cpu);
		else if (sim_server_ready(s, cpu))
			return task;
	}
	return best;
}

static void change(struct sim *s, int cpu, int from, int to)
{
	if (from != SIM_NONE)
		account(s, cpu);
	if (to != SIM_NONE)
		s->parts.reservations[to].accounted = sim_clock(s, cpu);
}

static enum sim_reason woken(struct sim *s, int cpu, int task)
{
	if (s->parts.reservations[task].deadline >= sim_deadline_running(s, cpu))
		return SIM_WAKE_DENIED_LATER_DEADLINE;
	sim_request(s, cpu, SIM_WAKE_EARLIER_DEADLINE);
	return SIM_WAKE_EARLIER_DEADLINE;
}

/* Gives up the rest of the budget: its work is done until the next period. */
static void yield(struct sim *s, int cpu)
{
	int task = s->cpus[cpu].curr;
	struct sim_reservation *r = &s->parts.reservations[task];

	r->yielded = true;
	judge(s, cpu, task);
	account(s, cpu);
	if (r->yielded && !r->throttled)
		deplete(s, cpu, task);
}

static void reweight(struct sim *s, int cpu, int task)
{
	(void)s; /* nice means nothing here */
	(void)cpu;
	(void)task;
}

static int64_t extra(struct sim *s, int cpu)
{
	const struct sim_reservation *r = &s->parts.reservations[s->cpus[cpu].curr];

	return r->throttled ? SIM_FOREVER : r->budget - (sim_clock(s, cpu) - r->accounted);
}

const struct sim_class sim_class_deadline = {
	.enqueue = enqueue,
	.dequeue = dequeue,
	.account = account,
	.tick = account,
	.pick = pick,
	.change = change,
	.woken = woken,
	.yield = yield,
	.reweight = reweight,
	.extra = extra,
};

void sim_deadline_init(struct sim *s)
{
	bool any = false;

	for (int i = 0; i < s->n_tasks; i++)
		any = any || s->threads[i].class_id == SIM_CLASS_DEADLINE;
	if (!any)
		s->classes[SIM_CLASS_DEADLINE] = NULL;
}

void sim_deadline_timer(struct sim *s, int task)
{
	const struct sim_reservation *r = &s->parts.reservations[task];
	int cpu = s->threads[task].cpu;
	const struct sim_cpu *c = &s->cpus[cpu];

	if (!r->throttled)
		return;
	replenish(s, cpu, task);
	if (r->queued && (c->curr == SIM_NONE || c->curr_class != SIM_CLASS_DEADLINE ||
				 r->deadline < sim_deadline_running(s, cpu)))
		sim_request(s, cpu, SIM_REPLENISH);
}
