/* The pages that numbers lead to: runs, down to every raw pass. */
#include <math.h>

#include "app/build.h"
#include "base/sha256.h"
#include "chart/chart.h"
#include "model/format.h"
#include "model/noise.h"
#include "model/stats.h"

void fact_item(struct tobj *group, const char *list, const struct run_fact *f)
{
	struct tobj *o = tobj_item(group, list);

	tobj_text(o, "name", f->key);
	if (f->text.ptr)
		tobj_text(o, "value", f->text);
	else if (f->num == RUN_NULL)
		tobj_text(o, "value", STR("not readable"));
	else
		tobj_fmt(o, "value", "%lld", (long long)f->num);
}

static void add_facts(struct tobj *c, const char *name, const struct run_facts *facts)
{
	struct tobj *group = tobj_item(c, "facts");

	tobj_text(group, "group", str_of(name));
	tobj_list(group, "items");
	for (ptrdiff_t i = 0; i < facts->n; i++)
		fact_item(group, "items", &facts->items[i]);
}

static struct str natural_unit(enum run_unit unit)
{
	return unit == RUN_UNIT_PPM ? STR("fraction") : unit == RUN_UNIT_MILLI ? STR("") : str_of(run_unit_names[unit]);
}

static void add_metric(struct view *v, struct tobj *kase, const struct run_table *table, const struct run_metric *m)
{
	const struct probe_info *probe = probe_info_find(table->probe);
	const struct metric_info *info = probe ? probe_metric_find(probe, m->name) : NULL;
	struct tobj *o = tobj_item(kase, "metrics");
	double *values = ARENA_NEW(v->a, double, m->n), scale = run_unit_scale(m->unit);
	struct str unit = natural_unit(m->unit);
	struct buf strip = buf_new(v->a);
	struct html_out w = html_out_new(&strip);
	ptrdiff_t n = 0;

	tobj_list(o, "values");
	for (ptrdiff_t i = 0; i < m->n; i++) {
		struct tobj *item = tobj_item(o, "values");
		bool null = m->values[i] == RUN_NULL;
		tobj_text(item, ".", null ? STR("failed") : str_printf(v->a, "%lld", (long long)m->values[i]));
		if (!null)
			values[n++] = (double)m->values[i] * scale;
	}
	tobj_text(o, "name", m->name);
	tobj_text(o, "label", info ? str_of(info->label) : m->name);
	tobj_text(o, "unit", str_of(run_unit_names[m->unit]));
	tobj_fmt(o, "n", "%d", (int)n);
	tobj_text(o, "min", format_si(v->a, stats_min(values, n), unit));
	tobj_text(o, "median", format_si(v->a, stats_median(values, n, v->b->scratch), unit));
	tobj_text(o, "max", format_si(v->a, stats_max(values, n), unit));
	if (n)
		chart_strip(&w, values, n, stats_min(values, n), stats_max(values, n));
	tobj_html(o, "strip", (struct html){buf_str(&strip)});
}

static void add_case(struct view *v, struct tobj *t, const struct run_table *table, const struct run_case *k)
{
	const struct probe_info *probe = probe_info_find(table->probe);
	const struct case_info *info = probe ? probe_case_find(probe, k->name) : NULL;
	struct tobj *o = tobj_item(t, "cases");
	struct buf params = buf_new(v->a);

	for (ptrdiff_t i = 0; i < k->params.n; i++)
		buf_printf(&params, "%s%.*s %lld", i ? ", " : "", STR_FMT(k->params.items[i].key), (long long)k->params.items[i].num);
	tobj_fmt(o, "anchor", "case-%.*s-%.*s", STR_FMT(table->probe), STR_FMT(k->name));
	tobj_text(o, "case_id", k->name);
	tobj_text(o, "label", info ? str_of(info->label) : k->twin.len ? STR("the same again") : k->name);
	tobj_text(o, "status", str_of(run_status_names[k->status]));
	tobj_bool(o, "usable", run_status_usable(k->status));
	tobj_text(o, "cause", k->cause);
	tobj_text(o, "remedy", k->remedy);
	tobj_text(o, "twin", k->twin);
	tobj_text(o, "params", buf_str(&params));
	tobj_list(o, "metrics");
	for (ptrdiff_t i = 0; i < k->n_metrics; i++)
		add_metric(v, o, table, &k->metrics[i]);
}

static void add_conditions(struct view *v, struct tobj *t, const struct run_table *table)
{
	const struct run_fact *before = run_fact_get(&table->before, "loadavg_milli");
	const struct run_fact *after = run_fact_get(&table->after, "loadavg_milli");

	tobj_list(t, "facts");
	for (ptrdiff_t i = 0; i < table->before.n; i++) {
		const struct run_fact *f = &table->before.items[i];
		const struct run_fact *g = run_fact_get(&table->after, str_z(v->a, f->key));
		struct tobj *o = tobj_item(t, "facts");
		tobj_text(o, "name", f->key);
		tobj_text(o, "before", f->text.ptr ? f->text : f->num == RUN_NULL ? STR("not readable")
			: str_printf(v->a, "%lld", (long long)f->num));
		tobj_text(o, "after", !g || (!g->text.ptr && g->num == RUN_NULL) ? STR("not readable") : g->text.ptr ? g->text
			: str_printf(v->a, "%lld", (long long)g->num));
	}
	tobj_text(t, "load", STR(""));
	if (before && after && before->num != RUN_NULL && after->num != RUN_NULL)
		tobj_fmt(t, "load", "load average %.2f before, %.2f after", (double)before->num / 1000, (double)after->num / 1000);
}

/* In the probe's first metric, which its claims are about; empty when there is none. */
static struct str noise_text(struct view *v, const struct run_table *table)
{
	const struct probe_info *probe = probe_info_find(table->probe);
	double noise = probe ? table_noise(table, str_of(probe->metrics[0].name), v->b->scratch) : (double)NAN;

	return isnan(noise) ? STR("") : format_si(v->a, noise, STR("fraction"));
}

/* From the bytes that the page offers, not from the database's column (DESIGN section 8). */
static struct str recomputed_id(struct arena *a, struct str canon)
{
	struct str record = str_printf(a, "runq-run/1\n%.*s", STR_FMT(canon));
	unsigned char digest[SHA256_BYTES];
	char hex[SHA256_HEX];

	sha256_of(record, digest);
	sha256_hex(digest, SHA256_BYTES, hex);
	return str_copy(a, (struct str){hex, sizeof hex});
}

void page_run(struct build *b, const struct run_entry *r, struct arena *a)
{
	const struct machine *m = build_machine(b, r->machine);
	struct str id = str_slice(r->id, 0, 12);
	struct view v = view_new(b, m, NULL, str_printf(a, "runs/%.*s.html", STR_FMT(id)), a);
	struct str title = str_printf(a, "Run %.*s", STR_FMT(id));
	struct tobj *c = view_context(&v, title, title);
	struct str file = str_printf(b->perm, "runs/%.*s.run.json", STR_FMT(id));

	outputs_add(&b->out, b->diag, file, r->canon, STR("a run"));
	tobj_text(c, "id", id);
	tobj_text(c, "full_id", r->id);
	tobj_text(c, "recomputed", recomputed_id(a, r->canon));
	tobj_bool(c, "as_named", str_eq(r->id, recomputed_id(a, r->canon)));
	tobj_text(c, "date", date_text(a, r->created_ms));
	tobj_bool(c, "quick", r->quick);
	tobj_text(c, "file_href", file);
	tobj_text(c, "note", r->run->note);
	tobj_list(c, "facts");
	add_facts(c, "Machine", &r->run->machine);
	add_facts(c, "This run", &r->run->context);
	add_facts(c, "Tool", &r->run->tool);
	tobj_list(c, "tables");
	for (ptrdiff_t i = 0; i < r->run->n_tables; i++) {
		const struct run_table *table = &r->run->tables[i];
		const struct probe_info *probe = probe_info_find(table->probe);
		struct tobj *t = tobj_item(c, "tables");
		tobj_text(t, "probe", table->probe);
		tobj_text(t, "title", probe ? str_of(probe->title) : table->probe);
		tobj_fmt(t, "version", "%lld", (long long)table->version);
		tobj_fmt(t, "passes", "%lld", (long long)table->passes);
		tobj_text(t, "noise", noise_text(&v, table));
		add_conditions(&v, t, table);
		tobj_list(t, "cases");
		for (ptrdiff_t k = 0; k < table->n_cases; k++)
			add_case(&v, t, table, &table->cases[k]);
	}
	view_finish(&v, "run", c);
}
