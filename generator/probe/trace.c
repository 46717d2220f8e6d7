/* trace: a scenario of the simulator on this kernel, and what the kernel's own trace says of it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "model/trace_stats.h"
#include "probe/linux.h"
#include "probe/probe.h"
#include "probe/trace_direct.h"

enum { ARENA_BYTES = 512 << 20, SECONDS_MAX = 60, NOTHING_RAN = 4 };

struct request {
	const char *program, *scenario, *out;
	int64_t seconds; /* 0: as the scenario says */
	bool stats, help;
};

static void help(const char *program)
{
	printf("usage: %s trace SCENARIO -o FILE [--seconds N] [--stats]\n\n"
	       "Runs a scenario of the simulator on this kernel and records who ran when, and who was woken. Needs "
	       "root.\n\n"
	       "  -o FILE      where the trace goes, - is standard output\n"
	       "  --seconds N  for so long, 1 to 60, instead of what the scenario says\n"
	       "  --stats      write what the trace comes to instead of its events\n"
	       "  --help       this text\n\n"
	       "Exit status: 0 recorded, 1 the scenario has an error or the recording failed, 2 wrong usage, 3 the "
	       "file could not be\n"
	       "written, 4 this kernel or this user cannot record it.\n",
		program);
}

static bool misuse(const struct request *r, const char *what, const char *arg)
{
	fprintf(stderr, "%s trace: %s%s%s%s; see '%s trace --help'\n", r->program, what, arg ? " '" : "",
		arg ? arg : "", arg ? "'" : "", r->program);
	return false;
}

static bool read_request(struct request *r, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		bool valued = strcmp(arg, "-o") == 0 || strcmp(arg, "--seconds") == 0;
		if (valued && i + 1 == argc)
			return misuse(r, "a value is missing after", arg);
		if (strcmp(arg, "-o") == 0)
			r->out = argv[++i];
		else if (strcmp(arg, "--stats") == 0)
			r->stats = true;
		else if (strcmp(arg, "--help") == 0)
			r->help = true;
		else if (valued &&
			 (!str_int(str_of(argv[++i]), &r->seconds) || r->seconds < 1 || r->seconds > SECONDS_MAX))
			return misuse(r, "--seconds takes a number from 1 to 60, not", argv[i]);
		else if (!valued && arg[0] == '-' && arg[1])
			return misuse(r, "no option", arg);
		else if (!valued && r->scenario)
			return misuse(r, "one scenario at a time, not also", arg);
		else if (!valued)
			r->scenario = arg;
	}
	if (!r->help && (!r->scenario || !r->out || !r->out[0]))
		return misuse(r, r->scenario ? "say with -o where the trace goes" : "name a scenario", NULL);
	return true;
}

/* The exit status of what is wrong with the scenario, 0 if nothing is. */
static int read_scenario(const struct request *r, struct arena *a, struct sim_scenario *sc, struct str *text)
{
	struct file_text file = file_read(a, r->scenario, TRACE_SCENARIO_BYTES_MAX);
	struct sim_error error;

	if (file.err) {
		fprintf(stderr, "%s: cannot read %s: %s; name a scenario of at most 16 KiB\n", r->program, r->scenario,
			file_error(file.err));
		return 3;
	}
	*text = file.text;
	if (sim_parse(file.text.ptr ? file.text.ptr : "", (size_t)file.text.len, sc, &error)) {
		if (r->seconds)
			sc->horizon = r->seconds * 1000000000;
		return 0;
	}
	fprintf(stderr, "%s:%d:%d: error: %s\n", r->scenario, error.line, error.col, error.message);
	return 1;
}

static void add_machine(struct trace *t, struct arena *a, const struct probe_env *env)
{
	struct linux_sched_attr attr;

	t->machine = facts_machine(a, env);
	bool told = linux_sched_get(0, &attr) == 0 && attr.runtime_ns && attr.runtime_ns <= 100000000;
	fact_num(&t->machine, a, "base_slice_ns", told ? (int64_t)attr.runtime_ns : RUN_NULL);
}

static int put(const struct request *r, struct arena *a, const struct trace *t)
{
	struct buf bytes = buf_new(a);
	struct run run = {.machine = t->machine};
	FILE *say = strcmp(r->out, "-") == 0 ? stderr : stdout;
	const struct trace_stats *s = trace_stats_of(a, t);

	trace_write(t, &bytes);
	/* The reader's own rules decide: a trace that it would refuse is a bug here, and says so here. */
	struct trace_result check = trace_read(a, buf_str(&bytes));
	if (!check.trace) {
		fprintf(stderr, "%s: bug: the trace breaks its own rules: %.*s: %.*s; please report this\n", r->program,
			STR_FMT(check.error.field), STR_FMT(check.error.what));
		return 1;
	}
	if (r->stats) {
		bytes = buf_new(a);
		trace_stats_write(s, &bytes);
	}
	if (file_replace(r->out, buf_str(&bytes)) == FILE_FAILED) {
		fprintf(stderr, "%s: cannot write %s: %s; choose another place with -o\n", r->program, r->out,
			strerror(errno));
		return 3;
	}
	fprintf(say,
		"%td events in %.3f s, %lld lost, %lld switches out of idle inferred, strangers took %.2f %% of the "
		"CPU\n",
		t->n, (double)t->duration_ns / 1e9, (long long)t->lost, (long long)s->inferred,
		(double)s->others_ppm / 1e4);
	for (int i = 0; i < s->n; i++) {
		const struct trace_task *k = &s->tasks[i];
		fprintf(say,
			"%-15.*s %5.2f %%  runs %6lld, median %.3f ms  waits %6lld, median %.3f ms, below 0.3 ms %.2f "
			"%%\n",
			STR_FMT(k->name), (double)k->share_ppm / 1e4, (long long)k->runs.n,
			(double)k->runs.q_ns[TRACE_Q50] / 1e6, (long long)k->waits.n,
			(double)k->waits.q_ns[TRACE_Q50] / 1e6, (double)k->waits.under_ppm / 1e4);
	}
	fprintf(say, "machine %.*s\n", STR_FMT(run_machine_key(a, &run)));
	return fflush(say) != 0 ? 3 : 0;
}

/* In the director's process. */
static int direct(const struct request *r, struct arena *a, const struct sim_scenario *sc, struct str text)
{
	struct probe_env *env = ARENA_NEW(a, struct probe_env, 1);
	struct probe_cell *cell = ARENA_NEW(a, struct probe_cell, 1);
	struct probe_step step = {.env = env, .cell = cell};

	env_read(env, false, 1);
	struct trace *t = trace_direct(&step, a, sc);
	if (!t) {
		fprintf(stderr, "%s: cannot record %s: %s; %s\n", r->program, r->scenario, cell->cause, cell->remedy);
		return cell->status == RUN_FAILED ? 1 : NOTHING_RAN;
	}
	env_unpin(env); /* facts are the same wherever we stand, but the allowed CPUs among them are not */
	add_machine(t, a, env);
	t->scenario = text;
	t->clock = STR("mono");
	if (cell->cause[0])
		fprintf(stderr, "%s: warning: %s\n", r->program, cell->cause);
	if (t->duration_ns < sc->horizon)
		fprintf(stderr, "%s: warning: more than %d events: the trace ends after %.3f s\n", r->program,
			TRACE_EVENTS_MAX, (double)t->duration_ns / 1e9);
	return put(r, a, t);
}

/* The director is alone in a session, so in an autogroup, of its own. It dies with us; its guard then clears up. */
static int run_director(const struct request *r, struct arena *a, const struct sim_scenario *sc, struct str text)
{
	pid_t parent = getpid();
	int status = 0;

	(void)fflush(NULL);
	signal(SIGCHLD, SIG_DFL);
	pid_t child = fork();
	if (child < 0) {
		fprintf(stderr, "%s: cannot start a process: %s; raise ulimit -u\n", r->program, strerror(errno));
		return 3;
	}
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent || setsid() < 0)
			_exit(3);
		status = direct(r, a, sc, text);
		_exit(fflush(stdout) != 0 ? 3 : status);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "%s: the recording was killed by signal %d; run it again\n", r->program, WTERMSIG(status));
	return 1;
}

int trace_main(int argc, char **argv, const char *program)
{
	struct request r = {.program = program};
	struct arena_block block;
	struct str text = {0};

	if (!read_request(&r, argc, argv))
		return 2;
	if (r.help) {
		help(program);
		return fflush(stdout) != 0 ? 3 : 0;
	}
	struct arena a = arena_new(&block, ARENA_BYTES);
	struct sim_scenario *sc = ARENA_NEW(&a, struct sim_scenario, 1);
	int status = read_scenario(&r, &a, sc, &text);
	if (!status)
		status = run_director(&r, &a, sc, text);
	arena_free(&block);
	return status;
}
