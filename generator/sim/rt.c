/* Real-time FIFO and round robin: the highest priority, in it the first queued. Who is preempted keeps its place at the head;
 * who wakes, yields or has used up its round goes to the tail. After kernel/sched/rt.c. Throttling bounds real-time tasks to
 * 950 ms of each second (sched_rt_runtime_us, sched_rt_period_us): until 6.11, since then only with RT_GROUP_SCHED. */
#include "sim/engine.h"

enum { RT_PERIOD = 1000000000, RT_RUNTIME = 950000000 };

/* RR_TIMESLICE: 100 ms in ticks. */
static int32_t round_ticks(const struct sim *s)
{
	return s->sc->hz / 10;
}

static bool better(const struct sim *s, int a, int b)
{
	int pa = s->sc->tasks[a].prio, pb = s->sc->tasks[b].prio;

	return pa != pb ? pa > pb : (int32_t)(s->parts.rt_tasks[a].order - s->parts.rt_tasks[b].order) < 0;
}

/* One timer for all CPUs, from the first real-time task on (start_rt_bandwidth). */
static void start_period(struct sim *s)
{
	if (s->parts.rt_limited && s->timers[SIM_TIMER_RT] == SIM_FOREVER)
		sim_timer_set(s, SIM_TIMER_RT, s->now + RT_PERIOD);
}

static void enqueue(struct sim *s, int cpu, int task, enum sim_how how)
{
	struct sim_rt_task *t = &s->parts.rt_tasks[task];

	(void)how;
	t->queued = true;
	t->order = s->sequence++;
	s->parts.rt[cpu].n++;
	start_period(s);
}

/* update_curr_rt: a share of the second that is used up is noticed here, and only here. */
static void account(struct sim *s, int cpu)
{
	struct sim_rt_task *t = &s->parts.rt_tasks[s->cpus[cpu].curr];
	struct sim_rt *rt = &s->parts.rt[cpu];
	int64_t clock = sim_clock(s, cpu), ns = clock - t->accounted;

	if (ns <= 0)
		return;
	t->accounted = clock;
	if (!s->parts.rt_limited)
		return;
	rt->time += ns;
	if (rt->throttled || rt->time <= RT_RUNTIME)
		return;
	rt->throttled = true;
	sim_note(s, cpu, SIM_RT_THROTTLE, SIM_NONE, SIM_NONE, rt->time);
	sim_request(s, cpu, SIM_RT_THROTTLE);
}

static bool dequeue(struct sim *s, int cpu, int task, bool sleep)
{
	(void)sleep;
	if (s->cpus[cpu].curr == task)
		account(s, cpu);
	s->parts.rt_tasks[task].queued = false;
	s->parts.rt[cpu].n--;
	return true;
}

static bool equals_wait(const struct sim *s, int cpu, int task)
{
	for (int i = 0; i < s->n_tasks; i++)
		if (i != task && s->parts.rt_tasks[i].queued && s->threads[i].cpu == cpu &&
			s->sc->tasks[i].prio == s->sc->tasks[task].prio)
			return true;
	return false;
}

/* task_tick_rt: a round is counted in ticks that find its task running, across preemption and sleep. */
static void tick(struct sim *s, int cpu)
{
	int task = s->cpus[cpu].curr;
	struct sim_rt_task *t = &s->parts.rt_tasks[task];

	account(s, cpu);
	if (s->sc->tasks[task].policy != SIM_TASK_RR || s->point != SIM_AT_TICK || --t->ticks_left > 0)
		return;
	t->ticks_left = round_ticks(s);
	if (!equals_wait(s, cpu, task))
		return;
	t->order = s->sequence++;
	sim_request(s, cpu, SIM_TICK_SLICE);
}

static int pick(struct sim *s, int cpu)
{
	const struct sim_cpu *c = &s->cpus[cpu];
	int best = SIM_NONE;

	if (c->curr != SIM_NONE && s->threads[c->curr].class_id == SIM_CLASS_RT)
		account(s, cpu);
	if (!s->parts.rt[cpu].n || s->parts.rt[cpu].throttled)
		return SIM_NONE;
	for (int i = 0; i < s->n_tasks; i++)
		if (s->parts.rt_tasks[i].queued && s->threads[i].cpu == cpu && (best == SIM_NONE || better(s, i, best)))
			best = i;
	return best;
}

static void change(struct sim *s, int cpu, int from, int to)
{
	if (from != SIM_NONE)
		account(s, cpu);
	if (to != SIM_NONE)
		s->parts.rt_tasks[to].accounted = sim_clock(s, cpu);
}

/* Equals wait. */
static enum sim_reason woken(struct sim *s, int cpu, int task)
{
	if (s->sc->tasks[task].prio <= s->sc->tasks[s->cpus[cpu].curr].prio)
		return SIM_WAKE_DENIED_CLASS;
	sim_request(s, cpu, SIM_WAKE_CLASS);
	return SIM_WAKE_CLASS;
}

static void yield(struct sim *s, int cpu)
{
	s->parts.rt_tasks[s->cpus[cpu].curr].order = s->sequence++;
}

static void reweight(struct sim *s, int cpu, int task)
{
	(void)s; /* nice means nothing here */
	(void)cpu;
	(void)task;
}

static int64_t extra(struct sim *s, int cpu)
{
	(void)s;
	(void)cpu;
	return SIM_FOREVER;
}

const struct sim_class sim_class_rt = {
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

void sim_rt_init(struct sim *s)
{
	bool any = false;

	s->parts.rt_limited = s->sc->rt_throttle == SIM_DEFAULT ? s->rules->rt_throttle : s->sc->rt_throttle;
	for (int i = 0; i < s->n_tasks; i++) {
		any = any || s->threads[i].class_id == SIM_CLASS_RT;
		s->parts.rt_tasks[i].ticks_left = round_ticks(s);
	}
	if (!any)
		s->classes[SIM_CLASS_RT] = NULL;
}

static void release(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];

	s->parts.rt[cpu].throttled = false;
	sim_note(s, cpu, SIM_RT_RELEASE, SIM_NONE, SIM_NONE, s->parts.rt[cpu].time);
	if (s->parts.rt[cpu].n && (c->curr == SIM_NONE || c->curr_class > SIM_CLASS_RT))
		sim_request(s, cpu, SIM_RT_RELEASE);
}

/* do_sched_rt_period_timer: idle once nothing is queued and all time is paid back. */
void sim_rt_timer(struct sim *s)
{
	bool idle = true;

	for (int cpu = 0; cpu < s->n_cpus; cpu++) {
		struct sim_rt *rt = &s->parts.rt[cpu];
		rt->time -= sim_min(rt->time, RT_RUNTIME);
		idle = idle && !rt->time && !rt->n;
		if (rt->throttled && rt->time < RT_RUNTIME)
			release(s, cpu);
	}
	if (!idle)
		sim_timer_set(s, SIM_TIMER_RT, s->now + RT_PERIOD);
}
