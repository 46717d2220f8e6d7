/* The fair server, since 6.12: on each CPU a reservation of 50 ms a second for fair tasks, served in the DEADLINE class, so that
 * real-time tasks cannot starve them. It is deferred: it waits until only its budget is left before its deadline (zero laxity),
 * and what fair tasks, or idling, got of the CPU meanwhile counts as served; if that was all of it, a new period begins. After
 * kernel/sched/deadline.c (dl_server_start, dl_server_timer, update_curr_dl_se, replenish_dl_new_period).
 * When the budget ends, 6.18.44 was seen to begin a new period at once and to defer again: real-time tasks get 950 ms between
 * the end of one turn of the server and the begin of the next. */
#include "sim/engine.h"

static const int64_t runtime = 50000000, period = 1000000000;

static void defer(struct sim *s, int cpu)
{
	struct sim_server *v = &s->parts.servers[cpu];

	v->throttled = true;
	sim_timer_set(s, SIM_TIMER_SERVER + cpu, v->deadline - v->budget);
}

static void new_period(struct sim *s, int cpu)
{
	struct sim_server *v = &s->parts.servers[cpu];

	v->deadline = s->now + period;
	v->budget = runtime;
	defer(s, cpu);
}

void sim_server_init(struct sim *s)
{
	bool on = s->sc->fair_server == SIM_DEFAULT ? s->rules->fair_server : s->sc->fair_server;

	for (int cpu = 0; cpu < s->n_cpus; cpu++)
		s->parts.servers[cpu].deadline = -1; /* of long ago */
	bool fair = false, urgent = false;
	for (int i = 0; i < s->n_tasks; i++)
		*(s->threads[i].class_id == SIM_CLASS_FAIR ? &fair : &urgent) = true;
	s->serving = on && fair && urgent;
	/* It competes in the DEADLINE class. */
	if (s->serving)
		s->classes[SIM_CLASS_DEADLINE] = &sim_class_deadline;
}

bool sim_server_ready(const struct sim *s, int cpu)
{
	return s->parts.servers[cpu].active && !s->parts.servers[cpu].throttled;
}

/* A server that stopped a moment ago may go on with the budget and the deadline it had. */
void sim_server_queued(struct sim *s, int cpu)
{
	struct sim_server *v = &s->parts.servers[cpu];

	if (v->active || !s->queues[cpu].n)
		return;
	v->active = true;
	if (v->deadline < s->now || sim_deadline_stale(s->now, v->deadline, v->budget, runtime, period))
		new_period(s, cpu);
	else
		defer(s, cpu);
}

void sim_server_stop(struct sim *s, int cpu)
{
	s->parts.servers[cpu].active = s->parts.servers[cpu].throttled = false;
	sim_timer_set(s, SIM_TIMER_SERVER + cpu, SIM_FOREVER);
}

void sim_server_charge(struct sim *s, int cpu, int64_t ns)
{
	struct sim_server *v = &s->parts.servers[cpu];

	if (!v->active)
		return;
	v->budget -= ns;
	if (v->budget > 0)
		return;
	bool served = !v->throttled;
	new_period(s, cpu);
	if (!served)
		return;
	sim_note(s, cpu, SIM_SERVER_OFF, SIM_NONE, SIM_NONE, v->deadline);
	sim_request(s, cpu, SIM_SERVER_OFF);
}

/* The moment may have moved: fair tasks ran in the background. The whole budget in what is left would be more than its
 * bandwidth: it starts a period of its own now. */
void sim_server_timer(struct sim *s, int cpu)
{
	struct sim_server *v = &s->parts.servers[cpu];
	const struct sim_cpu *c = &s->cpus[cpu];

	if (!s->queues[cpu].n) {
		sim_server_stop(s, cpu);
		return;
	}
	if (s->now < v->deadline - v->budget) {
		defer(s, cpu);
		return;
	}
	v->throttled = false;
	v->deadline = s->now + period;
	v->budget = runtime;
	sim_note(s, cpu, SIM_SERVER_ON, SIM_NONE, SIM_NONE, v->deadline);
	if (c->curr == SIM_NONE || c->curr_class != SIM_CLASS_DEADLINE || v->deadline < sim_deadline_running(s, cpu))
		sim_request(s, cpu, SIM_SERVER_ON);
}
