/* Footnotes: their blocks stand behind the page's, each after a separator. */
#include "text/markdown_int.h"

/* Of two equal labels the first counts. */
void md_notes_index(struct md_source *s)
{
	for (ptrdiff_t i = 0; i < s->n_notes; i++)
		if (!str_map_put(&s->labels, s->arena, s->notes[i].label, i))
			diag_error(s->diag, s->notes[i].at,
				"footnote [^%.*s] is defined twice, first in line %d; rename one",
				STR_FMT(s->notes[i].label),
				s->notes[str_map_get(&s->labels, s->notes[i].label)].at.line);
}

struct md_note *md_notes_find(const struct md_source *s, struct str label)
{
	ptrdiff_t i = str_map_get(&s->labels, label);

	return i < 0 ? NULL : &s->notes[i];
}

/* A reference to the note: numbers it if it is the first, counts it, writes it. */
void md_notes_refer(struct md_walk *c, struct md_note *note)
{
	if (!note->number) {
		c->order = md_push(c->arena, c->order, &c->n_order, sizeof(struct md_note *));
		c->order[c->n_order - 1] = note;
		note->number = (int)c->n_order;
	}
	md_flush(c, (struct md_op){.kind = MD_REF, .n = note->number, .from = ++note->refs});
}

void md_notes_back(struct md_walk *c)
{
	html_text(&c->w, STR(" "));
	md_flush(c, (struct md_op){.kind = MD_BACK, .n = c->note->number});
	c->backed = true;
}

static bool is_separator(cmark_node *node)
{
	cmark_node *text = cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH ? cmark_node_first_child(node) : NULL;

	return text && cmark_node_get_type(text) == CMARK_NODE_TEXT && cmark_node_get_literal(text)[0] == MARK_NOTES;
}

/* Gives each footnote its blocks; returns where the page itself ends. */
cmark_node *md_notes_split(struct md_walk *c, cmark_node *document)
{
	cmark_node *node = cmark_node_last_child(document), *end = NULL, *separator = NULL;

	for (ptrdiff_t i = c->src->n_notes; node && i > 0; node = cmark_node_previous(node)) {
		if (!is_separator(node))
			continue;
		struct md_note *note = &c->src->notes[--i];
		note->first = cmark_node_next(node);
		note->end = end;
		end = separator = node;
	}
	return separator;
}

static void write_note(struct md_walk *c, struct md_note *note)
{
	c->note = note;
	c->backed = false;
	md_flush(c, (struct md_op){.kind = MD_NOTE, .n = note->number});
	for (cmark_node *n = note->first; n && n != note->end; n = cmark_node_next(n))
		md_walk(c, n);
	if (!c->backed)
		md_notes_back(c);
	md_flush(c, (struct md_op){.kind = MD_NOTE_END});
	c->note = NULL;
}

static void count_references(struct md_walk *c)
{
	c->impl->refs = ARENA_NEW(c->arena, int, c->n_order);
	for (ptrdiff_t i = 0; i < c->n_order; i++)
		c->impl->refs[i] = c->order[i]->refs;
}

/* In the order of the first references; a footnote may refer to further ones. */
void md_notes_write(struct md_walk *c)
{
	if (c->n_order) {
		md_fresh_line(c);
		md_open_class(&c->w, "section", "fns");
		html_attr(&c->w, "aria-label", STR("Footnotes"));
		html_open(&c->w, "ol");
		html_text(&c->w, STR("\n"));
		for (ptrdiff_t i = 0; i < c->n_order; i++)
			write_note(c, c->order[i]);
		html_close(&c->w, "ol");
		html_close(&c->w, "section");
		html_text(&c->w, STR("\n"));
	}
	count_references(c);
	for (ptrdiff_t i = 0; i < c->src->n_notes; i++)
		if (!c->src->notes[i].number && md_notes_find(c->src, c->src->notes[i].label) == &c->src->notes[i])
			diag_warn(c->diag, c->src->notes[i].at,
				"nothing refers to footnote [^%.*s]; refer to it or remove it",
				STR_FMT(c->src->notes[i].label));
}
