/* What rows of a kind must satisfy, and the steps of a heatmap's columns and rows. */
#include <math.h>

#include "model/series_fill.h"

enum { STEPS_MAX = 1024 };

bool chart_is_labelled(enum chart_kind kind)
{
	return kind == CHART_RANGE || kind == CHART_BAR || kind == CHART_SPLIT;
}

ptrdiff_t chart_rows_max(enum chart_kind kind)
{
	return chart_is_labelled(kind) ? CHART_LABELS_MAX : kind == CHART_HEATMAP ? CHART_CELLS_MAX : CHART_ROWS_MAX;
}

enum chart_state chart_state_of(struct str name)
{
	static const struct {
		const char *name;
		enum chart_state state;
	} known[] = {{"running", STATE_RUNNING}, {"ready", STATE_READY}, {"runnable", STATE_READY},
		{"waiting", STATE_READY}, {"preempted", STATE_READY}, {"sleeping", STATE_SLEEPING},
		{"blocked", STATE_SLEEPING}, {"throttled", STATE_THROTTLED}, {"stalled", STATE_THROTTLED},
		{"idle", STATE_IDLE}, {"tick", STATE_TICK}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eq(name, str_of(known[i].name)))
			return known[i].state;
	return STATE_OTHER;
}

static bool fail(struct fill *f, const char *what)
{
	diag_error(f->d, f->at, "%s", what);
	return false;
}

bool series_check_shape(struct fill *f)
{
	enum chart_kind kind = f->c->kind;
	const char *name = chart_kind_names[kind];
	bool line = kind == CHART_LINE || kind == CHART_STEP || kind == CHART_SCATTER;

	if (f->c->scale == CHART_LOG && (kind == CHART_BAR || kind == CHART_SPLIT || kind == CHART_TIMELINE)) {
		diag_error(f->d, f->at,
			"a %s chart has a zero to start from and a log scale has none; use %sscale: linear", name,
			kind == CHART_TIMELINE ? "" : "kind: range or ");
		return false;
	}
	if (f->c->x_scale == CHART_LOG && !line) {
		diag_error(f->d, f->at, "a %s chart has no x-scale; leave it out%s", name,
			kind == CHART_HISTOGRAM || kind == CHART_ECDF ? ", or write scale: log" : "");
		return false;
	}
	if (f->g->rows > chart_rows_max(kind)) {
		diag_error(f->d, f->at, "%td rows, and a %s chart shows at most %td; aggregate them%s or add a LIMIT",
			f->g->rows, name, chart_rows_max(kind),
			kind == CHART_SCATTER ? ", draw their density with kind: heatmap" : "");
		return false;
	}
	return true;
}

bool series_check_row(struct fill *f, const struct chart_row *r, ptrdiff_t row)
{
	enum chart_kind kind = f->c->kind;

	if (r->min > r->max) {
		diag_error(f->d, f->at, "row %td: min %g is above max %g; swap the columns", row + 1, r->min, r->max);
		return false;
	}
	if ((chart_is_labelled(kind) || kind == CHART_TIMELINE) && !r->label.len) {
		diag_error(f->d, f->at, "row %td has no %s; select a text for it", row + 1,
			kind == CHART_TIMELINE ? "lane" : "label");
		return false;
	}
	if (!isnan(r->reported) && !r->source.len) {
		diag_error(f->d, f->at, "row %td has a reported value without a source; select the source too, as text", row + 1);
		return false;
	}
	if (kind == CHART_TIMELINE && !r->state.len) {
		diag_error(f->d, f->at, "row %td has no state; select a text for it, such as running", row + 1);
		return false;
	}
	if (kind == CHART_TIMELINE && r->x2 < r->x) {
		diag_error(f->d, f->at, "row %td: t1 %g is before t0 %g; swap the columns", row + 1, r->x2, r->x);
		return false;
	}
	if (kind == CHART_HISTOGRAM && r->x2 <= r->x) {
		diag_error(f->d, f->at, "row %td: hi %g is not above lo %g; a bucket needs a width", row + 1, r->x2,
			r->x);
		return false;
	}
	if ((kind == CHART_HISTOGRAM || kind == CHART_ECDF) && r->count < 0) {
		diag_error(f->d, f->at, "row %td: count %g is below zero; select how many there are", row + 1,
			r->count);
		return false;
	}
	return true;
}

/* By panel, series (or y), then x: what must not meet stands together. */
static int by_place(const void *a, const void *b)
{
	const struct chart_row *p = *(const struct chart_row *const *)a, *q = *(const struct chart_row *const *)b;

	if (p->panel_at != q->panel_at)
		return p->panel_at < q->panel_at ? -1 : 1;
	if (p->series_at != q->series_at)
		return p->series_at < q->series_at ? -1 : 1;
	if (p->y != q->y && !isnan(p->y) && !isnan(q->y))
		return p->y < q->y ? -1 : 1;
	return p->x < q->x ? -1 : p->x > q->x;
}

static bool check_meeting(struct fill *f)
{
	struct arena scratch = *f->a;
	const struct chart_row **sorted = ARENA_NEW(&scratch, const struct chart_row *, f->c->n);
	bool cells = f->c->kind == CHART_HEATMAP;

	for (ptrdiff_t i = 0; i < f->c->n; i++)
		sorted[i] = &f->c->rows[i];
	qsort(sorted, (size_t)f->c->n, sizeof(const struct chart_row *), by_place);
	for (ptrdiff_t i = 1; i < f->c->n; i++) {
		const struct chart_row *p = sorted[i - 1], *q = sorted[i];
		if (p->panel_at != q->panel_at || p->series_at != q->series_at)
			continue;
		if (cells && p->x == q->x && p->y == q->y) {
			diag_error(f->d, f->at,
				"the cell at x %g, y %g has two values; aggregate them: GROUP BY x, y", p->x, p->y);
			return false;
		}
		if (!cells && q->x < p->x2 - fabs(p->x2) * 1e-9) {
			diag_error(f->d, f->at,
				"the buckets %g to %g and %g to %g overlap; give each its own series or GROUP BY lo, hi",
				p->x, p->x2, q->x, q->x2);
			return false;
		}
	}
	return true;
}

static bool check_panels(struct fill *f)
{
	bool seen[CHART_PANELS_MAX] = {false};

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		int at = f->c->rows[i].panel_at;
		if (i && at == f->c->rows[i - 1].panel_at)
			continue;
		if (seen[at]) {
			diag_error(f->d, f->at, "the rows of panel '%.*s' do not stand together; ORDER BY panel first",
				STR_FMT(f->c->panels.at[at]));
			return false;
		}
		seen[at] = true;
	}
	return true;
}

static bool check_lanes(struct fill *f)
{
	struct str seen[CHART_LANES_MAX];
	int n = 0;

	for (ptrdiff_t i = 0; i < f->c->n; i++) {
		const struct chart_row *r = &f->c->rows[i];
		int k = 0;
		while (k < n && !str_eq(seen[k], r->label))
			k++;
		if (k < n || chart_state_of(r->state) == STATE_TICK)
			continue;
		if (n == CHART_LANES_MAX) {
			diag_error(f->d, f->at, "more than %d lanes; show fewer in one chart", CHART_LANES_MAX);
			return false;
		}
		seen[n++] = r->label;
	}
	return n || !f->c->n || fail(f, "a timeline of ticks alone has no lane; select what ran, too");
}

static bool check_cells(struct fill *f)
{
	struct arena scratch = *f->a;
	struct chart_steps x = chart_steps(&scratch, f->c, false), y = chart_steps(&scratch, f->c, true);

	if (x.n <= STEPS_MAX && y.n <= STEPS_MAX && x.n * y.n <= CHART_CELLS_MAX)
		return true;
	diag_error(f->d, f->at, "%td by %td cells, and a heatmap shows at most %d, %d a side; use wider steps", x.n,
		y.n, CHART_CELLS_MAX, STEPS_MAX);
	return false;
}

bool series_check_rows(struct fill *f)
{
	enum chart_kind kind = f->c->kind;

	if (!check_panels(f))
		return false;
	if (kind == CHART_TIMELINE && !check_lanes(f))
		return false;
	if (kind == CHART_HEATMAP && f->c->n && !check_cells(f))
		return false;
	return (kind != CHART_HISTOGRAM && kind != CHART_HEATMAP) || check_meeting(f);
}

static int by_value(const void *a, const void *b)
{
	double p = *(const double *)a, q = *(const double *)b;

	return (p > q) - (p < q);
}

/* The step that all differences are whole multiples of; 0 when there is none or most of its places are empty. */
static double even_step(const double *at, ptrdiff_t n)
{
	double step = (double)INFINITY;

	for (ptrdiff_t i = 1; i < n; i++)
		step = fmin(step, at[i] - at[i - 1]);
	if (n < 3 || !(step > 0))
		return 0;
	for (ptrdiff_t i = 1; i < n; i++) {
		double k = (at[i] - at[0]) / step;
		if (fabs(k - rint(k)) > 1e-3)
			return 0;
	}
	return rint((at[n - 1] - at[0]) / step) + 1 <= 2 * (double)n ? step : 0;
}

struct chart_steps chart_steps(struct arena *a, const struct chart *c, bool is_y)
{
	const struct chart_names *words = is_y ? &c->y_names : &c->x_names;
	ptrdiff_t most = words->n ? words->n : c->n, n = 0;
	struct chart_steps s = {.at = ARENA_NEW(a, double, most > 2 * c->n ? most : 2 * c->n + 2)};

	for (ptrdiff_t i = 0; i < most; i++)
		s.at[i] = words->n ? (double)i : is_y ? c->rows[i].y : c->rows[i].x;
	if (words->n) {
		s.n = most;
		return s;
	}
	qsort(s.at, (size_t)most, sizeof *s.at, by_value);
	for (ptrdiff_t i = 0; i < most; i++)
		if (!n || s.at[i] > s.at[n - 1])
			s.at[n++] = s.at[i];
	s.n = n;
	s.step = even_step(s.at, n);
	if (s.step > 0) {
		double first = s.at[0], last = s.at[n - 1];
		s.n = (ptrdiff_t)rint((last - first) / s.step) + 1;
		for (ptrdiff_t i = 0; i < s.n; i++)
			s.at[i] = first + (last - first) * (double)i / (double)(s.n - 1);
	}
	return s;
}

ptrdiff_t chart_step_of(const struct chart_steps *s, double v)
{
	ptrdiff_t lo = 0, hi = s->n - 1;

	if (s->step > 0)
		return (ptrdiff_t)rint((v - s->at[0]) / s->step);
	while (lo < hi) {
		ptrdiff_t mid = lo + (hi - lo) / 2;
		if (s->at[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
