/* A chart in sentences, from its rows. */
#include "chart/chart.h"

#include <math.h>

#include "chart/label.h"
#include "model/format.h"

struct facts {
	const struct chart_row *least, *most, *widest,
		*worst; /* by value; by spread relative to the value; farthest from predicted */
	ptrdiff_t spreads, predictions;
};

static double spread_of(const struct chart_row *r)
{
	double size = fabs(r->value);

	return isnan(r->min) || isnan(r->max) || size == 0 ? -1 : (r->max - r->min) / size;
}

static double miss_of(const struct chart_row *r)
{
	return isnan(r->predicted) ? -1 : fabs(r->value - r->predicted);
}

static struct facts find_facts(const struct chart *c)
{
	struct facts f = {c->rows, c->rows, c->rows, c->rows, 0, 0};

	for (ptrdiff_t i = 0; i < c->n; i++) {
		const struct chart_row *r = &c->rows[i];
		f.least = r->value < f.least->value ? r : f.least;
		f.most = r->value > f.most->value ? r : f.most;
		f.widest = spread_of(r) > spread_of(f.widest) ? r : f.widest;
		f.worst = miss_of(r) > miss_of(f.worst) ? r : f.worst;
		f.spreads += !isnan(r->min) && !isnan(r->max);
		f.predictions += !isnan(r->predicted);
	}
	return f;
}

static void add_value(struct buf *b, const struct chart *c, double v)
{
	buf_add(b, format_si(b->arena, v, c->unit));
}

static void add_cut(struct buf *b, struct str s)
{
	buf_add(b, label_short(b->arena, s));
}

/* "for fork", "for pipe (threads)", "at 8 threads (fork)": which datum. Numbers come first, because labels hold commas. */
static void add_name(struct buf *b, const struct chart *c, const struct chart_row *r)
{
	buf_add(b, c->kind == CHART_LINE ? STR(" at ") : STR(" for "));
	if (c->kind == CHART_LINE)
		buf_add(b, format_si(b->arena, r->x, c->x_unit));
	else
		add_cut(b, r->label);
	if (r->series.len && c->n_series > 1) {
		buf_add(b, STR(" ("));
		add_cut(b, r->series);
		buf_char(b, ')');
	}
}

static void add_kind(struct buf *b, const struct chart *c)
{
	static const char *const kinds[CHART_KIND_MAX] = {
		"Dot chart of medians", "Bar chart", "Line chart", "Step chart", "Scatter chart", "Histogram",
		"Cumulative distribution", "Heat map", "Timeline", "Share chart"};
	bool line = c->kind == CHART_LINE;

	buf_printf(b, "%s%s, %td %s%s", kinds[c->kind], c->scale == CHART_LOG ? " on a logarithmic scale" : "", c->n,
		line ? "point" : "row", c->n == 1 ? "" : "s");
	bool used[CHART_SERIES_MAX] = {false};
	int n = 0;
	for (ptrdiff_t i = 0; i < c->n; i++) {
		n += !used[c->rows[i].series_at];
		used[c->rows[i].series_at] = true;
	}
	if (n > 1)
		buf_printf(b, " in %d series", n);
	for (int s = 0, said = 0; n > 1 && s < c->n_series; s++)
		if (used[s]) {
			buf_add(b, said++ ? STR(", ") : STR(": "));
			add_cut(b, c->series[s].len ? c->series[s] : STR("unnamed"));
		}
	buf_add(b, STR(". "));
}

static void add_extremes(struct buf *b, const struct chart *c, const struct facts *f)
{
	if (f->least == f->most) {
		buf_add(b, c->n == 1 ? STR("The only value is ") : STR("All values are "));
		add_value(b, c, f->most->value);
		if (c->n == 1)
			add_name(b, c, f->most);
		buf_add(b, STR(". "));
		return;
	}
	buf_add(b, STR("Lowest: "));
	add_value(b, c, f->least->value);
	add_name(b, c, f->least);
	buf_add(b, STR(". Highest: "));
	add_value(b, c, f->most->value);
	add_name(b, c, f->most);
	buf_add(b, STR(". "));
}

static void add_spread(struct buf *b, const struct chart *c, const struct facts *f)
{
	if (!f->spreads || spread_of(f->widest) <= 0)
		return;
	buf_add(b, c->n == 1 ? STR("Spread: ") : STR("Widest spread for its size: "));
	add_value(b, c, f->widest->min);
	buf_add(b, STR(" to "));
	add_value(b, c, f->widest->max);
	if (c->n > 1)
		add_name(b, c, f->widest);
	buf_add(b, STR(". "));
}

static void add_prediction(struct buf *b, const struct chart *c, const struct facts *f)
{
	if (!f->predictions)
		return;
	if (miss_of(f->worst) == 0) {
		buf_add(b, STR("Every prediction is met exactly. "));
		return;
	}
	buf_add(b, STR("Farthest from its prediction: measured "));
	add_value(b, c, f->worst->value);
	buf_add(b, STR(", predicted "));
	add_value(b, c, f->worst->predicted);
	add_name(b, c, f->worst);
	buf_add(b, STR(". "));
}

static void add_missing(struct buf *b, const struct chart *c)
{
	for (ptrdiff_t i = 0; i < c->n_missing && i < 6; i++) {
		buf_add(b, i ? STR("; ") : STR("Not measured: "));
		if (i == 5 && c->n_missing > 6) {
			buf_printf(b, "and %td more", c->n_missing - i);
			break;
		}
		add_cut(b, c->missing[i].label);
	}
	buf_add(b, c->n_missing ? STR(". ") : STR(""));
}

struct str chart_alt(struct arena *a, const struct chart *c)
{
	struct buf b = buf_new(a);

	if (c->n == 0)
		return STR("An empty chart: no values.");
	struct facts f = find_facts(c);
	add_kind(&b, c);
	add_extremes(&b, c, &f);
	add_spread(&b, c, &f);
	add_prediction(&b, c, &f);
	add_missing(&b, c);
	return str_trim(buf_str(&b));
}
