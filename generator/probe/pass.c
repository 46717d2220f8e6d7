/* One pass, in a process of its own: the order, the warm-up, the steps. */
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/shared.h"
#include "probe/sys.h"

static const int64_t warm_up_ns = 60000000, warm_up_quick_ns = 30000000; /* lets the clock rate of the CPU settle */

int table_order(int n_cases, int pass, int position)
{
	return pass > 0 && pass % 2 ? n_cases - 1 - position : position;
}

const char *table_case_name(const struct probe_table *t, int i)
{
	return i < t->n_cases - 1 ? t->info->cases[i].name : "aa";
}

struct probe_cell *table_cell(const struct probe_table *t, int i)
{
	return &t->shared->cells[i];
}

static const struct probe_case *case_of(const struct probe_table *t, int i)
{
	struct str name = str_of(i < t->n_cases - 1 ? t->info->cases[i].name : t->ops->twin);

	for (const struct probe_case *c = t->ops->cases; c->name; c++)
		if (str_eq(str_of(c->name), name))
			return c;
	return NULL;
}

static void measure_step(struct probe_table *t, int pass, int i)
{
	struct probe_cell *cell = table_cell(t, i);
	struct probe_step s = {.env = t->env, .info = t->info, .cell = cell, .pass = pass};
	const struct probe_case *c = case_of(t, i);
	int64_t began = clock_ns();

	if (!c)
		step_status(&s, RUN_FAILED, "report this", "the probe does not know its case");
	else if (run_status_usable(cell->status))
		t->ops->run(&s, c);
	env_unpin(t->env);
	/* The warm-up pass may be shorter: it does not tell how long a step takes. */
	if (pass >= 0)
		cell->step_ns = clock_ns() - began;
}

_Noreturn void pass_run(struct probe_table *t, int pass, int position)
{
	struct probe_shared *sh = t->shared;

	/* A session of our own: one autogroup for all that a pass starts, and no Ctrl-C from the terminal. */
	setsid();
	if (env_pin(t->env->cpu))
		sh->unit_ns = spin_unit_ns(t->env->quick ? warm_up_quick_ns : warm_up_ns);
	env_unpin(t->env);
	for (; position < t->n_cases; position++) {
		atomic_store(&sh->began_ns, clock_ns());
		atomic_store(&sh->position, position);
		measure_step(t, pass, table_order(t->n_cases, pass, position));
	}
	atomic_store(&sh->position, position);
	int64_t delay = sys_schedstat(0, 1);
	sh->run_delay_ns += delay == RUN_NULL ? 0 : delay;
	_exit(0);
}
