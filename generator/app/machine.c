/* The pages of machines: facts, figures, runs. */
#include <math.h>

#include "app/build.h"
#include "app/kernel_check.h"
#include "model/format.h"

/* Thousandths count something per round trip: they are no multiples. */
struct str figure_unit(struct str unit)
{
	return str_eq(unit, STR("ratio")) ? STR("milli") : unit;
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
	/* What others reported has no run here, but a line on the sources page. */
	const struct source *reported = build_source(v->b, (int64_t)num[RUN]);
	tobj_text(o, "href", reported ? source_href(v, reported, text[0], text[1]) : r ? str_printf(v->a, "runs/%.*s.html#case-%.*s-%.*s", STR_FMT(str_slice(r->id, 0, 12)), STR_FMT(text[0]), STR_FMT(text[1]))
		: STR(""));
	/* The status is the case's, and stands in its first row. */
	bool told = i > 0 && str_eq(text[1], text[1 - g->cols]) && str_eq(text[0], text[-g->cols]);
	tobj_text(o, "status", told ? STR("") : text[STATUS]);
	tobj_bool(o, "usable", told || run_status_usable(status));
	tobj_text(o, "cause", told ? STR("") : text[CAUSE]);
	tobj_text(o, "remedy", told ? STR("") : text[TRY]);
	bool null = isnan(num[MEDIAN]);
	struct str unit = figure_unit(text[UNIT]);
	tobj_text(o, "n", null || num[N] < 1 ? STR("") : text[N]); /* a report may not say it */
	tobj_text(o, "min", isnan(num[MIN]) ? STR("") : format_si(v->a, num[MIN], unit));
	tobj_text(o, "median", null ? STR("") : format_si(v->a, num[MEDIAN], unit));
	tobj_text(o, "max", isnan(num[MAX]) ? STR("") : format_si(v->a, num[MAX], unit));
}

/* The metrics of a probe that its A/A twin measured, the default one first; on emulated machines those of behaviour. */
static const char noise_sql[] = "SELECT DISTINCT c.probe, c.metric, c.noise, c.key NOT LIKE '%:%' AS main FROM temp.bound b"
				" JOIN temp.current u ON u.machine = b.machine JOIN main.cell c ON c.run = u.run AND c.probe = u.probe"
				" WHERE c.noise IS NOT NULL AND c.twin IS NULL ORDER BY probe_order(c.probe, 'aa'), c.probe, main DESC, c.metric";

static bool counts_here(const struct machine *m, const struct metric_info *info)
{
	return info && (info->class == METRIC_BEHAVIOUR || !str_eq(m->kind, STR("emulated")));
}

static void add_noise_row(struct view *v, struct tobj *c, struct tobj *probe, const struct probe_info *info, const struct metric_info *metric, double noise)
{
	struct tobj *o = tobj_item(c, "noise");
	struct str limit = format_si(v->a, 2 * noise, STR("fraction"));

	tobj_text(o, "title", str_of(info->title));
	tobj_text(o, "name", str_of(info->name));
	tobj_text(o, "metric", str_of(metric->label));
	tobj_text(o, "noise", format_si(v->a, noise, STR("fraction")));
	tobj_text(o, "limit", noise > 0 ? str_printf(v->a, "no difference below %.*s can be shown", STR_FMT(limit))
					: STR("the two agreed exactly"));
	if (probe)
		tobj_text(probe, "limit", noise > 0 ? str_printf(v->a, "In \u201c%s\u201d no difference below %.*s can be shown.", metric->label,
			STR_FMT(limit)) : STR(""));
}

/* One metric a probe: its default one, or the first that has a noise. */
static void add_noise(struct view *v, struct tobj *c, struct tobj **probes, const struct str *names, ptrdiff_t n)
{
	struct str at = {0};
	struct grid g;

	tobj_list(c, "noise");
	tobj_bool(c, "has_noise", false);
	if (!store_rows(v->b->store, noise_sql, NULL, 0, v->a, &g)) {
		diag_error(v->b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(v->b->store)));
		return;
	}
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		const struct str *text = g.text + i * g.cols;
		const struct probe_info *info = probe_info_find(text[0]);
		const struct metric_info *metric = info ? probe_metric_find(info, text[1]) : NULL;
		struct tobj *probe = NULL;
		if (str_eq(text[0], at) || !counts_here(v->m, metric))
			continue;
		at = text[0];
		tobj_bool(c, "has_noise", true);
		for (ptrdiff_t k = 0; k < n; k++)
			probe = str_eq(names[k], at) ? probes[k] : probe;
		add_noise_row(v, c, probe, info, metric, g.num[i * g.cols + 2]);
	}
}

static void add_figures(struct view *v, struct tobj *c)
{
	struct tobj *probe = NULL, **probes;
	struct str at = {0}, *names;
	ptrdiff_t n = 0;
	struct grid g;

	tobj_list(c, "probes");
	if (!store_rows(v->b->store, "SELECT probe, case_id, key, label, unit, status, cause, try, n, min, median, max, run FROM summary ORDER BY ord, key",
		NULL, 0, v->a, &g)) {
		diag_error(v->b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(v->b->store)));
		return;
	}
	probes = ARENA_NEW(v->a, struct tobj *, g.rows); /* NOLINT(bugprone-sizeof-expression): an array of pointers */
	names = ARENA_NEW(v->a, struct str, g.rows);
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		if (!str_eq(g.text[i * g.cols], at)) {
			at = g.text[i * g.cols];
			const struct probe_info *info = probe_info_find(at);
			probe = tobj_item(c, "probes");
			tobj_text(probe, "name", at);
			tobj_text(probe, "title", info ? str_of(info->title) : at);
			tobj_text(probe, "limit", STR(""));
			tobj_list(probe, "rows");
			probes[n] = probe;
			names[n++] = at;
		}
		add_row(v, probe, &g, i);
	}
	add_noise(v, c, probes, names, n);
}

static void add_runs(struct view *v, struct tobj *c)
{
	const struct build *b = v->b;
	struct store_note *notes = ARENA_NEW(v->a, struct store_note, b->n_runs);
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < b->n_runs; i++)
		if (str_eq(b->runs[i].machine, v->m->key))
			notes[n++] = (struct store_note){.run = b->runs[i].row, .id_hex = b->runs[i].id, .created_ms = b->runs[i].created_ms,
				.quick = b->runs[i].quick};
	tobj_bool(c, "has_runs", n > 0);
	view_list_runs(v, c, notes, n);
}

/* What others reported of it, and where all of that stands. */
static void add_reports(struct view *v, struct tobj *c)
{
	tobj_list(c, "reports");
	for (ptrdiff_t i = 0; i < v->b->n_sources; i++) {
		const struct source *s = &v->b->sources[i];
		if (!str_eq(s->reference.machine, v->m->key))
			continue;
		struct tobj *o = tobj_item(c, "reports");
		tobj_text(o, "title", s->title);
		tobj_fmt(o, "href", "sources.html#figures-%.*s-%.*s", STR_FMT(s->reference.source), STR_FMT(s->reference.machine));
		tobj_fmt(o, "count", "%td", s->reference.n_rows);
	}
}

/* The machine is bound. */
void page_machine(struct build *b, const struct machine *m, struct arena *a)
{
	struct view v = view_new(b, m, NULL, str_printf(a, "machines/%.*s.html", STR_FMT(m->key)), a);
	struct tobj *c = view_context(&v, m->label, str_printf(a, "Everything measured on %.*s.", STR_FMT(m->label)));
	struct store_note *notes;

	tobj_text(c, "key", m->key);
	tobj_text(c, "kind", m->kind);
	tobj_bool(c, "others", b->n_machines > 1);
	tobj_bool(c, "measured", m->newest != NULL);
	tobj_bool(c, "has_check", check_there(b) && check_has_traces(b, m));
	tobj_list(c, "facts");
	for (ptrdiff_t i = 0; m->newest && i < m->newest->machine.n; i++)
		fact_item(c, "facts", &m->newest->machine.items[i]);
	if (!m->newest)
		known_facts(&v, c, m->key);
	add_reports(&v, c);
	tobj_bool(c, "has_noise", false);
	add_figures(&v, c);
	add_runs(&v, c);
	store_notes_take(b->store, a, &notes);
	view_finish(&v, "machine", c);
}

static void add_item(struct tobj *c, const char *title, const char *href, const char *text)
{
	struct tobj *o = tobj_item(c, "items");

	tobj_text(o, "title", str_of(title));
	tobj_text(o, "href", str_of(href));
	tobj_text(o, "text", str_of(text));
	tobj_text(o, "meta", STR(""));
}

void page_machines(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("machines/index.html"), a);
	struct tobj *c = view_context(&v, STR("Machines"), STR("Every machine whose numbers are here."));

	tobj_html(c, "lede", (struct html){STR("Two runs are of one machine when nothing that matters to the scheduler differs: processor, kernel, tick, policy settings.")});
	tobj_list(c, "items");
	if (b->n_machines > 1)
		add_item(c, "All machines side by side", "machines/compare.html", "What differs between them, and every figure with its ratio.");
	add_item(c, "What changed", "changes.html", "On each machine the newest run against the one before it.");
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
