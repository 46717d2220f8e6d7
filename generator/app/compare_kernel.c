#include "app/compare_kernel.h"

#include "base/file.h"
#include "model/format.h"
#include "text/json.h"

const char *const compare_may_differ[] = {
	"Switches cost nothing in the simulator, and interrupts take nothing from a tick: runs of the kernel are some "
	"10 µs shorter.",
	"Ticks of the simulator begin with the scenario; those of the kernel stand where they stand.",
	"Linux 6.18 stops a group that has used up its quota task by task, each when it is next picked: every other task "
	"of the group then has one more turn, of some 4 µs.",
	"Strangers (kernel threads, other programs) delay the kernel's tasks; their time counts for nobody here.",
	"Work is a counted number of loops: caches, the clock rate and the hypervisor make it longer or shorter than "
	"it says.",
	NULL,
};

struct str compare_value_text(struct arena *a, enum compare_what what, int64_t value)
{
	return compare_is_ppm(what)
		       ? str_printf(a, "%.*s" FORMAT_NBSP "%%", STR_FMT(format_fixed(a, (double)value / 1e4, 2)))
		       : str_printf(a, "%.*s" FORMAT_NBSP "ms", STR_FMT(format_fixed(a, (double)value / 1e6, 3)));
}

struct trace_stats *kernel_recording(struct arena *a, struct diag *d, struct str path, struct str bytes)
{
	struct trace_stats_result s = trace_stats_read(a, bytes);

	if (s.stats)
		return s.stats;
	struct trace_result t = trace_read(a, bytes);
	if (t.trace)
		return trace_stats_of(a, t.trace);
	/* The error of the format that it says it has; of neither: a trace's. */
	bool stats = str_find(str_slice(bytes, 0, 4096), STR("\"runq-trace-stats\"")) >= 0;
	const struct run_error *e = stats ? &s.error : &t.error;
	diag_error(d, (struct pos){path, e->line, e->col}, "%.*s%s%.*s", STR_FMT(e->field), e->field.len ? ": " : "",
		STR_FMT(e->what));
	return NULL;
}

static void print_text(const struct compare *c, const struct kernel_prediction *p, const struct trace_stats *const *r,
	int n, FILE *out)
{
	char name[SIM_NAME_BYTES + 1] = "";

	fprintf(out, "profile %s, %d Hz, %d CPUs; %d recording%s of %.1f s\n\n", sim_profile_name(p->scenario.profile),
		(int)p->scenario.hz, (int)p->scenario.cpus, n, n == 1 ? "" : "s", (double)r[0]->duration_ns / 1e9);
	fprintf(out, "%-15s %-30s %12s %12s %25s %11s\n", "task", "", "simulated", "kernel", "least to most",
		"may differ");
	for (int i = 0; i < c->n; i++) {
		const struct compare_line *l = &c->lines[i];
		double scale = compare_is_ppm(l->what) ? 1e4 : 1e6;
		const char *unit = compare_is_ppm(l->what) ? "%" : "ms";
		snprintf(name, sizeof name, "%.*s", STR_FMT(p->stats->tasks[l->task].name));
		fprintf(out, "%-15s %-30s %9.3f %-2s %9.3f %-2s %9.3f to %9.3f %-2s %8.3f %-2s  %s\n", name,
			compare_labels[l->what], (double)l->predicted / scale, unit, (double)l->median / scale, unit,
			(double)l->least / scale, (double)l->most / scale, unit, (double)l->tolerance / scale, unit,
			l->agrees ? "agrees" : "MISSES");
	}
	fprintf(out, "\n");
	for (int i = 0; i < p->stats->n; i++) {
		snprintf(name, sizeof name, "%.*s", STR_FMT(p->stats->tasks[i].name));
		fprintf(out, "%-15s distance of the distributions:", name);
		if (c->tasks[i].runs_ns != RUN_NULL)
			fprintf(out, " runs %.3f ms", (double)c->tasks[i].runs_ns / 1e6);
		if (c->tasks[i].waits_ns != RUN_NULL)
			fprintf(out, " waits %.3f ms", (double)c->tasks[i].waits_ns / 1e6);
		fprintf(out, "\n");
	}
	fprintf(out,
		"turn order: %.1f %% of the turns differ\n\n%s: %d of %d lines agree\n\nA kernel may differ because\n",
		(double)c->turns_ppm / 1e4, c->misses ? "misses" : "agrees", c->n - c->misses, c->n);
	for (const char *const *why = compare_may_differ; *why; why++)
		fprintf(out, "  %s\n", *why);
}

static void print_json(struct arena *a, const struct compare *c, const struct kernel_prediction *p, FILE *out)
{
	struct buf b = buf_new(a);

	buf_printf(&b, "{\"agrees\":%s,\"lines\":[", c->misses ? "false" : "true");
	for (int i = 0; i < c->n; i++) {
		const struct compare_line *l = &c->lines[i];
		buf_printf(&b,
			"%s{\"agrees\":%s,\"least\":%lld,\"median\":%lld,\"most\":%lld,\"predicted\":%lld,\"task\":",
			i ? "," : "", l->agrees ? "true" : "false", (long long)l->least, (long long)l->median,
			(long long)l->most, (long long)l->predicted);
		json_write_text(&b, p->stats->tasks[l->task].name);
		buf_printf(&b, ",\"tolerance\":%lld,\"unit\":\"%s\",\"what\":", (long long)l->tolerance,
			compare_is_ppm(l->what) ? "ppm" : "ns");
		json_write_text(&b, str_of(compare_labels[l->what]));
		buf_char(&b, '}');
	}
	buf_printf(&b, "],\"profile\":\"%s\",\"turns_ppm\":%lld}\n", sim_profile_name(p->scenario.profile),
		(long long)c->turns_ppm);
	fprintf(out, "%.*s", STR_FMT(buf_str(&b)));
}

/* 0, or the exit status. */
static int read_all(struct arena *a, struct diag *d, char *const *paths, int n, const struct trace_stats **out)
{
	int status = 0;

	for (int i = 0; i < n; i++) {
		struct file_text file = file_read(a, paths[i], TRACE_BYTES_MAX);
		if (file.err) {
			diag_error(d, (struct pos){.path = str_of(paths[i])}, "%s; name a file that runq trace made",
				file_error(file.err));
			status = 3;
		} else if (!(out[i] = kernel_recording(a, d, str_of(paths[i]), file.text)) && !status) {
			status = 1;
		}
	}
	return status;
}

int compare_kernel(struct arena *a, struct arena scratch, const struct sim_scenario *sc, char *const *paths, int n,
	bool json, FILE *out)
{
	const struct trace_stats **recorded = ARENA_NEW(a, const struct trace_stats *, n);
	struct diag d = diag_new(a);
	int status = read_all(a, &d, paths, n, recorded);

	if (!status) {
		struct sim_scenario as_recorded = kernel_scenario(sc, &recorded[0]->machine);
		struct kernel_prediction p = kernel_predict(a, &as_recorded, recorded[0]->duration_ns);
		struct compare_result c = {.error = p.error};
		if (!p.error.len)
			c = compare_stats(a, p.stats, recorded, n, INT64_C(1000000000) / p.scenario.hz);
		if (c.error.len)
			diag_error(&d, (struct pos){.path = str_of(paths[0])}, "%.*s", STR_FMT(c.error));
		else if (json)
			print_json(a, c.compare, &p, out);
		else
			print_text(c.compare, &p, recorded, n, out);
		status = c.error.len || c.compare->misses ? 1 : 0;
	}
	diag_print(&d, stderr, scratch);
	return status;
}
