/* A chart in sentences, from its rows. */
#include "chart/alt.h"

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

void alt_value(struct buf *b, const struct chart *c, double v)
{
	buf_add(b, format_si(b->arena, v, c->unit));
}

void alt_cut(struct buf *b, struct str s)
{
	buf_add(b, label_short(b->arena, s));
}

/* "for fork", "for pipe (threads)", "at 8 threads (fork)": which datum. Numbers come first, because labels hold commas. */
static void add_name(struct buf *b, const struct chart *c, const struct chart_row *r)
{
	bool labelled = chart_is_labelled(c->kind), series = r->series.len && c->n_series > 1,
	     panel = r->panel.len && c->panels.n > 1;

	buf_add(b, labelled ? STR(" for ") : STR(" at "));
	if (labelled)
		alt_cut(b, r->label);
	else
		buf_add(b, format_si(b->arena, r->x, c->x_unit));
	if (!series && !panel)
		return;
	buf_add(b, STR(" ("));
	alt_cut(b, series ? r->series : r->panel);
	if (series && panel) {
		buf_add(b, STR(", "));
		alt_cut(b, r->panel);
	}
	buf_char(b, ')');
}

static void add_kind(struct buf *b, const struct chart *c)
{
	static const char *const kinds[CHART_KIND_MAX] = {
		"Dot chart of medians", "Bar chart", "Line chart", "Step chart", "Scatter chart", "Histogram",
		"Cumulative distribution", "Heat map", "Timeline", "Share chart"};
	static const char *const rows[CHART_KIND_MAX] = {
		"row", "row", "point", "step", "point", "bucket", "value", "cell", "span", "row"};

	buf_printf(b, "%s%s", kinds[c->kind], c->scale == CHART_LOG ? " on a logarithmic scale" : "");
	if (c->x_scale == CHART_LOG)
		buf_add(b, c->scale == CHART_LOG ? STR(", also across") : STR(", logarithmic across"));
	buf_printf(b, ", %td %s%s", c->n, rows[c->kind], c->n == 1 ? "" : "s");
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
			alt_cut(b, c->series[s].len ? c->series[s] : STR("unnamed"));
		}
	for (ptrdiff_t i = 0; c->panels.n > 1 && i < c->panels.n; i++) {
		if (i)
			buf_add(b, STR(", "));
		else
			buf_printf(b, "%s in %td panels: ", n > 1 ? ";" : "", c->panels.n);
		alt_cut(b, c->panels.at[i].len ? c->panels.at[i] : STR("unnamed"));
	}
	buf_add(b, STR(". "));
}

static void add_extremes(struct buf *b, const struct chart *c, const struct facts *f)
{
	if (f->least == f->most) {
		buf_add(b, c->n == 1 ? STR("The only value is ") : STR("All values are "));
		alt_value(b, c, f->most->value);
		if (c->n == 1)
			add_name(b, c, f->most);
		buf_add(b, STR(". "));
		return;
	}
	buf_add(b, STR("Lowest: "));
	alt_value(b, c, f->least->value);
	add_name(b, c, f->least);
	buf_add(b, STR(". Highest: "));
	alt_value(b, c, f->most->value);
	add_name(b, c, f->most);
	buf_add(b, STR(". "));
}

static void add_spread(struct buf *b, const struct chart *c, const struct facts *f)
{
	if (!f->spreads || spread_of(f->widest) <= 0)
		return;
	buf_add(b, c->n == 1 ? STR("Spread: ") : STR("Widest spread for its size: "));
	alt_value(b, c, f->widest->min);
	buf_add(b, STR(" to "));
	alt_value(b, c, f->widest->max);
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
	alt_value(b, c, f->worst->value);
	buf_add(b, STR(", predicted "));
	alt_value(b, c, f->worst->predicted);
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
		alt_cut(b, c->missing[i].label);
	}
	buf_add(b, c->n_missing ? STR(". ") : STR(""));
}

struct str chart_alt(struct arena *a, const struct chart *c)
{
	struct buf b = buf_new(a);

	if (c->n == 0)
		return STR("An empty chart: no values.");
	add_kind(&b, c);
	if (c->kind == CHART_HISTOGRAM || c->kind == CHART_ECDF) {
		alt_counts(&b, c);
	} else if (c->kind == CHART_HEATMAP) {
		alt_heatmap(&b, c);
	} else if (c->kind == CHART_TIMELINE) {
		alt_timeline(&b, c);
	} else {
		struct facts f = find_facts(c);
		add_extremes(&b, c, &f);
		add_spread(&b, c, &f);
		add_prediction(&b, c, &f);
		add_missing(&b, c);
	}
	return str_trim(buf_str(&b));
}
