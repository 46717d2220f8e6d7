/* counters: one thread sleeps a known number of times while the main thread waits for it; then the same count is read
 * in every way the system offers. Each reads something else: the thread, the main thread, or all that still live. */
#include <dirent.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "probe/crew.h"
#include "probe/harness.h"
#include "probe/meter.h"
#include "probe/sys.h"

enum { ARG_WAY };
enum { RUSAGE_OF_THREAD, STATUS_OF_THREAD, RUSAGE_OF_SELF, STATUS_OF_PROCESS, STATUS_OF_TASKS, STATUS_OF_TASKS_ENDED };
enum { SLEEPS_QUICK = 100, SLEEPS_FULL = 400, SLEEP_NS = 20000 };

struct sleeper {
	struct crew crew;
	int sleeps;
	struct switches before, after; /* by its own getrusage */
	struct switches status_before, status_after; /* by its own /proc/thread-self/status */
	sem_t start, slept, leave;
};

/* The two counters of a status file of /proc; RUN_NULL where it has none. */
static struct switches status_switches(const char *path)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str text = sys_text(&a, path);
	struct switches c = {sys_number(sys_field(text, "voluntary_ctxt_switches")),
		sys_number(sys_field(text, "nonvoluntary_ctxt_switches"))};

	arena_free(&block);
	return c;
}

static struct switches tasks_switches(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct switches sum = {0};
	char path[64];

	if (!dir)
		return (struct switches){RUN_NULL, RUN_NULL};
	for (struct dirent *e; (e = readdir(dir));) {
		int64_t tid = sys_number(str_of(e->d_name));
		if (tid == RUN_NULL)
			continue;
		snprintf(path, sizeof path, "/proc/self/task/%lld/status", (long long)tid);
		struct switches one = status_switches(path);
		if (one.voluntary == RUN_NULL) {
			sum = one;
			break;
		}
		sum.voluntary += one.voluntary;
		sum.involuntary += one.involuntary;
	}
	closedir(dir);
	return sum;
}

static struct switches self_switches(void)
{
	struct rusage u = {0};

	getrusage(RUSAGE_SELF, &u);
	return (struct switches){u.ru_nvcsw, u.ru_nivcsw};
}

static struct switches read_way(int way)
{
	if (way == RUSAGE_OF_SELF)
		return self_switches();
	if (way == STATUS_OF_PROCESS)
		return status_switches("/proc/self/status");
	return tasks_switches();
}

static void *sleep_often(void *arg)
{
	struct sleeper *me = arg;

	crew_gate(&me->crew);
	sem_wait(&me->start);
	/* The status file first and last: reading it may itself be interrupted. */
	me->status_before = status_switches("/proc/thread-self/status");
	me->before = thread_switches();
	for (int i = 0; i < me->sleeps; i++)
		clock_sleep(SLEEP_NS);
	me->after = thread_switches();
	me->status_after = status_switches("/proc/thread-self/status");
	sem_post(&me->slept);
	/* A thread that ended takes its counts along: stay until the reading is done. */
	sem_wait(&me->leave);
	return NULL;
}

static struct switches difference(struct switches from, struct switches to)
{
	if (from.voluntary == RUN_NULL || to.voluntary == RUN_NULL)
		return (struct switches){RUN_NULL, RUN_NULL};
	/* The sum over living threads may fall. */
	int64_t voluntary = to.voluntary - from.voluntary, involuntary = to.involuntary - from.involuntary;
	return (struct switches){voluntary < 0 ? 0 : voluntary, involuntary < 0 ? 0 : involuntary};
}

static void report(struct probe_step *s, const struct sleeper *p, struct switches seen)
{
	struct switches own = difference(p->before, p->after);

	if (own.voluntary == 0 || seen.voluntary == RUN_NULL) {
		step_status(s, RUN_SKIPPED, "measure on a kernel of your own",
			own.voluntary ? "/proc tells no context switches here" : "the kernel does not count switches");
		return;
	}
	step_value(s, "counted", seen.voluntary * 1000 / p->sleeps);
	step_value(s, "own", own.voluntary * 1000 / p->sleeps);
	step_value(s, "involuntary", seen.involuntary * 1000 / p->sleeps);
	step_param(s, "sleeps", p->sleeps);
}

/* The main thread blocks twice and does nothing else: its own counts stay small. */
static void read_both_ends(struct probe_step *s, struct sleeper *p, int way)
{
	crew_open(&p->crew);
	struct switches from = read_way(way);
	sem_post(&p->start);
	sem_wait(&p->slept);
	struct switches to = read_way(way);
	sem_post(&p->leave);
	crew_join(&p->crew);
	if (way == STATUS_OF_TASKS_ENDED)
		to = read_way(way);
	if (way == RUSAGE_OF_THREAD)
		report(s, p, difference(p->before, p->after));
	else if (way == STATUS_OF_THREAD)
		report(s, p, difference(p->status_before, p->status_after));
	else
		report(s, p, difference(from, to));
}

static void counters_run(struct probe_step *s, const struct probe_case *c)
{
	struct sleeper p = {.sleeps = s->env->quick ? SLEEPS_QUICK : SLEEPS_FULL};

	sem_init(&p.start, 0, 0);
	sem_init(&p.slept, 0, 0);
	sem_init(&p.leave, 0, 0);
	int err = crew_start(&p.crew, 1, sleep_often, &p, sizeof p);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
	else
		read_both_ends(s, &p, c->arg[ARG_WAY]);
	sem_destroy(&p.start);
	sem_destroy(&p.slept);
	sem_destroy(&p.leave);
}

static const struct probe_case cases[] = {
	{"rusage-thread", {RUSAGE_OF_THREAD}},
	{"status-thread", {STATUS_OF_THREAD}},
	{"rusage-self", {RUSAGE_OF_SELF}},
	{"status-process", {STATUS_OF_PROCESS}},
	{"status-tasks", {STATUS_OF_TASKS}},
	{"status-tasks-ended", {STATUS_OF_TASKS_ENDED}},
	{0},
};

const struct probe_ops counters_ops = {
	.name = "counters",
	.twin = "rusage-self",
	.limit_ms = 15000,
	.cases = cases,
	.run = counters_run,
};
