/* What others reported: where a reported number leads, and the tables of the sources page. */
#include "app/build.h"
#include "model/format.h"
#include "store/reference.h"

/* The heading of a source ends with its id in parentheses: title and anchor come from there. */
static void find_heading(struct build *b, const struct page *page, struct source *s)
{
	struct arena scratch = b->scratch;
	struct str tail = str_printf(&scratch, " (%.*s)", STR_FMT(s->reference.source));

	for (ptrdiff_t i = 0; page && i < page->body->n_headings; i++) {
		struct str text = page->body->headings[i].text;
		if (!str_ends(text, tail))
			continue;
		s->title = str_slice(text, 0, text.len - tail.len);
		s->anchor = page->body->headings[i].id;
		return;
	}
	diag_error(b->diag, (struct pos){.path = STR("content/sources.md")},
		"no heading for the reported figures of '%.*s'; write one that ends with `(%.*s)`, and a verdict below it",
		STR_FMT(s->reference.source), STR_FMT(s->reference.source));
}

bool sources_load(struct build *b)
{
	const struct page *page = build_page(b, PAGE_PLAIN, STR("sources"));
	struct store_reference *all;
	ptrdiff_t n;

	if (!store_references(b->store, b->perm, &all, &n))
		return false;
	b->sources = ARENA_NEW(b->perm, struct source, n);
	for (ptrdiff_t i = 0; i < n; i++) {
		struct source *s = &b->sources[b->n_sources++];
		*s = (struct source){.run = all[i].run, .reference = all[i].reference};
		if (s->reference.is_constants) {
			s->title = STR("Constants of the kernel");
			s->anchor = STR(REFERENCE_CONSTANTS);
		} else {
			find_heading(b, page, s);
		}
	}
	return true;
}

const struct source *build_source(const struct build *b, int64_t run)
{
	for (ptrdiff_t i = 0; i < b->n_sources; i++)
		if (b->sources[i].run == run)
			return &b->sources[i];
	return NULL;
}

static struct str row_id(struct arena *a, const struct reference *r, int line)
{
	return str_printf(a, "fig-%.*s-%.*s-%d", STR_FMT(r->source), STR_FMT(r->machine), line);
}

/* Whether the row's key is of this case, whatever its metric. */
static bool is_of_case(struct str key, struct str probe, struct str kase)
{
	struct probe_key k = probe_key_parse(key);

	return k.ok && str_eq(str_of(k.probe->name), probe) && str_eq(str_of(k.kase->name), kase);
}

struct str source_href(const struct view *v, const struct source *s, struct str probe, struct str kase)
{
	const struct reference *r = &s->reference;

	for (ptrdiff_t i = 0; i < r->n_rows; i++)
		if (kase.len && is_of_case(r->rows[i].key, probe, kase))
			return str_printf(v->a, "sources.html#%.*s", STR_FMT(row_id(v->a, r, r->rows[i].at.line)));
	return str_printf(v->a, "sources.html#%.*s", STR_FMT(s->anchor));
}

/* --- the page --- */

static void add_row(struct view *v, struct tobj *list, const struct reference *r, const struct reference_row *row)
{
	struct tobj *o = tobj_item(list, "rows");
	struct str rest, note = row->note, prefix = STR("Corrected: ");
	struct probe_key k = probe_key_parse(row->key);
	bool corrected = str_starts(note, prefix);

	tobj_text(o, "id", row_id(v->a, r, row->at.line));
	str_cut(row->label, ':', &rest);
	tobj_text(o, "label", rest.ptr ? str_trim(rest) : row->label);
	tobj_text(o, "kind", row->kind == REFERENCE_MEASURED ? STR("") : str_of(reference_kind_names[row->kind]));
	tobj_text(o, "min", reference_text(v->a, row->min, row->unit));
	tobj_text(o, "median", reference_text(v->a, row->median, row->unit));
	tobj_text(o, "max", reference_text(v->a, row->max, row->unit));
	tobj_text(o, "n", row->n ? str_printf(v->a, "%lld", (long long)row->n) : STR(""));
	tobj_text(o, "key", row->key);
	tobj_text(o, "same_as", k.ok ? str_of(k.kase->label) : STR(""));
	tobj_bool(o, "corrected", corrected);
	tobj_text(o, "note", corrected ? str_from(note, prefix.len) : note);
}

/* Rows of one topic, the part of the label before the colon, follow each other. */
static void add_topics(struct view *v, struct tobj *o, const struct reference *r)
{
	struct tobj *topic = NULL;
	struct str at = {0}, rest;

	tobj_list(o, "topics");
	for (ptrdiff_t i = 0; i < r->n_rows; i++) {
		struct str name = str_cut(r->rows[i].label, ':', &rest);
		if (!topic || !str_eq(name, at)) {
			at = name;
			topic = tobj_item(o, "topics");
			tobj_text(topic, "topic", rest.ptr ? name : STR(""));
			tobj_list(topic, "rows");
		}
		add_row(v, topic, r, &r->rows[i]);
	}
}

static struct str counts_of(struct view *v, const struct reference *r)
{
	int kinds[REFERENCE_KIND_MAX] = {0}, keys = 0, corrected = 0;
	struct buf b = buf_new(v->a);

	for (ptrdiff_t i = 0; i < r->n_rows; i++) {
		kinds[r->rows[i].kind]++;
		keys += r->rows[i].key.len > 0;
		corrected += str_starts(r->rows[i].note, STR("Corrected: "));
	}
	buf_printf(&b, "%td figure%s:", r->n_rows, r->n_rows == 1 ? "" : "s");
	for (int i = 0; i < REFERENCE_KIND_MAX; i++)
		if (kinds[i])
			buf_printf(&b, " %d %s,", kinds[i], reference_kind_names[i]);
	buf_printf(&b, " %d of them the same as a case of ours, %d corrected here", keys, corrected);
	return buf_str(&b);
}

static void add_machine(struct view *v, struct tobj *o, struct str key)
{
	struct grid g;

	tobj_list(o, "facts");
	tobj_text(o, "machine", key);
	tobj_text(o, "machine_href", STR(""));
	if (store_rows(v->b->store, "SELECT label, NULL FROM machine WHERE key = ?1", &key, 1, v->a, &g) && g.rows)
		tobj_text(o, "machine", g.text[0]);
	if (build_machine(v->b, key))
		tobj_fmt(o, "machine_href", "machines/%.*s.html", STR_FMT(key));
	known_facts(v, o, key);
}

/* The file itself, as it was imported: what stands behind each of its figures. */
static void publish(struct view *v, struct tobj *o, const struct source *s)
{
	struct build *b = v->b;
	struct str path = str_printf(b->perm, "reference/%.*s-%.*s.csv", STR_FMT(s->reference.source), STR_FMT(s->reference.machine));
	struct str run = str_printf(v->a, "%lld", (long long)s->run);
	struct grid g;

	if (!store_rows(b->store, "SELECT CAST(canon AS TEXT) FROM run WHERE id = CAST(?1 AS INTEGER)", &run, 1, v->a, &g) || !g.rows)
		return;
	if (outputs_add(&b->out, b->diag, path, str_copy(b->perm, g.text[0]), STR("reported figures")))
		tobj_text(o, "file", path);
}

static void add_source(struct view *v, struct tobj *c, const struct source *s)
{
	struct tobj *o = tobj_item(c, "sources");

	tobj_fmt(o, "id", "figures-%.*s-%.*s", STR_FMT(s->reference.source), STR_FMT(s->reference.machine));
	tobj_text(o, "title", s->title);
	tobj_text(o, "source", s->reference.source);
	tobj_text(o, "anchor", s->anchor);
	tobj_text(o, "counts", counts_of(v, &s->reference));
	tobj_text(o, "file", STR(""));
	publish(v, o, s);
	add_machine(v, o, s->reference.machine);
	add_topics(v, o, &s->reference);
}

static void add_constants(struct view *v, struct tobj *c, const struct reference *r)
{
	tobj_bool(c, "has_constants", true);
	for (ptrdiff_t i = 0; i < r->n_constants; i++) {
		const struct reference_constant *k = &r->constants[i];
		struct tobj *o = tobj_item(c, "constants");
		tobj_text(o, "name", k->name);
		tobj_text(o, "value", reference_text(v->a, k->value, k->unit));
		tobj_text(o, "kernel", k->kernel);
		tobj_text(o, "file", k->file);
		tobj_text(o, "note", k->note);
	}
}

static void add_weights(struct view *v, struct tobj *c)
{
	struct grid g;

	tobj_list(c, "weights");
	if (!store_rows(v->b->store, "SELECT nice, weight FROM kernel_weight ORDER BY nice", NULL, 0, v->a, &g))
		return;
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		struct tobj *o = tobj_item(c, "weights");
		tobj_text(o, "nice", format_num(v->a, g.num[i * 2], 0));
		tobj_text(o, "weight", format_num(v->a, g.num[i * 2 + 1], 0));
	}
}

void sources_fields(struct view *v, struct tobj *c)
{
	tobj_list(c, "sources");
	tobj_list(c, "constants");
	tobj_bool(c, "has_constants", false);
	tobj_bool(c, "has_sources", false);
	for (ptrdiff_t i = 0; i < v->b->n_sources; i++) {
		const struct source *s = &v->b->sources[i];
		if (s->reference.is_constants) {
			add_constants(v, c, &s->reference);
			continue;
		}
		tobj_bool(c, "has_sources", true);
		add_source(v, c, s);
	}
	add_weights(v, c);
}

void known_facts(struct view *v, struct tobj *o, struct str machine)
{
	struct grid g;

	if (!store_rows(v->b->store, "SELECT name, value FROM machine_fact WHERE machine = ?1 ORDER BY name", &machine, 1, v->a, &g))
		return;
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		struct tobj *fact = tobj_item(o, "facts");
		tobj_text(fact, "name", g.text[i * 2]);
		tobj_text(fact, "value", g.text[i * 2 + 1]);
	}
}
