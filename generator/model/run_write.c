/* The canonical bytes of a record, straight from the struct: keys in bytewise order. */
#include "model/run.h"

#include "text/json.h"

/* Appends `,"key":`; the comma only when something of the same object stands before. */
static void add_key(struct buf *out, struct str key)
{
	if (out->len && out->ptr[out->len - 1] != '{')
		buf_char(out, ',');
	json_write_text(out, key);
	buf_char(out, ':');
}

static void add_text(struct buf *out, struct str key, struct str text)
{
	add_key(out, key);
	json_write_text(out, text);
}

static void add_text_if(struct buf *out, struct str key, struct str text)
{
	if (text.len)
		add_text(out, key, text);
}

static void add_value(struct buf *out, int64_t v)
{
	if (v == RUN_NULL)
		buf_add(out, STR("null"));
	else
		buf_i64(out, v);
}

static void add_int(struct buf *out, struct str key, int64_t v)
{
	add_key(out, key);
	add_value(out, v);
}

/* The order of n things by name, as indexes into `order`. `name` is that of the first, `stride` the bytes from one to
 * the next. More than a record may hold set the buffer full: 0. */
static ptrdiff_t sort_names(
	struct buf *out, ptrdiff_t order[RUN_FACTS_MAX], const struct str *name, ptrdiff_t stride, ptrdiff_t n)
{
	const char *base = (const char *)name;

	if (n > RUN_FACTS_MAX) {
		out->full = true;
		return 0;
	}
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct str *one = (const void *)(base + i * stride);
		ptrdiff_t j = i;
		for (; j > 0; j--) {
			const struct str *before = (const void *)(base + order[j - 1] * stride);
			if (str_cmp(*before, *one) <= 0)
				break;
			order[j] = order[j - 1];
		}
		order[j] = i;
	}
	return n;
}

void run_write_facts(struct buf *out, struct str key, const struct run_facts *f)
{
	ptrdiff_t order[RUN_FACTS_MAX];
	ptrdiff_t n = f->n ? sort_names(out, order, &f->items->key, sizeof *f->items, f->n) : 0;

	add_key(out, key);
	buf_char(out, '{');
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct run_fact *fact = &f->items[order[i]];
		if (fact->text.ptr)
			add_text(out, fact->key, fact->text);
		else
			add_int(out, fact->key, fact->num);
	}
	buf_char(out, '}');
}

static void add_hists(struct buf *out, const struct run_case *c)
{
	ptrdiff_t order[RUN_FACTS_MAX];
	ptrdiff_t n = sort_names(out, order, &c->hists->name, sizeof *c->hists, c->n_hists);

	add_key(out, STR("hists"));
	buf_char(out, '{');
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct run_hist *h = &c->hists[order[i]];
		add_key(out, h->name);
		buf_add(out, STR("{\"buckets\":["));
		for (ptrdiff_t j = 0; j < h->n; j++) {
			buf_add(out, j ? STR(",[") : STR("["));
			buf_i64(out, h->buckets[j].lo);
			buf_char(out, ',');
			buf_i64(out, h->buckets[j].hi);
			buf_char(out, ',');
			buf_i64(out, h->buckets[j].count);
			buf_char(out, ']');
		}
		buf_char(out, ']');
		add_text(out, STR("unit"), str_of(run_unit_names[h->unit]));
		buf_char(out, '}');
	}
	buf_char(out, '}');
}

static void add_metrics(struct buf *out, const struct run_case *c)
{
	ptrdiff_t order[RUN_FACTS_MAX];
	ptrdiff_t n = sort_names(out, order, &c->metrics->name, sizeof *c->metrics, c->n_metrics);

	add_key(out, STR("metrics"));
	buf_char(out, '{');
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct run_metric *m = &c->metrics[order[i]];
		add_key(out, m->name);
		buf_char(out, '{');
		add_text(out, STR("unit"), str_of(run_unit_names[m->unit]));
		add_key(out, STR("values"));
		for (ptrdiff_t j = 0; j < m->n; j++) {
			buf_char(out, j ? ',' : '[');
			add_value(out, m->values[j]);
		}
		buf_add(out, m->n ? STR("]}") : STR("[]}"));
	}
	buf_char(out, '}');
}

static void add_spans(struct buf *out, const struct run_case *c)
{
	add_key(out, STR("spans"));
	for (ptrdiff_t i = 0; i < c->n_spans; i++) {
		const struct run_span *s = &c->spans[i];
		buf_add(out, i ? STR(",[") : STR("[["));
		json_write_text(out, s->lane);
		buf_char(out, ',');
		buf_i64(out, s->t0_ns);
		buf_char(out, ',');
		buf_i64(out, s->t1_ns);
		buf_char(out, ',');
		json_write_text(out, s->state);
		buf_char(out, ']');
	}
	buf_char(out, ']');
}

static void add_case(struct buf *out, const struct run_case *c)
{
	buf_char(out, '{');
	add_text(out, STR("case"), c->name);
	add_text_if(out, STR("cause"), c->cause);
	if (c->n_hists)
		add_hists(out, c);
	if (c->n_metrics)
		add_metrics(out, c);
	if (c->params.n)
		run_write_facts(out, STR("params"), &c->params);
	if (c->n_spans)
		add_spans(out, c);
	add_text(out, STR("status"), str_of(run_status_names[c->status]));
	add_text_if(out, STR("try"), c->remedy);
	add_text_if(out, STR("twin"), c->twin);
	buf_char(out, '}');
}

static void add_table(struct buf *out, const struct run_table *t)
{
	buf_char(out, '{');
	run_write_facts(out, STR("after"), &t->after);
	run_write_facts(out, STR("before"), &t->before);
	add_key(out, STR("cases"));
	buf_char(out, '[');
	for (ptrdiff_t i = 0; i < t->n_cases; i++) {
		if (i)
			buf_char(out, ',');
		add_case(out, &t->cases[i]);
	}
	buf_char(out, ']');
	add_int(out, STR("passes"), t->passes);
	add_text(out, STR("probe"), t->probe);
	add_int(out, STR("seed"), t->seed);
	add_int(out, STR("version"), t->version);
	buf_char(out, '}');
}

void run_write(const struct run *r, struct buf *out)
{
	buf_char(out, '{');
	run_write_facts(out, STR("context"), &r->context);
	add_int(out, STR("created_utc_ms"), r->created_utc_ms);
	add_text(out, STR("format"), STR("runq-run"));
	run_write_facts(out, STR("machine"), &r->machine);
	add_text(out, STR("nonce"), r->nonce);
	add_text(out, STR("note"), r->note);
	add_key(out, STR("quick"));
	buf_add(out, r->quick ? STR("true") : STR("false"));
	add_key(out, STR("tables"));
	buf_char(out, '[');
	for (ptrdiff_t i = 0; i < r->n_tables; i++) {
		if (i)
			buf_char(out, ',');
		add_table(out, &r->tables[i]);
	}
	buf_char(out, ']');
	run_write_facts(out, STR("tool"), &r->tool);
	add_int(out, STR("version"), 1);
	buf_char(out, '}');
}
