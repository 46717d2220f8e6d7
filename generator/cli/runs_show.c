/* A run for people. What it says is computed from the record itself, not from the store's derived tables. */
#include "cli/runs_show.h"

#include <math.h>
#include <stdio.h>

#include "cli/session.h"
#include "cli/table.h"
#include "model/format.h"
#include "model/noise.h"
#include "model/stats.h"

/* Natural values; NaN where a pass failed. */
static double *values_of(const struct run_metric *m, struct arena *a)
{
	double *v = ARENA_NEW(a, double, m->n);

	for (ptrdiff_t i = 0; i < m->n; i++)
		v[i] = m->values[i] == RUN_NULL ? (double)NAN : (double)m->values[i] * run_unit_scale(m->unit);
	return v;
}

struct runs_summary runs_summary_of(const struct run_metric *m, struct arena scratch)
{
	double *v = values_of(m, &scratch);
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < m->n; i++)
		if (!isnan(v[i]))
			v[n++] = v[i];
	return (struct runs_summary){n, stats_min(v, n), stats_median(v, n, scratch), stats_max(v, n)};
}

struct str runs_case_label(const struct run_table *t, const struct run_case *c)
{
	const struct probe_info *p = probe_info_find(t->probe);
	const struct case_info *info = p ? probe_case_find(p, c->name) : NULL;

	if (c->twin.len)
		return STR("twin of a case, for the noise");
	return info ? str_of(info->label) : c->name;
}

/* The suffix of a fact's key is its unit. */
static struct str fact_text(struct arena *a, const struct run_fact *f)
{
	double v = (double)f->num;

	if (f->text.ptr)
		return f->text;
	if (f->num == RUN_NULL)
		return STR("unknown");
	if (str_ends(f->key, STR("_milli")))
		return format_num(a, v / 1000, 3);
	if (str_ends(f->key, STR("_ns")))
		return format_si(a, v, STR("ns"));
	return str_printf(a, "%lld", (long long)f->num);
}

static void print_facts(const char *title, const struct run_facts *f, struct arena scratch)
{
	struct table t = table_new(&scratch, 2, 0);

	if (!f->n)
		return;
	printf("\n%s\n", title);
	for (ptrdiff_t i = 0; i < f->n; i++) {
		table_add(&t, f->items[i].key);
		table_add(&t, fact_text(&scratch, &f->items[i]));
	}
	table_print(&t, stdout, "  ");
}

static void print_conditions(const struct run_table *t, struct arena scratch)
{
	struct table out = table_new(&scratch, 3, 6);

	table_add(&out, STR(""));
	table_add(&out, STR("before"));
	table_add(&out, STR("after"));
	for (ptrdiff_t i = 0; i < t->before.n; i++) {
		const struct run_fact *after = run_fact_get(&t->after, str_z(&scratch, t->before.items[i].key));
		table_add(&out, t->before.items[i].key);
		table_add(&out, fact_text(&scratch, &t->before.items[i]));
		table_add(&out, after ? fact_text(&scratch, after) : STR("-"));
	}
	table_print(&out, stdout, "  ");
}

static void add_metric(struct table *out, const struct run_case *c, const struct run_metric *m, struct arena *a)
{
	struct runs_summary s = runs_summary_of(m, *a);
	struct str unit = str_of(run_unit_names[m->unit]);

	table_add(out, c->name);
	table_add(out, m->name);
	table_add(out, str_printf(a, "%td", s.n));
	table_add(out, s.n ? format_si(a, s.min, unit) : STR("-"));
	table_add(out, s.n ? format_si(a, s.median, unit) : STR("-"));
	table_add(out, s.n ? format_si(a, s.max, unit) : STR("-"));
	table_add(out, str_of(run_status_names[c->status]));
}

static void add_without_metrics(struct table *out, const struct run_case *c, struct arena *a)
{
	table_add(out, c->name);
	for (int i = 0; i < 5; i++)
		table_add(out, STR("-"));
	table_add(out, c->cause.len ? str_printf(a, "%s: %.*s", run_status_names[c->status], STR_FMT(c->cause))
				    : str_of(run_status_names[c->status]));
}

static void print_cases(const struct run_table *t, struct arena scratch)
{
	static const char *const heads[] = {"case", "metric", "n", "min", "median", "max", "status"};
	struct table out = table_new(&scratch, 7, 0x3c);

	for (int i = 0; i < 7; i++)
		table_add(&out, str_of(heads[i]));
	for (ptrdiff_t i = 0; i < t->n_cases; i++) {
		const struct run_case *c = &t->cases[i];
		for (ptrdiff_t k = 0; k < c->n_metrics; k++)
			add_metric(&out, c, &c->metrics[k], &scratch);
		if (!c->n_metrics)
			add_without_metrics(&out, c, &scratch);
	}
	table_print(&out, stdout, "  ");
}

static void print_noise(const struct run_table *t, struct arena scratch)
{
	for (ptrdiff_t i = 0; i < t->n_cases; i++)
		for (ptrdiff_t k = 0; t->cases[i].twin.len && k < t->cases[i].n_metrics; k++) {
			struct arena a = scratch;
			struct str name = t->cases[i].metrics[k].name;
			double noise = table_noise(t, name, a);
			if (isnan(noise))
				continue;
			struct str shown = format_si(&a, noise, STR("fraction"));
			printf("  noise of %.*s: %.*s (largest difference between ", STR_FMT(name), STR_FMT(shown));
			table_print_text(stdout, t->cases[i].twin);
			printf(" and its twin in one pass)\n");
		}
}

void runs_show_text(const struct runs_show *s, struct arena scratch)
{
	const struct run *r = s->run;
	char when[64];

	session_time(r->created_utc_ms, when, sizeof when);
	printf("run      %.*s\nmachine  %.*s\nmeasured %s, %s\n", STR_FMT(s->id_hex), STR_FMT(s->machine), when,
		r->quick ? "quick" : "full");
	if (s->flags.len)
		printf("flags    %.*s\n", STR_FMT(s->flags));
	if (r->note.len) {
		printf("note     ");
		table_print_text(stdout, r->note);
		putchar('\n');
	}
	print_facts("machine", &r->machine, scratch);
	print_facts("circumstances", &r->context, scratch);
	print_facts("tool", &r->tool, scratch);
	for (ptrdiff_t i = 0; i < r->n_tables; i++) {
		const struct run_table *t = &r->tables[i];
		const struct probe_info *p = probe_info_find(t->probe);
		putchar('\n');
		table_print_text(stdout, t->probe);
		printf(" (version %lld, %lld passes)%s%s\n", (long long)t->version, (long long)t->passes, p ? ": " : "",
			p ? p->title : "");
		print_conditions(t, scratch);
		print_noise(t, scratch);
		print_cases(t, scratch);
	}
}
