/* A run for programs: the same summary as runs_show_text, sorted keys. The record itself is the file that was imported. */
#include <math.h>
#include <stdio.h>

#include "cli/runs_show.h"
#include "model/noise.h"
#include "text/json.h"

static void key(struct buf *b, bool *first, const char *name)
{
	if (!*first)
		buf_char(b, ',');
	*first = false;
	json_write_text(b, str_of(name));
	buf_char(b, ':');
}

/* Natural values need fractions; 17 digits give the double back. */
static void number(struct buf *b, double v)
{
	if (isfinite(v))
		buf_printf(b, "%.17g", v);
	else
		buf_add(b, STR("null"));
}

static void facts(struct buf *b, const struct run_facts *f)
{
	buf_char(b, '{');
	for (ptrdiff_t i = 0; i < f->n; i++) {
		const struct run_fact *x = &f->items[i];
		if (i)
			buf_char(b, ',');
		json_write_text(b, x->key);
		buf_char(b, ':');
		if (x->text.ptr)
			json_write_text(b, x->text);
		else if (x->num == RUN_NULL)
			buf_add(b, STR("null"));
		else
			buf_i64(b, x->num);
	}
	buf_char(b, '}');
}

static void metric(struct buf *b, const struct run_table *t, const struct run_metric *m, struct arena scratch)
{
	struct runs_summary s = runs_summary_of(m, scratch);
	const double shown[] = {s.max, s.median, s.min};
	const char *const names[] = {"max", "median", "min"};
	bool first = true;

	json_write_text(b, m->name);
	buf_add(b, STR(":{"));
	for (int i = 0; i < 3; i++) {
		key(b, &first, names[i]);
		number(b, shown[i]);
	}
	buf_printf(b, ",\"n\":%td,\"noise\":", s.n);
	number(b, table_noise(t, m->name, scratch));
	buf_printf(b, ",\"unit\":\"%s\"}", run_unit_names[m->unit]);
}

static void one_case(struct buf *b, const struct run_table *t, const struct run_case *c, struct arena scratch)
{
	bool first = true;

	buf_char(b, '{');
	key(b, &first, "case");
	json_write_text(b, c->name);
	if (c->cause.len) {
		key(b, &first, "cause");
		json_write_text(b, c->cause);
	}
	key(b, &first, "label");
	json_write_text(b, runs_case_label(t, c));
	key(b, &first, "metrics");
	buf_char(b, '{');
	for (ptrdiff_t i = 0; i < c->n_metrics; i++) {
		if (i)
			buf_char(b, ',');
		metric(b, t, &c->metrics[i], scratch);
	}
	buf_char(b, '}');
	key(b, &first, "status");
	json_write_text(b, str_of(run_status_names[c->status]));
	if (c->remedy.len) {
		key(b, &first, "try");
		json_write_text(b, c->remedy);
	}
	if (c->twin.len) {
		key(b, &first, "twin");
		json_write_text(b, c->twin);
	}
	buf_char(b, '}');
}

static void table(struct buf *b, const struct run_table *t, struct arena scratch)
{
	buf_add(b, STR("{\"after\":"));
	facts(b, &t->after);
	buf_add(b, STR(",\"before\":"));
	facts(b, &t->before);
	buf_add(b, STR(",\"cases\":["));
	for (ptrdiff_t i = 0; i < t->n_cases; i++) {
		buf_add(b, i ? STR(",\n") : STR("\n"));
		one_case(b, t, &t->cases[i], scratch);
	}
	buf_printf(b, "],\"passes\":%lld,\"probe\":", (long long)t->passes);
	json_write_text(b, t->probe);
	buf_printf(b, ",\"version\":%lld}", (long long)t->version);
}

void runs_show_json(const struct runs_show *s, struct arena scratch)
{
	/* The two arenas must differ: the text grows in one while the other holds what a metric needs for a moment. */
	struct arena_block block;
	struct arena text = arena_new(&block, (ptrdiff_t)1 << 26);
	struct buf b = buf_new(&text);
	const struct run *r = s->run;

	buf_add(&b, STR("{\"context\":"));
	facts(&b, &r->context);
	buf_printf(&b, ",\"created_utc_ms\":%lld,\"flags\":", (long long)r->created_utc_ms);
	json_write_text(&b, s->flags);
	buf_add(&b, STR(",\"machine\":"));
	json_write_text(&b, s->machine);
	buf_add(&b, STR(",\"machine_facts\":"));
	facts(&b, &r->machine);
	buf_add(&b, STR(",\"note\":"));
	json_write_text(&b, r->note);
	buf_printf(&b, ",\"quick\":%s,\"run\":", r->quick ? "true" : "false");
	json_write_text(&b, s->id_hex);
	buf_add(&b, STR(",\"tables\":["));
	for (ptrdiff_t i = 0; i < r->n_tables; i++) {
		buf_add(&b, i ? STR(",\n") : STR("\n"));
		table(&b, &r->tables[i], scratch);
	}
	buf_add(&b, STR("],\"tool\":"));
	facts(&b, &r->tool);
	buf_add(&b, STR("}\n"));
	fwrite(b.ptr, 1, (size_t)b.len, stdout);
	arena_free(&block);
}
