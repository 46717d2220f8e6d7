#include "chart/digest.h"

#include <gd.h>
#include <stdio.h>
#include <sys/stat.h>

#include "chart/gd_canvas.h"

/* A field more must be added below too. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct chart) == 240 && sizeof(struct chart_row) == 176), "all fields are digested");

/* Each text with its length, so that no two lists of texts look alike. */
static void add_text(struct sha256 *h, struct str s)
{
	int64_t len = s.len;

	sha256_add(h, (struct str){(const char *)&len, sizeof len});
	sha256_add(h, s);
}

static void add_int(struct sha256 *h, int64_t v)
{
	sha256_add(h, (struct str){(const char *)&v, sizeof v});
}

/* All that is no number is alike. */
static void add_number(struct sha256 *h, double v)
{
	v = v == v ? v : (double)__builtin_nan("");
	sha256_add(h, (struct str){(const char *)&v, sizeof v});
}

static void add_names(struct sha256 *h, const struct str *at, ptrdiff_t n)
{
	add_int(h, n);
	for (ptrdiff_t i = 0; i < n; i++)
		add_text(h, at[i]);
}

static void add_row(struct sha256 *h, const struct chart_row *r)
{
	const double numbers[] = {r->x, r->x2, r->y, r->value, r->min, r->max, r->predicted, r->n, r->reported, r->count};

	add_text(h, r->label);
	add_text(h, r->series);
	add_text(h, r->state);
	add_text(h, r->panel);
	add_text(h, r->source);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		add_number(h, numbers[i]);
	add_int(h, r->series_at);
	add_int(h, r->state_at);
	add_int(h, r->panel_at);
}

void chart_digest(struct sha256 *h, const struct chart *c)
{
	const struct str texts[] = {c->id, c->title, c->subtitle, c->unit, c->x_unit, c->y_unit, c->machine};

	add_int(h, c->kind);
	add_int(h, c->scale);
	add_int(h, c->x_scale);
	add_names(h, texts, sizeof texts / sizeof *texts);
	add_int(h, c->n);
	for (ptrdiff_t i = 0; i < c->n; i++)
		add_row(h, &c->rows[i]);
	add_int(h, c->n_missing);
	for (ptrdiff_t i = 0; i < c->n_missing; i++) {
		add_text(h, c->missing[i].label);
		add_text(h, c->missing[i].series);
		add_int(h, c->missing[i].before);
	}
	add_names(h, c->series, c->n_series);
	add_names(h, c->panels.at, c->panels.n);
	add_names(h, c->states.at, c->states.n);
	add_names(h, c->x_names.at, c->x_names.n);
	add_names(h, c->y_names.at, c->y_names.n);
}

void chart_digest_tools(struct sha256 *h)
{
	struct stat st;

	add_text(h, STR(RUNQ_DRAWING)); /* of the sources; the Makefile sets it */
	add_text(h, str_of(gdVersionString()));
	for (int i = 0; i < 2; i++)
		add_int(h, stat(canvas_font(i), &st) == 0 ? (int64_t)st.st_size : -1);
}
