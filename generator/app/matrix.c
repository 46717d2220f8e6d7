/* The matrix of all claims against all machines, and what the page needs to judge a reader's own run. */
#include "app/build.h"
#include "model/probe_info.h"

static void add_keys(struct buf *out, const struct expr *e)
{
	for (ptrdiff_t i = 0; i < e->n_keys; i++) {
		struct probe_key k = probe_key_parse(e->keys[i].key);
		if (k.ok)
			buf_printf(out, "%s%.*s=%s=%d=%s", out->len ? " " : "", STR_FMT(e->keys[i].key), k.metric->name, k.probe->version,
				k.metric->class == METRIC_COST ? "cost" : "behaviour");
	}
}

struct str claim_keys(struct arena *a, const struct claim *c)
{
	struct diag quiet = diag_new(a);
	struct expr shows = expr_keys_in_sql(a, &quiet, (struct pos){0}, c->shows);
	struct buf out = buf_new(a);

	add_keys(&out, &c->expr);
	add_keys(&out, &shows);
	return buf_str(&out);
}

/* What the course knows of why a machine's verdict is another. */
static void add_reasons(struct view *v, struct tobj *row, const struct claim *c)
{
	tobj_list(row, "reasons");
	for (ptrdiff_t k = 0; k < v->b->n_machines; k++) {
		const struct machine *m = &v->b->machines[k];
		struct str text = differs_text(&c->block->src->head, m, c->results[k].verdict, v->a, v->b->scratch);
		if (!text.len)
			continue;
		struct tobj *o = tobj_item(row, "reasons");
		tobj_text(o, "label", m->label);
		tobj_text(o, "text", text);
	}
}

/* A machine of reported figures has a column if any claim can be judged there; a measured one always has. */
static bool has_column(const struct build *b, ptrdiff_t machine)
{
	bool any = !str_eq(b->machines[machine].kind, STR("reported"));

	for (ptrdiff_t i = 0; i < b->n_claims && !any; i++)
		any = b->claims[i].results[machine].verdict != VERDICT_UNMEASURED;
	return any;
}

static void add_row(struct view *v, struct tobj *group, const struct claim *c)
{
	struct tobj *row = tobj_item(group, "rows");
	bool any_bad = false;

	tobj_text(row, "id", c->id);
	/* The whole sentence is a link here, so values in it may not be. */
	struct buf says = buf_new(v->a);
	html_escape(&says, html_plain(v->a, view_inline(v, c->block->says)));
	tobj_html(row, "says", (struct html){buf_str(&says)});
	tobj_fmt(row, "href", "%.*s#%.*s", STR_FMT(view_href(v, c->page)), STR_FMT(c->id));
	for (ptrdiff_t k = 0; k < v->b->n_machines; k++) {
		if (!has_column(v->b, k))
			continue;
		struct tobj *cell = tobj_item(row, "cells");
		struct view there = *v;
		there.m = &v->b->machines[k];
		any_bad = any_bad || c->results[k].verdict == VERDICT_CONTRADICTED;
		claim_verdict(cell, &c->results[k]);
		tobj_html(cell, "number", claim_number(&there, &c->results[k]));
		tobj_text(cell, "label", there.m->label);
		tobj_text(cell, "machine", there.m->key);
		tobj_bool(cell, "here", k == 0);
		tobj_text(cell, "title", c->results[k].verdict == VERDICT_UNMEASURED ? c->results[k].command : STR(""));
	}
	tobj_bool(row, "any_bad", any_bad);
	tobj_text(row, "test", c->test);
	tobj_text(row, "shows", c->shows);
	tobj_text(row, "keys", claim_keys(v->a, c));
	add_reasons(v, row, c);
}

/* The matrix of all claims against all machines. */
void claims_page(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("claims.html"), a);
	const struct page *own = build_page(b, PAGE_PLAIN, STR("claims"));
	struct html lede = own ? view_inline(&v, own->lede) : (struct html){STR("Every claim of the course, tested on every machine.")};
	struct tobj *c = view_context(&v, own ? own->title : STR("Claims"), html_plain(a, lede));
	struct tobj *group = NULL;
	const struct page *at = NULL;
	enum { COLUMNS_SIDE_BY_SIDE = 6 }; /* fit a page of 1,440 px; more scroll, without a head that stays */
	int columns = 0;

	tobj_html(c, "lede", lede);
	tobj_list(c, "columns");
	for (ptrdiff_t k = 0; k < b->n_machines; k++) {
		if (!has_column(b, k))
			continue;
		columns++;
		struct tobj *m = tobj_item(c, "columns");
		int counts[VERDICT_MAX];
		claims_count(b, &b->machines[k], NULL, counts);
		tobj_text(m, "key", b->machines[k].key);
		tobj_text(m, "label", b->machines[k].label);
		tobj_text(m, "kind", b->machines[k].kind);
		tobj_fmt(m, "href", "machines/%.*s.html", STR_FMT(b->machines[k].key));
		tobj_bool(m, "here", k == 0);
		for (int i = 0; i < VERDICT_MAX; i++)
			tobj_text(m, verdict_names[i], count_text(a, counts[i]));
	}
	tobj_bool(c, "many", columns > COLUMNS_SIDE_BY_SIDE);
	tobj_list(c, "groups");
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		if (b->claims[i].page != at) {
			const struct course_chapter *ch = build_chapter(b, b->claims[i].page->slug);
			at = b->claims[i].page;
			group = tobj_item(c, "groups");
			tobj_text(group, "slug", at->slug);
			tobj_text(group, "n", ch && at->kind == PAGE_CHAPTER ? str_printf(a, "%d", ch->n) : STR(""));
			tobj_text(group, "title", at == own ? STR("Waiting for a chapter") : at->title);
			tobj_text(group, "href", view_href(&v, at));
			tobj_fmt(group, "span", "%d", columns + 1);
			tobj_list(group, "rows");
		}
		add_row(&v, group, &b->claims[i]);
	}
	view_finish(&v, "claims", c);
}
