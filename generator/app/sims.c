/* The sim blocks of a course, and sim('block-id:metric') in SQL. */
#include <math.h>
#include <string.h>

#include "app/sims.h"

enum { RECORDS_MAX = 400000, CANON_BYTES = 4 * SIM_TEXT_BYTES_MAX, BLOCKS_MAX = 200 };

struct sim_set {
	struct sim_block *at;
	ptrdiff_t n;
	struct str_map ids;
	struct arena *arena;
};

struct str sims_run(struct arena *a, struct sim_done *d, struct arena scratch)
{
	size_t bytes = sim_memory_bytes();
	void *memory = arena_alloc(&scratch, 1, 64, (ptrdiff_t)bytes);

	sim_run(&d->sc, memory, bytes, NULL, 0, 0, &d->result);
	uint32_t n = d->result.records;
	if (n > RECORDS_MAX)
		return str_printf(a, "the log has %u records, more than %d; simulate a shorter time", (unsigned)n, RECORDS_MAX);
	d->log = ARENA_NEW(a, struct sim_record, (ptrdiff_t)n + 1);
	sim_run(&d->sc, memory, bytes, d->log, n, SIM_FLAG_CHECK, &d->result);
	if (d->result.end == SIM_END_EVENTS)
		return str_printf(a, "more than %u events before %.3f ms; simulate a shorter time, or raise `events`",
			(unsigned)d->sc.events_max, (double)d->result.t / 1e6);
	if (d->result.end != SIM_END_HORIZON)
		return str_printf(a, "the simulator stopped: %s; please report this scenario", sim_defect_text(d->result.defect));
	d->figures = ARENA_NEW(a, struct sim_figures, d->sc.n_tasks);
	int64_t *numbers = ARENA_NEW(&scratch, int64_t, (ptrdiff_t)n + 1);
	for (int i = 0; i < d->sc.n_tasks; i++)
		sim_measure(&d->sc, d->log, n, d->result.t, i, numbers, &d->figures[i]);
	return STR("");
}

static bool add_profile(struct build *b, const struct md_block *src, struct str *text)
{
	const struct head_field *f = head_get(&src->head, "profile");
	struct str names[SIM_PROFILES];

	if (!f)
		return true;
	for (int i = 0; i < SIM_PROFILES; i++)
		names[i] = str_of(sim_profile_name(i));
	if (sim_profile_find(f->value.ptr, (size_t)f->value.len) == SIM_NONE) {
		struct str near = str_nearest(f->value, names, SIM_PROFILES);
		diag_error(b->diag, f->value_at, "unknown profile '%.*s'; %s%.*s", STR_FMT(f->value),
			near.len ? "did you mean " : "`runq sim --help` names them", STR_FMT(near));
		return false;
	}
	*text = str_printf(b->perm, "profile %.*s\n%.*s", STR_FMT(f->value), STR_FMT(*text));
	return true;
}

static bool read_block(struct build *b, struct sim_block *s, const struct md_block *src)
{
	struct sim_error e;
	struct pos at = src->body_at;

	s->text = src->body;
	if (!add_profile(b, src, &s->text))
		return false;
	int lines = s->text.ptr == src->body.ptr ? 0 : 1;
	if (!sim_parse(s->text.ptr ? s->text.ptr : "", (size_t)s->text.len, &s->done.sc, &e)) {
		at.line += e.line > lines ? e.line - 1 - lines : 0;
		at.col = e.line > lines + 1 ? e.col : at.col + (e.line > lines && e.col ? e.col - 1 : 0);
		diag_error(b->diag, e.line ? at : src->at, "%s", e.message);
		return false;
	}
	struct str why = sims_run(b->perm, &s->done, b->scratch);
	if (why.len)
		diag_error(b->diag, src->at, "sim block '%.*s': %.*s", STR_FMT(s->id), STR_FMT(why));
	return !why.len;
}

static void add_block(struct build *b, const struct page *p, const struct md_block *src)
{
	struct sim_set *set = b->sims;
	ptrdiff_t first = str_map_get(&set->ids, src->id);

	if (first >= 0) {
		diag_error(b->diag, src->at, "sim block '%.*s' stands in %.*s already; choose another id, as sim('%.*s:…') must know which",
			STR_FMT(src->id), STR_FMT(set->at[first].page->at.path), STR_FMT(src->id));
		return;
	}
	if (set->n == BLOCKS_MAX) {
		diag_error(b->diag, src->at, "more than %d sim blocks in a course; remove one", BLOCKS_MAX);
		return;
	}
	struct sim_block *s = &set->at[set->n];
	*s = (struct sim_block){.page = p, .id = src->id};
	if (read_block(b, s, src))
		str_map_put(&set->ids, b->perm, src->id, set->n++);
}

const struct sim_block *sims_find(const struct build *b, struct str id)
{
	ptrdiff_t i = b->sims ? str_map_get(&b->sims->ids, id) : -1;

	return i < 0 ? NULL : &b->sims->at[i];
}

/* The answer to 'block-id:metric'; the text is an error or empty. */
static struct str answer(const struct sim_set *set, struct str arg, struct arena *a, double *value, struct str *who)
{
	struct str metric, id = str_cut(arg, ':', &metric), names[BLOCKS_MAX];
	ptrdiff_t i = str_map_get(&set->ids, id);

	if (i >= 0)
		return sims_metric(a, &set->at[i].done, metric, value, who);
	for (ptrdiff_t k = 0; k < set->n; k++)
		names[k] = set->at[k].id;
	struct str near = str_nearest(id, names, set->n);
	return str_printf(a, "no sim block '%.*s'; %s%.*s", STR_FMT(id),
		near.len ? "did you mean " : "write sim('block-id:metric') with a block of this course", STR_FMT(near));
}

static struct store_answer call(void *ctx, struct str arg, struct arena *a)
{
	struct store_answer r = {.num = (double)NAN};

	r.error = answer(ctx, arg, a, &r.num, &r.text);
	return r;
}

void sims_load(struct build *b)
{
	struct sim_set *set = b->sims = ARENA_NEW(b->perm, struct sim_set, 1);

	*set = (struct sim_set){.arena = b->perm};
	set->at = ARENA_NEW(b->perm, struct sim_block, BLOCKS_MAX);
	for (ptrdiff_t p = 0; p < b->n_pages; p++)
		for (ptrdiff_t i = 0; i < b->pages[p]->body->n_blocks; i++)
			if (str_eq(b->pages[p]->blocks[i].src->word, STR("sim")) && b->pages[p]->blocks[i].src->id.len)
				add_block(b, b->pages[p], b->pages[p]->blocks[i].src);
	if (b->store && !store_add_answer(b->store, "sim", call, set))
		diag_error(b->diag, (struct pos){0}, "%.*s", STR_FMT(store_error(b->store)));
}

/* Offsets of the text between the quotes of the next sim('…'), from `from`; false if there is none. */
static bool next_call(struct str expr, ptrdiff_t from, ptrdiff_t *begin, ptrdiff_t *end)
{
	ptrdiff_t at = str_find(str_from(expr, from), STR("sim('"));

	if (at < 0)
		return false;
	*begin = from + at;
	ptrdiff_t close = str_find(str_from(expr, *begin + 5), STR("')"));
	*end = *begin + 5 + close;
	return close >= 0;
}

struct str sims_fold(struct build *b, struct pos at, struct str expr)
{
	struct buf out = buf_new(b->perm);
	ptrdiff_t from = 0, begin, end;

	while (next_call(expr, from, &begin, &end)) {
		double value = (double)NAN;
		struct str who = {0}, arg = str_slice(expr, begin + 5, end), why = answer(b->sims, arg, b->perm, &value, &who);
		if (why.len || who.len || isnan(value))
			diag_error(b->diag, pos_at(at, expr, begin + 5), "%.*s", STR_FMT(why.len ? why : STR("gives no number; a claim needs one")));
		buf_add(&out, str_slice(expr, from, begin));
		buf_printf(&out, value == floor(value) && fabs(value) < 1e15 ? "%.1f" : "%.12g", isnan(value) ? 0.0 : value);
		from = end + 2;
	}
	if (!from)
		return expr;
	buf_add(&out, str_from(expr, from));
	return buf_str(&out);
}

struct str sims_href(const struct view *v, struct str expr)
{
	struct str rest;
	ptrdiff_t begin, end;

	if (!v->b->sims || !next_call(expr, 0, &begin, &end))
		return STR("");
	const struct sim_block *s = sims_find(v->b, str_cut(str_slice(expr, begin + 5, end), ':', &rest));
	return s ? str_printf(v->a, "%.*s#%.*s", STR_FMT(view_href(v, s->page)), STR_FMT(s->id)) : STR("");
}
