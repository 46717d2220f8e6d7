/* Claims: tests written beside the sentences they guard, evaluated on the medians and on every pass of each machine. */
#include <math.h>
#include <string.h>

#include "app/build.h"

static const char *const verdict_words[VERDICT_MAX] = {"ok", "bad", "unclear", "no"};

const struct claim *claim_find(const struct build *b, struct str id)
{
	ptrdiff_t i = str_map_get(&b->claim_ids, id);

	return i < 0 ? NULL : &b->claims[i];
}

/* Bounds wide enough to hold anything, or an inequality nothing could break, make an empty claim. */
static void check_claim(struct build *b, const struct claim *c)
{
	const struct head *h = &c->block->src->head;
	const struct head_field *test = head_get(h, "test");

	if (c->expr.inequality && !head_get(h, "falsifier"))
		diag_error(b->diag, test->value_at, "claim '%.*s' is an inequality; add `falsifier:` naming the machine or value that would break it",
			STR_FMT(c->id));
	bool narrow = isnan(c->expr.lo) || (c->expr.lo > 0 && c->expr.hi / c->expr.lo <= 10) || (c->expr.hi < 0 && c->expr.lo / c->expr.hi <= 10) ||
		(c->expr.lo <= 0 && c->expr.hi - c->expr.lo <= 1);
	if (!narrow && !head_get(h, "loose"))
		diag_error(b->diag, test->value_at, "claim '%.*s' has bounds wider than a decade; narrow them or add `loose: why`", STR_FMT(c->id));
	if (!c->expr.n_keys)
		diag_error(b->diag, test->value_at, "claim '%.*s' names no measurement; use med('probe/case')", STR_FMT(c->id));
}

static void add_claim(struct build *b, const struct page *p, const struct page_block *block)
{
	struct claim *c = &b->claims[b->n_claims];
	const struct head_field *test = head_get(&block->src->head, "test"), *shows = head_get(&block->src->head, "shows");

	str_map_put(&b->claim_ids, b->perm, block->src->id, b->n_claims++);
	*c = (struct claim){.page = p, .block = block, .id = block->src->id, .test = test->value, .shows = shows ? shows->value : STR("")};
	c->expr = expr_parse(b->perm, b->diag, test->value_at, test->value, false);
	if (shows)
		expr_parse(b->perm, b->diag, shows->value_at, shows->value, true);
	c->results = ARENA_NEW(b->perm, struct claim_result, b->n_machines);
	if (c->expr.ok)
		check_claim(b, c);
}

static bool is_claim(const struct page_block *block)
{
	return str_eq(block->src->word, STR("claim")) && head_get(&block->src->head, "test");
}

void claims_collect(struct build *b)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t p = 0; p < b->n_pages; p++)
		n += b->pages[p]->body->n_blocks;
	b->claims = ARENA_NEW(b->perm, struct claim, n);
	for (ptrdiff_t p = 0; p < b->n_pages; p++)
		for (ptrdiff_t i = 0; i < b->pages[p]->body->n_blocks; i++)
			if (is_claim(&b->pages[p]->blocks[i]))
				add_claim(b, b->pages[p], &b->pages[p]->blocks[i]);
}

/* Smallest number of passes among the claim's measurements; 0 if one is missing. */
static ptrdiff_t passes_of(struct build *b, const struct claim *c)
{
	ptrdiff_t passes = 0;

	for (ptrdiff_t i = 0; i < c->expr.n_keys; i++) {
		ptrdiff_t n = store_key_passes(b->store, c->expr.keys[i].key);
		passes = i == 0 || n < passes ? n : passes;
	}
	return passes;
}

enum truth { TRUTH_NO, TRUTH_YES, TRUTH_NULL };

static enum truth test_at(struct build *b, const struct claim *c, int pass, struct arena scratch)
{
	struct store_query_error err;
	struct str text;
	double num = 0;

	store_set_pass(b->store, pass);
	bool ok = store_value(b->store, c->test, &scratch, &text, &num, &err);
	store_set_pass(b->store, -1);
	if (!ok)
		diag_error(b->diag, head_get(&c->block->src->head, "test")->value_at, "SQL: %.*s; correct the test", STR_FMT(err.text));
	return !ok || !text.ptr ? TRUTH_NULL : num != 0 ? TRUTH_YES : TRUTH_NO;
}

static enum verdict judge(struct build *b, const struct claim *c, struct arena scratch)
{
	enum truth medians = test_at(b, c, -1, scratch);
	ptrdiff_t passes = passes_of(b, c), same = 0, judged = 0;

	if (medians == TRUTH_NULL)
		return VERDICT_UNMEASURED;
	for (ptrdiff_t i = 0; i < passes; i++) {
		enum truth t = test_at(b, c, (int)i, scratch);
		judged += t != TRUTH_NULL;
		same += t == medians;
	}
	if (same < judged)
		return VERDICT_UNCLEAR;
	return medians == TRUTH_YES ? VERDICT_HOLDS : VERDICT_CONTRADICTED;
}

/* Times under emulation say nothing about a kernel: a claim on costs is not measured there. */
static bool counts_here(const struct claim *c, const struct machine *m)
{
	for (ptrdiff_t i = 0; i < c->expr.n_keys && str_eq(m->kind, STR("emulated")); i++)
		if (probe_key_parse(c->expr.keys[i].key).metric->class == METRIC_COST)
			return false;
	return true;
}

void claims_evaluate(struct build *b, const struct machine *m)
{
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		struct claim *c = &b->claims[i];
		struct claim_result *r = &c->results[m - b->machines];
		struct store_query_error err;
		double num;

		r->command = command_for(b->perm, c->test);
		r->verdict = VERDICT_UNMEASURED;
		if (!c->expr.ok || !counts_here(c, m))
			continue;
		r->verdict = judge(b, c, b->scratch);
		if (r->verdict != VERDICT_UNMEASURED && c->shows.len &&
			!store_value(b->store, c->shows, b->perm, &r->number, &num, &err))
			diag_error(b->diag, head_get(&c->block->src->head, "shows")->value_at, "SQL: %.*s; correct it", STR_FMT(err.text));
		r->n_notes = store_notes_take(b->store, b->perm, &r->notes);
		if (b->opt->strict && m == b->machines && r->verdict == VERDICT_CONTRADICTED)
			diag_error(b->diag, c->block->src->at, "claim '%.*s' is contradicted here (%.*s); correct the sentence or its test",
				STR_FMT(c->id), STR_FMT(r->number));
	}
}

static void set_verdict(struct tobj *o, const struct claim_result *r)
{
	for (int i = 0; i < VERDICT_MAX; i++)
		tobj_bool(o, verdict_words[i], (int)r->verdict == i);
}

/* The claim's number, linked to the run it came from. */
static struct html number_of(struct view *v, const struct claim_result *r)
{
	struct tobj *o = tobj_new(v->a);

	if (!r->number.ptr)
		return (struct html){0};
	tobj_text(o, "text", r->number);
	tobj_text(o, "href", view_notes_href(v, r->notes, r->n_notes));
	tobj_bool(o, "reported", str_eq(v->m->kind, STR("reported")));
	tobj_bool(o, "missing", false);
	tobj_text(o, "command", r->command);
	return view_partial(v, "partials/value", o);
}

void claim_fields(struct view *v, struct tobj *o, const struct claim *c)
{
	const struct claim_result *r = &c->results[v->m - v->b->machines];

	tobj_text(o, "id", c->id);
	set_verdict(o, r);
	tobj_html(o, "number", number_of(v, r));
	tobj_text(o, "command", r->command);
	view_list_runs(v, o, r->notes, r->n_notes);
}

static struct str note_of(struct view *v, const struct claim *c)
{
	const struct claim_result *here = &c->results[v->m - v->b->machines];
	struct str differs = head_value(&c->block->src->head, "differs");
	struct buf t = buf_new(v->a);
	int same = 0, others = 0;

	for (ptrdiff_t i = 0; i < v->b->n_machines; i++) {
		bool other = i != v->m - v->b->machines && c->results[i].verdict != VERDICT_UNMEASURED;
		others += other;
		same += other && c->results[i].verdict == here->verdict;
	}
	if (others)
		buf_printf(&t, "The same on %d of %d other machine%s. ", same, others, others == 1 ? "" : "s");
	if (differs.len && here->verdict != VERDICT_HOLDS)
		buf_printf(&t, "%.*s", STR_FMT(differs));
	return str_trim(buf_str(&t));
}

void claim_block(struct view *v, struct html_out *w, const struct page_block *b)
{
	const struct claim *c = claim_find(v->b, b->src->id);
	struct tobj *o = tobj_new(v->a);

	if (!c)
		return;
	const struct claim_result *r = &c->results[v->m - v->b->machines];
	claim_fields(v, o, c);
	tobj_html(o, "says", view_inline(v, b->says));
	tobj_text(o, "note", note_of(v, c));
	view_add_notes(v, r->notes, r->n_notes);
	html_insert(w, view_partial(v, "partials/claim", o));
}

void claims_count(const struct build *b, const struct machine *m, const struct page *p, int counts[VERDICT_MAX])
{
	memset(counts, 0, VERDICT_MAX * sizeof *counts);
	for (ptrdiff_t i = 0; i < b->n_claims; i++)
		if (!p || b->claims[i].page == p)
			counts[b->claims[i].results[m - b->machines].verdict]++;
}

/* Empty for none, so that a template's section is false. */
struct str count_text(struct arena *a, int n)
{
	return n ? str_printf(a, "%d", n) : STR("");
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
		struct tobj *cell = tobj_item(row, "cells");
		struct view there = *v;
		there.m = &v->b->machines[k];
		any_bad = any_bad || c->results[k].verdict == VERDICT_CONTRADICTED;
		set_verdict(cell, &c->results[k]);
		tobj_html(cell, "number", number_of(&there, &c->results[k]));
		tobj_text(cell, "label", there.m->label);
		tobj_text(cell, "title", c->results[k].verdict == VERDICT_UNMEASURED ? c->results[k].command : STR(""));
	}
	tobj_bool(row, "any_bad", any_bad);
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

	tobj_html(c, "lede", lede);
	tobj_list(c, "columns");
	for (ptrdiff_t k = 0; k < b->n_machines; k++) {
		struct tobj *m = tobj_item(c, "columns");
		int counts[VERDICT_MAX];
		claims_count(b, &b->machines[k], NULL, counts);
		tobj_text(m, "label", b->machines[k].label);
		tobj_text(m, "kind", b->machines[k].kind);
		tobj_fmt(m, "href", "machines/%.*s.html", STR_FMT(b->machines[k].key));
		tobj_bool(m, "here", k == 0);
		for (int i = 0; i < VERDICT_MAX; i++)
			tobj_text(m, verdict_words[i], count_text(a, counts[i]));
	}
	tobj_list(c, "groups");
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		if (b->claims[i].page != at) {
			const struct course_chapter *ch = build_chapter(b, b->claims[i].page->slug);
			at = b->claims[i].page;
			group = tobj_item(c, "groups");
			tobj_text(group, "n", ch && at->kind == PAGE_CHAPTER ? str_printf(a, "%d", ch->n) : STR(""));
			tobj_text(group, "title", at == own ? STR("Waiting for a chapter") : at->title);
			tobj_text(group, "href", view_href(&v, at));
			tobj_fmt(group, "span", "%d", (int)b->n_machines + 1);
			tobj_list(group, "rows");
		}
		add_row(&v, group, &b->claims[i]);
	}
	view_finish(&v, "claims", c);
}
