/* The page of what changed: of each machine the newest run against the one before it. */
#include <math.h>

#include "app/build.h"
#include "model/diff.h"
#include "model/format.h"

/* Thousandths are plain numbers here: they count something per round trip. */
static struct str unit_of(const struct diff_row *row)
{
	return row->unit == RUN_UNIT_PPM ? STR("fraction") : row->unit == RUN_UNIT_MILLI ? STR("milli") : str_of(run_unit_names[row->unit]);
}

static struct str signed_text(struct arena *a, double v, struct str unit)
{
	struct str text = format_si(a, v, unit);

	return v > 0 ? str_printf(a, "+%.*s", STR_FMT(text)) : text;
}

/* "+3.1 %" of the first median where that says something, else the change itself. */
static struct str change_text(struct arena *a, const struct diff_row *row)
{
	if (row->unit == RUN_UNIT_PPM || isnan(row->relative))
		return signed_text(a, row->change.effect, unit_of(row));
	return signed_text(a, row->relative, STR("fraction"));
}

static void add_row(struct view *v, struct tobj *o, const struct diff_row *row, const struct run_entry *newest)
{
	const struct probe_info *probe = probe_info_find(row->probe);
	const struct case_info *kase = probe ? probe_case_find(probe, row->case_id) : NULL;
	const struct metric_info *metric = probe ? probe_metric_find(probe, row->metric) : NULL;
	struct str unit = unit_of(row);

	tobj_text(o, "key", row->key);
	tobj_text(o, "label", kase ? str_of(kase->label) : row->case_id);
	tobj_text(o, "metric", metric ? str_of(metric->label) : row->metric);
	tobj_fmt(o, "href", "runs/%.*s.html#case-%.*s-%.*s", STR_FMT(str_slice(newest->id, 0, 12)), STR_FMT(row->probe), STR_FMT(row->case_id));
	tobj_text(o, "before", format_si(v->a, row->before, unit));
	tobj_text(o, "after", format_si(v->a, row->after, unit));
	tobj_text(o, "change", change_text(v->a, row));
	tobj_text(o, "interval", str_printf(v->a, "%.*s to %.*s", STR_FMT(signed_text(v->a, row->change.interval.lo, unit)),
		STR_FMT(signed_text(v->a, row->change.interval.hi, unit))));
	tobj_text(o, "smallest", format_si(v->a, row->change.smallest, unit));
}

static void add_rows(struct view *v, struct tobj *o, const char *list, const struct diff *d, enum diff_verdict wanted, const struct run_entry *newest)
{
	tobj_list(o, list);
	for (ptrdiff_t i = 0; i < d->n; i++)
		if (d->rows[i].verdict == wanted)
			add_row(v, tobj_item(o, list), &d->rows[i], newest);
}

static void add_run(struct view *v, struct tobj *o, const char *name, const struct run_entry *r)
{
	struct tobj *run = tobj_object(o, name);

	tobj_text(run, "id", str_slice(r->id, 0, 12));
	tobj_fmt(run, "href", "runs/%.*s.html", STR_FMT(str_slice(r->id, 0, 12)));
	tobj_text(run, "date", date_text(v->a, r->created_ms));
	tobj_text(run, "kind", r->quick ? STR("quick") : STR("full"));
}

/* Two runs of a machine; older is NULL when there is none to compare the newer with, newer when there is no run at all. */
struct run_pair {
	const struct run_entry *older, *newer;
};

static void add_flips(struct view *v, struct tobj *o, struct run_pair pair)
{
	struct build *b = v->b;
	struct flip *flips;
	ptrdiff_t n, judged;

	tobj_list(o, "flips");
	tobj_text(o, "judged", STR("0"));
	tobj_bool(o, "any_flip", false);
	if (!flips_find(b, (int64_t[]){pair.older->row, pair.newer->row}, v->m->kind, v->a, &flips, &n, &judged)) {
		diag_error(b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(b->store)));
		return;
	}
	tobj_fmt(o, "judged", "%d", (int)judged);
	tobj_bool(o, "any_flip", n > 0);
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct claim *c = flips[i].claim;
		struct tobj *f = tobj_item(o, "flips");
		tobj_text(f, "says", html_plain(v->a, view_inline(v, c->block->says)));
		tobj_fmt(f, "href", "%.*s#%.*s", STR_FMT(view_href(v, c->page)), STR_FMT(c->id));
		tobj_text(f, "before", str_of(verdict_word(flips[i].results[0].verdict)));
		tobj_text(f, "after", str_of(verdict_word(flips[i].results[1].verdict)));
		tobj_text(f, "number_before", flips[i].results[0].number);
		tobj_text(f, "number_after", flips[i].results[1].number);
	}
}

static void add_reasons(struct tobj *o, const struct diff *d)
{
	tobj_list(o, "reasons");
	for (int i = DIFF_COMPARED + 1; i < DIFF_REASON_MAX; i++) {
		if (!d->reasons[i])
			continue;
		struct tobj *r = tobj_item(o, "reasons");
		tobj_fmt(r, "n", "%d", d->reasons[i]);
		tobj_text(r, "text", str_of(diff_reason_texts[i]));
	}
}

/* The newest run of the machine and the newest of those before it that it can be compared with, of the same length where there is
 * one. */
static struct run_pair find_pair(const struct build *b, const struct machine *m)
{
	struct run_pair p = {0};

	for (ptrdiff_t i = 0; i < b->n_runs; i++) {
		const struct run_entry *r = &b->runs[i];
		if (!str_eq(r->machine, m->key))
			continue;
		if (!p.newer)
			p.newer = r;
		else if (diff_possible(r->run, p.newer->run) && (!p.older || (p.older->quick != p.newer->quick && r->quick == p.newer->quick)))
			p.older = r;
	}
	return p;
}

static void add_machine(struct view *v, struct tobj *c, struct arena scratch)
{
	struct tobj *o = tobj_item(c, "changed");
	struct run_pair pair = find_pair(v->b, v->m);

	tobj_text(o, "key", v->m->key);
	tobj_text(o, "label", v->m->label);
	tobj_text(o, "kind", v->m->kind);
	tobj_fmt(o, "machine_href", "machines/%.*s.html", STR_FMT(v->m->key));
	tobj_bool(o, "compared", pair.older != NULL);
	tobj_text(o, "why", STR("There is one run with these probes. Measure again and import the file: this page then says what moved."));
	if (!pair.older || !pair.newer)
		return;
	struct diff d = diff_runs(v->a, pair.older->run, pair.newer->run, str_eq(v->m->kind, STR("emulated")), scratch);
	add_run(v, o, "older", pair.older);
	add_run(v, o, "newer", pair.newer);
	tobj_bool(o, "mixed", pair.older->quick != pair.newer->quick);
	tobj_bool(o, "days", pair.newer->created_ms / 86400000 != pair.older->created_ms / 86400000);
	tobj_fmt(o, "n_moved", "%d", d.verdicts[DIFF_MOVED]);
	tobj_fmt(o, "n_compared", "%d", d.verdicts[DIFF_MOVED] + d.verdicts[DIFF_NONE_SHOWN]);
	tobj_text(o, "n_none", count_text(v->a, d.verdicts[DIFF_NONE_SHOWN]));
	tobj_text(o, "n_not", count_text(v->a, d.verdicts[DIFF_NOT_COMPARED]));
	tobj_bool(o, "any_moved", d.verdicts[DIFF_MOVED] > 0);
	add_rows(v, o, "moved", &d, DIFF_MOVED, pair.newer);
	add_rows(v, o, "none", &d, DIFF_NONE_SHOWN, pair.newer);
	add_reasons(o, &d);
	add_flips(v, o, pair);
}

void page_changes(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("changes.html"), a);
	struct tobj *c = view_context(&v, STR("What changed"), STR("On each machine the newest run against the one before it."));
	struct store_note *notes;

	tobj_list(c, "changed");
	for (ptrdiff_t i = 0; i < b->n_machines; i++) {
		v.m = &b->machines[i];
		if (v.m->newest) /* what others reported is no run */
			add_machine(&v, c, b->scratch);
	}
	v.m = b->machines;
	if (!store_bind(b->store, v.m->key))
		diag_error(b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(b->store)));
	store_notes_take(b->store, a, &notes);
	view_finish(&v, "changes", c);
}
