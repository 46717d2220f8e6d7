/* A sim block: the scenario simulated, drawn, explained switch by switch, and how to repeat it. */
#include "app/sims.h"

#include <string.h>

#include "app/figure.h"
#include "chart/chart.h"
#include "model/format.h"

enum { ROWS_SHOWN = 150, ROWS_FILED = 20000 };

static struct str ms_text(struct arena *a, int64_t ns, bool any)
{
	return any ? format_si(a, (double)ns, STR("ns")) : STR("");
}

static void add_figures(struct view *v, struct tobj *o, const struct sim_done *d)
{
	tobj_list(o, "figures");
	for (int i = 0; i < d->sc.n_tasks; i++) {
		const struct sim_figures *f = &d->figures[i];
		struct tobj *t = tobj_item(o, "figures");
		tobj_text(t, "name", str_copy(v->a, str_of(d->sc.tasks[i].name)));
		tobj_text(t, "cpu", format_si(v->a, (double)f->cpu_ns, STR("ns")));
		tobj_text(t, "share", format_si(v->a, (double)f->cpu_ns / (double)d->result.t, STR("fraction")));
		tobj_fmt(t, "runs", "%lld", (long long)f->runs);
		tobj_text(t, "run", ms_text(v->a, f->run_median, f->runs > 0));
		tobj_fmt(t, "wakes", "%lld", (long long)f->wakes);
		tobj_text(t, "wait", ms_text(v->a, f->wait_median, f->wakes > 0));
		tobj_text(t, "wait90", ms_text(v->a, f->wait_p90, f->wakes > 0));
	}
}

static struct str file_of(struct view *v, const struct sim_block *s, const char *ending)
{
	return str_printf(v->b->perm, "charts/%.*s/%.*s.%s", STR_FMT(v->m->key), STR_FMT(s->id), ending);
}

static void add_file(struct view *v, struct tobj *o, const struct sim_block *s, const char *field, const char *ending, struct str bytes)
{
	struct str path = file_of(v, s, ending);

	if (v->page)
		outputs_add(&v->b->out, v->b->diag, path, str_copy(v->b->perm, bytes), s->page->at.path);
	tobj_text(o, field, path);
}

static void add_chart(struct view *v, struct tobj *o, const struct page_block *b, const struct sim_block *s, int64_t window)
{
	struct chart c = {.id = s->id, .machine = STR("simulated"), .title = html_plain(v->a, view_inline(v, b->title))};
	struct buf out = buf_new(v->a);
	struct html_out svg = html_out_new(&out);

	c.subtitle = str_printf(v->a, "Simulated: %.*s. The first %.*s of %.*s.", STR_FMT(sims_badge(v->a, &s->done.sc)),
		STR_FMT(format_si(v->a, (double)window, STR("ns"))), STR_FMT(format_si(v->a, (double)s->done.result.t, STR("ns"))));
	if (!sims_timeline(v->a, &s->done, window, &c, v->b->diag, b->src->at))
		return;
	chart_svg(&c, &svg, v->b->scratch);
	tobj_text(o, "subtitle", c.subtitle);
	tobj_html(o, "svg", (struct html){buf_str(&out)});
	tobj_text(o, "alt", chart_alt(v->a, &c));
	add_file(v, o, s, "svg_href", "svg", chart_svg_file(v->a, &c));
	if (v->page)
		draw_later(v->b, &c, file_of(v, s, "png"), b->src->at.path);
	tobj_text(o, "png_href", file_of(v, s, "png"));
	card_offer(v, &c, b->src->at.path);
}

void sims_block(struct view *v, struct html_out *w, const struct page_block *b)
{
	const struct sim_block *s = sims_find(v->b, b->src->id);
	struct tobj *o = tobj_new(v->a);

	if (!s) /* an error told why */
		return;
	int64_t window = sims_window(&s->done);
	struct grid shown = sims_table(v->a, &s->done, window, ROWS_SHOWN), all = sims_table(v->a, &s->done, s->done.result.t + 1, ROWS_FILED);
	struct str id = s->id;
	tobj_text(o, "id", id);
	tobj_html(o, "title", view_inline(v, b->title));
	add_chart(v, o, b, s, window);
	add_figures(v, o, &s->done);
	figure_grid(o, &shown, v->a);
	tobj_fmt(o, "more", "%s", "");
	if (all.rows > shown.rows)
		tobj_fmt(o, "more", "The first %td of %u records; the CSV file has %s.", shown.rows, (unsigned)s->done.result.records,
			all.rows < (ptrdiff_t)s->done.result.records ? "20,000" : "all");
	add_file(v, o, s, "csv_href", "csv", figure_csv(v->a, &all));
	add_file(v, o, s, "sim_href", "sim", str_printf(v->a, "%.*s\n", STR_FMT(str_trim(s->text))));
	tobj_text(o, "text", str_trim(s->text));
	tobj_fmt(o, "predict", "build/runq sim %.*s.sim", STR_FMT(id));
	tobj_text(o, "record", s->done.sc.profile >= SIM_FIFO ? STR("")
		: str_printf(v->a, "sudo build/runq trace %.*s.sim -o t.json && build/runq sim %.*s.sim --compare t.json", STR_FMT(id), STR_FMT(id)));
	tobj_bool(o, "live", sim_wasm().len > 0);
	tobj_bool(o, "scripts", sim_wasm().len > 0 && !v->scripted);
	v->scripted = true;
	html_insert(w, view_partial(v, "partials/sim", o));
}
