/* From the tree of JSON to the struct, top down. */
#include "model/run_read.h"

#define ID_PREFIX "runq-run/1\n"

/* Clocks outside were not set: 2020 to 2100. Flagged, not refused: a wrong clock spoils no interval. */
#define CLOCK_LO INT64_C(1577836800000)
#define CLOCK_HI INT64_C(4102444800000)

static bool read_values(struct run_reader *r, const struct json *v, struct run_metric *m)
{
	if (!v)
		return false;
	m->values = ARENA_NEW(r->arena, int64_t, v->n);
	if (!m->values)
		return run_refuse_memory(r);
	for (const struct json *value = v->first; value; value = value->next) {
		int64_t *out = &m->values[m->n++];
		*out = RUN_NULL;
		if (value->kind != JSON_NULL && !run_read_int(r, value, -JSON_INT_MAX, JSON_INT_MAX, out))
			return false;
	}
	return true;
}

static bool read_metric(struct run_reader *r, const struct json *v, struct run_metric *m)
{
	static const char *const keys[] = {"unit", "values", NULL};

	m->name = v->key;
	if (!run_name_ok(r, v, v->key, '-') || !run_read_kind(r, v, JSON_OBJECT) || !run_keys_known(r, v, keys))
		return false;
	int unit = run_read_word(r, run_field(r, v, STR("unit"), JSON_TEXT), run_unit_names, RUN_UNIT_MAX);
	m->unit = (enum run_unit)(unit < 0 ? 0 : unit);
	return unit >= 0 && read_values(r, run_field(r, v, STR("values"), JSON_ARRAY), m);
}

static bool read_bucket(struct run_reader *r, const struct json *v, struct run_bucket *b)
{
	if (!run_read_kind(r, v, JSON_ARRAY))
		return false;
	if (v->n != 3)
		return run_refuse(r, v, STR(""), "bad_histogram", STR("a bucket is [lo, hi, count]; give all three"));
	const struct json *hi = v->first->next;
	return run_read_int(r, v->first, 0, JSON_INT_MAX, &b->lo) &&
	       run_read_int(r, hi, b->lo + 1, JSON_INT_MAX, &b->hi) &&
	       run_read_int(r, hi->next, 1, JSON_INT_MAX, &b->count);
}

static bool read_hist(struct run_reader *r, const struct json *v, struct run_hist *h)
{
	static const char *const keys[] = {"buckets", "unit", NULL};
	int64_t total = 0;

	h->name = v->key;
	if (!run_name_ok(r, v, v->key, '-') || !run_read_kind(r, v, JSON_OBJECT) || !run_keys_known(r, v, keys))
		return false;
	int unit = run_read_word(r, run_field(r, v, STR("unit"), JSON_TEXT), run_unit_names, RUN_UNIT_MAX);
	const struct json *buckets = run_field(r, v, STR("buckets"), JSON_ARRAY);
	if (unit < 0 || !buckets)
		return false;
	h->unit = (enum run_unit)unit;
	h->buckets = ARENA_NEW(r->arena, struct run_bucket, buckets->n);
	if (!h->buckets)
		return run_refuse_memory(r);
	for (const struct json *bucket = buckets->first; bucket; bucket = bucket->next) {
		struct run_bucket *b = &h->buckets[h->n++];
		if (!read_bucket(r, bucket, b))
			return false;
		total += b->count > JSON_INT_MAX - total ? JSON_INT_MAX - total + 1 : b->count;
		if ((h->n > 1 && b[-1].hi > b->lo) || total > JSON_INT_MAX)
			return run_refuse(r, bucket, STR(""), "bad_histogram",
				STR("buckets ascend, do not overlap and count less than 2^53 in all; sort and merge "
				    "them"));
	}
	return true;
}

static bool read_span(struct run_reader *r, const struct json *v, struct run_span *s)
{
	if (!run_read_kind(r, v, JSON_ARRAY))
		return false;
	if (v->n != 4)
		return run_refuse(r, v, STR(""), "bad_span", STR("a span is [lane, t0, t1, state]; give all four"));
	const struct json *t0 = v->first->next, *t1 = t0->next, *state = t1->next;
	return run_read_text(r, v->first, RUN_NAME_BYTES_MAX, &s->lane) &&
	       run_read_int(r, t0, 0, JSON_INT_MAX, &s->t0_ns) &&
	       run_read_int(r, t1, s->t0_ns, JSON_INT_MAX, &s->t1_ns) &&
	       run_read_text(r, state, RUN_NAME_BYTES_MAX, &s->state) && run_name_ok(r, state, s->state, '-');
}

static bool read_spans(struct run_reader *r, const struct json *v, struct run_case *c)
{
	if (!v)
		return !r->error.code;
	if (v->n > RUN_SPANS_MAX)
		return run_refuse(r, v, STR(""), "too_many", STR("more than 2000 spans; record a shorter stretch"));
	c->spans = ARENA_NEW(r->arena, struct run_span, v->n);
	if (!c->spans)
		return run_refuse_memory(r);
	for (const struct json *span = v->first; span; span = span->next)
		if (!read_span(r, span, &c->spans[c->n_spans++]))
			return false;
	return true;
}

static bool read_results(struct run_reader *r, const struct json *metrics, const struct json *hists, struct run_case *c)
{
	const struct json *most = metrics && metrics->n > RUN_METRICS_MAX ? metrics
				  : hists && hists->n > RUN_METRICS_MAX	  ? hists
									  : NULL;

	if (most)
		return run_refuse(
			r, most, STR(""), "too_many", STR("more than 32 of them in a case; make two cases of it"));
	c->metrics = ARENA_NEW(r->arena, struct run_metric, metrics ? metrics->n : 0);
	c->hists = ARENA_NEW(r->arena, struct run_hist, hists ? hists->n : 0);
	if (!c->metrics || !c->hists)
		return run_refuse_memory(r);
	for (const struct json *v = metrics ? metrics->first : NULL; v; v = v->next)
		if (!read_metric(r, v, &c->metrics[c->n_metrics++]))
			return false;
	for (const struct json *v = hists ? hists->first : NULL; v; v = v->next)
		if (!read_hist(r, v, &c->hists[c->n_hists++]))
			return false;
	return true;
}

static bool read_case(struct run_reader *r, const struct json *v, const struct run_table *t, struct run_case *c)
{
	static const char *const keys[] = {
		"case", "twin", "status", "cause", "try", "params", "metrics", "hists", "spans", NULL};

	if (!run_read_kind(r, v, JSON_OBJECT) || !run_keys_known(r, v, keys))
		return false;
	const struct json *name = run_field(r, v, STR("case"), JSON_TEXT),
			  *twin = run_field_if(r, v, STR("twin"), JSON_TEXT);
	const struct json *status = run_field(r, v, STR("status"), JSON_TEXT),
			  *cause = run_field_if(r, v, STR("cause"), JSON_TEXT);
	const struct json *remedy = run_field_if(r, v, STR("try"), JSON_TEXT),
			  *params = run_field_if(r, v, STR("params"), JSON_OBJECT);
	const struct json *metrics = run_field_if(r, v, STR("metrics"), JSON_OBJECT);
	const struct json *hists = run_field_if(r, v, STR("hists"), JSON_OBJECT),
			  *spans = run_field_if(r, v, STR("spans"), JSON_ARRAY);
	if (r->error.code)
		return false;
	int word = run_read_word(r, status, run_status_names, RUN_STATUS_MAX);
	c->status = (enum run_status)(word < 0 ? 0 : word);
	c->name = name->text;
	c->twin = twin ? twin->text : (struct str){0};
	return word >= 0 && run_name_ok(r, name, c->name, '-') &&
	       (!cause || run_read_text(r, cause, RUN_TEXT_BYTES_MAX, &c->cause)) &&
	       (!remedy || run_read_text(r, remedy, RUN_TEXT_BYTES_MAX, &c->remedy)) &&
	       (!params || run_read_facts(r, params, true, &c->params)) && read_results(r, metrics, hists, c) &&
	       read_spans(r, spans, c) && run_check_case(r, v, t, c);
}

static bool read_table(struct run_reader *r, const struct json *v, struct run_table *t)
{
	static const char *const keys[] = {"probe", "version", "passes", "seed", "before", "after", "cases", NULL};

	if (!run_read_kind(r, v, JSON_OBJECT) || !run_keys_known(r, v, keys))
		return false;
	const struct json *probe = run_field(r, v, STR("probe"), JSON_TEXT),
			  *cases = run_field(r, v, STR("cases"), JSON_ARRAY);
	if (!probe || !cases || !run_name_ok(r, probe, probe->text, '-') ||
		!run_read_int(r, run_field(r, v, STR("version"), JSON_INT), 1, 1000000, &t->version) ||
		!run_read_int(r, run_field(r, v, STR("passes"), JSON_INT), 1, RUN_PASSES_MAX, &t->passes) ||
		!run_read_int(r, run_field(r, v, STR("seed"), JSON_INT), 0, JSON_INT_MAX, &t->seed) ||
		!run_read_facts(r, run_field(r, v, STR("before"), JSON_OBJECT), false, &t->before) ||
		!run_read_facts(r, run_field(r, v, STR("after"), JSON_OBJECT), false, &t->after))
		return false;
	t->probe = probe->text;
	if (cases->n < 1 || cases->n > RUN_CASES_MAX)
		return run_refuse(
			r, cases, STR(""), "too_many", STR("a table has 1 to 500 cases; leave it out or split it"));
	t->cases = ARENA_NEW(r->arena, struct run_case, cases->n);
	if (!t->cases)
		return run_refuse_memory(r);
	for (const struct json *kase = cases->first; kase; kase = kase->next)
		if (!read_case(r, kase, t, &t->cases[t->n_cases++]))
			return false;
	return run_check_table(r, v, t);
}

static bool read_tables(struct run_reader *r, const struct json *v, struct run *run)
{
	if (!v)
		return false;
	if (v->n < 1 || v->n > RUN_TABLES_MAX)
		return run_refuse(
			r, v, STR(""), "too_many", STR("a run has 1 to 64 tables; measure something or split it"));
	run->tables = ARENA_NEW(r->arena, struct run_table, v->n);
	if (!run->tables)
		return run_refuse_memory(r);
	for (const struct json *table = v->first; table; table = table->next) {
		struct run_table *t = &run->tables[run->n_tables++];
		if (!read_table(r, table, t))
			return false;
		for (const struct run_table *other = run->tables; other < t; other++)
			if (str_eq(other->probe, t->probe))
				return run_refuse(r, table, STR("probe"), "duplicate_table",
					STR("the run has a table of this probe already; send two runs"));
	}
	return true;
}

static bool read_format(struct run_reader *r, const struct json *v)
{
	if (v->kind != JSON_OBJECT)
		return run_refuse(
			r, v, STR(""), "bad_json", STR("not an object; send the file as runq-probe wrote it"));
	const struct json *format = run_field(r, v, STR("format"), JSON_TEXT),
			  *version = run_field(r, v, STR("version"), JSON_INT);
	if (!format || !version)
		return false;
	if (!str_eq(format->text, STR("runq-run")))
		return run_refuse(r, format, STR(""), "unknown_word",
			STR("not a run record; send the file that runq-probe wrote"));
	if (version->num != 1)
		return run_refuse(r, version, STR(""), "unsupported_version",
			RUN_JOIN(r->arena, STR("version "), run_int_text(r->arena, version->num),
				STR(" is not known here, accepts=1; use a runq of the version that wrote the file")));
	return true;
}

static bool read_nonce(struct run_reader *r, const struct json *v, struct str *out)
{
	if (!run_read_text(r, v, RUN_NAME_BYTES_MAX, out))
		return false;
	bool ok = out->len == 16;
	for (ptrdiff_t i = 0; ok && i < out->len; i++)
		ok = str_find_char(STR("0123456789abcdef"), out->ptr[i]) >= 0;
	return ok || run_refuse(r, v, STR(""), "bad_name", STR("not a nonce; it is 16 hexadecimal digits, lower case"));
}

static bool read_run(struct run_reader *r, const struct json *v, struct run *run)
{
	static const char *const keys[] = {"format", "version", "nonce", "created_utc_ms", "quick", "tool", "machine",
		"context", "note", "tables", NULL};

	if (!read_format(r, v) || !run_keys_known(r, v, keys))
		return false;
	const struct json *quick = run_field(r, v, STR("quick"), JSON_BOOL);
	const struct json *note = run_field_if(r, v, STR("note"), JSON_TEXT);
	if (r->error.code)
		return false;
	run->quick = quick->yes;
	if (!read_nonce(r, run_field(r, v, STR("nonce"), JSON_TEXT), &run->nonce) ||
		!run_read_int(
			r, run_field(r, v, STR("created_utc_ms"), JSON_INT), 0, JSON_INT_MAX, &run->created_utc_ms) ||
		!run_read_facts(r, run_field(r, v, STR("tool"), JSON_OBJECT), false, &run->tool) ||
		!run_read_facts(r, run_field(r, v, STR("machine"), JSON_OBJECT), false, &run->machine) ||
		!run_read_facts(r, run_field(r, v, STR("context"), JSON_OBJECT), false, &run->context) ||
		(note && !run_read_text(r, note, RUN_TEXT_BYTES_MAX, &run->note)))
		return false;
	r->flags[RUN_FLAG_BAD_CLOCK] = run->created_utc_ms < CLOCK_LO || run->created_utc_ms > CLOCK_HI;
	return read_tables(r, run_field(r, v, STR("tables"), JSON_ARRAY), run);
}

static struct str flag_words(struct run_reader *r)
{
	struct buf b = buf_new(r->arena);

	for (int i = 0; i < RUN_FLAG_MAX; i++) {
		if (!r->flags[i])
			continue;
		if (b.len)
			buf_char(&b, ' ');
		buf_add(&b, str_of(run_flag_names[i]));
	}
	return buf_str(&b);
}

static void identify(struct run_reader *r, const struct json *root, struct run_result *out)
{
	struct buf canon = buf_new(r->arena);
	struct sha256 h;

	json_write(&canon, root);
	if (canon.full) {
		run_refuse_memory(r);
		return;
	}
	out->canon = buf_str(&canon);
	out->flags = flag_words(r);
	sha256_init(&h);
	sha256_add(&h, STR(ID_PREFIX));
	sha256_add(&h, out->canon);
	sha256_end(&h, out->id);
	run_config_id(out->run, out->config_id);
}

struct run_result run_validate(struct arena *a, struct str bytes)
{
	static const struct json_limits limits = {
		.bytes = RUN_BYTES_MAX, .values = RUN_VALUES_MAX, .depth = RUN_DEPTH_MAX};
	struct run_result out = {0};
	struct str text = str_starts(bytes, STR("\xef\xbb\xbf")) ? str_from(bytes, 3) : bytes;
	struct run_reader r = {.arena = a, .in = text};
	struct json_result json = json_read(a, text, limits);
	struct json_error e = json.error;

	r.error = (struct run_error){e.code, e.field, e.what, e.line, e.col};
	out.run = json.root ? ARENA_NEW(a, struct run, 1) : NULL;
	if (json.root && !out.run)
		run_refuse_memory(&r);
	else if (json.root && read_run(&r, json.root, out.run))
		identify(&r, json.root, &out);
	if (r.error.code)
		return (struct run_result){.error = r.error};
	return out;
}
