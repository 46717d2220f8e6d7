/* A simulated scenario as a timeline and as a table: both read the log alone. */
#include <math.h>
#include <string.h>

#include "app/sims.h"
#include "model/format.h"

enum { SWITCHES_SHOWN = 48, TICKS_MAX = 250, SPANS_MAX = 1500, COLUMNS = 6, WHY_COLUMNS = 5 };

enum being { ABSENT, READY, RUNNING, SLEEPING, THROTTLED };
static const char *const being_names[] = {[ABSENT] = "", [READY] = "ready", [RUNNING] = "running", [SLEEPING] = "sleeping",
	[THROTTLED] = "throttled"};

struct drawing_of {
	struct arena *a;
	const struct sim_done *d;
	int64_t end;
	struct grid grid;
	bool named;	/* running spans bear a task's colour */
};

struct str sims_badge(struct arena *a, const struct sim_scenario *sc)
{
	struct str cpus = str_printf(a, "%s, %d CPU%s", sim_profile_label(sc->profile), (int)sc->cpus, sc->cpus == 1 ? "" : "s");

	if (sc->profile >= SIM_FIFO)
		return cpus;
	return str_printf(a, "%.*s, %d" FORMAT_NBSP "Hz%s", STR_FMT(cpus), (int)sc->hz, sc->hrtick == 1 ? ", ideal timer" : "");
}

int64_t sims_window(const struct sim_done *d)
{
	static const int steps[] = {1, 2, 5};
	int64_t window = 0;

	for (int64_t decade = 1000000; window < d->result.t; decade *= 10)
		for (int i = 0; i < 3 && window < d->result.t; i++) {
			int64_t next = decade * steps[i] < d->result.t ? decade * steps[i] : d->result.t;
			int switches = 0;
			for (uint32_t k = 0; k < d->result.records && d->log[k].t < next; k++)
				switches += d->log[k].kind == SIM_SWITCH;
			if (window && switches > SWITCHES_SHOWN)
				return window;
			window = next;
		}
	return window;
}

static void add_span(struct drawing_of *g, const char *panel, struct str lane, int64_t from, int64_t to, const char *state, int series)
{
	ptrdiff_t at = g->grid.rows * COLUMNS;
	double num[COLUMNS] = {(double)NAN, (double)NAN, (double)from, (double)to, (double)NAN, (double)NAN};

	to = to < g->end ? to : g->end;
	if (g->grid.rows == SPANS_MAX || from > to || (from == to && strcmp(state, "tick") != 0))
		return;
	num[3] = (double)to;
	memcpy(&g->grid.num[at], num, sizeof num);
	g->grid.text[at] = str_of(panel);
	g->grid.text[at + 1] = lane;
	g->grid.text[at + 2] = g->grid.text[at + 3] = STR("0");
	g->grid.text[at + 4] = str_of(state);
	g->grid.text[at + 5] = g->named ? str_of(g->d->sc.tasks[series == SIM_NONE ? 0 : series].name) : STR("");
	g->grid.rows++;
}

static void add_ticks(struct drawing_of *g, const char *panel)
{
	int64_t tick = INT64_C(1000000000) / g->d->sc.hz;

	if (g->d->sc.profile >= SIM_FIFO || g->end / tick > TICKS_MAX)
		return;
	/* Ticks have no colour, but name the tasks in their order, so that each has the colour that it has in the page's own timelines. */
	int task = 0;
	for (int64_t t = g->d->sc.tick_offset[0]; t <= g->end; t += tick)
		add_span(g, panel, STR("tick"), t, t, "tick", task++ % (g->d->sc.n_tasks ? g->d->sc.n_tasks : 1));
}

static void add_cpu(struct drawing_of *g, int cpu, const char *panel)
{
	struct str lane = str_printf(g->a, "CPU %d", cpu);
	int64_t since = 0;
	int task = SIM_NONE;

	for (uint32_t i = 0; i < g->d->result.records && g->d->log[i].t < g->end; i++) {
		const struct sim_record *r = &g->d->log[i];
		if (r->kind != SIM_SWITCH || r->cpu != cpu || r->to == task)
			continue;
		add_span(g, panel, lane, since, r->t, task == SIM_NONE ? "idle" : "running", task);
		since = r->t;
		task = r->to;
	}
	add_span(g, panel, lane, since, g->end, task == SIM_NONE ? "idle" : "running", task);
}

static bool is_inside(const struct sim_scenario *sc, int task, int group)
{
	int g = sc->tasks[task].group;

	while (g != SIM_NONE && g != group)
		g = sc->groups[g].parent;
	return g == group && g != SIM_NONE;
}

static enum being after_switch(int reason)
{
	switch (reason) {
	case SIM_BLOCK:
	case SIM_BLOCK_DELAYED: return SLEEPING;
	case SIM_EXITED: return ABSENT;
	case SIM_THROTTLE:
	case SIM_CBS_THROTTLE:
	case SIM_RT_THROTTLE: return THROTTLED;
	default: return READY;
	}
}

/* What a record makes of a task that was `was`. */
static enum being next_being(const struct sim_scenario *sc, const struct sim_record *r, int task, enum being was)
{
	if (r->kind == SIM_SWITCH && r->to == task)
		return RUNNING;
	if (r->kind == SIM_SWITCH && r->from == task && r->from != r->to)
		return after_switch(r->reason);
	if (r->kind == SIM_WOKEN && r->to == task)
		return r->reason == SIM_WAKE_THROTTLED ? THROTTLED : was == RUNNING ? was : READY;
	bool own = r->kind == SIM_NOTE && r->to == task;
	bool group = r->kind == SIM_NOTE && (r->reason == SIM_THROTTLE || r->reason == SIM_REFILL) && is_inside(sc, task, r->other);
	if (group && r->reason == SIM_THROTTLE && was == READY)
		return THROTTLED;
	if (was == THROTTLED && ((group && r->reason == SIM_REFILL) || (own && (r->reason == SIM_REPLENISH || r->reason == SIM_RT_RELEASE))))
		return READY;
	return was;
}

static void add_task(struct drawing_of *g, int task, const char *panel)
{
	struct str lane = str_copy(g->a, str_of(g->d->sc.tasks[task].name));
	enum being now = ABSENT;
	int64_t since = 0;

	for (uint32_t i = 0; i < g->d->result.records && g->d->log[i].t < g->end; i++) {
		const struct sim_record *r = &g->d->log[i];
		enum being next = next_being(&g->d->sc, r, task, now);
		if (next == now)
			continue;
		if (now != ABSENT)
			add_span(g, panel, lane, since, r->t, being_names[now], task);
		now = next;
		since = r->t;
	}
	if (now != ABSENT)
		add_span(g, panel, lane, since, g->end, being_names[now], task);
}

static struct grid grid_new(struct arena *a, const char *const *names, int cols, ptrdiff_t rows)
{
	struct grid g = {.cols = cols};

	g.names = ARENA_NEW(a, struct str, cols);
	g.text = ARENA_NEW(a, struct str, cols * rows);
	g.num = ARENA_NEW(a, double, cols * rows);
	for (int i = 0; i < cols; i++)
		g.names[i] = str_of(names[i]);
	return g;
}

bool sims_timeline(struct arena *a, const struct sim_done *d, int64_t window, struct chart *c, struct diag *diag, struct pos at)
{
	static const char *const names[COLUMNS] = {"panel", "lane", "t0", "t1", "state", "series"};
	struct drawing_of g = {a, d, window, grid_new(a, names, COLUMNS, SPANS_MAX), d->sc.n_tasks > 1 && d->sc.n_tasks <= CHART_SERIES_MAX};
	const char *cpus = "Who runs", *tasks = "What each task does";
	uint32_t used = 0;

	for (int i = 0; i < d->sc.n_tasks; i++)
		used |= d->sc.tasks[i].cpus;
	add_ticks(&g, cpus);
	for (int i = 0; i < d->sc.cpus; i++)
		if (used >> i & 1)
			add_cpu(&g, i, cpus);
	add_ticks(&g, tasks);
	for (int i = 0; i < d->sc.n_tasks; i++)
		add_task(&g, i, tasks);
	c->kind = CHART_TIMELINE;
	c->unit = STR("ns");
	return chart_fill(c, &g.grid, a, diag, at);
}

static struct str name_of(const struct sim_done *d, int task)
{
	return task == SIM_NONE ? STR("idle") : str_of(d->sc.tasks[task].name);
}

static struct str what_of(struct arena *a, const struct sim_done *d, const struct sim_record *r)
{
	if (r->kind == SIM_SWITCH && r->from == r->to)
		return str_printf(a, "%.*s goes on", STR_FMT(name_of(d, r->to)));
	if (r->kind == SIM_SWITCH)
		return str_printf(a, "%.*s \xe2\x86\x92 %.*s", STR_FMT(name_of(d, r->from)), STR_FMT(name_of(d, r->to)));
	if (r->kind == SIM_WOKEN)
		return str_printf(a, "%.*s wakes beside %.*s", STR_FMT(name_of(d, r->to)), STR_FMT(name_of(d, r->from)));
	if (r->to == SIM_NONE && r->other >= 0 && (r->reason == SIM_THROTTLE || r->reason == SIM_REFILL))
		return str_printf(a, "group %s", d->sc.groups[r->other].name);
	return r->to == SIM_NONE ? STR("this CPU") : str_copy(a, name_of(d, r->to));
}

static struct str why_of(struct arena *a, const struct sim_record *r)
{
	bool timed = r->reason == SIM_TICK_DEADLINE || r->reason == SIM_TICK_PROTECTION || r->reason == SIM_TICK_SLICE;

	if (timed && r->point)
		return str_printf(a, "%s, %s", sim_reason_text(r->reason), sim_point_text(r->point));
	return str_of(sim_reason_text(r->reason));
}

struct grid sims_table(struct arena *a, const struct sim_done *d, int64_t window, ptrdiff_t rows_max)
{
	static const char *const names[WHY_COLUMNS] = {"ms", "CPU", "what", "after ms", "why"};
	ptrdiff_t n = 0;

	while (n < (ptrdiff_t)d->result.records && n < rows_max && d->log[n].t < window)
		n++;
	struct grid g = grid_new(a, names, WHY_COLUMNS, n);
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct sim_record *r = &d->log[i];
		ptrdiff_t at = i * WHY_COLUMNS;
		bool turn = r->kind == SIM_SWITCH;
		g.num[at] = (double)r->t / 1e6;
		g.num[at + 1] = r->cpu;
		g.num[at + 3] = turn ? (double)r->value / 1e6 : (double)NAN;
		g.num[at + 2] = g.num[at + 4] = (double)NAN;
		g.text[at] = str_printf(a, "%.6f", g.num[at]);
		g.text[at + 1] = str_printf(a, "%d", r->cpu);
		g.text[at + 2] = what_of(a, d, r);
		g.text[at + 3] = turn ? str_printf(a, "%.6f", g.num[at + 3]) : (struct str){0};
		g.text[at + 4] = why_of(a, r);
	}
	g.rows = n;
	return g;
}
