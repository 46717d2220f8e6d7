/* The front page: what was measured, the course, and how to make it one's own. */
#include "app/build.h"
#include "app/kernel_check.h"

enum { NUMBERS_MAX = 3 };

static void add_facts(struct view *v, struct tobj *c)
{
	static const char *const names[][2] = {{"processor", "cpu_model"}, {"kernel", "kernel_release"}, {"CPUs", "cpus_online"},
		{"tick, Hz", "hz"}, {"preemption", "preempt"}, {"autogroup", "autogroup"}, {"virtualisation", "virt"}};

	tobj_list(c, "facts");
	for (size_t i = 0; v->m->newest && i < sizeof names / sizeof *names; i++) {
		const struct run_fact *f = run_fact_get(&v->m->newest->machine, names[i][1]);
		if (!f || (!f->text.ptr && f->num == RUN_NULL) || (f->text.ptr && !f->text.len))
			continue;
		struct tobj *o = tobj_item(c, "facts");
		tobj_text(o, "name", str_of(names[i][0]));
		if (str_eq(f->key, STR("autogroup")))
			tobj_text(o, "value", f->num ? STR("on") : STR("off"));
		else if (f->text.ptr)
			tobj_text(o, "value", f->text);
		else
			tobj_fmt(o, "value", "%lld", (long long)f->num);
	}
	if (v->m->newest) {
		struct tobj *o = tobj_item(c, "facts");
		tobj_text(o, "name", STR("measured"));
		tobj_text(o, "value", date_text(v->a, v->m->newest->created_utc_ms));
	}
}

/* The first claim of each chapter that holds here and shows a number. */
static void add_numbers(struct view *v, struct tobj *c)
{
	const struct page *last = NULL;
	int n = 0;

	tobj_list(c, "numbers");
	for (ptrdiff_t i = 0; i < v->b->n_claims && n < NUMBERS_MAX; i++) {
		const struct claim *claim = &v->b->claims[i];
		const struct claim_result *r = &claim->results[v->m - v->b->machines];
		if (claim->page->kind != PAGE_CHAPTER || claim->page == last || r->verdict != VERDICT_HOLDS || !r->number.ptr)
			continue;
		last = claim->page;
		n++;
		struct tobj *o = tobj_item(c, "numbers");
		struct buf value = buf_new(v->a), text = buf_new(v->a);
		struct html_out w = html_out_new(&value), t = html_out_new(&text);
		html_open(&w, "a");
		html_attr(&w, "class", STR("v"));
		html_attr_fmt(&w, "href", "%.*s%.*s", STR_FMT(v->root), STR_FMT(view_notes_href(v, r->notes, r->n_notes)));
		html_text(&w, r->number);
		html_close(&w, "a");
		html_insert(&t, view_inline(v, claim->block->says));
		html_text(&t, STR(" "));
		html_open(&t, "a");
		html_attr_fmt(&t, "href", "%.*s%.*s#%.*s", STR_FMT(v->root), STR_FMT(view_href(v, last)), STR_FMT(claim->id));
		html_text(&t, last->title);
		html_close(&t, "a");
		tobj_html(o, "value", (struct html){buf_str(&value)});
		tobj_html(o, "text", (struct html){buf_str(&text)});
	}
}

static void add_lede(struct view *v, struct tobj *chapter, const struct page *p)
{
	tobj_text(chapter, "lede", html_plain(v->a, view_inline(v, p->lede)));
}

static void add_more(struct view *v, struct tobj *c)
{
	static const char *const more[][3] = {{"Labs", "labs/index.html", "Predict, measure, hand in a file."},
		{"Questions", "questions/index.html", "Each answer can be checked on your machine."},
		{"Claims", "claims.html", "What holds, what is contradicted, what nobody measured yet."},
		{"Machines", "machines/index.html", "Every machine with numbers here, and its runs."},
		{"Machines side by side", "machines/compare.html", "What differs between them, and every figure with its ratio."},
		{"What changed", "changes.html", "The newest run of each machine against the one before it."},
		{"Kernel check", "kernel-check.html", "What the simulator predicts, beside what kernels were recorded to do."}};

	tobj_list(c, "more");
	for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
		if (str_eq(str_of(more[i][1]), STR("kernel-check.html")) && !check_there(v->b))
			continue;
		struct tobj *o = tobj_item(c, "more");
		tobj_text(o, "title", str_of(more[i][0]));
		tobj_fmt(o, "href", "%.*s%s", STR_FMT(i < 2 ? v->m->prefix : STR("")), more[i][1]);
		tobj_text(o, "text", str_of(more[i][2]));
	}
	for (ptrdiff_t i = 0; i < v->b->n_pages; i++) {
		const struct page *p = v->b->pages[i];
		if (p->kind != PAGE_PLAIN || str_eq(p->slug, STR("claims")))
			continue;
		struct tobj *o = tobj_item(c, "more");
		tobj_text(o, "title", p->title);
		tobj_text(o, "href", view_href(v, p));
		tobj_text(o, "text", html_plain(v->a, view_inline(v, p->lede)));
	}
}

/* The chart that course.txt names as the front page's. */
static struct html hero(struct view *v)
{
	struct buf out = buf_new(v->a);
	struct html_out w = html_out_new(&out);

	for (ptrdiff_t p = 0; v->b->course.hero.len && p < v->b->n_pages; p++)
		for (ptrdiff_t i = 0; i < v->b->pages[p]->body->n_blocks; i++) {
			if (str_eq(v->b->pages[p]->blocks[i].src->id, v->b->course.hero))
				figure_chart(v, &w, &v->b->pages[p]->blocks[i]);
		}
	if (v->b->course.hero.len && !out.len)
		diag_error(v->b->diag, (struct pos){STR("content/course.txt"), 1, 1}, "no chart '%.*s' for the front page; correct `hero:`",
			STR_FMT(v->b->course.hero));
	return (struct html){buf_str(&out)};
}

void page_home(struct build *b, const struct machine *m, struct arena *a)
{
	struct view v = view_new(b, m, NULL, str_printf(a, "%.*sindex.html", STR_FMT(m->prefix)), a);
	struct tobj *c = view_context(&v, b->course.title, b->course.lede);
	struct buf lede = buf_new(a);

	html_escape(&lede, b->course.lede);
	tobj_html(c, "lede", (struct html){buf_str(&lede)});
	tobj_bool(c, "measured", m->newest != NULL);
	tobj_html(c, "hero_chart", hero(&v));
	add_facts(&v, c);
	add_numbers(&v, c);
	view_parts(&v, c, "parts", add_lede);
	add_more(&v, c);
	view_finish(&v, "home", c);
}
