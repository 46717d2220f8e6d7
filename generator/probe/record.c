/* From shared memory to the record. */
#include <string.h>
#include <sys/random.h>

#include "probe/harness.h"

static void add_hists(struct arena *a, const struct probe_cell *cell, struct run_case *c)
{
	c->hists = ARENA_NEW(a, struct run_hist, PROBE_HISTS_MAX);
	for (int i = 0; i < PROBE_HISTS_MAX && cell->hists[i].name; i++) {
		const struct probe_hist *h = &cell->hists[i];
		c->hists[c->n_hists++] = hist_record(&h->hist, a, str_of(h->name), h->unit);
	}
}

/* A record's times begin at 0: when the machine was started is nobody's business. */
static void add_spans(struct arena *a, const struct probe_cell *cell, struct run_case *c)
{
	int64_t began = INT64_MAX;

	c->spans = ARENA_NEW(a, struct run_span, cell->n_spans);
	for (int i = 0; i < cell->n_spans; i++)
		began = cell->spans[i].t0_ns < began ? cell->spans[i].t0_ns : began;
	for (int i = 0; i < cell->n_spans; i++) {
		const struct probe_span *span = &cell->spans[i];
		c->spans[c->n_spans++] = (struct run_span){.lane = str_copy(a, str_of(span->lane)),
			.state = str_copy(a, str_of(span->state)),
			.t0_ns = span->t0_ns - began,
			.t1_ns = span->t1_ns - began};
	}
}

static struct run_case case_record(struct arena *a, const struct probe_table *t, int i)
{
	const struct probe_cell *cell = table_cell(t, i);
	struct run_case c = {.name = str_of(table_case_name(t, i)), .status = cell->status};

	if (str_eq(c.name, STR("aa")))
		c.twin = str_of(t->ops->twin);
	c.cause = str_copy(a, str_of(cell->cause));
	c.remedy = str_copy(a, str_of(cell->remedy));
	if (!run_status_usable(cell->status))
		return c;
	for (int p = 0; p < cell->n_params; p++)
		fact_num(&c.params, a, cell->params[p].key, cell->params[p].num);
	c.metrics = ARENA_NEW(a, struct run_metric, PROBE_METRICS_MAX);
	for (int m = 0; m < PROBE_METRICS_MAX && t->info->metrics[m].name; m++) {
		struct run_metric *metric = &c.metrics[c.n_metrics];
		bool any = false;
		*metric = (struct run_metric){.name = str_of(t->info->metrics[m].name),
			.unit = t->info->metrics[m].unit,
			.values = ARENA_NEW(a, int64_t, t->passes_done),
			.n = t->passes_done};
		for (int p = 0; p < t->passes_done; p++)
			any |= (metric->values[p] = cell->values[m][p]) != RUN_NULL;
		c.n_metrics += any; /* a metric the case does not have is left out */
	}
	/* A twin is there for its noise alone. */
	if (!c.twin.len) {
		add_hists(a, cell, &c);
		add_spans(a, cell, &c);
	}
	return c;
}

static struct run_table table_record(struct arena *a, const struct probe_table *t)
{
	struct run_table r = {.probe = str_of(t->info->name),
		.version = t->info->version,
		.passes = t->passes_done,
		.before = t->before,
		.after = t->after,
		.cases = ARENA_NEW(a, struct run_case, t->n_cases),
		.n_cases = t->n_cases};

	for (int i = 0; i < t->n_cases; i++)
		r.cases[i] = case_record(a, t, i);
	return r;
}

static struct str nonce(struct arena *a)
{
	unsigned char bytes[8];
	char hex[16];

	/* Only two runs of the same millisecond need it. */
	if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != sizeof bytes) {
		int64_t now = clock_ns();
		memcpy(bytes, &now, sizeof bytes);
	}
	sha256_hex(bytes, sizeof bytes, hex);
	return str_copy(a, (struct str){hex, sizeof hex});
}

struct run *record_build(struct arena *a, const struct probe_env *env, const struct probe_table *tables, int n)
{
	struct run *r = ARENA_NEW(a, struct run, 1);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	r->nonce = nonce(a);
	r->created_utc_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
	r->quick = env->quick;
	r->tool = facts_tool(a);
	r->machine = facts_machine(a, env);
	r->context = facts_context(a, env);
	r->tables = ARENA_NEW(a, struct run_table, n);
	for (int i = 0; i < n; i++)
		r->tables[r->n_tables++] = table_record(a, &tables[i]);
	return r;
}
