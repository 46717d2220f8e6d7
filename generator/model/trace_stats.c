#include "model/trace_stats.h"

/* Growing lists of one task's runs and waits. */
struct list {
	int64_t *v;
	ptrdiff_t n, cap;
};

/* A CPU while the log is read. */
struct cpu {
	int now; /* who is on it; -1 until its first switch tells */
	int64_t since_ns;
	int held; /* the task whose run is open: it is on, or strangers interrupt it; -1: none */
	bool whole; /* the open run began within the trace */
	int64_t ran_ns; /* of the open run, without what is on now */
};

struct reading {
	struct arena *arena;
	const struct trace *t;
	struct trace_stats *s;
	struct list *runs, *waits; /* by task */
	int64_t *time_ns; /* by task, idle and other included */
	int64_t *woken_ns; /* -1: not waiting */
	bool *ran, *on;
	struct cpu cpus[TRACE_CPUS_MAX];
	int last_turn[TRACE_CPUS_MAX];
	bool full;
};

static void sift(int64_t *v, ptrdiff_t i, ptrdiff_t n)
{
	for (ptrdiff_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && v[child + 1] > v[child];
		if (v[i] >= v[child])
			return;
		int64_t keep = v[i];
		v[i] = v[child];
		v[child] = keep;
	}
}

void trace_sort(int64_t *v, ptrdiff_t n)
{
	for (ptrdiff_t i = n / 2; i > 0; i--)
		sift(v, i - 1, n);
	for (ptrdiff_t i = n - 1; i > 0; i--) {
		int64_t most = v[0];
		v[0] = v[i];
		v[i] = most;
		sift(v, 0, i);
	}
}

static void list_add(struct reading *r, struct list *l, int64_t value)
{
	if (l->n == l->cap) {
		int64_t *more = arena_grow(r->arena, l->v, l->n, &l->cap, sizeof *l->v, _Alignof(int64_t));
		if (!more) {
			r->full = true;
			return;
		}
		l->v = more;
	}
	l->v[l->n++] = value;
}

static struct trace_dist dist_of(struct list *l)
{
	struct trace_dist d = {.n = l->n};
	int64_t sum = 0, under = 0;

	if (!l->n)
		return d;
	trace_sort(l->v, l->n);
	for (ptrdiff_t i = 0; i < l->n; i++) {
		sum += l->v[i];
		under += l->v[i] < TRACE_AT_ONCE_NS;
	}
	d.mean_ns = sum / l->n;
	d.under_ppm = under * 1000000 / l->n;
	for (int k = 0; k < TRACE_QUANTILES; k++) {
		ptrdiff_t rank = (k * l->n + TRACE_QUANTILES - 2) / (TRACE_QUANTILES - 1);
		d.q_ns[k] = l->v[rank ? rank - 1 : 0];
	}
	return d;
}

static void close_run(struct reading *r, struct cpu *c)
{
	if (c->held >= TRACE_FIRST && c->whole)
		list_add(r, &r->runs[c->held], c->ran_ns);
	c->held = -1;
}

static int turn_of(int task)
{
	return task == TRACE_IDLE ? 0 : task - TRACE_FIRST + 1;
}

static void count_turn(struct reading *r, int cpu, int to)
{
	int from = r->last_turn[cpu];

	if (to == TRACE_OTHER || to == from)
		return;
	if (from >= 0)
		r->s->turns[turn_of(from) * (r->s->n + 1) + turn_of(to)]++;
	r->last_turn[cpu] = to;
}

static void come(struct reading *r, struct cpu *c, int task, int64_t t_ns)
{
	c->now = task;
	c->since_ns = t_ns;
	if (task == TRACE_OTHER)
		return;
	if (task != c->held) {
		close_run(r, c);
		c->held = task;
		c->ran_ns = 0;
		c->whole = true;
	}
	if (task < TRACE_FIRST)
		return;
	if (r->woken_ns[task] >= 0 && r->ran[task])
		list_add(r, &r->waits[task], t_ns - r->woken_ns[task]);
	r->woken_ns[task] = -1;
	r->ran[task] = true;
	r->on[task] = true;
}

static void leave(struct reading *r, struct cpu *c, const struct trace_event *e)
{
	int64_t ran = e->t_ns - c->since_ns;

	/* With events lost, who leaves is known from this event alone; one whom strangers interrupted had come back. */
	if (c->now != e->task && !(c->now == TRACE_OTHER && c->held == e->task)) {
		c->held = e->task == TRACE_OTHER ? -1 : e->task;
		c->whole = false;
		c->ran_ns = 0;
	}
	r->time_ns[e->task] += ran;
	if (e->task == TRACE_OTHER)
		return;
	c->ran_ns += ran;
	if (e->task >= TRACE_FIRST) {
		r->on[e->task] = false;
		r->ran[e->task] = true;
	}
	if (e->state != 'R')
		close_run(r, c);
}

static void take(struct reading *r, const struct trace_event *e)
{
	if (e->kind == TRACE_WAKE) {
		if (!r->on[e->task] && r->woken_ns[e->task] < 0)
			r->woken_ns[e->task] = e->t_ns;
		return;
	}
	leave(r, &r->cpus[e->cpu], e);
	r->s->inferred += e->state == TRACE_INFERRED;
	count_turn(r, e->cpu, e->other);
	come(r, &r->cpus[e->cpu], e->other, e->t_ns);
}

/* Who is on each CPU at the start is who leaves it first; a CPU without a switch is idle. */
static void begin(struct reading *r)
{
	for (int i = 0; i < r->t->n_cpus; i++) {
		r->cpus[i] = (struct cpu){.now = -1, .held = -1};
		r->last_turn[i] = -1;
	}
	for (ptrdiff_t i = 0; i < r->t->n; i++) {
		const struct trace_event *e = &r->t->events[i];
		if (e->kind != TRACE_SWITCH || r->cpus[e->cpu].now >= 0)
			continue;
		r->cpus[e->cpu].now = e->task;
		r->cpus[e->cpu].held = e->task == TRACE_OTHER ? -1 : e->task;
		r->on[e->task] = true;
		if (e->task != TRACE_OTHER)
			r->last_turn[e->cpu] = e->task;
	}
	for (int i = 0; i < r->t->n_cpus; i++)
		if (r->cpus[i].now < 0)
			r->cpus[i].now = TRACE_IDLE;
	for (int i = 0; i < r->t->n_tasks; i++)
		r->woken_ns[i] = -1;
}

static void settle(struct reading *r)
{
	int64_t whole = r->t->duration_ns * r->t->n_cpus, ours;

	for (int i = 0; i < r->t->n_cpus; i++)
		r->time_ns[r->cpus[i].now] += r->t->duration_ns - r->cpus[i].since_ns;
	ours = whole - r->time_ns[TRACE_OTHER];
	ours = ours > 0 ? ours : 1;
	r->s->others_ppm = r->time_ns[TRACE_OTHER] * 1000000 / whole;
	r->s->idle_ppm = r->time_ns[TRACE_IDLE] * 1000000 / ours;
	for (int i = TRACE_FIRST; i < r->t->n_tasks; i++)
		r->s->tasks[i - TRACE_FIRST] = (struct trace_task){r->t->tasks[i],
			(r->time_ns[i] * 1000000 + ours / 2) / ours, dist_of(&r->runs[i]), dist_of(&r->waits[i])};
}

struct trace_stats *trace_stats_of(struct arena *a, const struct trace *t)
{
	struct reading *r = ARENA_NEW(a, struct reading, 1);
	struct trace_stats *s = ARENA_NEW(a, struct trace_stats, 1);
	ptrdiff_t side = t->n_tasks - TRACE_FIRST + 1;

	if (!r || !s)
		return NULL;
	*s = (struct trace_stats){.scenario = t->scenario,
		.machine = t->machine,
		.duration_ns = t->duration_ns,
		.lost = t->lost,
		.steal_ns = t->steal_ns,
		.n = t->n_tasks - TRACE_FIRST,
		.tasks = ARENA_NEW(a, struct trace_task, t->n_tasks),
		.turns = ARENA_NEW(a, int64_t, side * side)};
	r->arena = a;
	r->t = t;
	r->s = s;
	r->runs = ARENA_NEW(a, struct list, t->n_tasks);
	r->waits = ARENA_NEW(a, struct list, t->n_tasks);
	r->time_ns = ARENA_NEW(a, int64_t, t->n_tasks);
	r->woken_ns = ARENA_NEW(a, int64_t, t->n_tasks);
	r->ran = ARENA_NEW(a, bool, t->n_tasks);
	r->on = ARENA_NEW(a, bool, t->n_tasks);
	if (!s->tasks || !s->turns || !r->runs || !r->waits || !r->time_ns || !r->woken_ns || !r->ran || !r->on)
		return NULL;
	begin(r);
	for (ptrdiff_t i = 0; i < t->n; i++)
		take(r, &t->events[i]);
	settle(r);
	return r->full ? NULL : s;
}
