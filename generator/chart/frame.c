#include "chart/frame.h"

#include <math.h>

#include "chart/label.h"

static const double head_px = 20, name_px = 18, gap_px = 12;

struct frame frame_new(struct plot *p, const struct chart *c)
{
	struct frame f = {.p = p, .c = c, .panel = -1};

	f.area_px = c->panels.n < 2 ? 208 : c->panels.n == 2 ? 132 : 92;
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		f.rows[s] = ARENA_NEW(p->arena, const struct chart_row *, c->n);
	return f;
}

double frame_x(const struct frame *f, double v)
{
	return axis_at(&f->x, v);
}

double frame_y(const struct frame *f, double v)
{
	return f->top_px + (1 - axis_at(&f->y, v)) * f->area_px;
}

void frame_set_y(struct frame *f, struct axis_spec *spec, double most)
{
	spec->px = f->area_px;
	spec->from = 0;
	spec->to = 1;
	spec->vertical = true;
	f->y = axis_new(f->p->arena, spec);
	f->y.whole = plot_all_whole(f->c, &f->y);
	f->most = most;
	/* The top label stands above all data; the others need the lead. */
	for (ptrdiff_t i = 0; i + 1 < f->y.n; i++)
		f->lead_px = fmax(f->lead_px, f->y.ticks[i].width_px);
	f->lead_px += 12;
}

void frame_set_x(struct frame *f, struct axis_spec *spec)
{
	spec->px = f->p->px;
	spec->from = f->lead_px / f->p->px;
	spec->to = 1 - 8 / f->p->px;
	f->x = axis_new(f->p->arena, spec);
}

static double key_of(const struct chart *c, const struct chart_row *r)
{
	return c->kind == CHART_ECDF ? r->value : r->x;
}

/* By insertion: queries mostly come sorted, and equal x keep the query's order. */
static void sort_rows(struct frame *f)
{
	for (int s = 0; s < CHART_SERIES_MAX; s++)
		f->n[s] = 0;
	for (ptrdiff_t i = f->first; i < f->end; i++) {
		const struct chart_row *r = &f->c->rows[i], **sorted = f->rows[r->series_at];
		ptrdiff_t k = f->n[r->series_at]++;
		for (; k > 0 && key_of(f->c, sorted[k - 1]) > key_of(f->c, r); k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = r;
	}
}

/* Whether the top label leaves a panel's name too little room beside it: then the name stands above. */
static bool is_crowded(const struct frame *f)
{
	return f->c->panels.n > 1 && f->y.n && f->y.ticks[f->y.n - 1].width_px > 0.5 * f->p->px;
}

static void add_name(struct frame *f, double head, double y)
{
	struct arena *a = f->p->arena;
	struct str name = f->c->panels.at[f->panel];
	struct label l = label_wrap(a, name, PLOT_FONT_PX * 1.15, f->p->px - head, 1);

	plot_text(f->p, INK_BOLD, ANCHOR_START, (struct place){head / f->p->px, 0}, y, l.line[0])->title =
		l.cut ? label_short(a, name) : (struct str){0};
}

static void add_grid(struct frame *f)
{
	/* The top label is longer than the lead: marks below it may reach up to its line. */
	double lift = frame_y(f, f->most) < f->top_px + 8 ? 9 : 4, head = f->lead_px;

	for (ptrdiff_t i = 0; i < f->y.n; i++) {
		const struct tick *t = &f->y.ticks[i];
		double y = f->top_px + (1 - t->at) * f->area_px;
		bool top = i + 1 == f->y.n;
		if (!t->label.len)
			continue;
		if (i || t->at > 0.001)
			plot_line_mark(f->p, ROLE_GRID, 0, (struct place){0, 0}, y, (struct place){1, 0}, y);
		plot_text(f->p, INK_AXIS, ANCHOR_START, (struct place){0, 0}, y - (top ? lift : 4), t->label);
		if (top && y < f->top_px + 16)
			head = fmax(head, t->width_px + 14);
	}
	if (is_crowded(f))
		add_name(f, 0, f->top_px - lift - name_px);
	else if (f->c->panels.n > 1)
		add_name(f, head, f->top_px - lift);
}

bool frame_next(struct frame *f)
{
	f->first = f->end;
	if (f->panel >= 0)
		plot_line_mark(f->p, ROLE_BASE, 0, (struct place){0, 0}, f->top_px + f->area_px, (struct place){1, 0},
			f->top_px + f->area_px);
	if (f->first == f->c->n)
		return false;
	f->top_px = (f->panel < 0 ? 0 : f->top_px + f->area_px + gap_px) + head_px + (is_crowded(f) ? name_px : 0);
	f->panel = f->c->rows[f->first].panel_at;
	while (f->end < f->c->n && f->c->rows[f->end].panel_at == f->panel)
		f->end++;
	sort_rows(f);
	add_grid(f);
	return true;
}

void frame_finish(struct frame *f)
{
	f->p->height = plot_x_axis(f->p, &f->x, f->top_px + f->area_px);
}
