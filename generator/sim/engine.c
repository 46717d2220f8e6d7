/* The order of events. At one time: timers of quota, reservations and servers; bursts that end; wake-ups in the order they
 * were asked for; ticks by CPU, exact accounting points with them. What an event asks for is honoured before the next event,
 * in a textbook profile before the ticks: jobs that arrive together are chosen from together. */
#include "sim/engine.h"

size_t sim_memory_bytes(void)
{
	return sizeof(struct sim);
}

void sim_timer_set(struct sim *s, int timer, int64_t at)
{
	s->timers[timer] = at;
	s->timer_min = SIM_FOREVER;
	for (int i = 0; i < SIM_TIMERS; i++)
		if (s->timers[i] < s->timer_min) {
			s->timer_min = s->timers[i];
			s->timer_next = i;
		}
}

void sim_timer_fired(struct sim *s, int timer)
{
	if (timer < SIM_TIMER_SLACK)
		sim_bandwidth_timer(s, timer - SIM_TIMER_QUOTA, false);
	else if (timer < SIM_TIMER_REPLENISH)
		sim_bandwidth_timer(s, timer - SIM_TIMER_SLACK, true);
	else if (timer < SIM_TIMER_SERVER)
		sim_deadline_timer(s, timer - SIM_TIMER_REPLENISH);
	else if (timer < SIM_TIMER_RT)
		sim_server_timer(s, timer - SIM_TIMER_SERVER);
	else if (timer < SIM_TIMER_BOOST)
		sim_rt_timer(s);
	else
		sim_textbook_boost(s);
}

static void find_next_wake(struct sim *s)
{
	s->wake_min = SIM_FOREVER;
	for (int i = 0; i < s->n_tasks; i++) {
		const struct sim_thread *th = &s->threads[i];
		if (th->wake_at < s->wake_min || (th->wake_at == s->wake_min && th->wake_at != SIM_FOREVER &&
							 th->wake_order < s->threads[s->wake_task].wake_order)) {
			s->wake_min = th->wake_at;
			s->wake_task = i;
		}
	}
}

static void tick(struct sim *s, int cpu, bool regular)
{
	struct sim_cpu *c = &s->cpus[cpu];

	s->point = regular ? SIM_AT_TICK : SIM_AT_HRTICK;
	s->phase_cpu = (uint8_t)cpu;
	if (!regular)
		c->extra_at = SIM_FOREVER;
	s->classes[s->threads[c->curr].class_id]->tick(s, cpu);
	if (!regular)
		return;
	c->tick_at += s->tick_ns;
	c->lost += s->sc->tick_loss;
	sim_cpu_plan(s, cpu);
}

/* Exact accounting points, where a profile has them. */
static void plan_extra(struct sim *s)
{
	for (int cpu = 0; cpu < s->n_cpus; cpu++) {
		struct sim_cpu *c = &s->cpus[cpu];
		if (c->curr == SIM_NONE)
			continue;
		int64_t in = s->classes[s->threads[c->curr].class_id]->extra(s, cpu);
		c->extra_at = in == SIM_FOREVER ? SIM_FOREVER : sim_clock(s, cpu) + c->lost + sim_max(in, 1);
	}
}

static void fire(struct sim *s, int cpu)
{
	switch (s->phase) {
	case 1: {
		int timer = s->timer_next;
		s->point = SIM_AT_TIMER;
		sim_timer_set(s, timer, SIM_FOREVER);
		sim_timer_fired(s, timer);
		break;
	}
	case 2:
		s->point = SIM_AT_BURST;
		sim_program_step(s, cpu);
		break;
	case 3: {
		int task = s->wake_task;
		s->point = SIM_AT_WAKE;
		s->threads[task].wake_at = SIM_FOREVER;
		find_next_wake(s);
		sim_wake(s, task, SIM_NONE);
		break;
	}
	default: tick(s, cpu, s->cpus[cpu].tick_at == s->now); break;
	}
}

/* The next event: earliest, then by phase, then by CPU. Its CPU, in phases 2 and 4, is returned. */
static int find_next(struct sim *s, int64_t *at, uint8_t *phase)
{
	int64_t best = s->timer_min;
	int best_phase = 1, best_cpu = 0;

	for (int cpu = 0; cpu < s->n_cpus; cpu++)
		if (s->cpus[cpu].burst_at < best) {
			best = s->cpus[cpu].burst_at;
			best_phase = 2;
			best_cpu = cpu;
		}
	if (s->wake_min < best) {
		best = s->wake_min;
		best_phase = 3;
	}
	for (int cpu = 0; cpu < s->n_cpus; cpu++) {
		int64_t t = sim_min(s->cpus[cpu].tick_at, s->cpus[cpu].extra_at);
		if (t < best) {
			best = t;
			best_phase = 4;
			best_cpu = cpu;
		}
	}
	*at = best;
	*phase = (uint8_t)best_phase;
	return best_cpu;
}

static void stop(struct sim *s, enum sim_end end)
{
	s->out->end = end;
	s->stopped = true;
}

static void check(struct sim *s)
{
	int cpu = 0;
	enum sim_defect d = sim_state_check(s, &cpu);

	if (d == SIM_SOUND)
		return;
	s->out->defect = d;
	s->out->defect_cpu = cpu;
	stop(s, SIM_END_DEFECT);
}

void sim_engine_run(struct sim *s, int64_t until)
{
	while (!s->stopped) {
		int64_t at;
		uint8_t phase;
		int cpu = find_next(s, &at, &phase);
		bool settle = !s->textbook || at > s->now || phase == 4;
		if (settle && s->resched) {
			/* Textbook: nothing more arrives at this time. Choosing may make events of it. */
			sim_resolve(s);
			if (s->extra)
				plan_extra(s);
			continue;
		}
		if (at > until)
			break;
		s->now = at;
		s->phase = phase;
		if (s->events++ >= s->sc->events_max) {
			stop(s, SIM_END_EVENTS);
			break;
		}
		fire(s, cpu);
		if ((!s->textbook && s->resched) || s->spreads)
			sim_resolve(s);
		if (s->extra && !s->resched)
			plan_extra(s);
		if (s->checking && !s->resched && !s->stopped)
			check(s);
	}
}

static void init_threads(struct sim *s)
{
	for (int i = 0; i < s->n_tasks; i++) {
		const struct sim_task *t = &s->sc->tasks[i];
		s->threads[i] = (struct sim_thread){.wake_at = t->start,
			.wake_order = s->sequence++,
			.random = t->seed,
			.nice = t->nice,
			.cpu = SIM_NONE,
			.state = SIM_NEW,
			.class_id = (uint8_t)(t->policy == SIM_DEADLINE	   ? SIM_CLASS_DEADLINE
					      : t->policy >= SIM_TASK_FIFO ? SIM_CLASS_RT
									   : SIM_CLASS_FAIR)};
	}
	find_next_wake(s);
}

static bool sound(const struct sim_scenario *sc)
{
	bool fine = sc->profile >= 0 && sc->profile < SIM_PROFILES && sc->cpus >= 1 && sc->cpus <= SIM_CPUS_MAX &&
		    sc->hz >= 100 && sc->hz <= 1000 && sc->n_tasks >= 1 && sc->n_tasks <= SIM_TASKS_MAX &&
		    sc->n_groups >= 0 && sc->n_groups <= SIM_GROUPS_MAX && sc->n_ops >= 1 && sc->n_ops <= SIM_OPS_MAX &&
		    sc->n_levels >= 1 && sc->n_levels <= SIM_LEVELS_MAX;

	for (int i = 0; fine && i < sc->n_tasks; i++) {
		const struct sim_task *t = &sc->tasks[i];
		fine = t->first_op >= 0 && t->n_ops >= 1 && t->first_op <= sc->n_ops - t->n_ops &&
		       t->group >= SIM_NONE && t->group < sc->n_groups && t->cpus && !(t->cpus >> sc->cpus) && t->seed;
	}
	for (int i = 0; fine && i < sc->n_ops; i++) {
		const struct sim_op *op = &sc->ops[i];
		fine = op->code >= 0 && op->code < SIM_CODES && op->a >= 0 &&
		       (op->code != SIM_WAKE || (op->arg >= 0 && op->arg < sc->n_tasks));
	}
	for (int i = 0; fine && i < sc->n_groups; i++)
		fine = sc->groups[i].parent >= SIM_NONE && sc->groups[i].parent < i;
	return fine;
}

bool sim_engine_init(struct sim *s, const struct sim_scenario *sc, struct sim_result *out)
{
	memset(out, 0, sizeof *out);
	memset(s, 0, sizeof *s);
	s->sc = sc;
	s->out = out;
	if (!sound(sc)) {
		out->end = SIM_END_SCENARIO;
		return false;
	}
	s->rules = sim_rules_of(sc->profile);
	s->textbook = sc->profile >= SIM_FIFO;
	s->n_cpus = (int16_t)sc->cpus;
	s->n_tasks = (int16_t)sc->n_tasks;
	s->tick_ns = (1000000000 + sc->hz / 2) / sc->hz;
	s->extra = s->textbook || (sc->hrtick == SIM_DEFAULT ? s->rules->hrtick : sc->hrtick);
	s->stop_record = UINT32_MAX;
	s->timer_min = SIM_FOREVER;
	for (int i = 0; i < SIM_TIMERS; i++)
		s->timers[i] = SIM_FOREVER;
	for (int c = 0; c < SIM_CPUS_MAX; c++) {
		s->cpus[c].curr = SIM_NONE;
		s->cpus[c].burst_at = s->cpus[c].tick_at = s->cpus[c].extra_at = SIM_FOREVER;
	}
	s->classes[SIM_CLASS_DEADLINE] = s->textbook ? NULL : &sim_class_deadline;
	s->classes[SIM_CLASS_RT] = s->textbook ? NULL : &sim_class_rt;
	s->classes[SIM_CLASS_FAIR] = s->textbook ? &sim_class_textbook : &sim_class_fair;
	init_threads(s);
	if (s->textbook) {
		sim_textbook_init(s);
	} else {
		sim_fair_init(s);
		sim_groups_init(s);
		sim_bandwidth_init(s);
		sim_rt_init(s);
		sim_deadline_init(s);
		sim_server_init(s);
		s->spreads = s->n_cpus > 1 && (s->classes[SIM_CLASS_RT] || s->classes[SIM_CLASS_DEADLINE]);
	}
	return true;
}

void sim_run(const struct sim_scenario *scenario, void *memory, size_t bytes, struct sim_record *log, uint32_t log_max,
	unsigned flags, struct sim_result *result)
{
	struct sim *s = memory;

	if (bytes < sizeof *s) {
		memset(result, 0, sizeof *result);
		result->end = SIM_END_MEMORY;
		return;
	}
	if (!sim_engine_init(s, scenario, result))
		return;
	s->log = log;
	s->log_max = log_max;
	s->checking = flags & SIM_FLAG_CHECK;
	sim_engine_run(s, scenario->horizon - 1);
	if (!s->stopped)
		s->now = scenario->horizon;
	for (int c = 0; c < s->n_cpus; c++)
		*(s->cpus[c].curr == SIM_NONE ? &result->idle : &result->cpu_ns[s->cpus[c].curr]) +=
			s->now - s->cpus[c].since;
	result->t = s->now;
	result->events = s->events;
	result->records = s->records;
}
