/* What tasks do: their operations, one after the other, until one takes time. */
#include "sim/engine.h"

static void sleep_until(struct sim *s, int cpu, int64_t at)
{
	struct sim_thread *th = &s->threads[s->cpus[cpu].curr];

	th->state = SIM_SLEEPING;
	th->wake_at = at;
	th->wake_order = s->sequence++;
	if (at < s->wake_min) {
		s->wake_min = at;
		s->wake_task = s->cpus[cpu].curr;
	}
	sim_block(s, cpu, SIM_BLOCK);
}

static void wake_other(struct sim *s, int cpu, int task)
{
	struct sim_thread *th = &s->threads[task];

	if (th->state == SIM_WAITING)
		sim_wake(s, task, s->cpus[cpu].curr);
	else
		th->wake_kept = true;
}

static void wait_for_wake(struct sim *s, int cpu)
{
	struct sim_thread *th = &s->threads[s->cpus[cpu].curr];

	if (th->wake_kept) {
		th->wake_kept = false;
		return;
	}
	th->state = SIM_WAITING;
	th->wake_at = SIM_FOREVER;
	sim_block(s, cpu, SIM_BLOCK);
}

static void leave(struct sim *s, int cpu)
{
	s->threads[s->cpus[cpu].curr].state = SIM_GONE;
	sim_block(s, cpu, SIM_EXITED);
}

static void set_nice(struct sim *s, int cpu, int nice)
{
	int task = s->cpus[cpu].curr;

	if (s->threads[task].nice == nice)
		return;
	s->threads[task].nice = nice;
	s->classes[s->threads[task].class_id]->reweight(s, cpu, task);
	sim_note(s, cpu, SIM_NICED, task, nice, 0);
}

/* One operation of the running task; false: it takes time, or the task is off. */
static bool execute(struct sim *s, int cpu, const struct sim_op *op)
{
	struct sim_cpu *c = &s->cpus[cpu];
	struct sim_thread *th = &s->threads[c->curr];
	const struct sim_class *class = s->classes[th->class_id];
	int64_t time = 0;

	switch ((enum sim_code)op->code) {
	case SIM_RUN:
		time = sim_draw(op, &th->random);
		c->work_end = time == SIM_FOREVER ? SIM_FOREVER : sim_clock(s, cpu) + time;
		return false;
	case SIM_SLEEP: sleep_until(s, cpu, s->now + sim_draw(op, &th->random)); return false;
	case SIM_SLEEP_UNTIL:
		if (op->a > s->now)
			sleep_until(s, cpu, op->a);
		break;
	case SIM_YIELD:
		s->point = SIM_AT_YIELD;
		class->yield(s, cpu);
		sim_request(s, cpu, SIM_YIELDED);
		break;
	case SIM_POLL:
		s->point = SIM_AT_POLL;
		class->account(s, cpu);
		break;
	case SIM_WAKE: wake_other(s, cpu, op->arg); break;
	case SIM_WAIT: wait_for_wake(s, cpu); break;
	case SIM_SET_NICE: set_nice(s, cpu, op->arg); break;
	case SIM_EXIT: leave(s, cpu); break;
	case SIM_CODES: break;
	}
	s->point = SIM_AT_BURST;
	return !c->resched; /* honoured on the way back to the program */
}

void sim_program_step(struct sim *s, int cpu)
{
	struct sim_cpu *c = &s->cpus[cpu];
	int task = c->curr;
	struct sim_thread *th = &s->threads[task];
	const struct sim_task *t = &s->sc->tasks[task];

	c->work_end = sim_clock(s, cpu);
	for (int n = 0;; n++) {
		if (n > t->n_ops) { /* sim_parse makes no program that takes no time */
			s->out->end = SIM_END_SCENARIO;
			s->stopped = true;
			break;
		}
		if (th->pc == t->n_ops) {
			if (t->once) {
				leave(s, cpu);
				return;
			}
			th->pc = 0;
		}
		if (!execute(s, cpu, &s->sc->ops[t->first_op + th->pc++]))
			break;
	}
	sim_cpu_plan(s, cpu);
}
