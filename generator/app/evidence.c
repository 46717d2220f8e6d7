/* The pages that numbers lead to: machines and their runs, down to every raw pass. */
#include <math.h>

#include "app/build.h"
#include "chart/chart.h"
#include "model/format.h"
#include "model/noise.h"
#include "model/stats.h"

static void add_fact(struct tobj *group, const char *list, const struct run_fact *f)
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
		add_fact(group, "items", &facts->items[i]);
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

static void add_row(struct view *v, struct tobj *probe, const struct grid *g, ptrdiff_t i)
{
	enum { KEY = 2, LABEL, UNIT, STATUS, CAUSE, TRY, N, MIN, MEDIAN, MAX, RUN };
	const struct str *text = g->text + i * g->cols;
	const double *num = g->num + i * g->cols;
	const struct run_entry *r = build_run(v->b, (int64_t)num[RUN]);
	struct tobj *o = tobj_item(probe, "rows");
	enum run_status status = RUN_OK;

	while (status < RUN_STATUS_MAX - 1 && !str_eq(text[STATUS], str_of(run_status_names[status])))
		status++;
	tobj_text(o, "key", text[KEY]);
	/* The row of a case's first metric stands for the case; the rows below it go by what they count. */
	ptrdiff_t colon = str_find_char(text[KEY], ':');
	bool first = colon < 0;
	const struct probe_info *info = first ? NULL : probe_info_find(text[0]);
	const struct metric_info *metric = info ? probe_metric_find(info, str_slice(text[KEY], colon + 1, text[KEY].len)) : NULL;
	tobj_text(o, "label", metric ? str_of(metric->label) : text[LABEL]);
	tobj_text(o, "anchor", first ? str_printf(v->a, "case-%.*s-%.*s", STR_FMT(text[0]), STR_FMT(text[1])) : STR(""));
	tobj_fmt(o, "href", "runs/%.*s.html#case-%.*s-%.*s", STR_FMT(str_slice(r ? r->id : STR(""), 0, 12)), STR_FMT(text[0]), STR_FMT(text[1]));
	tobj_text(o, "status", text[STATUS]);
	tobj_bool(o, "usable", run_status_usable(status));
	tobj_text(o, "cause", text[CAUSE]);
	tobj_text(o, "remedy", text[TRY]);
	bool null = isnan(num[MEDIAN]);
	/* Thousandths count something per round trip: they are no multiples. */
	struct str unit = str_eq(text[UNIT], STR("ratio")) ? STR("milli") : text[UNIT];
	tobj_text(o, "n", null ? STR("") : text[N]);
	tobj_text(o, "min", null ? STR("") : format_si(v->a, num[MIN], unit));
	tobj_text(o, "median", null ? STR("") : format_si(v->a, num[MEDIAN], unit));
	tobj_text(o, "max", null ? STR("") : format_si(v->a, num[MAX], unit));
}

/* The machine is bound. */
void page_machine(struct build *b, const struct machine *m, struct arena *a)
{
	struct view v = view_new(b, m, NULL, str_printf(a, "machines/%.*s.html", STR_FMT(m->key)), a);
	struct tobj *c = view_context(&v, m->label, str_printf(a, "Everything measured on %.*s.", STR_FMT(m->label)));
	struct tobj *probe = NULL;
	struct str at = {0};
	struct grid g;

	tobj_text(c, "key", m->key);
	tobj_text(c, "kind", m->kind);
	tobj_list(c, "facts");
	for (ptrdiff_t i = 0; m->newest && i < m->newest->machine.n; i++)
		add_fact(c, "facts", &m->newest->machine.items[i]);
	tobj_list(c, "probes");
	if (!store_rows(b->store, "SELECT probe, case_id, key, label, unit, status, cause, try, n, min, median, max, run FROM summary ORDER BY ord, key",
		NULL, 0, a, &g))
		diag_error(b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(b->store)));
	else
		for (ptrdiff_t i = 0; i < g.rows; i++) {
			if (!str_eq(g.text[i * g.cols], at)) {
				at = g.text[i * g.cols];
				const struct probe_info *info = probe_info_find(at);
				probe = tobj_item(c, "probes");
				tobj_text(probe, "name", at);
				tobj_text(probe, "title", info ? str_of(info->title) : at);
				tobj_list(probe, "rows");
			}
			add_row(&v, probe, &g, i);
		}
	struct store_note *notes = ARENA_NEW(a, struct store_note, b->n_runs);
	ptrdiff_t n = 0;
	for (ptrdiff_t i = 0; i < b->n_runs; i++)
		if (str_eq(b->runs[i].machine, m->key))
			notes[n++] = (struct store_note){.run = b->runs[i].row, .id_hex = b->runs[i].id, .created_ms = b->runs[i].created_ms,
				.quick = b->runs[i].quick};
	tobj_bool(c, "has_runs", n > 0);
	view_list_runs(&v, c, notes, n);
	store_notes_take(b->store, a, &notes);
	view_finish(&v, "machine", c);
}

void page_machines(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("machines/index.html"), a);
	struct tobj *c = view_context(&v, STR("Machines"), STR("Every machine whose numbers are here."));

	tobj_html(c, "lede", (struct html){STR("Two runs are of one machine when nothing that matters to the scheduler differs: processor, kernel, tick, policy settings.")});
	tobj_list(c, "items");
	for (ptrdiff_t i = 0; i < b->n_machines; i++) {
		const struct machine *m = &b->machines[i];
		struct tobj *o = tobj_item(c, "items");
		tobj_text(o, "title", m->label);
		tobj_fmt(o, "href", "machines/%.*s.html", STR_FMT(m->key));
		tobj_text(o, "text", m->kernel_line);
		tobj_text(o, "meta", m->kind);
	}
	view_finish(&v, "index", c);
}
