/* The cells of a run: one for each case and metric, with statistics in natural values. */
#include "store/internal.h"

#include <math.h>

#include "model/noise.h"
#include "model/stats.h"

/* What all cells of a table share. */
struct cells {
	struct store *s;
	enum sql put;
	int64_t run;
	struct str machine;
	const struct run_table *table;
	const struct probe_info *probe; /* NULL: not in the registry */
};

/* Stored integers per natural unit; dividing rounds once, where multiplying by 1e-6 rounds twice. */
static double divisor_of(enum run_unit unit)
{
	return rint(1 / run_unit_scale(unit));
}

static struct str unit_name(enum run_unit unit)
{
	if (unit == RUN_UNIT_PPM)
		return STR("fraction");
	return unit == RUN_UNIT_MILLI ? STR("ratio") : str_of(run_unit_names[unit]);
}

/* The exact decimal of v / divisor, a power of ten. */
static void add_natural(struct buf *b, int64_t v, double divisor)
{
	int64_t d = (int64_t)divisor, part = v % d;

	if (v < 0 && v / d == 0)
		buf_char(b, '-');
	buf_i64(b, v / d);
	part = part < 0 ? -part : part;
	if (part)
		buf_char(b, '.');
	for (; part; part = part * 10 % d)
		buf_char(b, (char)('0' + part * 10 / d));
}

static struct str vals_json(struct arena *a, const struct run_metric *m)
{
	struct buf b = buf_new(a);

	buf_char(&b, '[');
	for (ptrdiff_t i = 0; i < m->n; i++) {
		if (i)
			buf_char(&b, ',');
		if (m->values[i] == RUN_NULL)
			buf_add(&b, STR("null"));
		else
			add_natural(&b, m->values[i], divisor_of(m->unit));
	}
	buf_char(&b, ']');
	return buf_str(&b);
}

/* Facts' keys and lanes come from records: their quotes and backslashes must not end a JSON string. Control
 * characters never pass run_validate but for tab and newline. */
static void add_json_text(struct buf *b, struct str s)
{
	buf_char(b, '"');
	for (ptrdiff_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (c == '"' || c == '\\') {
			buf_char(b, '\\');
			buf_char(b, c);
		} else if ((unsigned char)c < 0x20) {
			buf_add(b, c == '\n' ? STR("\\n") : c == '\t' ? STR("\\t") : STR(" "));
		} else {
			buf_char(b, c);
		}
	}
	buf_char(b, '"');
}

static struct str params_json(struct arena *a, const struct run_facts *f)
{
	struct buf b = buf_new(a);

	buf_char(&b, '{');
	for (ptrdiff_t i = 0; i < f->n; i++) {
		if (i)
			buf_char(&b, ',');
		add_json_text(&b, f->items[i].key);
		buf_char(&b, ':');
		if (f->items[i].text.ptr)
			add_json_text(&b, f->items[i].text);
		else if (f->items[i].num == RUN_NULL)
			buf_add(&b, STR("null"));
		else
			buf_i64(&b, f->items[i].num);
	}
	buf_char(&b, '}');
	return buf_str(&b);
}

static struct str hists_json(struct arena *a, const struct run_case *c)
{
	struct buf b = buf_new(a);

	for (ptrdiff_t i = 0; i < c->n_hists; i++) {
		const struct run_hist *h = &c->hists[i];
		buf_char(&b, i ? ',' : '{');
		add_json_text(&b, h->name);
		buf_add(&b, STR(":["));
		for (ptrdiff_t j = 0; j < h->n; j++) {
			buf_add(&b, j ? STR(",[") : STR("["));
			add_natural(&b, h->buckets[j].lo, divisor_of(h->unit));
			buf_char(&b, ',');
			add_natural(&b, h->buckets[j].hi, divisor_of(h->unit));
			buf_char(&b, ',');
			buf_i64(&b, h->buckets[j].count);
			buf_char(&b, ']');
		}
		buf_char(&b, ']');
	}
	if (c->n_hists)
		buf_char(&b, '}');
	return buf_str(&b);
}

static struct str spans_json(struct arena *a, const struct run_case *c)
{
	struct buf b = buf_new(a);

	for (ptrdiff_t i = 0; i < c->n_spans; i++) {
		buf_add(&b, i ? STR(",[") : STR("[["));
		add_json_text(&b, c->spans[i].lane);
		buf_char(&b, ',');
		buf_i64(&b, c->spans[i].t0_ns);
		buf_char(&b, ',');
		buf_i64(&b, c->spans[i].t1_ns);
		buf_char(&b, ',');
		add_json_text(&b, c->spans[i].state);
		buf_char(&b, ']');
	}
	if (c->n_spans)
		buf_char(&b, ']');
	return buf_str(&b);
}

static const struct run_metric *metric_of(const struct run_case *c, struct str name)
{
	for (ptrdiff_t i = 0; c && i < c->n_metrics; i++)
		if (str_eq(c->metrics[i].name, name))
			return &c->metrics[i];
	return NULL;
}

static void bind_real(sqlite3_stmt *stmt, int at, double v)
{
	if (!isnan(v))
		sqlite3_bind_double(stmt, at, v);
}

/* Columns n to vals. Statistics are taken of the stored integers and divided last, so that they stay exact decimals. */
static void bind_values(const struct cells *t, sqlite3_stmt *stmt, const struct run_metric *m, struct arena scratch)
{
	double *v = ARENA_NEW(&scratch, double, m->n), divisor = divisor_of(m->unit);
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < m->n; i++)
		if (m->values[i] != RUN_NULL)
			v[n++] = (double)m->values[i];
	sqlite3_bind_int64(stmt, 14, n);
	if (n) {
		bind_real(stmt, 15, stats_min(v, n) / divisor);
		bind_real(stmt, 16, stats_median(v, n, scratch) / divisor);
		bind_real(stmt, 17, stats_max(v, n) / divisor);
		bind_real(stmt, 18, stats_mad(v, n, scratch) / divisor);
	}
	bind_real(stmt, 19, table_noise(t->table, m->name, scratch));
	store_bind_text(stmt, 20, vals_json(&scratch, m));
}

static bool put_cell(const struct cells *t, const struct run_case *c, struct str metric, const struct run_metric *m,
	bool carries, struct arena scratch)
{
	const struct metric_info *info = t->probe && metric.len ? probe_metric_find(t->probe, metric) : NULL;
	sqlite3_stmt *stmt = store_stmt(t->s, t->put);
	struct buf key = buf_new(&scratch);

	if (!stmt)
		return false;
	buf_add(&key, t->table->probe);
	buf_char(&key, '/');
	buf_add(&key, c->name);
	if (metric.len && !(t->probe && info == t->probe->metrics)) {
		buf_char(&key, ':');
		buf_add(&key, metric);
	}
	sqlite3_bind_int64(stmt, 1, t->run);
	store_bind_text(stmt, 2, t->machine);
	store_bind_text(stmt, 3, t->table->probe);
	sqlite3_bind_int64(stmt, 4, t->table->version);
	store_bind_text(stmt, 5, c->name);
	store_bind_text(stmt, 6, metric);
	store_bind_text(stmt, 7, buf_str(&key));
	store_bind_text(stmt, 8, params_json(&scratch, &c->params));
	store_bind_text(stmt, 9, m ? unit_name(m->unit) : info ? unit_name(info->unit) : STR("count"));
	store_bind_text(stmt, 10, str_of(run_status_names[c->status]));
	store_bind_text_or_null(stmt, 11, c->cause);
	store_bind_text_or_null(stmt, 12, c->remedy);
	store_bind_text_or_null(stmt, 13, c->twin);
	sqlite3_bind_int(stmt, 14, 0);
	if (m)
		bind_values(t, stmt, m, scratch);
	if (carries) {
		store_bind_text_or_null(stmt, 21, hists_json(&scratch, c));
		store_bind_text_or_null(stmt, 22, spans_json(&scratch, c));
	}
	return store_run_stmt(t->s, stmt);
}

/* Histograms and spans belong to the case: the cell of the default metric carries them, else its first. */
static bool put_case(const struct cells *t, const struct run_case *c, struct arena scratch)
{
	struct str usual = t->probe ? str_of(t->probe->metrics->name) : (struct str){0};
	const struct run_metric *carrier = metric_of(c, usual);
	bool ok = true;

	carrier = carrier ? carrier : c->metrics;
	for (ptrdiff_t i = 0; ok && i < c->n_metrics; i++)
		ok = put_cell(t, c, c->metrics[i].name, &c->metrics[i], &c->metrics[i] == carrier, scratch);
	if (!c->n_metrics)
		ok = put_cell(t, c, usual, NULL, true, scratch);
	return ok;
}

bool store_put_cells(
	struct store *s, enum sql put, int64_t run, struct str machine, const struct run *r, struct arena scratch)
{
	for (ptrdiff_t i = 0; i < r->n_tables; i++) {
		const struct run_table *t = &r->tables[i];
		struct cells cells = {s, put, run, machine, t, probe_info_find(t->probe)};
		for (ptrdiff_t j = 0; j < t->n_cases; j++)
			if (!put_case(&cells, &t->cases[j], scratch))
				return false;
	}
	return true;
}
