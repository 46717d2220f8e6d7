/* The textbook's policies: first come first served, shortest job first, round robin, multi-level feedback queues. Timers are
 * exact. Ties: first queued first; jobs that arrive at one time are chosen from together; who arrives when a quantum ends is
 * queued before the one whose quantum ended. A woken job goes to the tail with a fresh quantum; one that is outranked keeps
 * its place and what is left of its quantum. MLFQ counts time at a level across blocking (OSTEP, chapter 8, rule 4). */
#include "sim/engine.h"

static int64_t quantum(const struct sim *s, int level)
{
	return s->sc->profile == SIM_RR || s->sc->profile == SIM_MLFQ ? s->sc->quantum[level] : SIM_FOREVER;
}

static int64_t allotment(const struct sim *s, int level)
{
	return s->sc->profile == SIM_MLFQ && level < s->sc->n_levels - 1 ? s->sc->allot[level] : SIM_FOREVER;
}

static void renew(struct sim *s, struct sim_book *b)
{
	b->left = quantum(s, b->level);
	b->order = s->sequence++;
}

static void demote(struct sim *s, int cpu, int task)
{
	struct sim_book *b = &s->books[task];

	b->level++;
	b->used = 0;
	b->quanta = 0;
	renew(s, b);
	sim_note(s, cpu, SIM_DEMOTE, task, b->level, 0);
}

/* OSTEP's mlfq.py counts whole quanta. */
static bool allotment_gone(const struct sim *s, const struct sim_book *b)
{
	int64_t allot = allotment(s, b->level);

	if (!s->sc->ostep)
		return b->used >= allot;
	return allot != SIM_FOREVER && b->left <= 0 && (b->quanta + 1) * quantum(s, b->level) >= allot;
}

static void account(struct sim *s, int cpu)
{
	int task = s->cpus[cpu].curr;
	struct sim_book *b = &s->books[task];
	int64_t clock = sim_clock(s, cpu), ns = clock - b->accounted;

	b->accounted = clock;
	b->used += ns;
	if (b->left != SIM_FOREVER)
		b->left -= ns;
	if (allotment_gone(s, b)) {
		demote(s, cpu, task);
	} else if (b->left <= 0) {
		b->quanta++;
		renew(s, b);
	} else {
		return;
	}
	sim_request(s, cpu, SIM_TICK_SLICE);
}

static void enqueue(struct sim *s, int cpu, int task, enum sim_how how)
{
	struct sim_book *b = &s->books[task];
	bool keep = s->sc->ostep && !s->sc->reset_on_block && how == SIM_BY_WAKE && b->left > 0;

	(void)cpu;
	b->queued = true;
	if (keep)
		b->order = s->sequence++;
	else
		renew(s, b);
}

static bool dequeue(struct sim *s, int cpu, int task, bool sleep)
{
	struct sim_book *b = &s->books[task];

	if (s->cpus[cpu].curr == task)
		account(s, cpu);
	b->queued = false;
	if (sleep && s->sc->reset_on_block)
		b->used = b->quanta = 0;
	return true;
}

/* What the shortest-job-first scheduler is told by an oracle: the length of the burst to come. */
static int64_t next_burst(const struct sim *s, int task)
{
	const struct sim_task *t = &s->sc->tasks[task];
	const struct sim_thread *th = &s->threads[task];

	if (th->left > 0)
		return th->left;
	for (int i = 0; i < t->n_ops; i++) {
		const struct sim_op *op = &s->sc->ops[t->first_op + (th->pc + i) % t->n_ops];
		if (op->code == SIM_RUN)
			return op->b > op->a ? op->a + (op->b - op->a) / 2 : op->a;
	}
	return 0;
}

static bool before(const struct sim *s, int a, int b)
{
	const struct sim_book *x = &s->books[a], *y = &s->books[b];

	if (s->sc->profile == SIM_SJF) {
		int64_t p = next_burst(s, a), q = next_burst(s, b);
		if (p != q)
			return p < q;
	}
	return x->level != y->level ? x->level < y->level : x->order < y->order;
}

static int pick(struct sim *s, int cpu)
{
	int curr = s->cpus[cpu].curr, best = SIM_NONE;

	if (curr != SIM_NONE && s->books[curr].queued && !s->threads[curr].restart) {
		if (s->sc->profile == SIM_FIFO || s->sc->profile == SIM_SJF)
			return curr;
		account(s, cpu);
	}
	for (int i = 0; i < s->n_tasks; i++)
		if (s->books[i].queued && s->threads[i].cpu == cpu && (best == SIM_NONE || before(s, i, best)))
			best = i;
	return best;
}

static void change(struct sim *s, int cpu, int from, int to)
{
	(void)from;
	if (to != SIM_NONE)
		s->books[to].accounted = sim_clock(s, cpu);
}

static enum sim_reason woken(struct sim *s, int cpu, int task)
{
	if (s->sc->profile != SIM_MLFQ || s->books[task].level >= s->books[s->cpus[cpu].curr].level)
		return SIM_WAKE_DENIED_CLASS;
	sim_request(s, cpu, SIM_WAKE_CLASS);
	return SIM_WAKE_CLASS;
}

static void yield(struct sim *s, int cpu)
{
	int task = s->cpus[cpu].curr;

	account(s, cpu);
	renew(s, &s->books[task]);
}

static void reweight(struct sim *s, int cpu, int task)
{
	(void)s;
	(void)cpu;
	(void)task; /* all are equal here */
}

static int64_t extra(struct sim *s, int cpu)
{
	const struct sim_book *b = &s->books[s->cpus[cpu].curr];
	int64_t allot = s->sc->ostep ? SIM_FOREVER : allotment(s, b->level);
	int64_t left = sim_min(b->left, allot == SIM_FOREVER ? SIM_FOREVER : allot - b->used);

	return left == SIM_FOREVER ? left : left - (sim_clock(s, cpu) - b->accounted);
}

const struct sim_class sim_class_textbook = {
	.enqueue = enqueue,
	.dequeue = dequeue,
	.account = account,
	.tick = account,
	.pick = pick,
	.change = change,
	.woken = woken,
	.yield = yield,
	.reweight = reweight,
	.extra = extra,
};

/* Everyone to the highest level, in the order of the levels they come from. */
void sim_textbook_boost(struct sim *s)
{
	int32_t was[SIM_TASKS_MAX] = {0};

	for (int i = 0; i < s->n_tasks; i++)
		was[i] = s->books[i].level;
	for (int cpu = 0; cpu < s->n_cpus; cpu++)
		if (s->cpus[cpu].curr != SIM_NONE && s->books[s->cpus[cpu].curr].queued)
			account(s, cpu);
	for (int n = 0; n < s->n_tasks; n++) {
		int next = 0;
		while (was[next] < 0)
			next++;
		for (int i = next + 1; i < s->n_tasks; i++)
			if (was[i] >= 0 && (was[i] < was[next] ||
						   (was[i] == was[next] && s->books[i].order < s->books[next].order)))
				next = i;
		was[next] = -1;
		s->books[next].level = 0;
		s->books[next].used = 0;
		s->books[next].quanta = 0;
		renew(s, &s->books[next]);
	}
	sim_note(s, 0, SIM_BOOST, SIM_NONE, SIM_NONE, 0);
	sim_timer_set(s, SIM_TIMER_BOOST, s->now + s->sc->boost);
}

void sim_textbook_init(struct sim *s)
{
	if (s->sc->profile == SIM_MLFQ && s->sc->boost)
		sim_timer_set(s, SIM_TIMER_BOOST, s->sc->boost);
}
