/* What the parts of a record say about each other, and what the registry knows about them. Malformed or impossible is
 * refused; what the registry does not know is flagged. */
#include "model/run_read.h"

/* Below six passes no paired comparison can reach one chance in twenty; five is the floor (a quick run has five). */
enum { PASSES_FLOOR = 5 };

/* Shares in ppm of the whole, and 2 per cent because the clocks of several tasks are not read at one instant. */
enum { SHARES_MAX = 1020000 };

static const struct json *metric_at(const struct json *kase, struct str name)
{
	return json_get(json_get(kase, STR("metrics")), name);
}

static bool check_bounds(
	struct run_reader *r, const struct json *v, const struct run_metric *m, const struct metric_info *info)
{
	const struct json *value = json_get(v, STR("values"))->first;
	int64_t ignored = 0;

	for (; value; value = value->next)
		if (value->kind == JSON_INT && !run_read_int(r, value, info->lo, info->hi, &ignored))
			return false;
	if (m->unit == info->unit)
		return true;
	struct str what = RUN_JOIN(r->arena, STR("the metric is stored in "), str_of(run_unit_names[info->unit]),
		STR("; convert the values and write that unit"));
	return run_refuse(r, v, STR("unit"), "wrong_unit", what);
}

static bool check_metric(
	struct run_reader *r, const struct json *kase, const struct run_table *t, const struct run_metric *m)
{
	const struct probe_info *probe = probe_info_find(t->probe);
	const struct metric_info *info = probe ? probe_metric_find(probe, m->name) : NULL;
	const struct json *v = metric_at(kase, m->name);

	if (m->n != t->passes) {
		struct str what = RUN_JOIN(r->arena, run_int_text(r->arena, m->n), STR(" values for "),
			run_int_text(r->arena, t->passes),
			STR(" passes; give one per pass, null for a pass that failed"));
		return run_refuse(r, v, STR("values"), "values_count", what);
	}
	if (probe && !info)
		r->flags[RUN_FLAG_UNKNOWN_METRIC] = true;
	/* Another version of the probe may have measured another quantity under the name. */
	return !info || probe->version != t->version || check_bounds(r, v, m, info);
}

/* The shares of one CPU's time cannot exceed the whole. */
static bool check_shares(
	struct run_reader *r, const struct json *kase, const struct run_table *t, const struct run_case *c)
{
	for (ptrdiff_t pass = 0; pass < t->passes; pass++) {
		int64_t sum = 0;
		for (ptrdiff_t i = 0; i < c->n_metrics; i++) {
			const struct run_metric *m = &c->metrics[i];
			if (m->unit == RUN_UNIT_PPM && str_starts(m->name, STR("share")) && m->values[pass] != RUN_NULL)
				sum += m->values[pass] > SHARES_MAX ? SHARES_MAX + 1 : m->values[pass];
		}
		if (sum > SHARES_MAX) {
			struct str what =
				RUN_JOIN(r->arena, STR("the shares of pass "), run_int_text(r->arena, pass + 1),
					STR(" add up to more than the whole; divide each by the sum of all"));
			return run_refuse(r, kase, STR("metrics"), "bad_sum", what);
		}
	}
	return true;
}

static bool has_value(const struct run_case *c)
{
	for (ptrdiff_t i = 0; i < c->n_metrics; i++)
		for (ptrdiff_t j = 0; j < c->metrics[i].n; j++)
			if (c->metrics[i].values[j] != RUN_NULL)
				return true;
	return false;
}

bool run_check_case(struct run_reader *r, const struct json *v, const struct run_table *t, const struct run_case *c)
{
	const struct probe_info *probe = probe_info_find(t->probe);
	bool skipped = c->status == RUN_SKIPPED || c->status == RUN_REFUSED;

	if (probe && !probe_case_find(probe, c->name))
		r->flags[RUN_FLAG_UNKNOWN_CASE] = true;
	if (str_eq(c->name, STR("aa")) != (c->twin.len > 0))
		return run_refuse(r, v, STR("twin"), "bad_twin",
			STR("case \"aa\", and no other, names the case it repeats; set or remove it"));
	if (c->status != RUN_OK && !c->cause.len)
		return run_refuse(r, v, STR("cause"), "no_cause", STR("a case that is not ok says why; add a cause"));
	if (skipped && (c->n_metrics || c->n_hists || c->n_spans))
		return run_refuse(r, v, STR("metrics"), "out_of_range",
			STR("a case that did not run has no values; remove them or correct the status"));
	for (ptrdiff_t i = 0; i < c->n_metrics; i++)
		if (!check_metric(r, v, t, &c->metrics[i]))
			return false;
	if (run_status_usable(c->status) && !has_value(c))
		return run_refuse(r, v, STR("metrics"), "no_values",
			STR("a case that ran needs a value; give one or set the status to failed"));
	return check_shares(r, v, t, c);
}

static const struct json *case_at(const struct json *table, ptrdiff_t i)
{
	const struct json *v = json_get(table, STR("cases"))->first;

	while (i-- > 0)
		v = v->next;
	return v;
}

static bool has_case(const struct run_table *t, struct str name, ptrdiff_t n)
{
	for (ptrdiff_t i = 0; i < n; i++)
		if (str_eq(t->cases[i].name, name))
			return true;
	return false;
}

bool run_check_table(struct run_reader *r, const struct json *v, const struct run_table *t)
{
	if (!probe_info_find(t->probe))
		r->flags[RUN_FLAG_UNKNOWN_PROBE] = true;
	if (t->passes < PASSES_FLOOR)
		r->flags[RUN_FLAG_FEW_PASSES] = true;
	for (ptrdiff_t i = 0; i < t->n_cases; i++) {
		const struct run_case *c = &t->cases[i];
		if (has_case(t, c->name, i))
			return run_refuse(r, case_at(v, i), STR("case"), "duplicate_case",
				STR("the case is there twice; keep one of the two"));
		if (c->twin.len && (str_eq(c->twin, c->name) || !has_case(t, c->twin, t->n_cases)))
			return run_refuse(r, case_at(v, i), STR("twin"), "bad_twin",
				STR("the table has no such case; name one that it has"));
	}
	return true;
}
