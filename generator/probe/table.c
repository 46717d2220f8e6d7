/* The parent's side of a table: starts each pass, watches over it, puts a new process behind a dead one. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/shared.h"

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { STOP_SIGNALS = sizeof stop_signals / sizeof *stop_signals, WATCH_MS = 250 };

static sigset_t before_us; /* the mask we were started with; children get it back */

/* Those of the stopping signals that our caller did not tell us to ignore, and SIGCHLD. */
static sigset_t watched_signals(void)
{
	sigset_t set;
	struct sigaction act;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (int i = 0; i < STOP_SIGNALS; i++)
		if (sigaction(stop_signals[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN)
			sigaddset(&set, stop_signals[i]);
	return set;
}

void stop_signals_block(void)
{
	sigset_t set = watched_signals();

	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &before_us);
}

/* Its own descendants die with it: each of them asked for that. */
static int kill_pass(pid_t child)
{
	int status = 0;

	kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

static pid_t start_pass(struct probe_table *t, int pass, int position)
{
	pid_t parent = getpid();

	(void)fflush(NULL);
	pid_t child = fork();
	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before_us, NULL);
	pass_run(t, pass, position);
}

/* What is left of this table: the steps' last durations, the registry's budget until there are any. */
static int64_t left_in_table(const struct probe_table *t, int pass, int position)
{
	int64_t budget_ns = (int64_t)(t->env->quick ? t->info->quick_ms : t->info->full_ms) * 1000000;
	int64_t guess = budget_ns / (t->env->passes + 1) / t->n_cases, left = 0;

	for (int p = position; p < t->n_cases; p++) {
		int64_t took = table_cell(t, table_order(t->n_cases, pass, p))->step_ns;
		left += took ? took : guess;
	}
	for (int i = 0; i < t->n_cases; i++) {
		int64_t took = table_cell(t, i)->step_ns;
		left += (took ? took : guess) * (t->env->passes - 1 - pass);
	}
	return left;
}

struct end {
	enum { END_PASS, END_DIED, END_HUNG, END_STOPPED, END_NOT_STARTED } how;
	int detail; /* wait status, the signal that stopped us, or an errno */
};

static struct end watch_pass(struct probe_table *t, pid_t child, int pass, const struct probe_watch *watch)
{
	sigset_t set = watched_signals();
	const struct timespec nap = {.tv_nsec = WATCH_MS * 1000000L};
	int told = -1, status;

	for (;;) {
		int position = atomic_load(&t->shared->position);
		if (watch && position != told && position < t->n_cases)
			watch->step(watch->ctx, t, pass, told = position, left_in_table(t, pass, position));
		int sig = sigtimedwait(&set, NULL, &nap);
		if (sig > 0 && sig != SIGCHLD) {
			kill_pass(child);
			return (struct end){END_STOPPED, sig};
		}
		if (waitpid(child, &status, WNOHANG) == child) {
			bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
			return (struct end){whole ? END_PASS : END_DIED, status};
		}
		if (clock_ns() - atomic_load(&t->shared->began_ns) > (int64_t)t->ops->limit_ms * 1000000) {
			/* It may have ended this very moment: then nothing hung. */
			status = kill_pass(child);
			bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
			return (struct end){whole ? END_PASS : END_HUNG, status};
		}
	}
}

static void mark_failed(struct probe_table *t, int pass, struct end end)
{
	int i = table_order(t->n_cases, pass, atomic_load(&t->shared->position));
	struct probe_cell *c = table_cell(t, i);

	c->status = RUN_FAILED;
	if (end.how == END_NOT_STARTED)
		snprintf(c->cause, sizeof c->cause, "no measuring process: %s", strerror(end.detail));
	else if (end.how == END_HUNG)
		snprintf(c->cause, sizeof c->cause, "no result within %d s", (t->ops->limit_ms + 999) / 1000);
	else if (WIFSIGNALED(end.detail))
		snprintf(c->cause, sizeof c->cause, "the measuring process was killed by signal %d",
			WTERMSIG(end.detail));
	else
		snprintf(c->cause, sizeof c->cause, "the measuring process exited with %d", WEXITSTATUS(end.detail));
	snprintf(c->remedy, sizeof c->remedy, "run it again; if it fails again, report the machine");
}

/* Measures one pass whatever it takes. Returns the signal that stopped it, or 0. */
static int measure_pass(struct probe_table *t, int pass, const struct probe_watch *watch)
{
	int position = 0;

	while (position < t->n_cases) {
		atomic_store(&t->shared->position, position);
		atomic_store(&t->shared->began_ns, clock_ns());
		pid_t child = start_pass(t, pass, position);
		struct end end = {END_NOT_STARTED, errno};
		if (child > 0)
			end = watch_pass(t, child, pass, watch);
		if (end.how == END_STOPPED)
			return end.detail;
		position = atomic_load(&t->shared->position);
		if (end.how != END_PASS && position < t->n_cases)
			mark_failed(t, pass, end);
		position += end.how != END_PASS;
	}
	return 0;
}

static bool table_init(struct probe_table *t)
{
	t->n_cases = 1;
	for (const struct case_info *c = t->info->cases; c->name; c++)
		t->n_cases++;
	t->passes_done = 0;
	void *mem = mmap(NULL, sizeof *t->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED || t->n_cases > PROBE_CASES_MAX)
		return false;
	t->shared = mem;
	for (int i = 0; i < t->n_cases; i++)
		for (int m = 0; m < PROBE_METRICS_MAX; m++)
			for (int p = 0; p < RUN_PASSES_MAX; p++)
				table_cell(t, i)->values[m][p] = RUN_NULL;
	return true;
}

/* 0 where either reading failed: then there is nothing to say. */
static int64_t grown(const struct probe_table *t, const char *key)
{
	const struct run_fact *from = run_fact_get(&t->before, key), *to = run_fact_get(&t->after, key);

	return !from || !to || from->num == RUN_NULL || to->num == RUN_NULL ? 0 : to->num - from->num;
}

int table_measure(struct probe_table *t, struct arena *a, const struct probe_watch *watch)
{
	int64_t began = clock_ns();

	if (!table_init(t)) {
		fprintf(stderr, "runq: no memory to share with the measuring process: %s; free some memory\n",
			strerror(errno));
		exit(3);
	}
	t->before = facts_load(a, t->env, 0);
	int sig = 0;
	for (int pass = PROBE_WARM_UP; pass < t->env->passes && !sig; pass++) {
		sig = measure_pass(t, pass, watch);
		if (!sig && pass >= 0)
			t->passes_done = pass + 1;
	}
	t->after = facts_load(a, t->env, t->shared->run_delay_ns);
	fact_num(&t->after, a, "unit_ns", t->shared->unit_ns);
	double wall = (double)(clock_ns() - began), cpus = t->env->other >= 0 ? 2 : 1;
	struct table_load load = {.steal = (double)grown(t, "steal_ns") / wall,
		.others = (double)(grown(t, "cpu_busy_ns") - grown(t, "own_cpu_ns")) / wall / cpus};
	table_settle(t, load);
	return sig;
}

void table_free(struct probe_table *t)
{
	if (t->shared)
		munmap(t->shared, sizeof *t->shared);
	t->shared = NULL;
}
