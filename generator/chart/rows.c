/* Labelled rows: range, bar and split. A row's label stands above its mark and its numbers at the right of the label, so no width
 * is lost to a gutter and nothing a reader compares is far from its name. */
#include "chart/plot.h"

#include <math.h>

#include "chart/label.h"

static const double band_px = 11, ascent_px = 12, line_px = 16, gap_px = 8, column_gap_px = 14;
static const double bold_wider = 1.15; /* DejaVu Sans Bold against the regular face, worst case of digits and units */
static const double label_px_min = 60;
static const double axis_font_px = AXIS_FONT_PX10 / 10.0;

struct rows {
	struct plot *p;
	const struct chart *c;
	struct axis axis;
	bool share; /* the whole width is the whole, and the rest is drawn too */
	bool predicted, reported, spread, grouped;
	bool two; /* predicted has a column beside the value's */
	bool ranges; /* the spread is printed, too, where there is room */
	double value_px, range_px; /* right edges of these columns, from the right; predicted's is 0 */
	double label_px; /* room for labels */
	/* What is alike in all rows is one mark in SVG when it stands together: lines below ranges, spread on bars. Where marks of
	 * single rows must stand on the spread it stays with them. */
	bool apart;
	struct plot grid, inner, strokes, columns[4];
	bool stacked; /* numbers stand below their label, which has the whole width */
};

static bool in_group(const struct chart *c, ptrdiff_t i, ptrdiff_t j)
{
	return i >= 0 && j < c->n && str_eq(c->rows[i].label, c->rows[j].label) &&
	       !str_eq(c->rows[i].series, c->rows[j].series) && c->rows[i].panel_at == c->rows[j].panel_at;
}

static void widen(double *lo, double *hi, double v)
{
	if (isnan(v))
		return;
	*lo = v < *lo ? v : *lo;
	*hi = v > *hi ? v : *hi;
}

static double share_whole(const struct chart *c)
{
	if (str_eq(c->unit, STR("fraction")) || str_eq(c->unit, STR("ppm")))
		return 1;
	return str_eq(c->unit, STR("percent")) ? 100 : 0;
}

static void find_axis(struct rows *r)
{
	const struct chart *c = r->c;
	double lo = (double)INFINITY, hi = -lo, whole = c->kind == CHART_SPLIT ? share_whole(c) : 0;
	double pad = c->kind == CHART_RANGE ? 7.0 / PLOT_PAGE_PX : 0; /* room for half a point */

	for (ptrdiff_t i = 0; i < c->n; i++) {
		const struct chart_row *row = &c->rows[i];
		widen(&lo, &hi, row->value);
		widen(&lo, &hi, row->min);
		widen(&lo, &hi, row->max);
		widen(&lo, &hi, row->predicted);
		widen(&lo, &hi, row->reported);
		r->predicted = r->predicted || !isnan(row->predicted);
		r->reported = r->reported || !isnan(row->reported);
		r->spread = r->spread || (!isnan(row->min) && !isnan(row->max));
		r->grouped = r->grouped || in_group(c, i, i + 1);
	}
	r->share = whole > 0 && lo >= 0 && hi <= whole * 1.02;
	struct axis_spec spec = {.scale = c->scale, .lo = lo, .hi = hi, .unit = c->unit, .from = pad, .to = 1 - pad};
	spec.px = r->p->px;
	spec.zero = c->kind != CHART_RANGE;
	if (r->share) {
		spec.lo = 0;
		spec.hi = whole;
		spec.fixed = true;
	}
	r->axis = axis_new(r->p->arena, &spec);
	r->axis.whole = plot_all_whole(c, &r->axis);
}

static struct str value_text(const struct rows *r, double v)
{
	if (isnan(v))
		return (struct str){0};
	if (r->share)
		return format_fixed(r->p->arena, v / r->axis.unit.divisor, 1);
	/* A unit of many letters is named once, below the axis. */
	if (r->axis.caption.len)
		return format_num(r->p->arena, v / r->axis.unit.divisor, r->axis.whole ? 0 : 3);
	return axis_value(r->p->arena, &r->axis, v, r->c->unit);
}

/* "49.93 to 50.02", without a unit where all values share one; as many digits as tell the two apart, five at most. */
static struct str range_text(const struct rows *r, const struct chart_row *row)
{
	struct arena *a = r->p->arena;
	double div = r->axis.unit.divisor;

	if (isnan(row->min) || isnan(row->max))
		return (struct str){0};
	for (int digits = 3;; digits++) {
		struct str lo, hi;
		if (div == 0) {
			lo = format_si(a, row->min, r->c->unit);
			hi = format_si(a, row->max, r->c->unit);
		} else if (r->share) {
			lo = format_fixed(a, row->min / div, digits - 2);
			hi = format_fixed(a, row->max / div, digits - 2);
		} else {
			lo = format_num(a, row->min / div, digits);
			hi = format_num(a, row->max / div, digits);
		}
		if (div == 0 || digits == 5 || row->min == row->max || (!str_eq(lo, hi) && (!r->share || digits > 3)))
			return str_printf(a, "%.*s to %.*s", STR_FMT(lo), STR_FMT(hi));
	}
}

static struct str value_head(const struct rows *r)
{
	return r->c->kind == CHART_RANGE ? STR("median") : r->c->kind == CHART_SPLIT ? STR("measured") : STR("value");
}

/* Numbers that leave no room for a label stand below it; two columns that the plot has no room for are one. */
static void find_columns(struct rows *r)
{
	double value = 0, predicted = 0, range = 0, head = label_width(value_head(r), axis_font_px);

	for (ptrdiff_t i = 0; i < r->c->n; i++) {
		const struct chart_row *row = &r->c->rows[i];
		value = fmax(value, label_width(value_text(r, row->value), PLOT_FONT_PX) * bold_wider);
		predicted = fmax(predicted, label_width(value_text(r, row->predicted), PLOT_FONT_PX));
		range = fmax(range, label_width(range_text(r, row), PLOT_FONT_PX));
	}
	r->two = r->predicted && fmax(value, head) + fmax(predicted, label_width(STR("predicted"), axis_font_px)) + column_gap_px <= r->p->px;
	if (r->two)
		r->value_px = fmax(predicted, label_width(STR("predicted"), axis_font_px)) + column_gap_px;
	r->range_px = r->value_px + (r->spread || r->predicted ? fmax(value, head) : value) + column_gap_px;
	double wide_px = r->p->px > PLOT_WIDE_PX ? r->p->px : PLOT_WIDE_PX;
	r->label_px = r->p->px - r->value_px - value - column_gap_px;
	r->ranges = r->spread && wide_px - r->range_px - range - column_gap_px >= label_px_min;
	if (r->ranges)
		r->label_px = fmin(r->label_px, wide_px - r->range_px - range - column_gap_px);
	r->stacked = r->label_px < label_px_min;
	r->label_px = r->stacked ? r->p->px : r->label_px;
}

static void add_column(struct plot *column, enum ink ink, double right_px, double y, struct str text, bool wide)
{
	if (text.len)
		plot_text(column, ink, ANCHOR_END, (struct place){1, -right_px}, y, text)->wide = wide;
}

/* The label's lines and, beside the last, the numbers. Returns the last baseline. */
static double add_label(struct rows *r, struct str label, const struct chart_row *row, double y)
{
	struct label l = label_wrap(r->p->arena, label, PLOT_FONT_PX, r->label_px, 2);

	for (int i = 0; i < l.n; i++) {
		struct mark *m =
			plot_text(&r->columns[0], INK_LABEL, ANCHOR_START, (struct place){0, 0}, y + i * line_px, l.line[i]);
		if (l.cut && i == 0)
			m->title = label_wrap(r->p->arena, label, 1, 4000, 1).line[0];
	}
	y += (l.n - 1 + r->stacked) * line_px;
	add_column(&r->columns[1], INK_BOLD, r->value_px, y, value_text(r, row->value), false);
	if (r->two)
		add_column(&r->columns[2], INK_QUIET, 0, y, value_text(r, row->predicted), false);
	if (r->ranges)
		add_column(&r->columns[3], INK_QUIET, r->range_px, y, range_text(r, row), true);
	return y;
}

static struct place at(const struct rows *r, double v)
{
	return (struct place){axis_at(&r->axis, v), 0};
}

/* Where a row's lines go. */
static struct plot *layer(struct rows *r, struct plot *apart)
{
	if (!r->apart)
		return r->p;
	apart->row = r->p->row;
	return apart;
}

static void add_stroke(struct rows *r, int series, double from, double y1, double to, double y2)
{
	plot_line_mark(layer(r, &r->strokes), ROLE_STROKE, series, at(r, from), y1, at(r, to), y2);
}

static void add_extras(struct rows *r, const struct chart_row *row, double top)
{
	if (isnan(row->predicted))
		return;
	struct place x = at(r, row->predicted);
	plot_line_mark(r->p, ROLE_PRED_HALO, 0, x, top - 1, x, top + band_px + 1);
	plot_line_mark(r->p, ROLE_PRED, 0, x, top - 2, x, top + band_px + 4);
}

static void add_range(struct rows *r, const struct chart_row *row, double top)
{
	double y = top + band_px / 2;

	plot_line_mark(layer(r, &r->grid), ROLE_GRID, 0, (struct place){0, 0}, y, (struct place){1, 0}, y);
	if (!isnan(row->min) && !isnan(row->max)) {
		add_stroke(r, row->series_at, row->min, y, row->max, y);
		add_stroke(r, row->series_at, row->min, y - 4, row->min, y + 4);
		add_stroke(r, row->series_at, row->max, y - 4, row->max, y + 4);
	}
	add_extras(r, row, top);
	plot_point(r->p, ROLE_FILL, row->series_at, axis_at(&r->axis, row->value), y, 5);
}

/* Spread across a bar's end: paper inside the bar, the series' colour beyond it. */
static void add_bar_spread(struct rows *r, const struct chart_row *row, double top)
{
	double y = top + band_px / 2, end = row->value;
	double inner = end >= 0 ? row->min : row->max, outer = end >= 0 ? row->max : row->min;

	if (inner != end && (inner < end) == (end >= 0)) {
		bool crosses = end >= 0 ? inner < 0 : inner > 0;
		struct place a = at(r, crosses ? 0 : inner);
		plot_line_mark(layer(r, &r->inner), ROLE_INNER, 0, a, y, at(r, end), y);
		if (crosses) {
			add_stroke(r, row->series_at, inner, y, 0, y);
			add_stroke(r, row->series_at, inner, y - 4, inner, y + 4);
		} else {
			plot_line_mark(layer(r, &r->inner), ROLE_INNER, 0, a, y - 3.5, a, y + 3.5);
		}
	}
	if (outer != end && (outer > end) == (end >= 0)) {
		add_stroke(r, row->series_at, end, y, outer, y);
		add_stroke(r, row->series_at, outer, y - 4, outer, y + 4);
	}
}

static void add_bar(struct rows *r, const struct chart_row *row, double top)
{
	plot_rect(r->p, ROLE_FILL, row->series_at, at(r, 0), top, at(r, row->value), top + band_px);
	if (r->share && axis_at(&r->axis, row->value) < 1)
		plot_rect(r->p, ROLE_TINT, 0, at(r, row->value), top + 0.5, (struct place){1, 0}, top + band_px - 0.5);
	if (!isnan(row->min) && !isnan(row->max) && row->min < row->max) {
		if (r->share)
			plot_rect(r->p, ROLE_SPREAD, 0, at(r, row->min), top, at(r, row->max), top + band_px);
		else
			add_bar_spread(r, row, top);
	}
	if (r->axis.lo < 0)
		plot_line_mark(r->p, ROLE_BASE, 0, at(r, 0), top - 3, at(r, 0), top + band_px + 3);
	add_extras(r, row, top);
}

/* What the query asked for and this machine does not have keeps its place. */
static double add_missing(struct rows *r, const struct chart_missing *m, double y)
{
	static const struct str says = {"not measured", 12};
	struct arena *a = r->p->arena;
	struct str name = m->series.len ? str_printf(a, "%.*s, %.*s", STR_FMT(m->label), STR_FMT(m->series)) : m->label;
	double room = r->p->px - label_width(says, axis_font_px) - column_gap_px;
	struct label l = label_wrap(a, name, PLOT_FONT_PX, room, 2);

	for (int i = 0; i < l.n; i++) {
		struct mark *text = plot_text(
			r->p, INK_QUIET, ANCHOR_START, (struct place){0, 0}, y + ascent_px + i * line_px, l.line[i]);
		if (l.cut && i == 0)
			text->title = label_wrap(a, name, 1, 4000, 1).line[0];
	}
	y += ascent_px + (l.n - 1) * line_px;
	plot_text(r->p, INK_AXIS, ANCHOR_END, (struct place){1, 0}, y, says);
	return y + gap_px + 6;
}

static double add_row(struct rows *r, const struct chart_row *row, struct str label, double y)
{
	double top = add_label(r, label, row, y + ascent_px) + 6;
	struct arena *a = r->p->arena;
	struct str words = plot_row_words(a, r->c, &r->axis, row);
	struct str full = label_short(a, row->label), series = label_short(a, row->series);

	/* What stands in full above the mark is not said again. */
	bool cut = label_wrap(a, label, PLOT_FONT_PX, r->label_px, 2).cut;
	plot_tooltip(r->p, cut ? str_printf(a, "%.*s%s%.*s: %.*s", STR_FMT(full), series.len ? ", " : "", STR_FMT(series), STR_FMT(words)) : words);
	if (r->c->kind == CHART_RANGE)
		add_range(r, row, top);
	else
		add_bar(r, row, top);
	if (!isnan(row->reported))
		plot_point(r->p, ROLE_REPORTED, 0, axis_at(&r->axis, row->reported), top + band_px / 2, 5);
	plot_tooltip_end(r->p);
	return top + band_px + gap_px;
}

/* Points differ in shape, so a key can name them; bars differ in colour only and carry the name in their label. */
static bool names_in_key(const struct rows *r)
{
	return r->c->kind == CHART_RANGE && !r->grouped;
}

static struct str row_label(const struct rows *r, const struct chart_row *row, bool member)
{
	if (member)
		return row->series;
	if (r->c->n_series < 2 || !row->series.len || names_in_key(r) || str_eq(row->series, row->label))
		return row->label;
	return str_printf(r->p->arena, "%.*s, %.*s", STR_FMT(row->label), STR_FMT(row->series));
}

static void add_keys(struct rows *r)
{
	const struct chart *c = r->c;
	bool range = c->kind == CHART_RANGE, by_name = c->n_series > 1 && names_in_key(r);
	enum swatch own = range ? SWATCH_RANGE : SWATCH_BAR;

	for (int i = 0; by_name && i < c->n_series; i++)
		plot_key(r->p, own, i, c->series[i].len ? c->series[i] : STR("no series"));
	if (range)
		plot_key(r->p, own, by_name ? CHART_SERIES_MAX - 1 : 0, STR("median, min to max"));
	else if (c->n_series < 2 && (r->share || r->predicted || r->reported))
		plot_key(r->p, own, 0, STR("measured"));
	if (!range && r->spread && !r->share)
		plot_key(r->p, SWATCH_WHISKER, 0, STR("min to max"));
	if (r->share)
		plot_key(r->p, SWATCH_REST, 0, STR("the rest"));
	if (r->predicted)
		plot_key(r->p, SWATCH_PRED, 0, STR("predicted"));
	if (r->reported)
		plot_key(r->p, SWATCH_REPORTED, 0, STR("reported by others"));
}

/* Of a panel, or of neighbours that share their label. */
static double add_heading(struct rows *r, struct str text, double y)
{
	struct label l = label_wrap(r->p->arena, text, PLOT_FONT_PX * bold_wider, r->p->px, 1);

	plot_text(r->p, INK_BOLD, ANCHOR_START, (struct place){0, 0}, y + ascent_px, l.line[0])->title =
		l.cut ? label_short(r->p->arena, text) : (struct str){0};
	return y + 20;
}

/* Points stand on all lines, lines on all bars. */
static void join_layers(struct rows *r)
{
	struct plot main = *r->p;
	bool range = r->c->kind == CHART_RANGE;

	r->p->n = r->p->cap = 0;
	plot_append(r->p, &r->grid, -1);
	for (int s = 0; s < CHART_SERIES_MAX && range; s++)
		plot_append(r->p, &r->strokes, s);
	plot_append(r->p, &main, -1);
	for (int i = 0; i < 4; i++)
		plot_append(r->p, &r->columns[i], -1);
	plot_append(r->p, &r->inner, -1);
	for (int s = 0; s < CHART_SERIES_MAX && !range; s++)
		plot_append(r->p, &r->strokes, s);
}

void plot_rows(struct plot *p, const struct chart *c)
{
	struct plot none = {.arena = p->arena, .px = p->px};
	struct rows r = {.p = p, .c = c, .grid = none, .inner = none, .strokes = none, .columns = {none, none, none, none}};
	double y = 0;

	find_axis(&r);
	r.apart = c->kind == CHART_RANGE || (!r.predicted && !r.reported);
	find_columns(&r);
	add_keys(&r);
	if (r.spread || r.predicted) {
		add_column(p, INK_AXIS, r.range_px, 11, r.ranges ? STR("min to max") : STR(""), true);
		add_column(p, INK_AXIS, r.value_px, 11, value_head(&r), false);
		add_column(p, INK_AXIS, 0, 11, r.two ? STR("predicted") : STR(""), false);
		y = 22;
	}
	for (ptrdiff_t i = 0, gone = 0; i <= c->n; i++) {
		while (gone < c->n_missing && c->missing[gone].before == i)
			y = add_missing(&r, &c->missing[gone++], y);
		if (i == c->n)
			break;
		if (c->panels.n > 1 && (i == 0 || c->rows[i].panel_at != c->rows[i - 1].panel_at))
			y = add_heading(&r, c->rows[i].panel, y + (i ? gap_px : 0));
		bool first = in_group(c, i, i + 1) && !in_group(c, i - 1, i);
		bool member = in_group(c, i - 1, i) || in_group(c, i, i + 1);
		p->row = (int)i;
		if (first)
			y = add_heading(&r, c->rows[i].label, y);
		y = add_row(&r, &c->rows[i], row_label(&r, &c->rows[i], member), y);
		if (member && !in_group(c, i, i + 1))
			y += gap_px;
		p->row = -1;
	}
	p->height = plot_x_axis(p, &r.axis, y + 2);
	join_layers(&r);
}
