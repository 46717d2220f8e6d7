/* Scenarios to text, in the one canonical form. */
#include "sim/sim.h"

struct text {
	char *out;
	size_t cap, n;
};

static void put_char(struct text *t, char c)
{
	if (t->n + 1 < t->cap)
		t->out[t->n] = c;
	t->n++;
}

static void put(struct text *t, const char *z)
{
	while (*z)
		put_char(t, *z++);
}

static void put_int(struct text *t, int64_t v)
{
	char digits[20];
	int n = 0;

	if (v < 0)
		put_char(t, '-');
	v = v < 0 ? -v : v;
	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		put_char(t, digits[--n]);
}

/* In the largest unit that leaves no fraction. */
static void put_time(struct text *t, int64_t ns)
{
	int unit = 0;
	static const char *const units[] = {"ns", "us", "ms", "s"};

	for (; unit < 3 && ns && ns % 1000 == 0; unit++)
		ns /= 1000;
	put_int(t, ns);
	if (ns)
		put(t, units[unit]);
}

static void put_word_time(struct text *t, const char *word, int64_t ns)
{
	put(t, word);
	put_time(t, ns);
}

static void line_int(struct text *t, const char *word, int64_t v)
{
	put(t, word);
	put_int(t, v);
	put_char(t, '\n');
}

static void line_time(struct text *t, const char *word, int64_t ns)
{
	put_word_time(t, word, ns);
	put_char(t, '\n');
}

static void line_switch(struct text *t, const char *word, int on)
{
	if (on != SIM_DEFAULT) {
		put(t, word);
		put(t, on ? " on\n" : " off\n");
	}
}

static void put_times(struct text *t, const char *word, const int64_t *times, int n, int64_t none)
{
	while (n && times[n - 1] == none)
		n--;
	if (!n)
		return;
	put(t, word);
	for (int i = 0; i < n; i++)
		put_word_time(t, " ", times[i]);
	put_char(t, '\n');
}

static void put_machine(struct text *t, const struct sim_scenario *sc)
{
	put(t, "profile ");
	put(t, sim_profile_name(sc->profile));
	line_int(t, "\ncpus ", sc->cpus);
	line_int(t, "hz ", sc->hz);
	line_switch(t, "hrtick", sc->hrtick);
	line_switch(t, "rt_throttle", sc->rt_throttle);
	line_switch(t, "fair_server", sc->fair_server);
	put_times(t, "tick_offset", sc->tick_offset, SIM_CPUS_MAX, 0);
	if (sc->tick_loss)
		line_time(t, "tick_loss ", sc->tick_loss);
	if (sc->switch_cost)
		line_time(t, "switch_cost ", sc->switch_cost);
	if (sc->seed != SIM_SEED)
		line_int(t, "seed ", sc->seed);
	if (sc->events_max != SIM_EVENTS_DEFAULT)
		line_int(t, "events ", sc->events_max);
	line_time(t, "for ", sc->horizon);
	if (sc->profile == SIM_RR || sc->profile == SIM_MLFQ || sc->n_levels != 3) {
		put(t, "quantum");
		for (int i = 0; i < sc->n_levels; i++)
			put_word_time(t, " ", sc->quantum[i]);
		put_char(t, '\n');
	}
	put_times(t, "allot", sc->allot, SIM_LEVELS_MAX, SIM_FOREVER);
	if (sc->boost)
		line_time(t, "boost ", sc->boost);
	if (sc->reset_on_block)
		put(t, "reset_on_block on\n");
	if (sc->ostep)
		put(t, "ostep on\n");
}

static void put_group(struct text *t, const struct sim_scenario *sc, const struct sim_group *g)
{
	put(t, g->session ? "session " : "group ");
	put(t, g->name);
	if (g->parent != SIM_NONE) {
		put(t, " in ");
		put(t, sc->groups[g->parent].name);
	}
	if (g->weight != 100) {
		put(t, " weight ");
		put_int(t, g->weight);
	}
	if (g->quota) {
		put_word_time(t, " quota ", g->quota);
		put_word_time(t, "/", g->period);
	}
	if (g->burst)
		put_word_time(t, " burst ", g->burst);
	if (g->phase)
		put_word_time(t, " phase ", g->phase);
	put(t, g->idle ? " idle\n" : "\n");
}

static void put_cpus(struct text *t, uint32_t mask)
{
	const char *before = " cpu ";

	for (int c = 0; c < SIM_CPUS_MAX; c++) {
		int last = c;
		if (!(mask >> c & 1))
			continue;
		while (last + 1 < SIM_CPUS_MAX && (mask >> (last + 1) & 1))
			last++;
		put(t, before);
		put_int(t, c);
		if (last > c) {
			put_char(t, '-');
			put_int(t, last);
		}
		before = ",";
		c = last;
	}
}

static void put_policy(struct text *t, const struct sim_task *k)
{
	if (k->nice) {
		put(t, " nice ");
		put_int(t, k->nice);
	}
	if (k->policy == SIM_NORMAL)
		return;
	put_char(t, ' ');
	put(t, sim_policy_name(k->policy));
	if (k->policy == SIM_TASK_FIFO || k->policy == SIM_TASK_RR) {
		put_char(t, ' ');
		put_int(t, k->prio);
	}
	if (k->policy == SIM_DEADLINE) {
		put_word_time(t, " ", k->runtime);
		put_word_time(t, " ", k->deadline);
		put_word_time(t, " ", k->period);
	}
}

static void put_op(struct text *t, const struct sim_scenario *sc, const struct sim_op *op)
{
	put(t, sim_code_name(op->code));
	if ((op->code == SIM_RUN && op->a != SIM_FOREVER) || op->code == SIM_SLEEP || op->code == SIM_SLEEP_UNTIL)
		put_word_time(t, " ", op->a);
	if (op->code != SIM_WAKE && op->b > op->a)
		put_word_time(t, "..", op->b);
	if (op->code == SIM_WAKE) {
		put_char(t, ' ');
		put(t, sc->tasks[op->arg].name);
	}
	if (op->code == SIM_SET_NICE) {
		put_char(t, ' ');
		put_int(t, op->arg);
	}
}

static void put_task(struct text *t, const struct sim_scenario *sc, const struct sim_task *k)
{
	put(t, "task ");
	put(t, k->name);
	put_policy(t, k);
	if (k->slice)
		put_word_time(t, " slice ", k->slice);
	if (k->cpus != (1U << sc->cpus) - 1)
		put_cpus(t, k->cpus);
	if (k->group != SIM_NONE) {
		put(t, " in ");
		put(t, sc->groups[k->group].name);
	}
	if (k->start)
		put_word_time(t, " start ", k->start);
	if (k->woken)
		put(t, " woken");
	if (k->seeded) {
		put(t, " seed ");
		put_int(t, k->seed);
	}
	for (int i = 0; i < k->n_ops; i++) {
		put(t, i ? ", " : ": ");
		put_op(t, sc, &sc->ops[k->first_op + i]);
	}
	put(t, k->once ? ", once\n" : "\n");
}

size_t sim_print(const struct sim_scenario *scenario, char *out, size_t cap)
{
	struct text t = {.out = out, .cap = cap};

	put_machine(&t, scenario);
	for (int i = 0; i < scenario->n_groups; i++)
		put_group(&t, scenario, &scenario->groups[i]);
	for (int i = 0; i < scenario->n_tasks; i++)
		put_task(&t, scenario, &scenario->tasks[i]);
	if (cap)
		out[t.n < cap ? t.n : cap - 1] = '\0';
	return t.n;
}
