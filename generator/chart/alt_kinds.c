/* What distributions, heat maps and timelines say. */
#include <math.h>

#include "chart/alt.h"
#include "chart/counts.h"
#include "model/format.h"

enum { GROUPS_MAX = 6, LANES_SAID_MAX = 6 };

/* The rows of a panel's series, ascending as counts_quantile wants them. */
static ptrdiff_t group_of(const struct chart *c, int panel, int series, const struct chart_row **out)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < c->n; i++) {
		const struct chart_row *r = &c->rows[i];
		double at = c->kind == CHART_ECDF ? r->value : r->x;
		ptrdiff_t k = n;
		if (r->panel_at != panel || r->series_at != series)
			continue;
		for (; k > 0 && (c->kind == CHART_ECDF ? out[k - 1]->value : out[k - 1]->x) > at; k--)
			out[k] = out[k - 1];
		out[k] = r;
		n++;
	}
	return n;
}

static void add_group(struct buf *b, const struct chart *c, const struct chart_row *const *rows, ptrdiff_t n)
{
	bool buckets = c->kind == CHART_HISTOGRAM;
	const struct chart_row *most = rows[0];
	double total = 0;

	for (ptrdiff_t i = 0; i < n; i++) {
		total += rows[i]->count;
		most = rows[i]->count > most->count ? rows[i] : most;
	}
	if (total <= 0) {
		buf_add(b, STR("no values. "));
		return;
	}
	buf_add(b, format_num(b->arena, total, 0));
	buf_add(b, total == 1 ? STR(" value from ") : STR(" values from "));
	alt_value(b, c, buckets ? rows[0]->x : rows[0]->value);
	buf_add(b, STR(" to "));
	alt_value(b, c, buckets ? rows[n - 1]->x2 : rows[n - 1]->value);
	buf_add(b, STR("; half at most "));
	alt_value(b, c, counts_quantile(rows, n, 0.5, buckets));
	buf_add(b, STR(", 99 % at most "));
	alt_value(b, c, counts_quantile(rows, n, 0.99, buckets));
	if (buckets && n > 1) {
		buf_add(b, STR("; the fullest bucket, "));
		alt_value(b, c, most->x);
		buf_add(b, STR(" to "));
		alt_value(b, c, most->x2);
		buf_add(b, STR(", holds "));
		buf_add(b, format_si(b->arena, most->count / total, STR("fraction")));
	}
	buf_add(b, STR(". "));
}

void alt_counts(struct buf *b, const struct chart *c)
{
	const struct chart_row **rows = ARENA_NEW(b->arena, const struct chart_row *, c->n);
	int said = 0;

	for (int panel = 0; panel < CHART_PANELS_MAX; panel++)
		for (int series = 0; series < CHART_SERIES_MAX; series++) {
			ptrdiff_t n = group_of(c, panel, series, rows);
			if (!n || ++said > GROUPS_MAX)
				continue;
			if (c->panels.n > 1)
				alt_cut(b, rows[0]->panel.len ? rows[0]->panel : STR("unnamed"));
			if (c->panels.n > 1 && c->n_series > 1)
				buf_add(b, STR(", "));
			if (c->n_series > 1)
				alt_cut(b, rows[0]->series.len ? rows[0]->series : STR("unnamed"));
			if (c->n_series > 1 || c->panels.n > 1)
				buf_add(b, STR(": "));
			add_group(b, c, rows, n);
		}
	if (said > GROUPS_MAX)
		buf_printf(b, "And %d more in the table. ", said - GROUPS_MAX);
}

static void add_step(struct buf *b, const struct chart_names *words, double v, struct str unit)
{
	if (words->n)
		alt_cut(b, words->at[(ptrdiff_t)v]);
	else
		buf_add(b, format_si(b->arena, v, unit));
}

static void add_cell(struct buf *b, const struct chart *c, const struct chart_row *r)
{
	alt_value(b, c, r->value);
	buf_add(b, STR(" at x "));
	add_step(b, &c->x_names, r->x, c->x_unit);
	buf_add(b, STR(", y "));
	add_step(b, &c->y_names, r->y, c->y_unit);
	if (c->panels.n > 1) {
		buf_add(b, STR(" ("));
		alt_cut(b, r->panel);
		buf_char(b, ')');
	}
	buf_add(b, STR(". "));
}

void alt_heatmap(struct buf *b, const struct chart *c)
{
	const struct chart_row *least = c->rows, *most = c->rows;
	struct arena scratch = *b->arena;
	ptrdiff_t nx = chart_steps(&scratch, c, false).n, ny = chart_steps(&scratch, c, true).n;
	ptrdiff_t blank = nx * ny * (c->panels.n > 1 ? c->panels.n : 1) - c->n;

	for (ptrdiff_t i = 0; i < c->n; i++) {
		least = c->rows[i].value < least->value ? &c->rows[i] : least;
		most = c->rows[i].value > most->value ? &c->rows[i] : most;
	}
	buf_printf(b, "%td column%s by %td row%s. ", nx, nx == 1 ? "" : "s", ny, ny == 1 ? "" : "s");
	buf_add(b, least == most ? c->n == 1 ? STR("The only value is ") : STR("All values are ") : STR("Lowest: "));
	if (least == most && c->n > 1) {
		alt_value(b, c, least->value);
		buf_add(b, STR(". "));
	} else {
		add_cell(b, c, least);
	}
	if (least != most) {
		buf_add(b, STR("Highest: "));
		add_cell(b, c, most);
	}
	if (blank > 0)
		buf_printf(b, "%td place%s without a value. ", blank, blank == 1 ? " is" : "s are");
}

/* The lane that row `at` is the first of: its time in each state, and its longest wait. */
static void add_lane(struct buf *b, const struct chart *c, ptrdiff_t at)
{
	const struct chart_row *head = &c->rows[at], *wait = NULL;
	bool first = true;

	if (c->panels.n > 1) {
		alt_cut(b, head->panel);
		buf_add(b, STR(", "));
	}
	alt_cut(b, head->label);
	for (ptrdiff_t s = 0; s < c->states.n; s++) {
		double sum = 0;
		bool any = false;
		for (ptrdiff_t i = at; i < c->n; i++) {
			const struct chart_row *r = &c->rows[i];
			if (r->state_at != s || r->panel_at != head->panel_at || !str_eq(r->label, head->label))
				continue;
			sum += r->x2 - r->x;
			any = true;
			if (chart_state_of(r->state) == STATE_READY && (!wait || r->x2 - r->x > wait->x2 - wait->x))
				wait = r;
		}
		if (!any || chart_state_of(c->states.at[s]) == STATE_TICK)
			continue;
		buf_add(b, first ? STR(": ") : STR(", "));
		alt_cut(b, c->states.at[s]);
		buf_char(b, ' ');
		alt_value(b, c, sum);
		first = false;
	}
	if (wait) {
		buf_add(b, STR(", the longest wait "));
		alt_value(b, c, wait->x2 - wait->x);
		buf_add(b, STR(" from "));
		alt_value(b, c, wait->x);
	}
	buf_add(b, STR(". "));
}

static bool is_first_of_lane(const struct chart *c, ptrdiff_t at)
{
	if (chart_state_of(c->rows[at].state) == STATE_TICK)
		return false;
	for (ptrdiff_t i = 0; i < at; i++)
		if (c->rows[i].panel_at == c->rows[at].panel_at && str_eq(c->rows[i].label, c->rows[at].label) &&
			chart_state_of(c->rows[i].state) != STATE_TICK)
			return false;
	return true;
}

void alt_timeline(struct buf *b, const struct chart *c)
{
	double lo = c->rows[0].x, hi = c->rows[0].x2;
	int lanes = 0;

	for (ptrdiff_t i = 0; i < c->n; i++) {
		lo = fmin(lo, c->rows[i].x);
		hi = fmax(hi, c->rows[i].x2);
	}
	buf_add(b, STR("From "));
	alt_value(b, c, lo);
	buf_add(b, STR(" to "));
	alt_value(b, c, hi);
	buf_add(b, STR(". "));
	for (ptrdiff_t i = 0; i < c->n; i++)
		if (is_first_of_lane(c, i) && ++lanes <= LANES_SAID_MAX)
			add_lane(b, c, i);
	if (lanes > LANES_SAID_MAX)
		buf_printf(b, "And %d more lane%s. ", lanes - LANES_SAID_MAX, lanes == LANES_SAID_MAX + 1 ? "" : "s");
}
