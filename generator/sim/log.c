/* The log: the engine's only output. A full one ends the run. */
#include "sim/engine.h"

void sim_log(struct sim *s, struct sim_record r)
{
	if (s->stopped)
		return;
	r.t = s->now;
	r.event = (uint32_t)s->events;
	if (s->log && s->records == s->log_max) {
		s->out->end = SIM_END_LOG;
		s->stopped = true;
		return;
	}
	if (s->log)
		s->log[s->records] = r;
	if (s->state && s->records == s->stop_record) {
		sim_state_fill(s, s->state);
		s->stopped = true;
	}
	s->records++;
}

void sim_note(struct sim *s, int cpu, enum sim_reason reason, int task, int other, int64_t value)
{
	sim_log(s, (struct sim_record){.kind = SIM_NOTE,
			   .reason = (uint8_t)reason,
			   .point = s->point,
			   .cpu = (int16_t)cpu,
			   .from = s->cpus[cpu].curr,
			   .to = (int16_t)task,
			   .other = (int16_t)other,
			   .value = value});
}
