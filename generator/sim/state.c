/* Snapshots, from a second run that stops where asked, and the invariants checked after every event. */
#include "sim/fair.h"

static bool shown(const struct sim_entity *e)
{
	return e->child == SIM_NONE || e->queued;
}

static void fill_fair(const struct sim *s, struct sim_member *m, int i)
{
	const struct sim_entity *e = &s->entities[i];
	const struct sim_queue *q = &s->queues[e->queue];

	m->level = q->group;
	m->v = e->v;
	m->deadline = e->deadline + (e->relative ? e->v : 0);
	m->vprot = e->vprot;
	m->slice = e->slice;
	m->weight = e->weight;
	m->queued = e->queued;
	m->delayed = e->delayed;
	m->running = q->curr == i;
	m->throttled = q->throttled;
	m->lag = e->vlag;
	if (!e->queued)
		return;
	struct sim_average a = sim_average_of(s, q);
	m->average = sim_average_v(a, q->min_v);
	m->lag = m->average - e->v;
	m->eligible = sim_average_eligible(a, e->v);
}

static void fill_task(const struct sim *s, struct sim_member *m, int task)
{
	const struct sim_thread *th = &s->threads[task];
	const struct sim_reservation *r = &s->parts.reservations[task];

	m->level = (int16_t)s->sc->tasks[task].group;
	m->queued = th->state == SIM_RUNNABLE;
	m->running = th->cpu != SIM_NONE && s->cpus[th->cpu].curr == task;
	m->weight = s->entities[task].weight;
	if (s->textbook) {
		m->level = (int16_t)s->books[task].level;
		m->level_left = s->books[task].left;
	} else if (th->class_id == SIM_CLASS_FAIR) {
		if (s->entities[task].queue != SIM_NONE)
			fill_fair(s, m, task);
	} else if (th->class_id == SIM_CLASS_RT) {
		m->level_left = s->parts.rt_tasks[task].ticks_left;
		m->throttled = th->cpu != SIM_NONE && s->parts.rt[th->cpu].throttled;
	} else {
		m->deadline = r->deadline;
		m->level_left = r->budget;
		m->throttled = r->throttled;
	}
}

static void fill_server(const struct sim *s, struct sim_member *m, int cpu)
{
	const struct sim_server *v = &s->parts.servers[cpu];
	const struct sim_cpu *c = &s->cpus[cpu];

	m->task = m->group = m->level = SIM_NONE;
	m->cpu = (int16_t)cpu;
	m->deadline = v->deadline;
	m->level_left = v->budget;
	m->queued = v->active;
	m->throttled = v->throttled;
	m->running = c->curr != SIM_NONE && c->curr_class < s->threads[c->curr].class_id;
}

void sim_state_fill(const struct sim *s, struct sim_state *out)
{
	memset(out, 0, sizeof *out);
	out->t = s->now;
	out->event = (uint32_t)s->events;
	out->record = s->records;
	for (int cpu = 0; cpu < SIM_CPUS_MAX; cpu++)
		out->running[cpu] = s->cpus[cpu].curr;
	for (int i = 0; i < s->n_tasks; i++) {
		struct sim_member *m = &out->members[out->n++];
		m->task = (int16_t)i;
		m->group = SIM_NONE;
		m->cpu = s->threads[i].cpu;
		fill_task(s, m, i);
	}
	for (int cpu = 0; cpu < s->n_cpus && s->serving; cpu++)
		fill_server(s, &out->members[out->n++], cpu);
	for (int g = 0; g < s->sc->n_groups && !s->textbook; g++)
		for (int cpu = 0; cpu < s->n_cpus; cpu++)
			if (shown(&s->entities[sim_group_entity(g, cpu)])) {
				struct sim_member *m = &out->members[out->n++];
				m->task = SIM_NONE;
				m->group = (int16_t)g;
				m->cpu = (int16_t)cpu;
				fill_fair(s, m, sim_group_entity(g, cpu));
			}
}

static bool begin(const struct sim_scenario *scenario, void *memory, size_t bytes, struct sim_result *result)
{
	return bytes >= sizeof(struct sim) && sim_engine_init(memory, scenario, result);
}

bool sim_state_at_record(
	const struct sim_scenario *scenario, void *memory, size_t bytes, uint32_t record, struct sim_state *out)
{
	struct sim_result result;
	struct sim *s = memory;

	if (!begin(scenario, memory, bytes, &result))
		return false;
	s->state = out;
	s->stop_record = record;
	sim_engine_run(s, scenario->horizon - 1);
	return s->records > record;
}

bool sim_state_at_time(
	const struct sim_scenario *scenario, void *memory, size_t bytes, int64_t t, struct sim_state *out)
{
	struct sim_result result;
	struct sim *s = memory;

	if (!begin(scenario, memory, bytes, &result))
		return false;
	sim_engine_run(s, sim_min(t, scenario->horizon));
	if (s->stopped)
		return false;
	s->now = sim_max(s->now, sim_min(t, scenario->horizon));
	sim_state_fill(s, out);
	return true;
}

/* Members and counters agree; weighted lags add up to 0, but for the rounding of V: less than one unit of V. */
static enum sim_defect check_queue(const struct sim *s, const struct sim_queue *q)
{
	int64_t load = 0, sum = 0;
	int n = 0, before = SIM_NONE;
	bool curr = q->curr == SIM_NONE || !s->entities[q->curr].queued;
	int64_t v = sim_average_v(sim_average_of(s, q), q->min_v);

	for (int i = q->first; i != SIM_NONE; before = i, i = s->entities[i].next) {
		const struct sim_entity *e = &s->entities[i];
		if (!e->queued || e->prev != before || ++n > SIM_ENTITIES)
			return SIM_DEFECT_QUEUE;
		load += e->weight;
		sum += e->weight * (v - e->v);
		curr = curr || i == q->curr;
	}
	if (n != q->n || load != q->load || q->last != before || !curr)
		return SIM_DEFECT_QUEUE;
	return s->rules->fair == &sim_rules_eevdf && n && (sum > 0 || sum <= -load) ? SIM_DEFECT_LAG : SIM_SOUND;
}

/* No CPU idles, or runs something less urgent, while a task waits for it: of fair ones their own CPU, of others each they may use. */
static enum sim_defect check_waiting(const struct sim *s)
{
	for (int i = 0; i < s->n_tasks; i++) {
		bool fair = s->threads[i].class_id == SIM_CLASS_FAIR, rt = s->threads[i].class_id == SIM_CLASS_RT;
		if (!sim_task_waits(s, i))
			continue;
		for (int cpu = 0; cpu < s->n_cpus; cpu++)
			if ((fair ? cpu == s->threads[i].cpu : s->sc->tasks[i].cpus >> cpu & 1) &&
				!(rt && s->parts.rt[cpu].throttled) && sim_outranks(s, i, cpu))
				return s->cpus[cpu].curr == SIM_NONE ? SIM_DEFECT_IDLE : SIM_DEFECT_ORDER;
	}
	return SIM_SOUND;
}

enum sim_defect sim_state_check(const struct sim *s, int *cpu)
{
	for (int c = 0; c < s->n_cpus; c++) {
		*cpu = c;
		for (int g = SIM_NONE; g < s->sc->n_groups && !s->textbook; g++) {
			enum sim_defect d = check_queue(s, &s->queues[sim_queue_of(g, c)]);
			if (d == SIM_SOUND && g != SIM_NONE && s->sc->groups[g].quota && !sim_bandwidth_sound(s, g))
				d = SIM_DEFECT_BANDWIDTH;
			if (d != SIM_SOUND)
				return d;
		}
	}
	enum sim_defect d = check_waiting(s);
	return d == SIM_SOUND ? (enum sim_defect)s->out->defect : d;
}
