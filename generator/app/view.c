/* One page for one machine: its links, the runs behind it, its frame. */
#include <string.h>

#include "app/build.h"

struct view view_new(struct build *b, const struct machine *m, const struct page *page, struct str out, struct arena *a)
{
	struct buf root = buf_new(a);

	for (ptrdiff_t i = 0; i < out.len; i++)
		if (out.ptr[i] == '/')
			buf_add(&root, STR("../"));
	return (struct view){.b = b, .m = m, .page = page, .out = out, .root = buf_str(&root), .a = a};
}

/* Chapters, labs and questions exist in every machine's edition, other pages once. */
struct str view_href(const struct view *v, const struct page *target)
{
	struct str prefix = target->kind == PAGE_PLAIN ? STR("") : v->m->prefix;

	return str_printf(v->a, "%.*s%.*s", STR_FMT(prefix), STR_FMT(target->out));
}

struct str view_run_href(const struct view *v, const struct store_note *n)
{
	struct str id = str_slice(n->id_hex, 0, 12);
	const struct source *reported = build_source(v->b, n->run);

	if (reported)
		return source_href(v, reported, n->probe, n->case_id);
	if (!n->case_id.len)
		return str_printf(v->a, "runs/%.*s.html", STR_FMT(id));
	return str_printf(v->a, "runs/%.*s.html#case-%.*s-%.*s", STR_FMT(id), STR_FMT(n->probe), STR_FMT(n->case_id));
}

struct str view_notes_href(const struct view *v, const struct store_note *notes, ptrdiff_t n)
{
	if (n == 1 || (n && !v->page))
		return view_run_href(v, notes);
	return n ? str_printf(v->a, "%.*s#runs", STR_FMT(v->out)) : STR("");
}

void view_add_notes(struct view *v, const struct store_note *notes, ptrdiff_t n)
{
	for (ptrdiff_t i = 0; i < n; i++) {
		ptrdiff_t k = 0;
		while (k < v->n_notes && v->notes[k].run != notes[i].run)
			k++;
		if (k < v->n_notes)
			continue;
		ARENA_GROW(v->a, v->notes, v->n_notes, v->cap_notes);
		v->notes[v->n_notes++] = notes[i];
	}
}

/* Civil date from days since 1970-01-01: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days. */
struct str date_text(struct arena *a, int64_t ms)
{
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	int64_t days = ms / 86400000 - (ms % 86400000 < 0) + 719468;
	int64_t era = (days >= 0 ? days : days - 146096) / 146097;
	int64_t doe = days - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;
	int64_t month = mp < 10 ? mp + 3 : mp - 9;

	return str_printf(a, "%d\u00a0%s\u00a0%d", (int)(doy - (153 * mp + 2) / 5 + 1), months[month - 1],
		(int)(yoe + era * 400 + (month <= 2)));
}

struct str romans(int part)
{
	static const char *const names[] = {"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"};

	return str_of(part >= 0 && part < 10 ? names[part] : "");
}

struct str count_text(struct arena *a, int n)
{
	return n ? str_printf(a, "%d", n) : STR("");
}

static struct str probes_of(struct arena *a, const struct run *run)
{
	struct buf t = buf_new(a);

	for (ptrdiff_t i = 0; i < run->n_tables; i++)
		buf_printf(&t, "%s%.*s", i ? ", " : "", STR_FMT(run->tables[i].probe));
	return buf_str(&t);
}

void view_list_runs(struct view *v, struct tobj *context, const struct store_note *notes, ptrdiff_t n)
{
	tobj_list(context, "runs");
	for (ptrdiff_t i = 0; i < n; i++) {
		const struct run_entry *r = build_run(v->b, notes[i].run);
		struct tobj *o = tobj_item(context, "runs");
		tobj_text(o, "id", str_slice(notes[i].id_hex, 0, 12));
		tobj_text(o, "href", view_run_href(v, &notes[i]));
		tobj_text(o, "date", date_text(v->a, notes[i].created_ms));
		tobj_text(o, "probe", notes[i].probe);
		tobj_text(o, "probes", r ? probes_of(v->a, r->run) : notes[i].probe);
		tobj_bool(o, "quick", notes[i].quick);
		const struct source *reported = build_source(v->b, notes[i].run);
		tobj_text(o, "reported", reported ? reported->title : STR(""));
	}
}

struct html view_partial(struct view *v, const char *name, struct tobj *context)
{
	struct buf out = buf_new(v->a);

	tobj_text(context, "root", v->root);
	template_render(v->b->templates, name, context, &out, v->b->diag);
	return (struct html){str_trim(buf_str(&out))};
}

/* Titles and the like: the runs behind their values are told elsewhere, not in the margin. */
struct html view_inline(struct view *v, const struct md_doc *doc)
{
	struct buf out = buf_new(v->a);
	struct html_out w = html_out_new(&out);
	struct md_hooks hooks = view_hooks(v);
	bool quiet = v->quiet;

	v->quiet = true;
	hooks.margin = NULL;
	if (doc)
		markdown_render(doc, &hooks, &w, v->b->scratch);
	v->quiet = quiet;
	return (struct html){buf_str(&out)};
}

struct html view_body(struct view *v, const struct md_doc *doc)
{
	struct buf out = buf_new(v->a);
	struct html_out w = html_out_new(&out);
	struct md_hooks hooks = view_hooks(v);

	if (doc)
		markdown_render(doc, &hooks, &w, v->b->scratch);
	return (struct html){buf_str(&out)};
}

struct str html_plain(struct arena *a, struct html h)
{
	static const struct {
		struct str entity;
		char c;
	} entities[] = {{{"&amp;", 5}, '&'}, {{"&lt;", 4}, '<'}, {{"&gt;", 4}, '>'}, {{"&quot;", 6}, '"'}, {{"&#39;", 5}, '\''}};
	struct buf b = buf_new(a);
	bool in_tag = false;

	for (ptrdiff_t i = 0; i < h.s.len; i++) {
		char c = h.s.ptr[i];
		in_tag = in_tag ? c != '>' : c == '<';
		if (in_tag || c == '>')
			continue;
		for (size_t k = 0; c == '&' && k < sizeof entities / sizeof *entities; k++)
			if (str_starts(str_from(h.s, i), entities[k].entity)) {
				i += entities[k].entity.len - 1;
				c = entities[k].c;
				break;
			}
		buf_char(&b, c == '\n' ? ' ' : c);
	}
	return buf_str(&b);
}

void view_parts(struct view *v, struct tobj *c, const char *list, void (*more)(struct view *v, struct tobj *chapter, const struct page *p))
{
	const struct course *course = &v->b->course;
	struct tobj *part = NULL;
	int at = -1;

	tobj_list(c, list);
	for (ptrdiff_t i = 0; i < course->n_chapters; i++) {
		const struct page *p = build_page(v->b, PAGE_CHAPTER, course->chapters[i].slug);
		if (!p)
			continue;
		if (course->chapters[i].part != at) {
			at = course->chapters[i].part;
			part = tobj_item(c, list);
			tobj_text(part, "part_n", romans(at));
			tobj_text(part, "part", at < 0 ? STR("") : course->parts[at]);
			tobj_list(part, "chapters");
		}
		struct tobj *o = tobj_item(part, "chapters");
		tobj_fmt(o, "n", "%d", course->chapters[i].n);
		tobj_text(o, "title", p->title);
		tobj_text(o, "href", view_href(v, p));
		more(v, o, p);
	}
}

/* Where the reader is, with the headings of that page. */
static void add_place(struct view *v, struct tobj *chapter, const struct page *p)
{
	tobj_bool(chapter, "here", p == v->page);
	tobj_list(chapter, "toc");
	if (p != v->page)
		return;
	for (ptrdiff_t i = 0; i < p->body->n_headings; i++) {
		if (p->body->headings[i].level != 2)
			continue;
		struct tobj *o = tobj_item(chapter, "toc");
		tobj_text(o, "id", p->body->headings[i].id);
		tobj_text(o, "title", p->body->headings[i].text);
	}
}

static void add_links(struct view *v, struct tobj *c)
{
	static const struct {
		const char *title, *path;
		bool edition;
	} links[] = {{"Labs", "labs/index.html", true}, {"Questions", "questions/index.html", true}, {"Claims", "claims.html", false},
		{"Machines", "machines/index.html", false}, {"Playground", "playground.html", false}, {"Sources", "sources.html", false}};

	tobj_list(c, "nav_links");
	for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
		struct str path = str_printf(v->a, "%.*s%s", STR_FMT(links[i].edition ? v->m->prefix : STR("")), links[i].path);
		if (str_eq(path, STR("sources.html")) && !build_page(v->b, PAGE_PLAIN, STR("sources")))
			continue;
		struct tobj *o = tobj_item(c, "nav_links");
		tobj_text(o, "title", str_of(links[i].title));
		tobj_text(o, "href", path);
		tobj_bool(o, "here", str_eq(path, v->out));
	}
}

/* The switch leads to the same page in another machine's edition, or to its home where there is no such page. */
static void add_machines(struct view *v, struct tobj *c)
{
	struct str own = str_from(v->out, v->m->prefix.len);
	bool edition = str_starts(v->out, v->m->prefix) && (str_eq(own, STR("index.html")) || str_starts(own, STR("chapters/")) ||
		str_starts(own, STR("labs/")) || str_starts(own, STR("questions/")));

	tobj_list(c, "machines");
	for (ptrdiff_t i = 0; i < v->b->n_machines; i++) {
		const struct machine *m = &v->b->machines[i];
		if (str_eq(m->kind, STR("reported"))) /* too few figures for an edition */
			continue;
		struct tobj *o = tobj_item(c, "machines");
		tobj_text(o, "label", m->label);
		tobj_text(o, "kind", m->kind);
		tobj_fmt(o, "href", "%.*s%.*s", STR_FMT(m->prefix), STR_FMT(edition ? own : STR("index.html")));
		tobj_bool(o, "here", m == v->m);
	}
}

static void add_foot(struct view *v, struct tobj *c)
{
	tobj_list(c, "foot_links");
	struct tobj *changes = tobj_item(c, "foot_links");
	tobj_text(changes, "title", STR("What changed"));
	tobj_text(changes, "href", STR("changes.html"));
	for (ptrdiff_t i = 0; i < v->b->n_pages; i++) {
		if (v->b->pages[i]->kind != PAGE_PLAIN || str_eq(v->b->pages[i]->slug, STR("claims")))
			continue;
		struct tobj *o = tobj_item(c, "foot_links");
		tobj_text(o, "title", v->b->pages[i]->title);
		tobj_text(o, "href", view_href(v, v->b->pages[i]));
	}
}

static void add_common(struct view *v, struct tobj *c, struct str title)
{
	tobj_text(c, "site_title", v->b->course.title);
	tobj_text(c, "title", title);
	tobj_text(c, "root", v->root);
	tobj_text(c, "machine_label", v->m->label);
	tobj_text(c, "machine_kind", v->m->kind);
	tobj_fmt(c, "machine_href", "machines/%.*s.html", STR_FMT(v->m->key));
	tobj_text(c, "measured_line", v->m->kernel_line);
}

struct tobj *view_context(struct view *v, struct str title, struct str description)
{
	struct tobj *c = v->frame = tobj_new(v->a), *main = tobj_new(v->a);
	bool home = str_eq(v->out, str_printf(v->a, "%.*sindex.html", STR_FMT(v->m->prefix)));

	add_common(v, c, title);
	add_common(v, main, title);
	if (home)
		tobj_text(c, "page_title", title);
	else
		tobj_fmt(c, "page_title", "%.*s \u00b7 %.*s", STR_FMT(title), STR_FMT(v->b->course.title));
	tobj_text(c, "description", description);
	view_parts(v, c, "nav_parts", add_place);
	add_links(v, c);
	add_machines(v, c);
	add_foot(v, c);
	if (v->m->newest)
		tobj_fmt(c, "built_line", "Measured %.*s", STR_FMT(date_text(v->a, v->m->newest->created_utc_ms)));
	else
		tobj_text(c, "built_line", STR("Figures reported by others"));
	return main;
}

void view_finish(struct view *v, const char *name, struct tobj *context)
{
	struct build *b = v->b;
	struct buf out = buf_new(b->perm);

	card_tags(v);
	tobj_html(v->frame, "main", view_partial(v, name, context));
	template_render(b->templates, "page", v->frame, &out, b->diag);
	outputs_add(&b->out, b->diag, str_copy(b->perm, v->out), buf_str(&out), v->page ? v->page->at.path : str_of(name));
}
