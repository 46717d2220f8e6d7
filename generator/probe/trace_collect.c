/* From the kernel's records to a trace's events: tasks by their names in the kernel, strangers and idle as one each. */
#include <stdlib.h>
#include <string.h>

#include "probe/sys.h"
#include "probe/trace_direct.h"

static int task_of(const struct trace_stage *st, bool idle, const char *name)
{
	size_t n = strlen(st->prefix);
	int64_t i;

	if (idle)
		return TRACE_IDLE;
	if (strncmp(name, st->prefix, n) != 0 || !str_int(str_of(name + n), &i) || i < 0 || i >= st->scenario->n_tasks)
		return TRACE_OTHER;
	return TRACE_FIRST + (int)i;
}

static int cpu_of(const struct trace_stage *st, int number)
{
	for (int i = 0; i < st->n_cpus; i++)
		if (st->cpus[i] == number)
			return i;
	return SIM_NONE;
}

static void add(struct trace_collector *c, struct trace_event e)
{
	if (e.t_ns < 0 || e.t_ns > c->duration_ns)
		return;
	ARENA_GROW(c->arena, c->events, c->n, c->cap);
	c->events[c->n++] = e;
}

/* Before the record itself is added. */
static void fill_gap(struct trace_collector *c, const struct trace_raw *raw)
{
	struct trace_gap *g = &c->gaps[c->cpu];
	int64_t t_ns = (int64_t)raw->t_ns;
	bool is_switch = !raw->wake && !raw->sign;

	if (is_switch && g->idle && !raw->from_idle && (g->told || g->seen_ns))
		add(c, (struct trace_event){.t_ns = (g->told ? g->last_ns : g->seen_ns) - c->stage->t0_ns,
			       .cpu = c->cpu,
			       .kind = TRACE_SWITCH,
			       .task = TRACE_IDLE,
			       .other = task_of(c->stage, false, raw->from),
			       .state = TRACE_INFERRED});
	if (is_switch) {
		*g = (struct trace_gap){.idle = raw->to_idle};
	} else if (raw->by_idle) {
		g->last_ns = t_ns;
		g->told = raw->resched;
		g->seen_ns = 0;
	} else if (raw->by_other && !g->seen_ns) {
		g->seen_ns = t_ns;
	}
}

void trace_collect(void *collector, const struct trace_raw *raw)
{
	struct trace_collector *c = collector;
	int64_t t_ns = (int64_t)raw->t_ns - c->stage->t0_ns;
	struct trace_event e = {
		.t_ns = t_ns, .cpu = c->cpu, .kind = raw->wake ? TRACE_WAKE : TRACE_SWITCH, .state = raw->state};

	if (c->cpu != SIM_NONE)
		fill_gap(c, raw);
	if (raw->sign)
		return;
	e.task = task_of(c->stage, raw->from_idle, raw->from);
	e.other = raw->wake ? cpu_of(c->stage, raw->target) : task_of(c->stage, raw->to_idle, raw->to);
	/* A waker may be on a CPU that the scenario does not use: the trace knows only where its task goes. */
	if (raw->wake && e.cpu == SIM_NONE)
		e.cpu = e.other;
	if (e.cpu == SIM_NONE || e.other == SIM_NONE || (raw->wake ? e.task < TRACE_FIRST : e.task == e.other))
		return;
	add(c, e);
}

struct place {
	struct trace_event event;
	ptrdiff_t at; /* in the order they came: those of one time on one CPU keep it */
};

static int by_time(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->event.t_ns != b->event.t_ns)
		return a->event.t_ns < b->event.t_ns ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Some kernels tell not every switch (a 6.18 was seen to leave out some between other programs), and do not count what they
 * leave out: who leaves a CPU is then not who came last. */
static int64_t untold(const struct trace *t)
{
	int last[SIM_CPUS_MAX];
	int64_t n = 0;

	for (int i = 0; i < SIM_CPUS_MAX; i++)
		last[i] = SIM_NONE;
	for (ptrdiff_t i = 0; i < t->n; i++) {
		const struct trace_event *e = &t->events[i];
		if (e->kind != TRACE_SWITCH)
			continue;
		n += last[e->cpu] != SIM_NONE && last[e->cpu] != e->task;
		last[e->cpu] = e->other;
	}
	return n;
}

struct trace *trace_collected(struct trace_collector *c)
{
	struct trace *t = ARENA_NEW(c->arena, struct trace, 1);
	struct place *places = ARENA_NEW(c->arena, struct place, c->n);

	for (ptrdiff_t i = 0; i < c->n; i++)
		places[i] = (struct place){c->events[i], i};
	if (c->n)
		qsort(places, (size_t)c->n, sizeof *places, by_time);
	for (ptrdiff_t i = 0; i < c->n; i++)
		c->events[i] = places[i].event;
	*t = (struct trace){.events = c->events,
		.n = c->n,
		.lost = c->lost,
		.duration_ns = c->duration_ns,
		.n_cpus = c->stage->n_cpus};
	if (t->n > TRACE_EVENTS_MAX) {
		t->n = TRACE_EVENTS_MAX;
		t->duration_ns = t->events[t->n - 1].t_ns;
	}
	t->lost += untold(t);
	t->n_tasks = TRACE_FIRST + c->stage->scenario->n_tasks;
	t->tasks = ARENA_NEW(c->arena, struct str, t->n_tasks);
	t->tasks[TRACE_IDLE] = STR("idle");
	t->tasks[TRACE_OTHER] = STR("other");
	for (int i = TRACE_FIRST; i < t->n_tasks; i++)
		t->tasks[i] = str_of(c->stage->scenario->tasks[i - TRACE_FIRST].name);
	return t;
}
