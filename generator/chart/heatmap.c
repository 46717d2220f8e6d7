/* Heat maps: a shade for each x and y. Few cells are bars of eight shades, with their numbers where these fit; many are one picture. */
#include <math.h>

#include "chart/label.h"
#include "chart/plot.h"

enum { BARS_MAX = 400, SHADES = 8, WIDE_ROWS_MAX = 12, TALL_MAX = 24, STEPS_NAMED_MAX = 20 };
static const double dense_px = 240, line_px = 20, name_px = 18, axis_font_px = AXIS_FONT_PX10 / 10.0;
/* Numbers stand in ink on the first six and in paper on the last two: 4.5:1 at least in both themes; the shades between would not do. */
static const double shades[SHADES] = {0.08, 0.17, 0.26, 0.36, 0.45, 0.54, 0.82, 1};
enum { INK_SHADES = 6 };

struct heat {
	struct plot *p;
	const struct chart *c;
	struct chart_steps x, y;
	struct axis shade; /* values to 0 … 1 */
	double lead; /* fraction that labels of y take */
	double row_px; /* a row's height, its name's line included */
	double cell_px;
	double top_px;
	bool dense, named; /* named: a row's word stands above it */
	bool numbers;
	double least, most;
};

static void find_values(struct heat *h)
{
	h->least = (double)INFINITY;
	h->most = -h->least;
	for (ptrdiff_t i = 0; i < h->c->n; i++) {
		h->least = fmin(h->least, h->c->rows[i].value);
		h->most = fmax(h->most, h->c->rows[i].value);
	}
	/* The scale is the values' own range, in the units of an axis over it. */
	struct axis_spec spec = {.scale = h->c->scale, .lo = h->least, .hi = h->most, .unit = h->c->unit, .to = 1, .px = 480};
	h->shade = axis_new(h->p->arena, &spec);
	h->shade.whole = plot_all_whole(h->c, &h->shade);
	h->shade.lo = h->least;
	h->shade.hi = h->most;
}

static double shade_of(const struct heat *h, double v)
{
	return h->most > h->least ? axis_at(&h->shade, v) : 0.5;
}

static double left_of(const struct heat *h, ptrdiff_t column)
{
	return h->lead + (1 - h->lead) * (double)column / (double)h->x.n;
}

/* The middle of a row of cells, the first step at the bottom unless steps are words, which read downwards. */
static double middle_of(const struct heat *h, ptrdiff_t row)
{
	ptrdiff_t from_top = h->c->y_names.n ? row : h->y.n - 1 - row;

	return h->top_px + (double)from_top * h->row_px + (h->named ? name_px : 0) + h->cell_px / 2;
}

/* A step's label, in the unit of the largest beside it. */
static struct str step_text(const struct heat *h, bool is_y, double v, bool unit)
{
	const struct chart_names *words = is_y ? &h->c->y_names : &h->c->x_names;
	const struct chart_steps *s = is_y ? &h->y : &h->x;
	struct arena *a = h->p->arena;

	if (words->n)
		return words->at[(ptrdiff_t)v];
	double size = fmax(fabs(s->at[0]), fabs(s->at[s->n - 1]));
	struct format_scale scale = format_scale_of(size, is_y ? h->c->y_unit : h->c->x_unit);
	struct str text = format_num(a, v / scale.divisor, v == rint(v) && scale.divisor == 1 ? 0 : 3);
	if (!unit || !scale.shown.len || scale.shown.len > 3)
		return text;
	return str_printf(a, "%.*s" FORMAT_NBSP "%.*s", STR_FMT(text), STR_FMT(scale.shown));
}

/* Many even steps are a scale with round ticks; few, or uneven ones, are each named. */
static bool is_scale(const struct chart_steps *s)
{
	return s->step > 0 && s->n > STEPS_NAMED_MAX;
}

static struct axis scale_of(const struct heat *h, bool is_y, double px, double from)
{
	const struct chart_steps *s = is_y ? &h->y : &h->x;
	struct axis_spec spec = {.lo = s->at[0] - s->step / 2, .hi = s->at[s->n - 1] + s->step / 2, .fixed = true};

	spec.unit = is_y ? h->c->y_unit : h->c->x_unit;
	if (is_y && format_scale_of(1, spec.unit).shown.len > 3)
		spec.unit = STR(""); /* stands above */
	spec.from = from;
	spec.to = 1;
	spec.px = px;
	spec.vertical = is_y;
	return axis_new(h->p->arena, &spec);
}

/* Labels every so many rows, so that they stay apart; the last, which names the unit, always. */
static ptrdiff_t label_every(const struct heat *h)
{
	ptrdiff_t every = 1;

	while ((double)every * h->row_px < 20 && h->row_px < 15)
		every++;
	return every;
}

static void find_lead(struct heat *h)
{
	double wide = 0;

	if (is_scale(&h->y)) {
		struct axis axis = scale_of(h, true, (double)h->y.n * h->row_px, 0);
		for (ptrdiff_t i = 0; i < axis.n; i++)
			wide = fmax(wide, axis.ticks[i].width_px + 4);
	} else {
		for (ptrdiff_t i = h->y.n - 1; i >= 0 && !h->named; i -= label_every(h))
			wide = fmax(wide, label_width(step_text(h, true, h->y.at[i], i == h->y.n - 1), axis_font_px));
	}
	h->lead = h->named ? 0 : fmin(wide + 8, 0.4 * h->p->px) / h->p->px;
}

static void label_scale(struct heat *h)
{
	double tall = (double)h->y.n * h->row_px;
	struct axis axis = scale_of(h, true, tall, 0);

	for (ptrdiff_t i = 0; i < axis.n; i++) {
		double y = h->top_px + (1 - axis.ticks[i].at) * tall;
		struct place right = {h->lead, 0};
		if (!axis.ticks[i].label.len)
			continue;
		plot_line_mark(h->p, ROLE_BASE, 0, (struct place){h->lead, -4}, y, right, y);
		plot_text(h->p, INK_AXIS, ANCHOR_START, (struct place){0, 0}, fmin(y + 4.5, h->top_px + tall - 4),
			label_wrap(h->p->arena, axis.ticks[i].label, axis_font_px, h->lead * h->p->px - 6, 1).line[0]);
	}
}

static void label_rows(struct heat *h)
{
	struct arena *a = h->p->arena;

	if (is_scale(&h->y)) {
		label_scale(h);
		return;
	}
	for (ptrdiff_t i = h->y.n - 1; i >= 0; i -= h->named ? 1 : label_every(h)) {
		double px = h->named ? h->p->px : h->lead * h->p->px - 6;
		struct str text = step_text(h, true, h->y.at[i], i == h->y.n - 1);
		struct label l = label_wrap(a, text, h->named ? PLOT_FONT_PX : axis_font_px, px, 1);
		double y = h->named ? middle_of(h, i) - h->cell_px / 2 - 5
				    : fmin(middle_of(h, i) + 4.5, h->top_px + (double)h->y.n * h->row_px - 4);
		struct mark *m = plot_text(h->p, h->named ? INK_LABEL : INK_AXIS, ANCHOR_START, (struct place){0, 0}, y, l.line[0]);
		m->title = l.cut ? label_short(a, text) : (struct str){0};
	}
}

/* Names in the middles of their columns, as many as fit; long words are cut to their column. */
static void name_columns(struct heat *h, double y)
{
	struct arena *a = h->p->arena;
	double room = (1 - h->lead) * h->p->px / (double)h->x.n, widest = 0, free_px = h->p->px;
	ptrdiff_t every = 1;

	for (ptrdiff_t i = 0; i < h->x.n; i++)
		widest = fmax(widest, label_width(step_text(h, false, h->x.at[i], i == h->x.n - 1), axis_font_px));
	if (h->c->x_names.n && room >= 40)
		widest = fmin(widest, room - 6);
	widest = fmin(widest, 0.6 * h->p->px);
	while ((double)every * room < widest + 6 && every < h->x.n)
		every++;
	for (ptrdiff_t i = h->x.n - 1; i >= 0; i -= every) {
		struct str text = step_text(h, false, h->x.at[i], i == h->x.n - 1);
		struct label l = label_wrap(a, text, axis_font_px, widest + 1, 1);
		double middle = (left_of(h, i) + left_of(h, i + 1)) / 2, half = label_width(l.line[0], axis_font_px) / 2;
		bool over = middle * h->p->px + half > h->p->px;
		if ((over ? h->p->px : middle * h->p->px + half) > free_px)
			continue;
		if (middle * h->p->px - half < 0)
			break;
		free_px = (over ? h->p->px - 2 * half : middle * h->p->px - half) - 4;
		struct mark *m = plot_text(h->p, INK_AXIS, over ? ANCHOR_END : ANCHOR_MIDDLE,
			(struct place){over ? 1 : middle, 0}, y + 16, l.line[0]);
		m->title = l.cut ? label_short(a, text) : (struct str){0};
	}
}

/* Below the columns. Returns where it ends. */
static double label_columns(struct heat *h, double y)
{
	struct str unit = format_scale_of(1, h->c->x_unit).shown;

	if (is_scale(&h->x)) {
		struct axis axis = scale_of(h, false, h->p->px, h->lead);
		return plot_x_axis(h->p, &axis, y);
	}
	name_columns(h, y);
	if (h->c->x_names.n || unit.len <= 3)
		return y + 22;
	plot_text(h->p, INK_AXIS, ANCHOR_END, (struct place){1, 0}, y + 32,
		label_wrap(h->p->arena, unit, axis_font_px, h->p->px, 1).line[0]);
	return y + 38;
}

/* Bars of one shade are one mark; neighbours of one shade are one bar. */
static void add_bars(struct heat *h, ptrdiff_t first, ptrdiff_t end)
{
	struct arena *a = h->p->arena;
	signed char *shade = ARENA_NEW(a, signed char, h->x.n *h->y.n);

	memset(shade, -1, (size_t)(h->x.n * h->y.n));
	for (ptrdiff_t i = first; i < end; i++) {
		const struct chart_row *r = &h->c->rows[i];
		double t = shade_of(h, r->value) * SHADES;
		shade[chart_step_of(&h->y, r->y) * h->x.n + chart_step_of(&h->x, r->x)] =
			(signed char)(t >= SHADES ? SHADES - 1 : t);
	}
	for (int k = 0; k < SHADES; k++) {
		struct run_px *runs = ARENA_NEW(a, struct run_px, end - first);
		ptrdiff_t n = 0;
		for (ptrdiff_t i = 0; i < h->x.n * h->y.n; i++) {
			ptrdiff_t column = i % h->x.n;
			if (shade[i] != k)
				continue;
			if (n && column && shade[i - 1] == k)
				runs[n - 1].f2 = left_of(h, column + 1);
			else
				runs[n++] = (struct run_px){left_of(h, column), left_of(h, column + 1), middle_of(h, i / h->x.n)};
		}
		if (!n)
			continue;
		plot_runs(h->p, ROLE_CELL, 0, h->cell_px, runs, n);
		h->p->marks[h->p->n - 1].opacity = shades[k];
	}
}

static void add_picture(struct heat *h, ptrdiff_t first, ptrdiff_t end)
{
	struct arena *a = h->p->arena;
	struct raster *r = ARENA_NEW(a, struct raster, 1);
	float *cells = ARENA_NEW(a, float, h->x.n *h->y.n);

	for (ptrdiff_t i = 0; i < h->x.n * h->y.n; i++)
		cells[i] = NAN;
	for (ptrdiff_t i = first; i < end; i++) {
		const struct chart_row *row = &h->c->rows[i];
		ptrdiff_t y = chart_step_of(&h->y, row->y), from_top = h->c->y_names.n ? y : h->y.n - 1 - y;
		cells[from_top * h->x.n + chart_step_of(&h->x, row->x)] = (float)shade_of(h, row->value);
	}
	*r = (struct raster){(int)h->x.n, (int)h->y.n, cells};
	struct mark *m = plot_add(h->p, MARK_RASTER, ROLE_CELL, 0);
	m->x1 = (struct place){h->lead, 0};
	m->x2 = (struct place){1, 0};
	m->y1 = h->top_px;
	m->y2 = h->top_px + (double)h->y.n * h->row_px;
	m->raster = r;
}

static struct str number_of(const struct heat *h, double v)
{
	struct arena *a = h->p->arena;

	if (h->shade.unit.divisor == 0)
		return format_si(a, v, h->c->unit);
	return format_num(a, v / h->shade.unit.divisor, h->shade.whole ? 0 : 3);
}

static bool numbers_fit(const struct heat *h)
{
	double room = (1 - h->lead) * h->p->px / (double)h->x.n - 6;

	if (h->dense || h->cell_px < 17)
		return false;
	for (ptrdiff_t i = 0; i < h->c->n; i++)
		if (label_width(number_of(h, h->c->rows[i].value), PLOT_FONT_PX) > room)
			return false;
	return true;
}

static void add_numbers(struct heat *h, ptrdiff_t first, ptrdiff_t end)
{
	for (ptrdiff_t i = first; i < end; i++) {
		const struct chart_row *r = &h->c->rows[i];
		ptrdiff_t column = chart_step_of(&h->x, r->x), row = chart_step_of(&h->y, r->y);
		double middle = (left_of(h, column) + left_of(h, column + 1)) / 2;
		bool dark = shade_of(h, r->value) * SHADES >= INK_SHADES;
		plot_text(h->p, dark ? INK_PAPER : INK_LABEL, ANCHOR_MIDDLE, (struct place){middle, 0}, middle_of(h, row) + 4.5,
			number_of(h, r->value));
	}
}

static void add_key(struct heat *h)
{
	struct arena *a = h->p->arena;
	struct str lo = axis_value(a, &h->shade, h->least, h->c->unit), hi = axis_value(a, &h->shade, h->most, h->c->unit);
	ptrdiff_t panels = h->c->panels.n > 1 ? h->c->panels.n : 1;

	if (h->most > h->least)
		plot_key(h->p, SWATCH_RAMP, 0, str_printf(a, "%.*s to %.*s%s", STR_FMT(lo), STR_FMT(hi),
			h->c->scale == CHART_LOG ? ", each shade the same factor" : ""));
	else
		plot_key(h->p, SWATCH_RAMP, 0, str_printf(a, "everywhere %.*s", STR_FMT(lo)));
	if (h->c->n < h->x.n * h->y.n * panels)
		plot_key(h->p, SWATCH_NONE, 0, STR("blank: no value"));
}

void plot_heatmap(struct plot *p, const struct chart *c)
{
	struct heat h = {.p = p, .c = c, .x = chart_steps(p->arena, c, false), .y = chart_steps(p->arena, c, true)};
	double y = 0;

	h.dense = h.x.n * h.y.n > BARS_MAX || h.x.n > 48;
	h.named = c->y_names.n > 0 && h.y.n <= TALL_MAX;
	h.cell_px = h.y.n <= WIDE_ROWS_MAX || h.named ? line_px : h.y.n <= TALL_MAX ? 16 : fmax(dense_px / (double)h.y.n, 1);
	h.row_px = h.cell_px + (h.named ? name_px + 4 : 0);
	h.dense = h.dense && !h.named;
	find_values(&h);
	find_lead(&h);
	h.numbers = numbers_fit(&h);
	add_key(&h);
	struct str unit = format_scale_of(1, c->y_unit).shown;
	for (ptrdiff_t first = 0, end = 0; first < c->n; first = end) {
		while (end < c->n && c->rows[end].panel_at == c->rows[first].panel_at)
			end++;
		if (c->panels.n > 1) {
			struct label l = label_wrap(p->arena, c->rows[first].panel, PLOT_FONT_PX * 1.15, p->px, 1);
			plot_text(p, INK_BOLD, ANCHOR_START, (struct place){0, 0}, y + 12, l.line[0]);
			y += 20;
		}
		if (!c->y_names.n && unit.len > 3) {
			plot_text(p, INK_AXIS, ANCHOR_START, (struct place){0, 0}, y + 11,
				label_wrap(p->arena, unit, axis_font_px, p->px, 1).line[0]);
			y += 18;
		}
		/* The label of a low row is taller than the row. */
		y += h.named || h.cell_px >= 15 ? 0 : 5;
		h.top_px = y;
		label_rows(&h);
		if (h.dense)
			add_picture(&h, first, end);
		else
			add_bars(&h, first, end);
		if (h.numbers)
			add_numbers(&h, first, end);
		y += (double)h.y.n * h.row_px + (end < c->n ? 12 : 2);
	}
	p->height = label_columns(&h, y);
}
