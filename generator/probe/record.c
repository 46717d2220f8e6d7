/* From shared memory to the record. */
#include <string.h>
#include <sys/random.h>

#include "probe/harness.h"

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
