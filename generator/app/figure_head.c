#include "app/figure.h"

#include "model/probe_info.h"

static bool find_kind(struct view *v, const struct head_field *kind, enum chart_kind *out)
{
	struct str names[CHART_KIND_MAX];

	for (int k = 0; k < CHART_KIND_MAX; k++) {
		names[k] = str_of(chart_kind_names[k]);
		if (str_eq(kind->value, names[k])) {
			*out = (enum chart_kind)k;
			return true;
		}
	}
	struct str near = str_nearest(kind->value, names, CHART_KIND_MAX);
	diag_error(v->b->diag, kind->value_at, "unknown chart kind '%.*s'; use %.*s", STR_FMT(kind->value),
		STR_FMT(near.len ? near : STR("range, bar, line, step, scatter, histogram, ecdf, heatmap, timeline or split")));
	return false;
}

static bool find_scale(struct view *v, const struct head *h, const char *name, enum chart_scale *out)
{
	const struct head_field *f = head_get(h, name);

	*out = f && str_eq(f->value, STR("log")) ? CHART_LOG : CHART_LINEAR;
	if (!f || *out == CHART_LOG || str_eq(f->value, STR("linear")))
		return true;
	diag_error(v->b->diag, f->value_at, "unknown %s '%.*s'; use log or linear", name, STR_FMT(f->value));
	return false;
}

bool figure_head(struct view *v, const struct page_block *b, struct chart *c)
{
	const struct head *h = &b->src->head;

	*c = (struct chart){.id = b->src->id, .unit = head_value(h, "unit"), .x_unit = head_value(h, "x-unit"),
		.y_unit = head_value(h, "y-unit"), .machine = v->m->label};
	return find_kind(v, head_get(h, "kind"), &c->kind) && find_scale(v, h, "scale", &c->scale) &&
		find_scale(v, h, "x-scale", &c->x_scale);
}

/* "'a', 'b'" of the keys named, each checked against the registry, so that they hold no quote; empty after an error. */
static struct str key_list(struct view *v, const struct head_field *f, int *n)
{
	struct buf list = buf_new(v->a);
	struct str rest = f->value;

	*n = 0;
	while (str_trim(rest).len) {
		struct str key = str_cut(str_trim(rest), ' ', &rest);
		if (!probe_key_parse(key).ok) {
			struct str near = probe_key_nearest(v->a, key);
			diag_error(v->b->diag, f->value_at, "unknown key '%.*s'; %s%.*s", STR_FMT(key),
				near.len ? "did you mean " : "`runq probe list` names them", STR_FMT(near));
			return (struct str){0};
		}
		buf_add(&list, *n ? STR(", '") : STR("'"));
		buf_add(&list, key);
		buf_char(&list, '\'');
		++*n;
	}
	return buf_str(&list);
}

/* The buckets of a record are as fine as 1/32 of a doubling; drawn are quarters of one, or what a bucket is where it is wider. */
static const struct {
	enum chart_kind kind;
	const char *one, *several; /* % stands for the keys */
} queries[] = {
	{CHART_HISTOGRAM,
		"SELECT floor(lo / w) * w AS lo, floor(lo / w) * w + w AS hi, sum(count) AS count\n"
		"FROM (SELECT lo, count, coalesce(max(hi - lo, pow(2, floor(log2(lo)) - 2)), hi - lo) AS w\n"
		"      FROM bucket WHERE key IN (%))\n"
		"GROUP BY 1, 2 ORDER BY 1",
		"SELECT series, floor(lo / w) * w AS lo, floor(lo / w) * w + w AS hi, sum(count) AS count\n"
		"FROM (SELECT label AS series, ord, lo, count, coalesce(max(hi - lo, pow(2, floor(log2(lo)) - 2)), hi - lo) AS w\n"
		"      FROM bucket WHERE key IN (%))\n"
		"GROUP BY 1, 2, 3 ORDER BY min(ord), 2"},
	{CHART_ECDF,
		"SELECT hi AS value, count FROM bucket WHERE key IN (%)\n"
		"UNION ALL SELECT value, 1 FROM sample WHERE key IN (%) AND key NOT IN (SELECT key FROM bucket) ORDER BY 1",
		"SELECT label AS series, hi AS value, count FROM bucket WHERE key IN (%)\n"
		"UNION ALL SELECT label, value, 1 FROM sample WHERE key IN (%) AND key NOT IN (SELECT key FROM bucket) ORDER BY 1, 2"},
	{CHART_TIMELINE, "SELECT lane, t0, t1, state FROM span WHERE key IN (%) ORDER BY lane, t0",
		"SELECT label AS panel, lane, t0, t1, state FROM span WHERE key IN (%) ORDER BY ord, lane, t0"},
};

static struct str fill_in(struct arena *a, const char *query, struct str keys)
{
	struct buf b = buf_new(a);

	for (; *query; query++)
		if (*query == '%')
			buf_add(&b, keys);
		else
			buf_char(&b, *query);
	return buf_str(&b);
}

struct str figure_query(struct view *v, const struct page_block *b, enum chart_kind kind)
{
	const struct head_field *key = head_get(&b->src->head, "key");
	bool body = str_trim(b->src->body).len > 0;
	int n;

	if (!key && !body)
		diag_error(v->b->diag, b->src->at, "%.*s '%.*s' has no query; write a SELECT after the head's blank line",
			STR_FMT(b->src->word), STR_FMT(b->src->id));
	if (!key)
		return body ? b->src->body : (struct str){0};
	if (body) {
		diag_error(v->b->diag, key->value_at, "a key and a query; leave one of them out");
		return (struct str){0};
	}
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
		if (queries[i].kind == kind) {
			struct str keys = key_list(v, key, &n);
			return keys.len ? fill_in(v->a, n > 1 ? queries[i].several : queries[i].one, keys) : (struct str){0};
		}
	diag_error(v->b->diag, key->value_at, "a key makes a histogram, ecdf or timeline; write a query for a %s chart",
		chart_kind_names[kind]);
	return (struct str){0};
}
