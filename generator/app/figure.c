/* Charts and tables: a query, what it drew, and everything a reader needs to doubt it. */
#include <math.h>
#include <string.h>

#include "app/figure.h"
#include "chart/chart.h"
#include "model/format.h"
#include "text/highlight.h"

enum {
	TABLE_ROWS_MAX = 500,
	SAMPLE_ROWS = 50, /* of a chart with more rows than a table may have; its file has all */
};

struct figure {
	const struct page_block *b;
	struct str sql;
	struct grid grid;
	struct store_note *notes;
	ptrdiff_t n_notes;
	bool ok;
};

static struct figure query(struct view *v, const struct page_block *b, struct str sql, ptrdiff_t rows_max)
{
	struct figure f = {.b = b, .sql = sql};
	struct store_query_error err;

	if (!sql.len)
		return f;
	f.ok = store_query(v->b->store, sql, rows_max, v->a, &f.grid, &err);
	if (!f.ok)
		report_sql(v, &err, b->src->body_at, sql);
	f.n_notes = store_notes_take(v->b->store, v->a, &f.notes);
	if (f.ok)
		build_measured(v->b, b->src->at, f.grid.rows > 0, "this query");
	return f;
}

/* A cell of text that a spreadsheet would take for a formula gets an apostrophe (submissions of text come from strangers). */
static void csv_cell(struct buf *out, struct str text, bool number)
{
	bool quote = false;

	for (ptrdiff_t i = 0; i < text.len; i++)
		quote = quote || text.ptr[i] == '"' || text.ptr[i] == ',' || text.ptr[i] == '\n' || text.ptr[i] == '\r';
	bool formula = !number && text.len && strchr("=+-@\t\r", text.ptr[0]);
	if (quote)
		buf_char(out, '"');
	if (formula)
		buf_char(out, '\'');
	for (ptrdiff_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '"')
			buf_char(out, '"');
		buf_char(out, text.ptr[i]);
	}
	if (quote)
		buf_char(out, '"');
}

/* RFC 4180, the query's columns and rows as they are. */
struct str figure_csv(struct arena *a, const struct grid *g)
{
	struct buf out = buf_new(a);

	for (ptrdiff_t c = 0; c < g->cols; c++) {
		buf_add(&out, c ? STR(",") : STR(""));
		csv_cell(&out, g->names[c], false);
	}
	buf_add(&out, STR("\r\n"));
	for (ptrdiff_t i = 0; i < g->rows * g->cols; i++) {
		buf_add(&out, i % g->cols ? STR(",") : STR(""));
		csv_cell(&out, g->text[i], !isnan(g->num[i]));
		buf_add(&out, i % g->cols == g->cols - 1 ? STR("\r\n") : STR(""));
	}
	return buf_str(&out);
}

static bool is_numeric(const struct grid *g, ptrdiff_t col)
{
	bool any = false;

	for (ptrdiff_t r = 0; r < g->rows; r++) {
		bool null = g->text[r * g->cols + col].ptr == NULL, number = !isnan(g->num[r * g->cols + col]);
		if (!null && !number)
			return false;
		any = any || number;
	}
	return any;
}

void figure_grid(struct tobj *o, const struct grid *g, struct arena *a)
{
	ptrdiff_t shown = g->rows > TABLE_ROWS_MAX ? SAMPLE_ROWS : g->rows;
	bool *numeric = ARENA_NEW(a, bool, g->cols);

	for (ptrdiff_t c = 0; c < g->cols; c++)
		numeric[c] = is_numeric(g, c);
	tobj_text(o, "more", shown < g->rows ? str_printf(a, "The first %td of %td rows; the CSV file has all.", shown, g->rows) : STR(""));
	tobj_list(o, "columns");
	for (ptrdiff_t c = 0; c < g->cols; c++) {
		struct tobj *column = tobj_item(o, "columns");
		tobj_text(column, "name", g->names[c]);
		tobj_bool(column, "numeric", numeric[c]);
	}
	tobj_list(o, "rows");
	for (ptrdiff_t r = 0; r < shown; r++) {
		struct tobj *row = tobj_item(o, "rows");
		tobj_list(row, "cells");
		for (ptrdiff_t c = 0; c < g->cols; c++) {
			struct tobj *cell = tobj_item(row, "cells");
			tobj_text(cell, "text", g->text[r * g->cols + c]);
			tobj_bool(cell, "numeric", numeric[c]);
			tobj_bool(cell, "head", c == 0);
		}
	}
}

static struct str file_path(const struct view *v, const struct figure *f, const char *ending)
{
	return str_printf(v->b->perm, "charts/%.*s/%.*s.%s", STR_FMT(v->m->key), STR_FMT(f->b->src->id), ending);
}

/* Adds a file of the figure and its address to the context; a figure repeated on the front page has its files already. */
static void add_file(struct view *v, struct tobj *o, const struct figure *f, const char *field, const char *ending, struct str bytes)
{
	struct str path = file_path(v, f, ending);

	if (!bytes.len) {
		tobj_text(o, field, STR(""));
		return;
	}
	if (v->page)
		outputs_add(&v->b->out, v->b->diag, path, str_copy(v->b->perm, bytes), f->b->src->at.path);
	tobj_text(o, field, path);
}

static void add_common(struct view *v, struct tobj *o, const struct figure *f)
{
	struct buf out = buf_new(v->a);
	struct html_out w = html_out_new(&out);

	highlight_write(&w, STR("sql"), f->sql);
	tobj_text(o, "id", f->b->src->id);
	tobj_html(o, "title", view_inline(v, f->b->title));
	tobj_html(o, "sql", (struct html){buf_str(&out)});
	tobj_bool(o, "empty", f->grid.rows == 0);
	tobj_text(o, "command", command_for(v->a, f->sql));
	view_list_runs(v, o, f->notes, f->n_notes);
	view_add_notes(v, f->notes, f->n_notes);
	figure_grid(o, &f->grid, v->a);
	if (f->grid.rows)
		add_file(v, o, f, "csv_href", "csv", figure_csv(v->a, &f->grid));
	else
		tobj_text(o, "csv_href", STR(""));
}

static struct str n_line(struct arena *a, const struct chart *c)
{
	double lo = INFINITY, hi = -INFINITY;

	for (ptrdiff_t i = 0; i < c->n; i++) {
		lo = c->rows[i].n < lo ? c->rows[i].n : lo;
		hi = c->rows[i].n > hi ? c->rows[i].n : hi;
	}
	if (lo > hi)
		return STR("");
	struct str least = format_num(a, lo, 0), most = format_num(a, hi, 0);
	return lo == hi ? str_printf(a, "n = %.*s passes a row", STR_FMT(most))
			: str_printf(a, "n = %.*s to %.*s passes a row", STR_FMT(least), STR_FMT(most));
}

static struct str subtitle(struct view *v, const struct figure *f, const struct chart *c)
{
	static const char *const what[CHART_KIND_MAX] = {[CHART_RANGE] = "Median, with the smallest and the largest pass",
		[CHART_BAR] = "Bar: the value. Whisker: the smallest and the largest pass", [CHART_LINE] = "Values",
		[CHART_STEP] = "Values, each held until the next", [CHART_SCATTER] = "A point a row",
		[CHART_HISTOGRAM] = "How many values lie between two", [CHART_ECDF] = "The share of values at or below each",
		[CHART_HEATMAP] = "The stronger the colour, the higher", [CHART_TIMELINE] = "Who was in which state",
		[CHART_SPLIT] = "Bar: measured. Upright mark: predicted"};
	struct str spread;

	str_cut(head_value(&f->b->src->head, "spread"), ' ', &spread);
	struct str text = str_printf(v->a, "%s%s%s%s%.*s.", c->kind == CHART_BAR && spread.len ? "Values" : what[c->kind],
		c->scale == CHART_LOG ? ", on a logarithmic scale" : "", c->x_scale == CHART_LOG ? ", logarithmic across" : "",
		spread.len ? "; no spread: " : "", STR_FMT(spread));
	if (!f->n_notes) /* nothing here was measured */
		return text;
	return str_printf(v->a, "%.*s %.*s, %.*s.", STR_FMT(text), STR_FMT(v->m->kernel_line), STR_FMT(v->m->kind));
}

/* Doubt is drawn, or its absence explained. */
static bool check_spread(struct view *v, const struct figure *f, const struct chart *c)
{
	bool shown = c->kind == CHART_HISTOGRAM || c->kind == CHART_ECDF || c->kind == CHART_HEATMAP || c->kind == CHART_TIMELINE;

	if (!c->n || shown || chart_has_spread(c) || str_starts(head_value(&f->b->src->head, "spread"), STR("none, ")))
		return true;
	diag_error(v->b->diag, f->b->src->at, "chart '%.*s' draws no spread; select min and max too, or say `spread: none, REASON`",
		STR_FMT(c->id));
	return false;
}

static bool fill_chart(struct view *v, const struct figure *f, struct chart *c)
{
	c->title = html_plain(v->a, view_inline(v, f->b->title));
	c->subtitle = subtitle(v, f, c);
	if (!f->grid.rows)
		return true;
	return chart_fill(c, &f->grid, v->a, v->b->diag, f->b->src->body_at) && check_spread(v, f, c);
}

static void add_verdict(struct view *v, struct tobj *o, const struct page_block *b)
{
	const struct head_field *named = head_get(&b->src->head, "claim");
	const struct claim *c = named ? claim_find(v->b, named->value) : NULL;

	tobj_bool(o, "has_verdict", c != NULL);
	if (c)
		claim_fields(v, tobj_object(o, "verdict"), c);
	else if (named)
		diag_error(v->b->diag, named->value_at, "no claim '%.*s'; write it, or correct the id", STR_FMT(named->value));
}

void figure_chart(struct view *v, struct html_out *w, const struct page_block *b)
{
	struct tobj *o = tobj_new(v->a);
	struct buf out = buf_new(v->a);
	struct html_out svg = html_out_new(&out);
	struct chart c;

	if (!figure_head(v, b, &c))
		return;
	struct figure f = query(v, b, figure_query(v, b, c.kind), chart_rows_max(c.kind));
	if (!f.ok || !fill_chart(v, &f, &c))
		return;
	add_common(v, o, &f);
	add_verdict(v, o, b);
	tobj_text(o, "subtitle", c.subtitle);
	tobj_text(o, "n_line", n_line(v->a, &c));
	if (c.n)
		chart_svg(&c, &svg, v->b->scratch);
	tobj_html(o, "svg", (struct html){buf_str(&out)});
	tobj_text(o, "alt", c.n ? chart_alt(v->a, &c) : STR(""));
	add_file(v, o, &f, "svg_href", "svg", c.n ? chart_svg_file(v->a, &c) : STR(""));
	tobj_text(o, "png_href", c.n ? file_path(v, &f, "png") : STR(""));
	if (c.n && v->page)
		draw_later(v->b, &c, file_path(v, &f, "png"), b->src->at.path);
	card_offer(v, &c, b->src->at.path);
	html_insert(w, view_partial(v, "partials/figure", o));
}

void figure_table(struct view *v, struct html_out *w, const struct page_block *b)
{
	struct figure f = query(v, b, figure_query(v, b, CHART_KIND_MAX), TABLE_ROWS_MAX);
	struct tobj *o = tobj_new(v->a);

	if (!f.ok)
		return;
	add_common(v, o, &f);
	add_verdict(v, o, b);
	html_insert(w, view_partial(v, "partials/table", o));
}
