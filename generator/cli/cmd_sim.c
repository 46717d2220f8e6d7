/* runq sim: who runs when, predicted. */
#include <inttypes.h>
#include <string.h>

#include "app/compare_kernel.h"
#include "app/sims.h"
#include "base/file.h"
#include "chart/chart.h"
#include "cli/option.h"
#include "cli/sim_show.h"

static const struct option options[] = {
	{"profile", "P",
		"other rules than the scenario's: eevdf618, eevdf71, eevdf612, eevdf66, cfs65, fifo, sjf, rr, mlfq"},
	{"format", "F", "text (default), json: the whole log, or svg: a timeline of the first switches"},
	{"explain", "T", "why that task runs at time T, such as 12ms"},
	{"compare", "TRACE", "set it beside this recording of a kernel, and those named after the scenario"},
	{"events", "N", "simulate at most N events instead of the scenario's limit"},
	{"lines", "N", "print N records of the log (default 40; -1: all)"},
	{0},
};

static int misread(const char *path, const struct sim_error *e)
{
	if (e->line)
		fprintf(stderr, "%s:%d:%d: error: %s\n", path, (int)e->line, (int)e->col, e->message);
	else
		fprintf(stderr, "%s: error: %s\n", path, e->message);
	return CLI_CONTENT;
}

/* Another profile: read again, as some policies do not go with it. */
static bool change_profile(struct args *args, struct sim_scenario *sc, const char *name, struct sim_error *e)
{
	char *text = ARENA_NEW(args->arena, char, SIM_TEXT_BYTES_MAX);

	sc->profile = sim_profile_find(name, strlen(name));
	sim_print(sc, text, SIM_TEXT_BYTES_MAX);
	return sim_parse(text, strlen(text), sc, e);
}

static int read_scenario(struct args *args, const char *path, struct sim_scenario *sc)
{
	struct sim_error e;
	struct file_text file = file_read(args->arena, path, SIM_TEXT_BYTES_MAX);
	const char *profile = option_get(args, "profile");

	if (file.err) {
		fprintf(stderr, "runq sim: cannot read %s: %s\n", path, file_error(file.err));
		return CLI_ENVIRONMENT;
	}
	if (!sim_parse(file.text.ptr, (size_t)file.text.len, sc, &e))
		return misread(path, &e);
	if (!profile)
		return CLI_FINE;
	if (sim_profile_find(profile, strlen(profile)) == SIM_NONE) {
		struct str names[SIM_PROFILES];
		for (int i = 0; i < SIM_PROFILES; i++)
			names[i] = str_of(sim_profile_name(i));
		struct str hint = option_hint(args->arena, profile, names, SIM_PROFILES);
		return option_misuse(args, "unknown profile '%s'%.*s", profile, STR_FMT(hint));
	}
	return change_profile(args, sc, profile, &e) ? CLI_FINE : misread(path, &e);
}

/* -1, and says so, when the option is given and no number within the bounds. */
static int read_number(struct args *args, const char *option, int64_t min, int64_t max, int64_t *out)
{
	const char *given = option_get(args, option);

	if (!given || (str_int(str_of(given), out) && *out >= min && *out <= max))
		return 0;
	option_misuse(args, "--%s takes a number from %" PRId64 " to %" PRId64 ", not '%s'", option, min, max, given);
	return -1;
}

/* "12ms": the language's own times. */
static bool read_time(const char *text, int64_t *ns)
{
	char line[64];
	struct sim_scenario probe;
	struct sim_error e;

	int n = snprintf(line, sizeof line, "task t start %s: run", text);
	if (n < 0 || n >= (int)sizeof line || strpbrk(text, " \t\n;,:#") || !sim_parse(line, (size_t)n, &probe, &e))
		return false;
	*ns = probe.tasks[0].start;
	return true;
}

static void show_svg(struct args *args, struct buf *out, const struct sim_shown *s)
{
	struct sim_done d = {*s->scenario, *s->result, ARENA_NEW(args->arena, struct sim_record, (ptrdiff_t)s->result->records + 1), s->figures};
	struct diag diag = diag_new(args->arena);
	struct chart c = {.id = STR("sim"), .title = STR("Who runs when"), .machine = STR("simulated")};

	memcpy(d.log, s->log, s->result->records * sizeof *d.log);
	c.subtitle = str_printf(args->arena, "Simulated: %.*s", STR_FMT(sims_badge(args->arena, &d.sc)));
	if (sims_timeline(args->arena, &d, sims_window(&d), &c, &diag, (struct pos){0}))
		buf_add(out, chart_svg_file(args->arena, &c));
	diag_print(&diag, stderr, args->scratch);
}

static int show(struct args *args, const struct sim_shown *s, void *memory, int64_t lines)
{
	const char *explain = option_get(args, "explain"), *format = option_get(args, "format");
	struct buf out = buf_new(args->arena);
	int64_t t = 0;

	if (explain && !read_time(explain, &t))
		return option_misuse(args, "--explain takes a time such as 12ms, not '%s'", explain);
	if (explain && (t < 0 || t >= s->scenario->horizon))
		return option_misuse(args, "--explain %s is outside the time simulated", explain);
	if (explain)
		sim_show_why(&out, s, t, memory, sim_memory_bytes(), ARENA_NEW(args->arena, struct sim_state, 1));
	else if (format && strcmp(format, "json") == 0)
		sim_show_json(&out, s);
	else if (format && strcmp(format, "svg") == 0)
		show_svg(args, &out, s);
	else
		sim_show_text(&out, s, lines);
	fwrite(out.ptr, 1, (size_t)out.len, stdout);
	if (!sim_show_stop(s->result))
		return CLI_FINE;
	fprintf(stderr, "runq sim: stopped at %.6f ms: %s\n", (double)s->result->t / 1e6, sim_show_stop(s->result));
	return CLI_CONTENT;
}

/* Twice: once to count the records. */
static int simulate(struct args *args, const struct sim_scenario *sc, int64_t lines)
{
	struct sim_result *result = ARENA_NEW(args->arena, struct sim_result, 1);
	size_t bytes = sim_memory_bytes();
	void *memory = arena_alloc(args->arena, (ptrdiff_t)bytes, 16, 1);

	sim_run(sc, memory, bytes, NULL, 0, 0, result);
	uint32_t n = result->records;
	struct sim_record *log = ARENA_NEW(args->arena, struct sim_record, (ptrdiff_t)n + 1);
	sim_run(sc, memory, bytes, log, n, SIM_FLAG_CHECK, result);
	struct sim_figures *figures = ARENA_NEW(args->arena, struct sim_figures, sc->n_tasks);
	int64_t *scratch = ARENA_NEW(&args->scratch, int64_t, (ptrdiff_t)n + 1);
	for (int i = 0; i < sc->n_tasks; i++)
		sim_measure(sc, log, result->records, result->t, i, scratch, &figures[i]);
	return show(args, &(struct sim_shown){sc, log, result, figures}, memory, lines);
}

static int compare(struct args *args, const struct sim_scenario *sc, bool json)
{
	char **paths = ARENA_NEW(args->arena, char *, args->n_words);
	const char *first = option_get(args, "compare");
	size_t n = strlen(first) + 1;

	paths[0] = ARENA_NEW(args->arena, char, (ptrdiff_t)n);
	memcpy(paths[0], first, n);
	for (int i = 1; i < args->n_words; i++)
		paths[i] = args->words[i];
	return compare_kernel(args->arena, args->scratch, sc, paths, args->n_words, json, stdout);
}

static int sim(struct args *args)
{
	const char *format = option_get(args, "format");
	struct sim_scenario *sc = ARENA_NEW(args->arena, struct sim_scenario, 1);
	int64_t events = 0, lines = 40;
	bool json = format && strcmp(format, "json") == 0;

	if (!args->n_words)
		return option_misuse(args, "the scenario's file is missing; - reads standard input");
	if (args->n_words > 1 && !option_get(args, "compare"))
		return option_misuse(args, "more than one scenario");
	if (format && !json && strcmp(format, "text") != 0 && strcmp(format, "svg") != 0)
		return option_misuse(args, "unknown format '%s'; use text, json or svg", format);
	if (read_number(args, "events", 1, SIM_EVENTS_MAX, &events) ||
		read_number(args, "lines", -1, INT32_MAX, &lines))
		return CLI_USAGE;
	int status = read_scenario(args, args->words[0], sc);
	if (status != CLI_FINE)
		return status;
	if (events)
		sc->events_max = (uint32_t)events;
	return option_get(args, "compare") ? compare(args, sc, json) : simulate(args, sc, lines);
}

const struct command cmd_sim = {
	.name = "sim",
	.usage = "SCENARIO [--profile P] [--format text|json|svg] [--explain T] [--compare TRACE [TRACE...]] [--events N] "
		 "[--lines N]",
	.summary = "predict who runs when; SCENARIO is a file, or - for standard input",
	.options = options,
	.exec = sim,
};
