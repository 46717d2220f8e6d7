/* kernel-check.html: for each scenario what the simulator predicts, beside what kernels were recorded to do. Made from
 * content/scenarios, data/traces and the simulator itself; what is not recorded says so. */
#include <string.h>

#include "app/compare_kernel.h"
#include "app/kernel_check.h"
#include "base/file.h"
#include "model/format.h"

enum { SCENARIO_BYTES_MAX = TRACE_SCENARIO_BYTES_MAX, RECORDINGS_MAX = 9 };

/* A scenario on a machine. */
struct subject {
	struct view *v;
	const struct check_scenario *s;
	const struct machine *m;
	const struct trace_stats *recorded[RECORDINGS_MAX];
	struct str files[RECORDINGS_MAX]; /* of the site, one a recording */
	int n;
	bool stale; /* there are recordings, of another text */
};

bool check_same(const struct sim_scenario *sc, struct str text, struct arena scratch)
{
	enum { CANON_BYTES = 16384 };
	struct sim_scenario *other = ARENA_NEW(&scratch, struct sim_scenario, 1);
	struct sim_error error;
	char *a = ARENA_NEW(&scratch, char, CANON_BYTES), *b = ARENA_NEW(&scratch, char, CANON_BYTES);

	if (!text.len || !sim_parse(text.ptr, (size_t)text.len, other, &error))
		return false;
	size_t n = sim_print(sc, a, CANON_BYTES), m = sim_print(other, b, CANON_BYTES);
	return n == m && n < CANON_BYTES && memcmp(a, b, n) == 0;
}

struct str check_publish(struct build *b, const struct machine *m, const struct check_scenario *s, struct str part, struct str bytes)
{
	struct str path = str_printf(b->perm, "traces/%.*s/%.*s%.*s.json", STR_FMT(m->key), STR_FMT(s->name), STR_FMT(part));

	outputs_add(&b->out, b->diag, path, str_copy(b->perm, bytes), s->path);
	return path;
}

struct file_text check_file(struct build *b, struct str path, struct arena *a)
{
	return file_read_inside(a, b->opt->root, build_path(b, path), TRACE_BYTES_MAX);
}

static void read_recordings(struct subject *x)
{
	struct build *b = x->v->b;

	for (int i = 1; i <= RECORDINGS_MAX; i++) {
		struct str path = str_printf(b->perm, "data/traces/%.*s/%.*s-%d.stats.json", STR_FMT(x->m->key), STR_FMT(x->s->name), i);
		struct file_text file = check_file(b, path, x->v->a);
		if (file.err)
			continue;
		const struct trace_stats *s = kernel_recording(x->v->a, b->diag, path, file.text);
		if (!s || !check_same(&x->s->sc, s->scenario, b->scratch)) {
			x->stale = true;
			continue;
		}
		x->files[x->n] = check_publish(b, x->m, x->s, str_printf(x->v->a, "-%d.stats", i), file.text);
		x->recorded[x->n++] = s;
	}
}

static void add_line(struct subject *x, struct tobj *o, struct tobj *page, const struct compare_line *l, bool judged)
{
	struct arena *a = x->v->a;
	struct tobj *row = tobj_item(o, "lines");
	struct str task = str_of(x->s->sc.tasks[l->task].name), simulated = compare_value_text(a, l->what, l->predicted);
	struct str median = compare_value_text(a, l->what, l->median);
	/* The unit once, behind the second. */
	struct str rest, least = str_cut(compare_value_text(a, l->what, l->least), FORMAT_NBSP[0], &rest);
	struct str spread = str_printf(a, "%.*s to %.*s", STR_FMT(least), STR_FMT(compare_value_text(a, l->what, l->most)));
	struct str bound = compare_is_ppm(l->what) ? str_printf(a, "%.*s points", STR_FMT(format_num(a, (double)l->tolerance / 1e4, 3)))
						   : compare_value_text(a, l->what, l->tolerance);

	tobj_fmt(row, "evidence", "files-%.*s-%.*s", STR_FMT(x->s->name), STR_FMT(x->m->key));
	tobj_text(row, "task", task);
	tobj_text(row, "what", str_of(compare_labels[l->what]));
	tobj_text(row, "simulated", simulated);
	tobj_text(row, "median", median);
	tobj_text(row, "spread", spread);
	tobj_text(row, "bound", bound);
	tobj_bool(row, "judged", judged);
	tobj_bool(row, "ok", judged && l->agrees);
	tobj_bool(row, "bad", judged && !l->agrees);
	if (!judged || l->agrees)
		return;
	struct tobj *miss = tobj_item(page, "misses");
	tobj_bool(page, "any_misses", true);
	tobj_text(miss, "scenario", x->s->name);
	tobj_text(miss, "machine", x->m->label);
	tobj_fmt(miss, "text", "%.*s, %s: simulated %.*s, the kernel %.*s (%.*s)", STR_FMT(task), compare_labels[l->what], STR_FMT(simulated),
		STR_FMT(median), STR_FMT(spread));
}

/* The conditions of the recordings: the worst of each. */
static void add_conditions(struct subject *x, struct tobj *o)
{
	int64_t others = 0, lost = 0, steal = 0;

	for (int i = 0; i < x->n; i++) {
		const struct trace_stats *s = x->recorded[i];
		others = s->others_ppm > others ? s->others_ppm : others;
		lost = s->lost > lost ? s->lost : lost;
		steal = s->steal_ns != RUN_NULL && s->steal_ns > steal ? s->steal_ns : steal;
	}
	tobj_fmt(o, "conditions", "%d recording%s of %.*s" FORMAT_NBSP "s. In the worst of them strangers took %.*s" FORMAT_NBSP "%% of the CPU, the "
		"hypervisor %.*s" FORMAT_NBSP "ms, and %lld event%s were missing.",
		x->n, x->n == 1 ? "" : "s", STR_FMT(format_num(x->v->a, (double)x->recorded[0]->duration_ns / 1e9, 3)),
		STR_FMT(format_fixed(x->v->a, (double)others / 1e4, 2)), STR_FMT(format_num(x->v->a, (double)steal / 1e6, 3)),
		(long long)lost, lost == 1 ? "" : "s");
	tobj_bool(o, "few", x->n < COMPARE_RECORDINGS);
}

static void add_distances(struct subject *x, struct tobj *o, const struct compare *c)
{
	struct arena *a = x->v->a;
	struct buf text = buf_new(a);

	for (int i = 0; i < x->s->sc.n_tasks; i++) {
		if (c->tasks[i].runs_ns == RUN_NULL && c->tasks[i].waits_ns == RUN_NULL)
			continue;
		buf_printf(&text, "%s%s:", text.len ? "; " : "", x->s->sc.tasks[i].name);
		if (c->tasks[i].runs_ns != RUN_NULL)
			buf_printf(&text, " run lengths %.*s" FORMAT_NBSP "ms", STR_FMT(format_fixed(a, (double)c->tasks[i].runs_ns / 1e6, 3)));
		if (c->tasks[i].waits_ns != RUN_NULL)
			buf_printf(&text, "%s waits %.*s" FORMAT_NBSP "ms", c->tasks[i].runs_ns != RUN_NULL ? "," : "",
				STR_FMT(format_fixed(a, (double)c->tasks[i].waits_ns / 1e6, 3)));
	}
	tobj_text(o, "distances", buf_str(&text));
	tobj_fmt(o, "turns", "%.*s" FORMAT_NBSP "%%", STR_FMT(format_fixed(a, (double)c->turns_ppm / 1e4, 1)));
}

/* One machine's part of a scenario, and its cell of the table above. */
static void add_subject(struct subject *x, struct tobj *scenario, struct tobj *cell, struct tobj *page)
{
	struct build *b = x->v->b;
	struct tobj *o = tobj_item(scenario, "machines");
	struct arena scratch = b->scratch;
	/* Times under emulation say nothing about a kernel: there the shares alone are judged. */
	bool emulated = str_eq(x->m->kind, STR("emulated"));
	int judged = 0, misses = 0;

	struct sim_scenario sc = kernel_scenario(&x->s->sc, &x->recorded[0]->machine);
	struct kernel_prediction p = kernel_predict(&scratch, &sc, x->recorded[0]->duration_ns);
	struct compare_result r = {.error = p.error};
	if (!p.error.len)
		r = compare_stats(x->v->a, p.stats, x->recorded, x->n, INT64_C(1000000000) / sc.hz);
	if (r.error.len) {
		diag_error(b->diag, (struct pos){.path = x->s->path}, "%.*s", STR_FMT(r.error));
		return;
	}
	tobj_text(o, "label", x->m->label);
	tobj_fmt(o, "href", "machines/%.*s.html", STR_FMT(x->m->key));
	tobj_fmt(o, "profile", "%s, %d" FORMAT_NBSP "Hz, %d" FORMAT_NBSP "CPU%s", sim_profile_label(sc.profile), (int)sc.hz, (int)sc.cpus,
		sc.cpus == 1 ? "" : "s");
	tobj_text(o, "profile_name", str_copy(x->v->a, str_of(sim_profile_name(sc.profile))));
	tobj_bool(o, "emulated", emulated);
	add_conditions(x, o);
	tobj_fmt(o, "anchor", "files-%.*s-%.*s", STR_FMT(x->s->name), STR_FMT(x->m->key));
	tobj_list(o, "files");
	for (int i = 0; i < x->n; i++) {
		struct tobj *f = tobj_item(o, "files");
		tobj_text(f, "file", x->files[i]);
		tobj_fmt(f, "n", "%d", i + 1);
	}
	tobj_list(o, "lines");
	for (int i = 0; i < r.compare->n; i++) {
		bool counts = !emulated || r.compare->lines[i].what == COMPARE_SHARE;
		add_line(x, o, page, &r.compare->lines[i], counts);
		judged += counts;
		misses += counts && !r.compare->lines[i].agrees;
	}
	add_distances(x, o, r.compare);
	tobj_text(o, "trace", STR(""));
	tobj_html(o, "strip", check_strip(x->v, x->s, x->m, &p, o));
	tobj_bool(cell, "ok", misses == 0);
	tobj_bool(cell, "bad", misses > 0);
	tobj_fmt(cell, "text", "%d of %d", judged - misses, judged);
}

static void add_scenario(struct view *v, struct tobj *page, const struct check_scenario *s)
{
	struct tobj *o = tobj_item(page, "scenarios"), *row = tobj_item(page, "table");
	bool any = false;

	tobj_text(o, "name", s->name);
	tobj_text(o, "says", s->says);
	tobj_text(o, "text", s->text);
	tobj_fmt(o, "command", "sudo build/runq trace content/scenarios/%.*s.sim -o t.json && build/runq sim content/scenarios/%.*s.sim --compare t.json",
		STR_FMT(s->name), STR_FMT(s->name));
	tobj_list(o, "machines");
	tobj_text(row, "name", s->name);
	tobj_text(row, "says", s->says);
	tobj_list(row, "cells");
	for (ptrdiff_t i = 0; i < v->b->n_machines; i++) {
		struct subject x = {.v = v, .s = s, .m = &v->b->machines[i]};
		if (!check_has_traces(v->b, x.m))
			continue;
		struct tobj *cell = tobj_item(row, "cells");
		read_recordings(&x);
		tobj_bool(cell, "ok", false);
		tobj_bool(cell, "bad", false);
		tobj_text(cell, "text", x.stale ? STR("recorded for another text") : STR("not recorded"));
		if (x.n)
			add_subject(&x, o, cell, page);
		any = any || x.n;
	}
	tobj_bool(o, "recorded", any);
}

/* The first comment, without its sign. */
static struct str says_of(struct str text)
{
	struct str rest, line = str_line(text, &rest);

	return str_starts(line, STR("#")) ? str_trim(str_from(line, 1)) : STR("");
}

static bool read_scenario(struct build *b, struct str file, struct check_scenario *s, struct arena *a)
{
	struct sim_error error;

	*s = (struct check_scenario){.name = str_slice(file, 0, file.len - 4), .path = str_printf(b->perm, "content/scenarios/%.*s", STR_FMT(file))};
	struct file_text t = file_read_inside(a, b->opt->root, build_path(b, s->path), SCENARIO_BYTES_MAX);
	if (t.err) {
		diag_error(b->diag, (struct pos){.path = s->path}, "%s; check that it is a readable file", file_error(t.err));
		return false;
	}
	s->text = t.text;
	s->says = says_of(t.text);
	if (sim_parse(t.text.ptr ? t.text.ptr : "", (size_t)t.text.len, &s->sc, &error))
		return true;
	diag_error(b->diag, (struct pos){s->path, error.line, error.col}, "%s", error.message);
	return false;
}

static void add_columns(struct view *v, struct tobj *c)
{
	bool any = false;

	tobj_list(c, "columns");
	for (ptrdiff_t i = 0; i < v->b->n_machines; i++) {
		const struct machine *m = &v->b->machines[i];
		if (!check_has_traces(v->b, m))
			continue;
		struct tobj *o = tobj_item(c, "columns");
		tobj_text(o, "label", m->label);
		tobj_text(o, "kind", m->kind);
		tobj_fmt(o, "href", "machines/%.*s.html", STR_FMT(m->key));
		any = true;
	}
	tobj_bool(c, "any_columns", any);
}

void page_kernel_check(struct build *b, struct arena *a)
{
	struct file_list files = file_list(b->perm, build_path(b, STR("content/scenarios")));
	struct view v = view_new(b, b->machines, NULL, STR("kernel-check.html"), a);

	if (files.err) /* a course without scenarios has no such page */
		return;
	struct tobj *c = view_context(&v, STR("The kernel checks the simulator"),
		STR("What the scheduler simulator predicts, beside recordings of the same scenarios on real kernels."));
	add_columns(&v, c);
	tobj_list(c, "table");
	tobj_list(c, "misses");
	tobj_bool(c, "any_misses", false);
	tobj_list(c, "scenarios");
	tobj_list(c, "may_differ");
	for (const char *const *why = compare_may_differ; *why; why++)
		tobj_text(tobj_item(c, "may_differ"), ".", str_of(*why));
	for (ptrdiff_t i = 0; i < files.n; i++) {
		struct check_scenario *s = ARENA_NEW(a, struct check_scenario, 1);
		if (str_ends(files.names[i], STR(".sim")) && read_scenario(b, files.names[i], s, a))
			add_scenario(&v, c, s);
	}
	view_finish(&v, "kernel-check", c);
}
