/* Who ran when, simulated and recorded: timelines of the first moments. */
#include <math.h>

#include "app/kernel_check.h"
#include "chart/chart.h"
#include "model/format.h"

enum { COLUMNS = 5, SPANS_MAX = 900 };
static const int64_t shown_ns = 200000000;

bool check_there(struct build *b)
{
	return !file_list(b->perm, build_path(b, STR("content/scenarios"))).err;
}

bool check_has_traces(struct build *b, const struct machine *m)
{
	struct arena scratch = b->scratch;

	return file_list(&scratch, build_path(b, str_printf(&scratch, "data/traces/%.*s", STR_FMT(m->key)))).n > 0;
}

struct strip {
	struct arena *a;
	struct grid grid;
	ptrdiff_t cap;
};

static void add_cell(struct strip *s, int col, struct str text, double num)
{
	s->grid.text[s->grid.rows * COLUMNS + col] = text;
	s->grid.num[s->grid.rows * COLUMNS + col] = num;
}

static void add_span(struct strip *s, struct str panel, struct str lane, int64_t from_ns, int64_t to_ns)
{
	if (s->grid.rows == s->cap || to_ns <= from_ns)
		return;
	add_cell(s, 0, panel, (double)NAN);
	add_cell(s, 1, lane, (double)NAN);
	add_cell(s, 2, STR("0"), (double)from_ns);
	add_cell(s, 3, STR("0"), (double)to_ns);
	add_cell(s, 4, STR("running"), (double)NAN);
	s->grid.rows++;
}

/* Lanes in the scenario's order, whoever runs first: each begins with a span, however late. */
static void add_trace(struct strip *s, struct str panel, const struct trace *t)
{
	int64_t end = t->duration_ns < shown_ns ? t->duration_ns : shown_ns;

	for (int task = TRACE_FIRST; task < t->n_tasks; task++) {
		int64_t since = -1;
		for (ptrdiff_t i = 0; i < t->n && t->events[i].t_ns < end; i++) {
			const struct trace_event *e = &t->events[i];
			if (e->kind != TRACE_SWITCH)
				continue;
			if (e->task == task && since >= 0) {
				add_span(s, panel, str_copy(s->a, t->tasks[task]), since, e->t_ns);
				since = -1;
			}
			if (e->other == task)
				since = e->t_ns;
		}
		if (since >= 0)
			add_span(s, panel, str_copy(s->a, t->tasks[task]), since, end);
	}
}

static struct strip strip_new(struct arena *a)
{
	static const char *const names[COLUMNS] = {"panel", "lane", "t0", "t1", "state"};
	struct strip s = {.a = a, .cap = SPANS_MAX, .grid = {.cols = COLUMNS}};

	s.grid.names = ARENA_NEW(a, struct str, COLUMNS);
	s.grid.text = ARENA_NEW(a, struct str, (ptrdiff_t)COLUMNS * SPANS_MAX);
	s.grid.num = ARENA_NEW(a, double, (ptrdiff_t)COLUMNS * SPANS_MAX);
	for (int i = 0; i < COLUMNS; i++)
		s.grid.names[i] = str_of(names[i]);
	return s;
}

struct html check_strip(
	struct view *v, const struct check_scenario *s, const struct machine *m, const struct kernel_prediction *p, struct tobj *o)
{
	struct str path = str_printf(v->b->perm, "data/traces/%.*s/%.*s.trace.json", STR_FMT(m->key), STR_FMT(s->name));
	struct file_text file = check_file(v->b, path, v->a);
	struct strip strip = strip_new(v->a);
	struct buf out = buf_new(v->a);
	struct html_out w = html_out_new(&out);
	struct chart c = {.kind = CHART_TIMELINE, .unit = STR("ns"), .machine = m->label};

	add_trace(&strip, STR("simulated"), p->trace);
	if (!file.err) {
		struct trace_result r = trace_read(v->a, file.text);
		if (!r.trace)
			diag_error(v->b->diag, (struct pos){path, r.error.line, r.error.col}, "%.*s: %.*s", STR_FMT(r.error.field),
				STR_FMT(r.error.what));
		else if (check_same(&s->sc, r.trace->scenario, v->b->scratch)) {
			add_trace(&strip, STR("recorded"), r.trace);
			tobj_text(o, "trace", check_publish(v->b, m, s, STR(".trace"), file.text));
		}
	}
	c.id = str_printf(v->a, "%.*s-%.*s", STR_FMT(s->name), STR_FMT(m->key));
	c.title = str_printf(v->a, "The first 200" FORMAT_NBSP "ms of %.*s", STR_FMT(s->name));
	if (!strip.grid.rows || !chart_fill(&c, &strip.grid, v->a, v->b->diag, (struct pos){.path = s->path}))
		return (struct html){0};
	chart_svg(&c, &w, v->b->scratch);
	html_open(&w, "p");
	html_attr(&w, "class", STR("sr"));
	html_attr_fmt(&w, "id", "alt-%.*s", STR_FMT(c.id));
	html_text(&w, chart_alt(v->a, &c));
	html_close(&w, "p");
	return (struct html){buf_str(&out)};
}
