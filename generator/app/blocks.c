/* What Markdown leaves to data: inline values and blocks, and the runs behind each paragraph. */
#include <string.h>

#include "app/build.h"
#include "app/sims.h"
#include "model/format.h"

enum { MARGIN_ITEMS_MAX = 3 };

struct str command_for(struct arena *a, struct str sql)
{
	struct buf b = buf_new(a);

	buf_add(&b, STR("runq-probe run"));
	ptrdiff_t bare = b.len;
	for (ptrdiff_t i = 0; probe_infos[i]; i++) {
		struct str name = str_of(probe_infos[i]->name);
		struct arena scratch = *a;
		/* 'create' or 'create/fork', inside a SQL string */
		bool named = str_find(sql, str_printf(&scratch, "'%.*s'", STR_FMT(name))) >= 0 ||
			str_find(sql, str_printf(&scratch, "'%.*s/", STR_FMT(name))) >= 0;
		*a = named ? scratch : *a;
		if (named)
			buf_printf(&b, " %.*s", STR_FMT(name));
	}
	if (b.len == bare)
		buf_add(&b, STR(" --all"));
	return buf_str(&b);
}

void report_sql(struct view *v, const struct store_query_error *err, struct pos at, struct str sql)
{
	struct pos where = err->offset >= 0 ? pos_at(at, sql, err->offset) : at;

	diag_error(v->b->diag, where, "SQL: %.*s; correct the query", STR_FMT(err->text));
}

/* The full name of a key: without the metric when that is the probe's first. */
static struct str full_key(struct arena *a, struct str key)
{
	struct probe_key k = probe_key_parse(key);

	if (!k.ok || k.metric != &k.probe->metrics[0])
		return key;
	return str_printf(a, "%s/%s", k.probe->name, k.kase->name);
}

/* "fork, wait; n = 6, 121 to 134 µs" for a value that names one case, else how many it is made from. */
static struct str spread_of(struct view *v, struct str expr)
{
	struct arena *a = v->a;
	struct diag quiet = diag_new(a);
	struct expr e = expr_keys_in_sql(a, &quiet, (struct pos){0}, expr);
	struct store_note *own;
	struct grid g;
	int cases = e.n_keys > 0;

	for (ptrdiff_t i = 1; i < e.n_keys; i++) {
		ptrdiff_t k = 0;
		while (k < i && !str_eq(e.keys[k].key, e.keys[i].key))
			k++;
		cases += k == i;
	}
	if (cases != 1)
		return cases ? str_printf(a, "from %d cases", cases) : STR("");
	struct str key = full_key(a, e.keys[0].key);
	bool ok = store_rows(v->b->store, "SELECT label, n, min, max, unit FROM summary WHERE key = ?1", &key, 1, a, &g);
	store_notes_take(v->b->store, a, &own); /* read for the note, not for the page */
	if (!ok || !g.rows)
		return STR("");
	struct str unit = g.text[4];
	return str_printf(a, "%.*s; n = %d, %.*s to %.*s", STR_FMT(g.text[0]), (int)g.num[1], STR_FMT(format_si(a, g.num[2], unit)),
		STR_FMT(format_si(a, g.num[3], unit)));
}

static void add_margin(struct view *v, const struct md_value *value, struct str text, struct str href)
{
	if (v->quiet || v->margin_items >= MARGIN_ITEMS_MAX)
		return;
	struct str note = spread_of(v, value->expr);
	/* Several numbers from one measurement need its spread once. */
	if (v->margin && note.len && str_eq(note, v->margin_last))
		return;
	if (!v->margin)
		v->margin = tobj_new(v->a);
	struct tobj *o = tobj_item(v->margin, "items");
	tobj_text(o, "text", text);
	tobj_text(o, "note", note);
	tobj_text(o, "href", href);
	v->margin_items++;
	v->margin_last = note;
}

/* Does every run behind a number hold what others published? */
static bool all_reported(const struct view *v, const struct store_note *notes, ptrdiff_t n)
{
	bool all = n > 0;

	for (ptrdiff_t i = 0; i < n && all; i++)
		all = build_source(v->b, notes[i].run) != NULL;
	return all;
}

/* False when it is not measured here. */
static bool write_value(struct view *v, struct html_out *w, const struct md_value *value)
{
	struct store_query_error err;
	struct store_note *notes;
	struct str text = {0};
	double num;

	if (!store_value(v->b->store, value->expr, v->a, &text, &num, &err)) {
		report_sql(v, &err, value->at, value->expr);
		return true;
	}
	ptrdiff_t n = store_notes_take(v->b->store, v->a, &notes);
	struct tobj *o = tobj_new(v->a);
	struct str simulated = n ? STR("") : sims_href(v, value->expr), href = simulated.len ? simulated : view_notes_href(v, notes, n);

	build_measured(v->b, value->at, text.ptr != NULL, "this value");
	view_add_notes(v, notes, n);
	tobj_text(o, "text", text);
	if (!text.ptr || (!n && !simulated.len))
		tobj_fmt(o, "href", "machines/%.*s.html", STR_FMT(v->m->key));
	else
		tobj_text(o, "href", href);
	tobj_bool(o, "reported", all_reported(v, notes, n));
	tobj_bool(o, "simulated", simulated.len > 0);
	tobj_bool(o, "missing", text.ptr == NULL);
	tobj_text(o, "command", command_for(v->a, value->expr));
	html_insert(w, view_partial(v, "partials/value", o));
	if (text.ptr && n)
		add_margin(v, value, text, href);
	return text.ptr != NULL;
}

static void hook_value(void *ctx, struct html_out *w, const struct md_value *value)
{
	write_value(ctx, w, value);
}

static struct html hook_margin(void *ctx)
{
	struct view *v = ctx;
	struct html h = {0};

	if (v->margin)
		h = view_partial(v, "partials/margin", v->margin);
	v->margin = NULL;
	v->margin_items = 0;
	return h;
}

static struct str hook_link(void *ctx, const struct md_link *l)
{
	struct view *v = ctx;
	struct str id, path = str_cut(l->url, '#', &id), prefix = STR("");
	struct str from = v->page ? v->page->path : STR("");

	if (!path.len || str_find(l->url, STR(":")) >= 0) {
		outputs_link(&v->b->out, (struct output_link){str_copy(v->b->perm, v->out), str_copy(v->b->perm, l->url), l->url, l->at});
		return l->url;
	}
	if (str_ends(path, STR(".md")))
		path = str_printf(v->a, "%.*shtml", STR_FMT(str_slice(path, 0, path.len - 2)));
	/* Links are relative to the source; its folder and the page's are named alike, so only the edition's prefix may differ. */
	bool up = str_starts(path, STR("../"));
	struct str below = up ? str_from(path, 3) : path;
	bool at_top = up ? true : str_find_char(from, '/') < 0;
	bool edition = at_top ? str_find_char(below, '/') > 0 : true;
	if (at_top)
		prefix = str_printf(v->a, "%.*s%.*s", STR_FMT(v->root), STR_FMT(edition ? v->m->prefix : STR("")));
	struct str url = str_printf(v->a, "%.*s%.*s%s%.*s", STR_FMT(prefix), STR_FMT(below), id.ptr ? "#" : "", STR_FMT(id));
	outputs_link(&v->b->out, (struct output_link){str_copy(v->b->perm, v->out), str_copy(v->b->perm, url), l->url, l->at});
	return url;
}

/* A predict or quiz block: the question, and the answer in <details>. */
static void question_block(struct view *v, struct html_out *w, const struct page_block *b, bool predict)
{
	struct tobj *o = tobj_new(v->a);
	const struct head_field *f = head_get(&b->src->head, "answer");
	struct view inner = *v;

	tobj_text(o, "id", b->src->id);
	tobj_html(o, "question", view_inline(&inner, b->question));
	if (!predict) {
		tobj_text(o, "kind", head_value(&b->src->head, "kind"));
		tobj_html(o, "answer", view_inline(&inner, b->answer));
	} else {
		struct buf out = buf_new(v->a);
		struct html_out answer = html_out_new(&out);
		struct md_value value = {f ? f->value : STR("NULL"), f ? f->value_at : b->src->at};
		tobj_bool(o, "missing", !write_value(&inner, &answer, &value));
		tobj_html(o, "answer", (struct html){buf_str(&out)});
		tobj_html(o, "explanation", view_inline(&inner, b->answer));
		tobj_text(o, "command", command_for(v->a, value.expr));
	}
	view_add_notes(v, inner.notes, inner.n_notes);
	html_insert(w, view_partial(v, predict ? "partials/predict" : "partials/quiz", o));
}

static const struct page_block *find_block(const struct view *v, const struct md_block *src)
{
	for (ptrdiff_t i = 0; i < v->page->body->n_blocks; i++)
		if (v->page->blocks[i].src == src)
			return &v->page->blocks[i];
	return NULL;
}

static void hook_block(void *ctx, struct html_out *w, const struct md_block *src)
{
	static const struct {
		const char *word;
		void (*draw)(struct view *v, struct html_out *w, const struct page_block *b);
	} words[] = {{"chart", figure_chart}, {"table", figure_table}, {"claim", claim_block}, {"sim", sims_block}};
	struct view *v = ctx;
	const struct page_block *b = find_block(v, src);

	if (!b) {
		diag_error(v->b->diag, src->at, "%.*s block inside another block; move it out", STR_FMT(src->word));
		return;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq(src->word, str_of(words[i].word)))
			words[i].draw(v, w, b);
	if (str_eq(src->word, STR("predict")) || str_eq(src->word, STR("quiz")))
		question_block(v, w, b, src->word.ptr[0] == 'p');
}

struct md_hooks view_hooks(struct view *v)
{
	return (struct md_hooks){.ctx = v, .value = hook_value, .block = hook_block, .margin = hook_margin, .link = hook_link};
}
