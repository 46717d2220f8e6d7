/* All machines side by side: what differs in their configuration, then every figure with its ratio to the root machine's. */
#include <math.h>

#include "app/build.h"
#include "model/diff.h"
#include "model/format.h"

enum { MACHINE, PROBE, CASE, KEY, LABEL, UNIT, STATUS, MEDIAN, METRIC, RUN };

static const char cells_sql[] = "SELECT machine, probe, case_id, key, label, unit, status, median, metric, run FROM all_cells ORDER BY ord, key, machine";

static ptrdiff_t machine_at(const struct build *b, struct str key)
{
	const struct machine *m = build_machine(b, key);

	return m ? m - b->machines : -1;
}

static bool is_cost(struct str probe, struct str metric)
{
	const struct probe_info *p = probe_info_find(probe);
	const struct metric_info *m = p ? probe_metric_find(p, metric) : NULL;

	return !m || m->class == METRIC_COST;
}

/* The machines that have anything to show in a table: one flag each. The root machine always has, for the ratios are to it. */
static void add_columns(struct view *v, struct tobj *c, const bool *has)
{
	tobj_list(c, "columns");
	for (ptrdiff_t k = 0; k < v->b->n_machines; k++) {
		const struct machine *m = &v->b->machines[k];
		if (!has[k])
			continue;
		struct tobj *o = tobj_item(c, "columns");
		tobj_text(o, "label", m->label);
		tobj_text(o, "kind", m->kind);
		tobj_fmt(o, "href", "machines/%.*s.html", STR_FMT(m->key));
	}
}

/* Of a reported machine the store knows what its source said; empty if nothing. */
static struct str fact_of(struct view *v, const struct machine *m, const char *key)
{
	struct grid g;

	if (m->newest)
		return diff_fact_text(v->a, m->newest, key);
	bool ok = store_rows(v->b->store, "SELECT coalesce(value, num) FROM machine_fact WHERE machine = ?1 AND name = ?2",
		(struct str[]){m->key, str_of(key)}, 2, v->a, &g);
	return ok && g.rows ? g.text[0] : STR("");
}

/* One key of every machine. True when those that say anything of it differ; *first is what the first of them says. */
static bool facts_of(struct view *v, const char *key, struct str *facts, struct str *first)
{
	bool differs = false;

	*first = (struct str){0};
	for (ptrdiff_t k = 0; k < v->b->n_machines; k++) {
		facts[k] = fact_of(v, &v->b->machines[k], key);
		*first = first->len ? *first : facts[k];
		differs = differs || (facts[k].len && !str_eq(*first, facts[k]));
	}
	return differs;
}

/* The keys that decide what "a machine" is: first those that differ, then those in which all that say anything are the same. */
static void add_config(struct view *v, struct tobj *c)
{
	const struct build *b = v->b;
	struct str *facts = ARENA_NEW(v->a, struct str, b->n_machines), first;
	bool *has = ARENA_NEW(v->a, bool, b->n_machines), any_differing = false, any_same = false;

	has[0] = true;
	for (const char *const *key = run_config_keys; *key; key++)
		for (ptrdiff_t k = 0; k < b->n_machines; k++)
			has[k] = has[k] || fact_of(v, &b->machines[k], *key).len;
	add_columns(v, c, has);
	tobj_list(c, "differing");
	tobj_list(c, "same");
	for (const char *const *key = run_config_keys; *key; key++) {
		bool differs = facts_of(v, *key, facts, &first);
		if (!first.len)
			continue;
		struct tobj *o = tobj_item(c, differs ? "differing" : "same");
		any_differing = any_differing || differs;
		any_same = any_same || !differs;
		tobj_text(o, "name", str_of(*key));
		tobj_text(o, "value", first);
		tobj_list(o, "cells");
		for (ptrdiff_t k = 0; k < b->n_machines; k++)
			if (has[k])
				tobj_text(tobj_item(o, "cells"), ".", facts[k].len ? facts[k] : STR("not said"));
	}
	tobj_bool(c, "any_differing", any_differing);
	tobj_bool(c, "any_same", any_same);
}

/* Where a cell leads: the case in its run, or what its source says. */
static struct str cell_href(struct view *v, const struct str *text, int64_t run)
{
	const struct source *source = build_source(v->b, run);
	const struct run_entry *r = build_run(v->b, run);

	if (source)
		return source_href(v, source, text[PROBE], text[CASE]);
	return r ? str_printf(v->a, "runs/%.*s.html#case-%.*s-%.*s", STR_FMT(str_slice(r->id, 0, 12)), STR_FMT(text[PROBE]), STR_FMT(text[CASE]))
		 : STR("");
}

/* One figure on one machine; `root` is the row of the root machine's, or -1. */
static void add_cell(struct view *v, struct tobj *row, const struct grid *g, ptrdiff_t i, ptrdiff_t root, const struct machine *m)
{
	struct tobj *o = tobj_item(row, "cells");
	const struct str *text = i < 0 ? NULL : g->text + i * g->cols;
	double x = i < 0 ? (double)NAN : g->num[i * g->cols + MEDIAN], base = root < 0 ? (double)NAN : g->num[root * g->cols + MEDIAN];
	/* Times under emulation are no measure of the kernel. */
	bool aside = text && str_eq(m->kind, STR("emulated")) && is_cost(text[PROBE], text[METRIC]);

	tobj_bool(o, "measured", !isnan(x));
	tobj_bool(o, "reported", text && str_eq(m->kind, STR("reported")));
	tobj_text(o, "text", !text ? STR("") : isnan(x) ? text[STATUS] : format_si(v->a, x, figure_unit(text[UNIT])));
	tobj_text(o, "href", text ? cell_href(v, text, (int64_t)g->num[i * g->cols + RUN]) : STR(""));
	bool related = i >= 0 && i != root && !aside && base > 0 && !isnan(x) && str_eq(text[UNIT], g->text[root * g->cols + UNIT]);
	tobj_text(o, "ratio", related ? format_si(v->a, x / base, STR("ratio")) : STR(""));
}

/* The rows [from, to) of the grid are one key's. */
static void add_row(struct view *v, struct tobj *probe, const struct grid *g, ptrdiff_t from, ptrdiff_t to, const bool *has)
{
	const struct str *text = g->text + from * g->cols;
	const struct build *b = v->b;
	const struct probe_info *info = probe_info_find(text[PROBE]);
	const struct metric_info *metric = info ? probe_metric_find(info, text[METRIC]) : NULL;
	ptrdiff_t *at = ARENA_NEW(v->a, ptrdiff_t, b->n_machines);
	struct tobj *o = tobj_item(probe, "rows");

	for (ptrdiff_t k = 0; k < b->n_machines; k++)
		at[k] = -1;
	for (ptrdiff_t i = from; i < to; i++) {
		ptrdiff_t k = machine_at(b, g->text[i * g->cols + MACHINE]);
		if (k >= 0)
			at[k] = i;
	}
	/* The row of a case's first metric stands for the case; the rows below it go by what they count. */
	bool first = str_find_char(text[KEY], ':') < 0;
	tobj_bool(o, "first", first);
	tobj_text(o, "label", first ? text[LABEL] : metric ? str_of(metric->label) : text[METRIC]);
	tobj_text(o, "key", text[KEY]);
	tobj_list(o, "cells");
	for (ptrdiff_t k = 0; k < b->n_machines; k++)
		if (has[k])
			add_cell(v, o, g, at[k], at[0], &b->machines[k]);
}

static struct tobj *add_probe(struct tobj *c, struct str name, bool open)
{
	const struct probe_info *info = probe_info_find(name);
	struct tobj *o = tobj_item(c, "probes");

	tobj_text(o, "name", name);
	tobj_text(o, "title", info ? str_of(info->title) : name);
	tobj_text(o, "unit", info ? str_of(info->metrics[0].label) : STR(""));
	tobj_bool(o, "open", open);
	tobj_list(o, "rows");
	return o;
}

/* Which machines have a value in the rows [from, to), and how many; *only is the last of these. */
static int machines_of(const struct build *b, const struct grid *g, ptrdiff_t from, ptrdiff_t to, bool *has, ptrdiff_t *only)
{
	int n = 0;

	for (ptrdiff_t k = 0; k < b->n_machines; k++) {
		ptrdiff_t i = from;
		while (i < to && (machine_at(b, g->text[i * g->cols + MACHINE]) != k || isnan(g->num[i * g->cols + MEDIAN])))
			i++;
		has[k] = i < to;
		n += has[k];
		*only = has[k] ? k : *only;
	}
	has[0] = true;
	return n;
}

static ptrdiff_t end_of(const struct grid *g, ptrdiff_t from, int column)
{
	ptrdiff_t to = from + 1;

	while (to < g->rows && str_eq(g->text[to * g->cols + column], g->text[from * g->cols + column]))
		to++;
	return to;
}

static void add_alone(struct tobj *c, struct str name, const struct machine *m)
{
	const struct probe_info *info = probe_info_find(name);
	struct tobj *o = tobj_item(c, "alone");

	tobj_bool(c, "has_alone", true);
	tobj_text(o, "title", info ? str_of(info->title) : name);
	tobj_fmt(o, "href", "machines/%.*s.html#probe-%.*s", STR_FMT(m->key), STR_FMT(name));
	tobj_text(o, "on", m->label);
}

/* Rows of one probe follow each other. A probe that one machine alone has is named, for there is nothing beside it. */
static void add_probes(struct view *v, struct tobj *c, const struct grid *g)
{
	bool open = true, *has = ARENA_NEW(v->a, bool, v->b->n_machines);

	for (ptrdiff_t from = 0, to; from < g->rows; from = to) {
		ptrdiff_t only = 0;
		struct str name = g->text[from * g->cols + PROBE];
		to = end_of(g, from, PROBE);
		if (machines_of(v->b, g, from, to, has, &only) < 2) {
			add_alone(c, name, &v->b->machines[only]);
			continue;
		}
		struct tobj *probe = add_probe(c, name, open);
		open = false;
		add_columns(v, probe, has);
		for (ptrdiff_t i = from, next; i < to; i = next) {
			next = end_of(g, i, KEY);
			add_row(v, probe, g, i, next, has);
		}
	}
}

void page_compare(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("machines/compare.html"), a);
	struct tobj *c = view_context(&v, STR("Machines side by side"), STR("Every figure of every machine, and what differs between them."));
	struct store_note *notes;
	struct grid g;

	add_config(&v, c);
	tobj_list(c, "probes");
	tobj_list(c, "alone");
	tobj_bool(c, "has_alone", false);
	if (store_rows(b->store, cells_sql, NULL, 0, a, &g))
		add_probes(&v, c, &g);
	else
		diag_error(b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(b->store)));
	store_notes_take(b->store, a, &notes);
	view_finish(&v, "compare", c);
}
