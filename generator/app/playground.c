/* The playground: a scenario to change, calculators, and the scripts that simulations in pages run by. */
#include <math.h>

#include "app/kernel_check.h"
#include "app/sims.h"
#include "chart/chart.h"
#include "model/format.h"

enum { WASM_KIB_MAX = 64 };

static const char first_text[] = "cpus 2\nhz 250\nfor 100ms\ntask a cpu 0: run\ntask b nice 10 cpu 0: run\ntask s cpu 0 start 1ms: run 2ms, sleep 9ms..11ms";

/* What the calculators show before anyone asks: a row is a scenario and what it gives. The page's script writes the same scenarios. */
struct calculated {
	const char *label, *text, *metric;
	bool is_share;
};
static const struct calculated nice_rows[] = {
	{"nice 0 beside nice 0", "for 10s\nhrtick on\ntask a cpu 0: run\ntask b cpu 0: run", "share-a", true},
	{"nice 0 beside nice 1", "for 10s\nhrtick on\ntask a cpu 0: run\ntask b nice 1 cpu 0: run", "share-a", true},
	{"nice 0 beside nice 5", "for 10s\nhrtick on\ntask a cpu 0: run\ntask b nice 5 cpu 0: run", "share-a", true},
	{"nice 0 beside nice 10", "for 10s\nhrtick on\ntask a cpu 0: run\ntask b nice 10 cpu 0: run", "share-a", true},
	{0}};
static const struct calculated slice_rows[] = {
	{"100 Hz, default slice", "for 5s\nhz 100\ntask a cpu 0: run\ntask b cpu 0: run", "run-median-a", false},
	{"250 Hz, default slice", "for 5s\nhz 250\ntask a cpu 0: run\ntask b cpu 0: run", "run-median-a", false},
	{"1000 Hz, default slice", "for 5s\nhz 1000\ntask a cpu 0: run\ntask b cpu 0: run", "run-median-a", false},
	{"250 Hz, slices of 10 ms", "for 5s\nhz 250\ntask a slice 10ms cpu 0: run\ntask b slice 10ms cpu 0: run", "run-median-a", false},
	{"an ideal timer, default slice", "for 5s\nhrtick on\ntask a cpu 0: run\ntask b cpu 0: run", "run-median-a", false}, {0}};
static const struct calculated quota_rows[] = {
	{"demand 10 ms of 100, quota 20", "for 2s\ngroup g quota 20ms/100ms\ntask a cpu 0 in g: run 10ms, sleep 90ms", "share-a", true},
	{"demand 20 ms of 100, quota 20", "for 2s\ngroup g quota 20ms/100ms\ntask a cpu 0 in g: run 20ms, sleep 80ms", "share-a", true},
	{"demand 50 ms of 100, quota 20", "for 2s\ngroup g quota 20ms/100ms\ntask a cpu 0 in g: run 50ms, sleep 50ms", "share-a", true},
	{"all of a CPU, quota 20", "for 2s\ngroup g quota 20ms/100ms\ntask a cpu 0 in g: run", "share-a", true}, {0}};

static const struct {
	const char *id, *title, *says, *head, *head_value;
	const struct calculated *rows;
} calculators[] = {
	{"nice", "Two nice values on one CPU", "A step of nice is a factor of about 1.25 in weight. Nobody owns a percentage: shares are weight over the sum of weights.",
		"beside", "share of the first", nice_rows},
	{"slice", "Slice and tick", "Without a high-resolution timer the end of a slice is noticed at the next tick, so two busy tasks alternate by ticks.",
		"kernel", "length of a run", slice_rows},
	{"quota", "Quota and demand", "What one thread gets against what it asks for: the same until the quota, then no more, in pieces.",
		"thread", "share of a CPU it got", quota_rows},
};

static bool calculate(struct build *b, struct arena *a, const struct calculated *c, struct str *out)
{
	struct sim_done *d = ARENA_NEW(a, struct sim_done, 1);
	struct str text = str_of(c->text), who;
	struct sim_error e;
	double value;

	if (!sim_parse(text.ptr, (size_t)text.len, &d->sc, &e) || sims_run(a, d, b->scratch).len ||
		sims_metric(a, d, str_of(c->metric), &value, &who).len || isnan(value)) {
		diag_error(b->diag, (struct pos){.path = STR("playground.html")}, "'%s' cannot be simulated; correct playground.c", c->label);
		return false;
	}
	*out = format_si(a, value, c->is_share ? STR("fraction") : STR("ns"));
	return true;
}

static void add_calculators(struct build *b, struct tobj *c, struct arena *a)
{
	tobj_list(c, "calculators");
	for (size_t i = 0; i < sizeof calculators / sizeof *calculators; i++) {
		struct tobj *o = tobj_item(c, "calculators");
		tobj_text(o, "id", str_of(calculators[i].id));
		tobj_text(o, "title", str_of(calculators[i].title));
		tobj_text(o, "says", str_of(calculators[i].says));
		tobj_text(o, "head", str_of(calculators[i].head));
		tobj_text(o, "head_value", str_of(calculators[i].head_value));
		tobj_list(o, "rows");
		for (const struct calculated *row = calculators[i].rows; row->label; row++) {
			struct str value;
			if (!calculate(b, a, row, &value))
				continue;
			struct tobj *r = tobj_item(o, "rows");
			tobj_text(r, "label", str_of(row->label));
			tobj_text(r, "value", value);
		}
	}
}

/* RFC 4648, section 4. */
static void add_base64(struct buf *out, struct str bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (ptrdiff_t i = 0; i < bytes.len; i += 3) {
		uint32_t word = 0;
		for (ptrdiff_t k = 0; k < 3; k++)
			word = word << 8 | (i + k < bytes.len ? (unsigned char)bytes.ptr[i + k] : 0U);
		for (ptrdiff_t k = 0; k < 4; k++)
			buf_char(out, i + k > bytes.len ? '=' : digits[word >> (18 - 6 * k) & 63]);
	}
}

static void add_module(struct build *b)
{
	struct buf out = buf_new(b->perm);
	struct str module = sim_wasm();

	if (!module.len)
		return;
	if (module.len > (ptrdiff_t)WASM_KIB_MAX * 1024)
		diag_error(b->diag, (struct pos){.path = STR("the simulator's module")}, "has %td bytes; a module may have %d KiB: shorten it",
			module.len, WASM_KIB_MAX);
	buf_add(&out, STR("window.SIM_WASM='"));
	add_base64(&out, module);
	buf_add(&out, STR("';\n"));
	outputs_add(&b->out, b->diag, STR("sim-wasm.js"), buf_str(&out), STR("the simulator's module"));
}

static void add_first(struct view *v, struct tobj *c)
{
	struct sim_done *d = ARENA_NEW(v->a, struct sim_done, 1);
	struct buf out = buf_new(v->a);
	struct html_out svg = html_out_new(&out);
	struct chart chart = {.id = STR("first"), .title = STR("Three tasks on one CPU"), .machine = STR("simulated")};
	struct pos at = {.path = STR("playground.html")};
	struct str text = str_of(first_text);
	struct sim_error e;

	bool ok = sim_parse(text.ptr, (size_t)text.len, &d->sc, &e) && !sims_run(v->a, d, v->b->scratch).len;
	if (!ok || !sims_timeline(v->a, d, d->result.t, &chart, v->b->diag, at)) {
		diag_error(v->b->diag, at, "the first scenario cannot be simulated; correct playground.c");
		return;
	}
	chart_svg(&chart, &svg, v->b->scratch);
	tobj_html(c, "svg", (struct html){buf_str(&out)});
	tobj_text(c, "alt", chart_alt(v->a, &chart));
	tobj_text(c, "badge", sims_badge(v->a, &d->sc));
	tobj_text(c, "text", text);
}

/* From this many short jobs on, a pool of threads costs less than a thread for each: (threads x creation) / (creation - hand-over). */
static void add_pool(struct view *v, struct tobj *c)
{
	static const double handover_ns = 5000, threads = 8;
	struct store_query_error err;
	struct store_note *notes;
	struct str text = {0};
	double create = (double)NAN;

	bool ok = store_value(v->b->store, STR("med('create/thread-join')"), v->a, &text, &create, &err) && create > handover_ns;
	store_notes_take(v->b->store, v->a, &notes);
	create = ok ? create : 30000;
	tobj_text(c, "pool_create", format_fixed(v->a, create / 1000, 1));
	tobj_text(c, "pool_create_from", ok ? str_printf(v->a, "measured on %.*s", STR_FMT(v->m->label)) : STR("assumed"));
	tobj_text(c, "pool_handover", format_fixed(v->a, handover_ns / 1000, 1));
	tobj_fmt(c, "pool_threads", "%.0f", threads);
	tobj_fmt(c, "pool_jobs", "%.0f", ceil(threads * create / (create - handover_ns)));
}

void page_playground(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("playground.html"), a);
	struct tobj *c = view_context(&v, STR("The scheduler, to play with"),
		STR("Write a scenario, step through it, and ask why each task runs. Beside it: calculators for shares, slices, quotas and pools."));

	add_first(&v, c);
	add_calculators(b, c, a);
	add_pool(&v, c);
	tobj_bool(c, "checked", check_there(b));
	tobj_bool(c, "live", sim_wasm().len > 0);
	view_finish(&v, "playground", c);
	add_module(b);
}
