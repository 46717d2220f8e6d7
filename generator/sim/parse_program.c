/* Scenarios from text: what a task does, and what can only be judged once the whole text is read. */
#include <string.h>

#include "sim/parse.h"

/* "2ms" or "9ms..11ms". */
static bool read_range(struct sim_parser *p, int64_t min, struct sim_op *op)
{
	struct sim_token t = sim_parse_take(p);
	size_t dots = 0;

	while (dots + 1 < t.len && (t.ptr[dots] != '.' || t.ptr[dots + 1] != '.'))
		dots++;
	bool range = dots + 1 < t.len;
	if (t.kind != 'w' || !sim_time_of(t.ptr, range ? dots : t.len, &op->a) ||
		(range && !sim_time_of(t.ptr + dots + 2, t.len - dots - 2, &op->b)))
		return sim_parse_fail(p, t, "no time: ", "; write 2ms, or 9ms..11ms for one drawn anew each time");
	if (op->a < min)
		return sim_parse_fail(p, t, "", " is too short");
	if (range && op->b <= op->a)
		return sim_parse_fail(p, t, "", " ends before it begins; put the shorter time first");
	return true;
}

/* The woken task may stand further down: its name is kept as the place in the text until the end. */
static bool read_wake(struct sim_parser *p, struct sim_op *op)
{
	struct sim_token t = sim_parse_take(p);

	if (t.kind != 'w')
		return sim_parse_fail(p, t, "the task to wake must stand before ", "");
	op->a = t.ptr - p->end; /* from the end, as both know it */
	op->b = ((int64_t)t.line << 32) | t.col;
	op->arg = (int32_t)t.len;
	return true;
}

static bool read_op(struct sim_parser *p, struct sim_op *op, bool *time_passes)
{
	const char *names[SIM_CODES + 1];
	struct sim_token t = sim_parse_take(p);

	for (int i = 0; i < SIM_CODES; i++)
		names[i] = sim_code_name(i);
	names[SIM_CODES] = "once";
	op->code = 0;
	while (op->code < SIM_CODES && !sim_token_is(t, names[op->code]))
		op->code++;
	switch (op->code) {
	case SIM_RUN:
		*time_passes = true;
		op->a = SIM_FOREVER;
		return p->token.kind != 'w' || read_range(p, 1, op);
	case SIM_SLEEP: *time_passes = true; return read_range(p, 1, op);
	case SIM_SLEEP_UNTIL: return sim_parse_time(p, 0, "", &op->a);
	case SIM_WAKE: return read_wake(p, op);
	case SIM_SET_NICE: return sim_parse_int(p, -20, 19, "a nice value is a number from -20 to 19: ", &op->arg);
	case SIM_EXIT: *time_passes = true; return true;
	case SIM_CODES: return sim_parse_unknown(p, t, "operation", names, SIM_CODES + 1);
	default: return true;
	}
}

bool sim_parse_program(struct sim_parser *p, struct sim_task *task)
{
	struct sim_scenario *sc = p->sc;
	struct sim_token begin = p->token;
	bool time_passes = false;

	task->first_op = sc->n_ops;
	for (;;) {
		if (sim_token_is(p->token, "once") && task->n_ops) {
			task->once = 1;
			sim_parse_next(p);
			break;
		}
		if (sc->n_ops == SIM_OPS_MAX)
			return sim_parse_fail(p, p->token, "more than 512 operations in all; leave some out", NULL);
		sc->ops[sc->n_ops] = (struct sim_op){0};
		if (!read_op(p, &sc->ops[sc->n_ops], &time_passes))
			return false;
		sc->n_ops++;
		task->n_ops++;
		if (p->token.kind != ',')
			break;
		sim_parse_next(p);
	}
	if (!time_passes && !task->once)
		return sim_parse_fail(p, begin, "a program that repeats and lets no time pass begins at ",
			"; add a run or a sleep, or end it with once");
	return true;
}

static bool find_woken(struct sim_parser *p, struct sim_op *op)
{
	const char *names[SIM_TASKS_MAX];
	struct sim_token t = {.ptr = p->end + op->a,
		.len = (size_t)op->arg,
		.line = (int32_t)(op->b >> 32),
		.col = (int32_t)op->b,
		.kind = 'w'};
	int task = sim_task_find(p->sc, t.ptr, t.len);

	for (int i = 0; i < p->sc->n_tasks; i++)
		names[i] = p->sc->tasks[i].name;
	*op = (struct sim_op){.code = SIM_WAKE, .arg = task};
	return task != SIM_NONE || sim_parse_unknown(p, t, "task", names, p->sc->n_tasks);
}

static bool finish_task(struct sim_parser *p, int i)
{
	struct sim_task *task = &p->sc->tasks[i];
	bool textbook = p->sc->profile >= SIM_FIFO;

	task->cpus &= (1U << p->sc->cpus) - 1;
	if (!task->seeded) {
		task->seed = p->sc->seed + (uint32_t)i * UINT32_C(2654435769);
		task->seed += task->seed == 0;
	}
	const char *what = NULL;
	if (!task->cpus)
		what = " has no CPU to run on; raise cpus or name others";
	else if (textbook && task->policy != SIM_NORMAL)
		what = " has a Linux policy under a textbook profile; drop one of them";
	else if (task->policy >= SIM_TASK_FIFO && task->group != SIM_NONE && p->sc->groups[task->group].quota)
		what = " is a real-time task in a group with a quota, which binds fair tasks alone; take it out of the "
		       "group";
	return !what || sim_parse_fail(p, p->names[i], "task ", what);
}

bool sim_parse_finish(struct sim_parser *p)
{
	for (int i = 0; i < p->sc->n_ops; i++)
		if (p->sc->ops[i].code == SIM_WAKE && !find_woken(p, &p->sc->ops[i]))
			return false;
	if (!p->sc->n_tasks)
		return sim_parse_fail(p, p->token, "no task; add a line such as task a: run", NULL);
	for (int i = 0; i < p->sc->n_tasks; i++)
		if (!finish_task(p, i))
			return false;
	return true;
}
