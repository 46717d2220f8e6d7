/* Cards: what a page shows of itself where a link to it is shared. Only pages of the root edition have one. */
#include "app/build.h"
#include "chart/chart.h"

void card_offer(struct view *v, const struct chart *c, struct str from)
{
	struct build *b = v->b;
	bool hero = str_eq(c->id, b->course.hero), chapter = v->page && v->page->kind == PAGE_CHAPTER, first = chapter && !v->card.len;
	struct str path = str_printf(b->perm, "charts/%.*s/%.*s.card.png", STR_FMT(v->m->key), STR_FMT(c->id));

	if (v->m != b->machines || !c->n)
		return;
	if (v->page && (first || hero))
		draw_card_later(b, c, path, from);
	if (first || (hero && !v->page)) { /* the front page repeats a figure of another */
		v->card = path;
		v->card_alt = str_copy(v->a, c->title);
	}
}

void card_tags(struct view *v)
{
	struct str url = v->b->course.url;
	bool yes = url.len && v->card.len;

	/* The tags want whole addresses: without the site's there are none. */
	tobj_text(v->frame, "card_image", yes ? str_printf(v->a, "%.*s%.*s", STR_FMT(url), STR_FMT(v->card)) : STR(""));
	tobj_text(v->frame, "card_url", yes ? str_printf(v->a, "%.*s%.*s", STR_FMT(url), STR_FMT(v->out)) : STR(""));
	tobj_text(v->frame, "card_alt", v->card_alt);
}
