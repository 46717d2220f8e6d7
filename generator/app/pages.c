/* Pages that content files make, and the indexes over them. */
#include "app/build.h"

static struct str needs_root(const struct page *lab)
{
	return lab->root.len ? lab->root : STR("no");
}

/* A neighbour in the course, or none. */
static void add_turn(struct view *v, struct tobj *c, const char *has, const char *name, ptrdiff_t i)
{
	const struct course *course = &v->b->course;
	const struct page *p = i >= 0 && i < course->n_chapters ? build_page(v->b, PAGE_CHAPTER, course->chapters[i].slug) : NULL;

	tobj_bool(c, has, p != NULL);
	if (!p)
		return;
	struct tobj *o = tobj_object(c, name);
	tobj_fmt(o, "n", "%d", course->chapters[i].n);
	tobj_text(o, "title", p->title);
	tobj_text(o, "href", view_href(v, p));
}

static void chapter_fields(struct view *v, struct tobj *c)
{
	const struct course *course = &v->b->course;
	const struct course_chapter *ch = build_chapter(v->b, v->page->slug);
	const struct page *questions = build_page(v->b, PAGE_QUESTIONS, v->page->slug);
	const struct page *lab = build_page(v->b, PAGE_LAB, v->page->slug);
	static const char *const tally[VERDICT_MAX] = {"claims_hold", "claims_bad", "claims_unclear", "claims_no"};
	int counts[VERDICT_MAX];
	ptrdiff_t at = ch - course->chapters;

	claims_count(v->b, v->m, v->page, counts);
	for (int i = 0; i < VERDICT_MAX; i++)
		tobj_text(c, tally[i], count_text(v->a, counts[i]));
	tobj_fmt(c, "n", "%d", ch->n);
	tobj_text(c, "part_n", romans(ch->part));
	tobj_text(c, "part", ch->part >= 0 ? course->parts[ch->part] : STR(""));
	tobj_text(c, "kernel_line", v->m->kernel_line);
	tobj_bool(c, "has_questions", questions != NULL);
	tobj_text(c, "question_href", questions ? view_href(v, questions) : STR(""));
	tobj_list(c, "labs");
	if (lab) {
		struct tobj *o = tobj_item(c, "labs");
		tobj_text(o, "title", lab->title);
		tobj_text(o, "href", view_href(v, lab));
		tobj_text(o, "minutes", lab->minutes);
		tobj_text(o, "needs_root", needs_root(lab));
	}
	add_turn(v, c, "has_prev", "prev", at - 1);
	add_turn(v, c, "has_next", "next", at + 1);
}

/* The chapter that a lab or a question page goes with: the one of the same name. */
static void add_chapter(struct view *v, struct tobj *c)
{
	const struct page *p = build_page(v->b, PAGE_CHAPTER, v->page->slug);

	tobj_bool(c, "has_chapter", p != NULL);
	if (!p)
		return;
	struct tobj *o = tobj_object(c, "chapter");
	tobj_text(o, "title", p->title);
	tobj_text(o, "href", view_href(v, p));
}

static void lab_fields(struct view *v, struct tobj *c)
{
	tobj_text(c, "probes", v->page->probes);
	tobj_text(c, "needs_root", needs_root(v->page));
	tobj_fmt(c, "command", "build/runq-probe run %.*s --quick -o r.run.json", STR_FMT(v->page->probes));
	add_chapter(v, c);
}

void page_content(struct build *b, const struct machine *m, const struct page *p, struct arena *a)
{
	static const char *const templates[PAGE_KIND_MAX] = {"chapter", "lab", "questions", "plain"};
	struct str prefix = p->kind == PAGE_PLAIN ? STR("") : m->prefix;
	struct view v = view_new(b, m, p, str_printf(a, "%.*s%.*s", STR_FMT(prefix), STR_FMT(p->out)), a);
	struct html lede = view_inline(&v, p->lede);
	struct str plain = html_plain(a, lede);
	struct tobj *c = view_context(&v, p->title, plain.len ? plain : p->title);

	tobj_html(c, "lede", lede);
	tobj_text(c, "minutes", p->minutes);
	tobj_html(c, "body", view_body(&v, p->body));
	tobj_bool(c, "has_runs", v.n_notes > 0);
	view_list_runs(&v, c, v.notes, v.n_notes);
	if (p->kind == PAGE_CHAPTER)
		chapter_fields(&v, c);
	else if (p->kind == PAGE_LAB)
		lab_fields(&v, c);
	else if (p->kind == PAGE_QUESTIONS)
		add_chapter(&v, c);
	bool sources = p->kind == PAGE_PLAIN && str_eq(p->slug, STR("sources"));
	if (sources)
		sources_fields(&v, c);
	view_finish(&v, sources ? "sources" : templates[p->kind], c);
}

static void add_item(struct view *v, struct tobj *c, const struct page *p)
{
	struct tobj *o = tobj_item(c, "items");

	tobj_text(o, "title", p->title);
	tobj_text(o, "href", view_href(v, p));
	tobj_text(o, "text", html_plain(v->a, view_inline(v, p->lede)));
	if (p->kind == PAGE_LAB)
		tobj_fmt(o, "meta", "%.*s minutes, root: %.*s", STR_FMT(p->minutes), STR_FMT(needs_root(p)));
	else
		tobj_fmt(o, "meta", "%d question%s", (int)p->body->n_blocks, p->body->n_blocks == 1 ? "" : "s");
}

static void index_of(struct build *b, const struct machine *m, enum page_kind kind, const char *out, const char *title, const char *lede,
	struct arena *a)
{
	struct view v = view_new(b, m, NULL, str_printf(a, "%.*s%s", STR_FMT(m->prefix), out), a);
	struct tobj *c = view_context(&v, str_of(title), str_of(lede));
	struct buf text = buf_new(a);

	html_escape(&text, str_of(lede));
	tobj_html(c, "lede", (struct html){buf_str(&text)});
	tobj_list(c, "items");
	/* In the order of the course first, then what has no chapter. */
	for (ptrdiff_t i = 0; i < b->course.n_chapters; i++) {
		const struct page *p = build_page(b, kind, b->course.chapters[i].slug);
		if (p)
			add_item(&v, c, p);
	}
	for (ptrdiff_t i = 0; i < b->n_pages; i++)
		if (b->pages[i]->kind == kind && !build_chapter(b, b->pages[i]->slug))
			add_item(&v, c, b->pages[i]);
	view_finish(&v, "index", c);
}

void page_indexes(struct build *b, const struct machine *m, struct arena *a)
{
	index_of(b, m, PAGE_LAB, "labs/index.html", "Labs",
		"Each lab is a prediction, a command and a file to hand in. The file is a measurement run of your own machine.", a);
	index_of(b, m, PAGE_QUESTIONS, "questions/index.html", "Questions",
		"Answer first, then look. The answers use the numbers of the machine this edition was measured on.", a);
}
