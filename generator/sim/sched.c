/* Choosing, switching, waking and moving tasks: what all classes have in common. */
#include "sim/engine.h"

void sim_request(struct sim *s, int cpu, enum sim_reason reason)
{
	struct sim_cpu *c = &s->cpus[cpu];

	if (c->resched)
		return;
	c->resched = true;
	c->reason = (uint8_t)reason;
	c->point = s->point;
	s->resched |= UINT32_C(1) << (cpu & 31);
}

bool sim_task_waits(const struct sim *s, int task)
{
	const struct sim_thread *th = &s->threads[task];

	if (th->state != SIM_RUNNABLE || s->cpus[th->cpu].curr == task)
		return false;
	if (th->class_id == SIM_CLASS_DEADLINE)
		return !s->parts.reservations[task].throttled;
	if (th->class_id == SIM_CLASS_RT)
		return !s->parts.rt[th->cpu].throttled;
	for (int q = s->entities[task].queue; q != SIM_NONE && !s->textbook;) {
		if (s->queues[q].throttled)
			return false;
		q = s->queues[q].owner == SIM_NONE ? SIM_NONE : s->entities[s->queues[q].owner].queue;
	}
	return true;
}

void sim_cpu_plan(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];

	c->burst_at = c->curr == SIM_NONE || c->work_end == SIM_FOREVER ? SIM_FOREVER
									: sim_max(s->now, c->work_end + c->lost);
}

/* The first tick at or after now that has not been. */
static int64_t next_tick(const struct sim *s, int cpu)
{
	int64_t offset = s->sc->tick_offset[cpu] % s->tick_ns;
	int64_t k = (s->now - offset + s->tick_ns - 1) / s->tick_ns;
	int64_t at = s->now < offset ? offset : offset + k * s->tick_ns;

	if (at == 0 || (at == s->now && s->phase == 4 && cpu <= s->phase_cpu))
		at += s->tick_ns;
	return at;
}

static int pick(struct sim *s, int cpu)
{
	for (int id = 0; id < SIM_CLASSES; id++) {
		int task = s->classes[id] ? s->classes[id]->pick(s, cpu) : SIM_NONE;
		if (task != SIM_NONE) {
			s->cpus[cpu].curr_class = (uint8_t)id;
			return task;
		}
	}
	return SIM_NONE;
}

static void move(struct sim *s, int task, int to)
{
	int from = s->threads[task].cpu;

	s->classes[s->threads[task].class_id]->dequeue(s, from, task, false);
	s->threads[task].cpu = (int16_t)to;
	s->classes[s->threads[task].class_id]->enqueue(s, to, task, SIM_BY_MOVE);
	sim_note(s, to, SIM_MIGRATE, task, from, 0);
}

/* kernel/sched/fair.c sched_balance_newidle, without its costs: one task, from the CPU where most of those wait that may come. */
static bool pull(struct sim *s, int cpu)
{
	int waiting[SIM_CPUS_MAX] = {0}, first[SIM_CPUS_MAX] = {0}, best = 0;

	for (int i = 0; s->n_cpus > 1 && i < s->n_tasks; i++)
		if (s->threads[i].cpu != cpu && (s->sc->tasks[i].cpus >> cpu & 1) && sim_task_waits(s, i))
			if (!waiting[s->threads[i].cpu]++)
				first[s->threads[i].cpu] = i;
	for (int c = 1; c < s->n_cpus; c++)
		if (waiting[c] > waiting[best])
			best = c;
	if (!waiting[best])
		return false;
	move(s, first[best], cpu);
	return true;
}

static void change_classes(struct sim *s, int cpu, int from, int to)
{
	int a = from == SIM_NONE ? SIM_NONE : s->threads[from].class_id;
	int b = to == SIM_NONE ? SIM_NONE : s->threads[to].class_id;

	if (a == b) {
		s->classes[a]->change(s, cpu, from, to);
		return;
	}
	if (a != SIM_NONE)
		s->classes[a]->change(s, cpu, from, SIM_NONE);
	if (b != SIM_NONE)
		s->classes[b]->change(s, cpu, SIM_NONE, to);
}

static void begin_work(struct sim *s, int cpu, int task)
{
	struct sim_cpu *c = &s->cpus[cpu];
	int64_t left = s->threads[task].left;

	c->work_end = left == SIM_FOREVER ? SIM_FOREVER : sim_clock(s, cpu) + left;
	s->threads[task].restart = false;
}

static void leave_cpu(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];
	struct sim_thread *th = &s->threads[c->curr];

	s->out->cpu_ns[c->curr] += s->now - c->since;
	if (th->state == SIM_RUNNABLE && !th->restart)
		th->left = c->work_end == SIM_FOREVER ? SIM_FOREVER : c->work_end - sim_clock(s, cpu);
}

static void switch_to(struct sim *s, int cpu, int to, enum sim_reason reason)
{
	struct sim_cpu *c = &s->cpus[cpu];
	int from = c->curr;

	if (from == SIM_NONE) {
		s->out->idle += s->now - c->since;
		if (s->serving)
			sim_server_charge(s, cpu, s->now - c->since);
	} else {
		leave_cpu(s, cpu);
	}
	sim_clock(s, cpu);
	c->lost += to == SIM_NONE ? 0 : s->sc->switch_cost;
	change_classes(s, cpu, from, to);
	struct sim_record r = {.kind = SIM_SWITCH,
		.reason = (uint8_t)reason,
		.point = c->point,
		.cpu = (int16_t)cpu,
		.from = (int16_t)from,
		.to = (int16_t)to,
		.other = SIM_NONE,
		.value = s->now - c->since};
	c->since = s->now;
	c->curr = (int16_t)to;
	if (to == SIM_NONE)
		c->tick_at = c->extra_at = SIM_FOREVER;
	else
		begin_work(s, cpu, to);
	if (from == SIM_NONE && !s->textbook)
		c->tick_at = next_tick(s, cpu);
	s->events++;
	sim_log(s, r);
}

/* kernel/sched/core.c __schedule, from the pick on. */
static void schedule(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];
	enum sim_reason reason = c->reason;
	int next = pick(s, cpu);

	if (next == SIM_NONE && pull(s, cpu)) {
		next = pick(s, cpu);
		reason = c->curr == SIM_NONE ? SIM_MIGRATE : reason;
	}
	c->resched = false;
	s->resched &= ~(1U << cpu);
	if (next != c->curr)
		switch_to(s, cpu, next, reason);
	else if (next != SIM_NONE && s->threads[next].restart)
		begin_work(s, cpu, next);
	sim_cpu_plan(s, cpu);
}

bool sim_outranks(const struct sim *s, int task, int cpu)
{
	const struct sim_cpu *c = &s->cpus[cpu];
	int id = s->threads[task].class_id;

	if (c->curr == SIM_NONE || id != c->curr_class)
		return c->curr == SIM_NONE || id < c->curr_class;
	if (id == SIM_CLASS_RT)
		return s->sc->tasks[task].prio > s->sc->tasks[c->curr].prio;
	return id == SIM_CLASS_DEADLINE && s->parts.reservations[task].deadline < sim_deadline_running(s, cpu);
}

/* The CPU whose task is the least urgent of those that `task` outranks. */
static int better_cpu(const struct sim *s, int task)
{
	bool rt = s->threads[task].class_id == SIM_CLASS_RT;
	int best = SIM_NONE;

	for (int cpu = 0; cpu < s->n_cpus; cpu++) {
		int than = best == SIM_NONE ? SIM_NONE : s->cpus[best].curr;
		if (!(s->sc->tasks[task].cpus >> cpu & 1) || (rt && s->parts.rt[cpu].throttled) ||
			!sim_outranks(s, task, cpu) || (best != SIM_NONE && than == SIM_NONE))
			continue;
		if (best == SIM_NONE || s->cpus[cpu].curr == SIM_NONE ||
			s->cpus[cpu].curr_class > s->cpus[best].curr_class ||
			(s->cpus[cpu].curr_class == SIM_CLASS_RT && s->cpus[best].curr_class == SIM_CLASS_RT &&
				s->sc->tasks[s->cpus[cpu].curr].prio < s->sc->tasks[than].prio))
			best = cpu;
	}
	return best;
}

/* Real-time tasks and reservations are pushed and pulled (push_rt_task, pull_rt_task, the same of deadline.c): as many of the
 * most urgent run as there are CPUs for them. True if one was moved. */
static bool spread(struct sim *s)
{
	for (int i = 0; i < s->n_tasks; i++) {
		if (s->threads[i].class_id >= SIM_CLASS_FAIR || !sim_task_waits(s, i))
			continue;
		int cpu = better_cpu(s, i);
		if (cpu == SIM_NONE)
			continue;
		move(s, i, cpu);
		sim_request(s, cpu, SIM_MIGRATE);
		return true;
	}
	return false;
}

void sim_resolve(struct sim *s)
{
	do {
		while (s->resched && !s->stopped)
			for (int cpu = 0; cpu < s->n_cpus; cpu++)
				if (s->resched >> cpu & 1)
					schedule(s, cpu);
	} while (s->spreads && !s->stopped && spread(s));
}

/* Where a woken or new task goes: its previous CPU if idle, else another idle one, else the previous. A new task has none
 * and goes, if no CPU is idle, where fewest are. */
static int choose_cpu(const struct sim *s, int task)
{
	uint32_t allowed = s->sc->tasks[task].cpus;
	int prev = s->threads[task].cpu, load[SIM_CPUS_MAX] = {0}, best = 0;

	if (prev != SIM_NONE && (allowed & (allowed - 1)) == 0)
		return prev;
	for (int i = 0; i < s->n_tasks; i++)
		if (s->threads[i].state == SIM_RUNNABLE)
			load[s->threads[i].cpu] += s->cpus[s->threads[i].cpu].curr == i || sim_task_waits(s, i);
	if (prev != SIM_NONE && s->cpus[prev].curr == SIM_NONE && !load[prev])
		return prev;
	while (best < s->n_cpus - 1 && !(allowed >> best & 1))
		best++;
	for (int c = best; c < s->n_cpus; c++)
		if ((allowed >> c & 1) && load[c] < load[best])
			best = c;
	return prev == SIM_NONE || !load[best] ? best : prev;
}

static enum sim_reason preempt(struct sim *s, int cpu, int task)
{
	struct sim_cpu *c = &s->cpus[cpu];
	int id = s->threads[task].class_id;

	if (!sim_task_waits(s, task))
		return SIM_WAKE_THROTTLED;
	if (c->curr == SIM_NONE) {
		sim_request(s, cpu, SIM_WAKE_IDLE);
		return SIM_WAKE_IDLE;
	}
	if (id == s->threads[c->curr].class_id || id == c->curr_class) /* also fair ones under the fair server */
		return s->classes[id]->woken(s, cpu, task);
	if (id > c->curr_class)
		return SIM_WAKE_DENIED_CLASS;
	sim_request(s, cpu, SIM_WAKE_CLASS);
	return SIM_WAKE_CLASS;
}

void sim_wake(struct sim *s, int task, int waker)
{
	struct sim_thread *th = &s->threads[task];
	bool delayed = s->entities[task].delayed, fork = th->state == SIM_NEW && !s->sc->tasks[task].woken;

	if (th->class_id == SIM_CLASS_DEADLINE && th->state == SIM_NEW && !s->textbook &&
		!sim_deadline_admit(s, task)) {
		th->state = SIM_GONE;
		return;
	}
	if (!delayed)
		th->cpu = (int16_t)choose_cpu(s, task);
	int cpu = th->cpu;
	uint8_t point = s->point;
	s->point = SIM_AT_WAKE;
	th->state = SIM_RUNNABLE;
	th->wake_at = SIM_FOREVER;
	th->restart = s->cpus[cpu].curr == task;
	s->classes[th->class_id]->enqueue(s, cpu, task, delayed ? SIM_BY_DELAYED : fork ? SIM_BY_FORK : SIM_BY_WAKE);
	struct sim_record r = {.kind = SIM_WOKEN,
		.point = s->point,
		.cpu = (int16_t)cpu,
		.from = s->cpus[cpu].curr,
		.to = (int16_t)task,
		.other = (int16_t)waker};
	r.reason = (uint8_t)(s->cpus[cpu].resched ? SIM_WAKE_PENDING : preempt(s, cpu, task));
	sim_log(s, r);
	s->point = point;
}

void sim_block(struct sim *s, int cpu, enum sim_reason reason)
{
	struct sim_cpu *c = &s->cpus[cpu];
	struct sim_thread *th = &s->threads[c->curr];

	th->left = 0;
	c->work_end = c->burst_at = SIM_FOREVER;
	bool gone = s->classes[th->class_id]->dequeue(s, cpu, c->curr, true);
	/* What the accounting just asked for is not why the CPU changes hands. */
	c->resched = false;
	sim_request(s, cpu, gone ? reason : SIM_BLOCK_DELAYED);
}
