#include "probe/stage.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/actor.h"
#include "probe/sys.h"

static const int64_t nap_ns = 500000; /* between two looks */

struct stage *stage_open(struct probe_step *s)
{
	struct stage *st = mmap(NULL, sizeof *st, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (st == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return NULL;
	}
	/* Off the actors' CPU, if there is another: an observer must read on time and not take theirs. */
	if (s->env->other >= 0)
		env_pin(s->env->other);
	return st;
}

static void refuse(struct probe_step *s, enum actor_deed deed, int err)
{
	static const char *const deeds[] = {"fork", "setsid", "sched_setaffinity", "setpriority", "sched_setscheduler",
		"sched_setattr", "autogroup's nice"};
	bool denied = err == EACCES || err == EPERM;

	if (denied && deed == DEED_NICE && !sys_cap_sys_nice())
		step_status(s, RUN_SKIPPED, "run it as root, or raise the limit of nice (ulimit -e)",
			"setpriority=%s: no CAP_SYS_NICE, and the limit of nice forbids it; started at nice %d",
			err == EACCES ? "EACCES" : "EPERM", getpriority(PRIO_PROCESS, 0));
	else if (deed == DEED_SLICE && err == ENOTSUP)
		step_status(s, RUN_SKIPPED, "measure on Linux 6.12 or later",
			"the kernel took a slice of its own and ignored it");
	else
		step_status(s, RUN_SKIPPED, "a container's seccomp or a security module may forbid it", "%s: %s",
			deeds[deed], strerror(err));
}

bool stage_add(struct probe_step *s, struct stage *st, struct actor_spec spec)
{
	struct actor *me = &st->actors[st->n];
	pid_t parent = getpid();

	me->spec = spec;
	pid_t child = fork();
	if (child < 0) {
		refuse(s, DEED_START, errno);
		return false;
	}
	if (child == 0)
		actor_play(st, me, s->env, parent);
	me->pid = child;
	st->n++;
	int err = clock_getcpuclockid(child, &me->clock);
	if (err)
		refuse(s, DEED_START, err);
	return !err;
}

bool stage_start(struct probe_step *s, struct stage *st, int64_t settle_ns)
{
	for (int i = 0; i < st->n; i++) {
		while (!atomic_load(&st->actors[i].ready))
			clock_sleep(nap_ns);
		int err = atomic_load(&st->actors[i].err);
		if (err) {
			refuse(s, atomic_load(&st->actors[i].deed), err);
			return false;
		}
	}
	for (int i = 0; i < st->n; i++)
		atomic_store(&st->actors[i].go, true);
	clock_sleep(settle_ns);
	return true;
}

static int64_t cpu_ns_of(const struct actor *a)
{
	struct timespec t;

	return clock_gettime(a->clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : RUN_NULL;
}

static int64_t since(int64_t from, int64_t now, bool difference)
{
	if (from == RUN_NULL || now == RUN_NULL)
		return RUN_NULL;
	return difference ? now - from : now;
}

static void read_switches(struct actor *a, bool difference)
{
	char path[64];
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);

	snprintf(path, sizeof path, "/proc/%d/status", (int)a->pid);
	struct str status = sys_text(&scratch, path);
	a->voluntary = since(a->voluntary, sys_number(sys_field(status, "voluntary_ctxt_switches")), difference);
	a->involuntary = since(a->involuntary, sys_number(sys_field(status, "nonvoluntary_ctxt_switches")), difference);
	arena_free(&block);
}

/* All CPU clocks and the wall clock at one moment, or nearly: again, if somebody took our CPU in between. */
static int64_t read_clocks(const struct stage *st, int64_t cpu_ns[STAGE_ACTORS_MAX])
{
	enum { TRIES = 10 };
	static const int64_t close_ns = 50000;
	int64_t from = 0, took = 0;

	for (int k = 0; k < TRIES; k++) {
		from = clock_ns();
		for (int i = 0; i < st->n; i++)
			cpu_ns[i] = cpu_ns_of(&st->actors[i]);
		took = clock_ns() - from;
		if (took < close_ns)
			break;
	}
	return from + took / 2;
}

void stage_read(struct stage *st, bool difference)
{
	int64_t cpu_ns[STAGE_ACTORS_MAX], now = read_clocks(st, cpu_ns);

	for (int i = 0; i < st->n; i++) {
		struct actor *a = &st->actors[i];
		if (!difference)
			a->cpu_ns = a->wait_ns = a->turns = a->voluntary = a->involuntary = 0;
		a->cpu_ns = since(a->cpu_ns, cpu_ns[i], difference);
		a->wait_ns = since(a->wait_ns, sys_schedstat(a->pid, 1), difference);
		a->turns = since(a->turns, sys_schedstat(a->pid, 2), difference);
	}
	st->wall_ns = difference ? now - st->wall_ns : now;
	/* Slower to read, and nobody divides by it to the last per mille. */
	for (int i = 0; i < st->n; i++)
		read_switches(&st->actors[i], difference);
}

void stage_watch(struct stage *st, int64_t window_ns)
{
	stage_read(st, false);
	clock_sleep(window_ns);
	stage_read(st, true);
}

void stage_watch_light(struct stage *st, int64_t window_ns)
{
	int64_t had = 0, from = 0;

	stage_read(st, false);
	for (int i = 0; i < st->n; i++)
		from += st->actors[i].cpu_ns;
	for (int k = 0; k < 8 && had < window_ns / 2; k++) {
		clock_sleep(window_ns);
		had = -from;
		for (int i = 0; i < st->n; i++)
			had += cpu_ns_of(&st->actors[i]);
	}
	stage_read(st, true);
}

bool stage_wakes(struct probe_step *s, struct stage *st, int64_t limit_ns)
{
	int64_t end = clock_ns() + limit_ns;
	int want = 0;

	for (int i = 0; i < st->n; i++)
		want += st->actors[i].spec.wakes;
	while (atomic_load(&st->n_late) < want) {
		if (clock_ns() > end) {
			step_status(s, RUN_FAILED, "run it again on a quieter machine",
				"the sleeper woke %d of %d times in time", atomic_load(&st->n_late), want);
			return false;
		}
		clock_sleep(nap_ns * 4);
	}
	return true;
}

bool stage_turn_end(const struct probe_step *s, const struct stage *st, int actor, int64_t limit_ns)
{
	const struct actor *a = &st->actors[actor];
	int64_t began = cpu_ns_of(a), last = began, end = clock_ns() + limit_ns;
	int still = 0;

	while (clock_ns() < end) {
		clock_sleep(nap_ns);
		int64_t now = cpu_ns_of(a);
		still = now == last ? still + 1 : 0;
		last = now;
		if (still >= 2 && now - began >= s->env->quantum_ns / 2)
			return true;
	}
	return false;
}

bool stage_jobs(struct probe_step *s, struct stage *st, int64_t limit_ns, int64_t *wall_ns)
{
	int64_t end = clock_ns() + limit_ns, first = INT64_MAX, last = 0;

	for (int i = 0; i < st->n; i++) {
		struct actor *a = &st->actors[i];
		if (!a->spec.units)
			continue;
		while (!atomic_load(&a->done_ns)) {
			if (clock_ns() > end) {
				step_status(s, RUN_FAILED, "run it again on a quieter machine",
					"a job did not end within %lld ms", (long long)(limit_ns / 1000000));
				return false;
			}
			clock_sleep(nap_ns * 2);
		}
		int64_t began = atomic_load(&a->began_ns), done = atomic_load(&a->done_ns);
		first = began < first ? began : first;
		last = done > last ? done : last;
	}
	*wall_ns = last - first;
	return true;
}

int64_t stage_ppm(int64_t part, int64_t whole)
{
	if (part == RUN_NULL || whole == RUN_NULL || whole <= 0)
		return RUN_NULL;
	return (int64_t)((double)part / (double)whole * 1e6);
}

int64_t stage_share(const struct stage *st, int actor)
{
	int64_t sum = 0;

	for (int i = 0; i < st->n; i++)
		sum += st->actors[i].cpu_ns > 0 ? st->actors[i].cpu_ns : 0;
	return stage_ppm(st->actors[actor].cpu_ns, sum);
}

void stage_close(struct stage *st)
{
	if (!st)
		return;
	for (int i = 0; i < st->n; i++)
		kill(st->actors[i].pid, SIGKILL);
	for (int i = 0; i < st->n; i++)
		while (waitpid(st->actors[i].pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	munmap(st, sizeof *st);
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t stage_quantile(int64_t *values, int n, int per_mille)
{
	if (n <= 0)
		return RUN_NULL;
	qsort(values, (size_t)n, sizeof *values, ascending);
	int rank = (n * per_mille + 999) / 1000;
	return values[rank > 0 ? rank - 1 : 0];
}

void stage_report_waits(struct probe_step *s, struct stage *st)
{
	enum { ENOUGH_FOR_P99 = 100 };
	int n = atomic_load(&st->n_late);

	for (int i = 0; i < n; i++)
		step_hist(s, "wait", RUN_UNIT_NS, st->late_ns[i]);
	step_value(s, "p50", stage_quantile(st->late_ns, n, 500));
	step_value(s, "p90", stage_quantile(st->late_ns, n, 900));
	if (n >= ENOUGH_FOR_P99)
		step_value(s, "p99", stage_quantile(st->late_ns, n, 990));
	step_value(s, "max", stage_quantile(st->late_ns, n, 1000));
	step_param(s, "wakes", n);
}
