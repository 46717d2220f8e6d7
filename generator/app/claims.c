/* Claims: tests written beside the sentences they guard, evaluated on the medians and on every pass of each machine. */
#include <math.h>
#include <string.h>

#include "app/build.h"
#include "app/sims.h"

const char *const verdict_names[VERDICT_MAX] = {"ok", "bad", "unclear", "no"};

const struct claim *claim_find(const struct build *b, struct str id)
{
	ptrdiff_t i = str_map_get(&b->claim_ids, id);

	return i < 0 ? NULL : &b->claims[i];
}

/* A name and what is with it take more than a word or two. */
static bool says_something(struct str text)
{
	int words = 0;

	for (struct str rest = text; rest.len;)
		words += str_cut(rest, ' ', &rest).len > 0;
	return words >= 3;
}

static void check_reason(struct build *b, const struct claim *c, const char *key, const char *wanted)
{
	const struct head_field *f = head_get(&c->block->src->head, key);

	if (f && !says_something(f->value))
		diag_error(b->diag, f->value_at, "claim '%.*s' says too little in `%s`; %s", STR_FMT(c->id), key, wanted);
}

/* Bounds wide enough to hold anything, or a test that nothing could break, make an empty claim. */
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
	else if (!c->expr.can_fail || !c->expr.can_hold)
		diag_error(b->diag, test->value_at, "claim '%.*s' is %s whatever is measured, by the registry's physical bounds; "
			"choose bounds that a machine could be %s of", STR_FMT(c->id), c->expr.can_hold ? "true" : "false",
			c->expr.can_hold ? "outside" : "inside");
	check_reason(b, c, "falsifier", "name the machine or the value that would break it");
	check_reason(b, c, "loose", "say why the bounds are wide");
	differs_check(b->diag, h);
}

static void add_claim(struct build *b, const struct page *p, const struct page_block *block)
{
	struct claim *c = &b->claims[b->n_claims];
	const struct head_field *test = head_get(&block->src->head, "test"), *shows = head_get(&block->src->head, "shows");

	str_map_put(&b->claim_ids, b->perm, block->src->id, b->n_claims++);
	*c = (struct claim){.page = p, .block = block, .id = block->src->id, .test = test->value, .shows = shows ? shows->value : STR("")};
	c->test = sims_fold(b, test->value_at, c->test);
	c->shows = shows ? sims_fold(b, shows->value_at, c->shows) : c->shows;
	c->expr = expr_parse(b->perm, b->diag, test->value_at, c->test, false);
	if (shows)
		expr_parse(b->perm, b->diag, shows->value_at, c->shows, true);
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

		*r = (struct claim_result){.verdict = VERDICT_UNMEASURED, .command = command_for(b->perm, c->test)};
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

void claim_verdict(struct tobj *o, const struct claim_result *r)
{
	for (int i = 0; i < VERDICT_MAX; i++)
		tobj_bool(o, verdict_names[i], (int)r->verdict == i);
}

/* The claim's number, linked to the run it came from. */
struct html claim_number(struct view *v, const struct claim_result *r)
{
	struct tobj *o = tobj_new(v->a);

	if (!r->number.ptr)
		return (struct html){0};
	tobj_text(o, "text", r->number);
	tobj_text(o, "href", view_notes_href(v, r->notes, r->n_notes));
	tobj_bool(o, "reported", str_eq(v->m->kind, STR("reported")));
	tobj_bool(o, "simulated", false);
	tobj_bool(o, "missing", false);
	tobj_text(o, "command", r->command);
	return view_partial(v, "partials/value", o);
}

void claim_fields(struct view *v, struct tobj *o, const struct claim *c)
{
	const struct claim_result *r = &c->results[v->m - v->b->machines];

	tobj_text(o, "id", c->id);
	claim_verdict(o, r);
	tobj_html(o, "number", claim_number(v, r));
	tobj_text(o, "command", r->command);
	view_list_runs(v, o, r->notes, r->n_notes);
}

static struct str note_of(struct view *v, const struct claim *c)
{
	const struct claim_result *here = &c->results[v->m - v->b->machines];
	struct buf t = buf_new(v->a);
	int same = 0, others = 0;

	for (ptrdiff_t i = 0; i < v->b->n_machines; i++) {
		bool other = i != v->m - v->b->machines && c->results[i].verdict != VERDICT_UNMEASURED;
		others += other;
		same += other && c->results[i].verdict == here->verdict;
	}
	if (others)
		buf_printf(&t, "The same on %d of %d other machine%s. ", same, others, others == 1 ? "" : "s");
	struct str differs = differs_text(&c->block->src->head, v->m, here->verdict, v->a, v->b->scratch);
	buf_add(&t, differs);
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
