#include "model/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/noise.h"

const char *const diff_verdict_texts[DIFF_VERDICT_MAX] = {
	"moved beyond noise", "no difference shown at this noise", "cannot be compared"};
const char *const diff_reason_texts[DIFF_REASON_MAX] = {
	[DIFF_COMPARED] = "",
	[DIFF_ONLY_BEFORE] = "only the first run has it",
	[DIFF_ONLY_AFTER] = "only the second run has it",
	[DIFF_OTHER_CONFIG] = "another configuration of the machine",
	[DIFF_OTHER_VERSION] = "another version of the probe",
	[DIFF_EMULATED] = "a time under emulation",
	[DIFF_FEW_PASSES] = "fewer than 6 passes in common",
	[DIFF_NO_NOISE] = "no case measured twice, so no known noise",
};
_Static_assert(STATS_PAIRS_MIN == 6, "the reason's text says so");

static const struct run_table *table_of(const struct run *r, struct str probe)
{
	for (ptrdiff_t i = 0; i < r->n_tables; i++)
		if (str_eq(r->tables[i].probe, probe))
			return &r->tables[i];
	return NULL;
}

static const struct run_metric *metric_of(const struct run_table *t, struct str case_id, struct str metric)
{
	for (ptrdiff_t i = 0; t && i < t->n_cases; i++) {
		const struct run_case *c = &t->cases[i];
		if (!str_eq(c->name, case_id) || !run_status_usable(c->status))
			continue;
		for (ptrdiff_t k = 0; k < c->n_metrics; k++)
			if (str_eq(c->metrics[k].name, metric))
				return &c->metrics[k];
	}
	return NULL;
}

/* Natural values, NaN where a pass failed. */
static double *values_of(const struct run_metric *m, struct arena *a)
{
	double *v = ARENA_NEW(a, double, m->n);

	for (ptrdiff_t i = 0; i < m->n; i++)
		v[i] = m->values[i] == RUN_NULL ? (double)NAN : (double)m->values[i] * run_unit_scale(m->unit);
	return v;
}

static double median_of(const struct run_metric *m, struct arena scratch)
{
	double *v = values_of(m, &scratch);
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < m->n; i++)
		if (!isnan(v[i]))
			v[n++] = v[i];
	return stats_median(v, n, scratch);
}

static bool is_cost(const struct diff_row *row)
{
	const struct probe_info *p = probe_info_find(row->probe);
	const struct metric_info *m = p ? probe_metric_find(p, row->metric) : NULL;

	return !m || m->class == METRIC_COST;
}

/* What is to be compared, and the one row it makes. */
struct pair {
	const struct run_table *tables[2];
	const struct run_metric *metrics[2];
	bool same_config, emulated;
};

static void compare(struct diff_row *row, const struct pair *p, struct arena scratch)
{
	static const enum diff_reason reasons[] = {
		[STATS_MOVED] = DIFF_COMPARED, [STATS_NONE_SHOWN] = DIFF_COMPARED, [STATS_FEW_PAIRS] = DIFF_FEW_PASSES, [STATS_NO_NOISE] = DIFF_NO_NOISE};
	const struct run_metric *a = p->metrics[0], *b = p->metrics[1];
	double scale = run_unit_scale(a->unit);
	/* fmax takes the one that is known. */
	double noise = fmax(table_noise_at(p->tables[0], row->metric, row->before / scale, scratch),
		table_noise_at(p->tables[1], row->metric, row->after / scale, scratch));
	double *before = values_of(a, &scratch), *after = values_of(b, &scratch);

	row->change = stats_compare(before, after, a->n < b->n ? a->n : b->n, noise * scale, scratch);
	row->relative = row->before > 0 ? row->change.effect / row->before : (double)NAN;
	row->reason = reasons[row->change.verdict];
	if (row->reason == DIFF_COMPARED)
		row->verdict = row->change.verdict == STATS_MOVED ? DIFF_MOVED : DIFF_NONE_SHOWN;
}

static void judge(struct diff_row *row, const struct pair *p, struct arena scratch)
{
	row->verdict = DIFF_NOT_COMPARED;
	row->relative = (double)NAN;
	row->before = p->metrics[0] ? median_of(p->metrics[0], scratch) : (double)NAN;
	row->after = p->metrics[1] ? median_of(p->metrics[1], scratch) : (double)NAN;
	if (!p->metrics[0] || !p->metrics[1])
		row->reason = p->metrics[0] ? DIFF_ONLY_BEFORE : DIFF_ONLY_AFTER;
	else if (!p->same_config)
		row->reason = DIFF_OTHER_CONFIG;
	else if (p->tables[0]->version != p->tables[1]->version || p->metrics[0]->unit != p->metrics[1]->unit)
		row->reason = DIFF_OTHER_VERSION;
	else if (p->emulated && is_cost(row))
		row->reason = DIFF_EMULATED;
	else
		compare(row, p, scratch);
}

static struct str key_of(struct arena *a, struct str probe, struct str case_id, struct str metric)
{
	const struct probe_info *p = probe_info_find(probe);

	if (p && str_eq(metric, str_of(p->metrics[0].name)))
		return str_printf(a, "%.*s/%.*s", STR_FMT(probe), STR_FMT(case_id));
	return str_printf(a, "%.*s/%.*s:%.*s", STR_FMT(probe), STR_FMT(case_id), STR_FMT(metric));
}

/* In the registry's order; what it does not know comes last. */
static int place_of(struct str probe, struct str metric)
{
	const struct probe_info *p = probe_info_find(probe);
	const struct metric_info *m = p ? probe_metric_find(p, metric) : NULL;

	return m ? (int)(m - p->metrics) : RUN_METRICS_MAX;
}

/* Rows of a table's cases; of the second run's only what the first has not. */
static void add_table(struct diff *d, struct arena *a, const struct run_table *t, bool second, struct pair p, struct arena scratch)
{
	p.tables[0] = table_of(d->before, t->probe);
	p.tables[1] = table_of(d->after, t->probe);
	for (ptrdiff_t i = 0; i < t->n_cases; i++) {
		const struct run_case *c = &t->cases[i];
		for (ptrdiff_t k = 0; !c->twin.len && run_status_usable(c->status) && k < c->n_metrics; k++) {
			struct diff_row *row = &d->rows[d->n];
			struct str metric = c->metrics[k].name;
			p.metrics[0] = metric_of(p.tables[0], c->name, metric);
			p.metrics[1] = metric_of(p.tables[1], c->name, metric);
			if (second && p.metrics[0])
				continue;
			*row = (struct diff_row){.key = key_of(a, t->probe, c->name, metric), .probe = t->probe, .case_id = c->name, .metric = metric,
				.unit = c->metrics[k].unit, .order = probe_order(t->probe, c->name), .place = place_of(t->probe, metric)};
			judge(row, &p, scratch);
			d->verdicts[row->verdict]++;
			d->reasons[row->reason]++;
			d->n++;
		}
	}
}

static ptrdiff_t metrics_of(const struct run *r)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < r->n_tables; i++)
		for (ptrdiff_t k = 0; k < r->tables[i].n_cases; k++)
			n += r->tables[i].cases[k].n_metrics;
	return n;
}

static bool same_fact(const struct run_fact *a, const struct run_fact *b)
{
	bool none_a = !a || (!a->text.ptr && a->num == RUN_NULL), none_b = !b || (!b->text.ptr && b->num == RUN_NULL);

	if (none_a || none_b)
		return none_a == none_b;
	if (a->text.ptr && b->text.ptr)
		return str_eq(a->text, b->text);
	return !a->text.ptr && !b->text.ptr && a->num == b->num;
}

static void add_config_keys(struct diff *d, struct arena *a)
{
	ptrdiff_t n = 0;

	while (run_config_keys[n])
		n++;
	d->config_keys = ARENA_NEW(a, struct str, n);
	for (ptrdiff_t i = 0; i < n; i++) {
		const char *key = run_config_keys[i];
		if (!same_fact(run_fact_get(&d->before->machine, key), run_fact_get(&d->after->machine, key)))
			d->config_keys[d->n_config_keys++] = str_of(key);
	}
}

static int by_order(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return str_cmp(a->key, b->key);
}

static bool same_config(const struct run *a, const struct run *b)
{
	unsigned char x[SHA256_BYTES], y[SHA256_BYTES];

	run_config_id(a, x);
	run_config_id(b, y);
	return memcmp(x, y, sizeof x) == 0;
}

struct diff diff_runs(struct arena *a, const struct run *before, const struct run *after, bool emulated, struct arena scratch)
{
	struct diff d = {.before = before, .after = after};
	struct pair p = {.same_config = same_config(before, after), .emulated = emulated};

	d.rows = ARENA_NEW(a, struct diff_row, metrics_of(before) + metrics_of(after));
	for (ptrdiff_t i = 0; i < before->n_tables; i++)
		add_table(&d, a, &before->tables[i], false, p, scratch);
	for (ptrdiff_t i = 0; i < after->n_tables; i++)
		add_table(&d, a, &after->tables[i], true, p, scratch);
	if (d.n)
		qsort(d.rows, (size_t)d.n, sizeof *d.rows, by_order);
	add_config_keys(&d, a);
	return d;
}

bool diff_possible(const struct run *before, const struct run *after)
{
	if (!same_config(before, after))
		return false;
	for (ptrdiff_t i = 0; i < before->n_tables; i++) {
		const struct run_table *t = table_of(after, before->tables[i].probe);
		if (t && t->version == before->tables[i].version)
			return true;
	}
	return false;
}

struct str diff_fact_text(struct arena *a, const struct run *r, const char *key)
{
	const struct run_fact *f = run_fact_get(&r->machine, key);

	if (!f || (!f->text.ptr && f->num == RUN_NULL))
		return STR("not readable");
	return f->text.ptr ? f->text : str_printf(a, "%lld", (long long)f->num);
}
