/* nice: how spinners of different nice values share one CPU. Shares are CPU time against the CPU time of all spinners,
 * read by an observer on another CPU while all of them spin; strangers on the CPU shorten the window for all alike. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/harness.h"
#include "probe/sys.h"

enum { ARG_NICE1, ARG_NICE2, ARG_NICE3, ARG_SESSIONS };
enum { NONE = 99, SPINNERS_MAX = 3 }; /* NONE: no third spinner */

enum { QUANTA_QUICK = 30, QUANTA_FULL = 80, SETTLE_NS = 30000000 };
static const int64_t quick_window_most_ns = 2000000000;

/* sched_prio_to_weight[] of kernel/sched/core.c, from nice -20; each step is a factor of about 1.25. */
static const int weights[40] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100,
	4904, 3906, 3121, 2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56,
	45, 36, 29, 23, 18, 15};

struct spinner {
	pid_t pid;
	clockid_t clock;
	int64_t cpu_ns, wait_ns; /* at the window's start, then over the window */
	_Atomic int err; /* an errno: it could not take its place */
	_Atomic bool ready;
};

struct ring {
	struct spinner spinners[SPINNERS_MAX];
	int n;
};

static int set_nice(int nice)
{
	if (setpriority(PRIO_PROCESS, 0, nice) != 0)
		return errno;
	errno = 0;
	int got = getpriority(PRIO_PROCESS, 0);
	return got == nice && !errno ? 0 : ENOTSUP;
}

static _Noreturn void spin(struct spinner *me, const struct probe_env *env, int nice, bool own_session, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (own_session && setsid() < 0)
		atomic_store(&me->err, errno);
	else if (!env_pin(env->cpu))
		atomic_store(&me->err, EINVAL);
	else
		atomic_store(&me->err, set_nice(nice));
	atomic_store(&me->ready, true);
	for (;;)
		spin_work(1U << 20);
}

static void stop_all(struct ring *r)
{
	for (int i = 0; i < r->n; i++)
		kill(r->spinners[i].pid, SIGKILL);
	for (int i = 0; i < r->n; i++)
		while (waitpid(r->spinners[i].pid, NULL, 0) < 0 && errno == EINTR)
			continue;
}

/* Starts them all and waits until each has its CPU and nice value. Returns an errno. */
static int start_all(struct ring *r, const struct probe_step *s, const struct probe_case *c)
{
	pid_t parent = getpid();

	for (int i = 0; i < SPINNERS_MAX && c->arg[i] != NONE; i++) {
		struct spinner *me = &r->spinners[i];
		pid_t child = fork();
		if (child < 0)
			return errno;
		if (child == 0)
			spin(me, s->env, c->arg[i], c->arg[ARG_SESSIONS], parent);
		me->pid = child;
		r->n++;
		int err = clock_getcpuclockid(child, &me->clock);
		if (err)
			return err;
	}
	/* One with a high nice value waits long for its first turn. */
	for (int i = 0; i < r->n; i++) {
		while (!atomic_load(&r->spinners[i].ready))
			clock_sleep(1000000);
		if (atomic_load(&r->spinners[i].err))
			return atomic_load(&r->spinners[i].err);
	}
	return 0;
}

static int64_t cpu_ns_of(const struct spinner *sp)
{
	struct timespec t;

	return clock_gettime(sp->clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : RUN_NULL;
}

static void read_all(struct ring *r, bool difference)
{
	for (int i = 0; i < r->n; i++) {
		struct spinner *sp = &r->spinners[i];
		int64_t cpu = cpu_ns_of(sp), wait = sys_schedstat(sp->pid, 1);
		sp->cpu_ns = difference ? cpu - sp->cpu_ns : cpu;
		if (wait == RUN_NULL || sp->wait_ns == RUN_NULL)
			sp->wait_ns = RUN_NULL;
		else
			sp->wait_ns = difference ? wait - sp->wait_ns : wait;
	}
}

static int weight_of(int nice)
{
	return weights[nice + 20];
}

/* Long enough for the one with the least weight to get `quanta` turns. */
static int64_t window_ns(const struct probe_env *env, const struct probe_case *c, bool equal_groups)
{
	int64_t sum = 0, least = INT64_MAX, quanta = env->quick ? QUANTA_QUICK : QUANTA_FULL;

	for (int i = 0; i < SPINNERS_MAX && c->arg[i] != NONE; i++) {
		int64_t w = equal_groups ? 1 : weight_of(c->arg[i]);
		sum += w;
		least = w < least ? w : least;
	}
	return quanta * env->quantum_ns * sum / least;
}

static struct str group_text(struct arena *a, pid_t pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	return sys_text(a, path);
}

/* Weights only count between neighbours: all must be in one autogroup (unless two sessions are the question) and in one
 * cgroup. */
static void check_groups(struct probe_step *s, const struct ring *r, bool sessions)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str first = group_text(&a, r->spinners[0].pid, "autogroup");
	struct str cgroup = group_text(&a, r->spinners[0].pid, "cgroup"), none;
	int groups = 1;

	/* "/autogroup-13 nice 0": the name alone. */
	first = str_cut(first, ' ', &none);
	for (int i = 1; i < r->n; i++) {
		struct str own = str_cut(group_text(&a, r->spinners[i].pid, "autogroup"), ' ', &none);
		groups += !str_eq(own, first);
		if (!str_eq(group_text(&a, r->spinners[i].pid, "cgroup"), cgroup))
			step_status(s, RUN_DEGRADED, "run it where one cgroup holds all its processes",
				"the spinners are in different cgroups");
	}
	if (groups > 1 && !sessions)
		step_status(s, RUN_DEGRADED, "sysctl kernel.sched_autogroup_enabled=0",
			"the spinners are in %d autogroups", groups);
	step_param(s, "autogroups", first.len ? groups : 0);
	arena_free(&block);
}

static void report(struct probe_step *s, const struct ring *r, int64_t wall)
{
	static const char *const shares[SPINNERS_MAX] = {"share1", "share2", "share3"};
	int64_t sum = 0;

	for (int i = 0; i < r->n; i++)
		sum += r->spinners[i].cpu_ns;
	if (sum <= 0) {
		step_status(
			s, RUN_FAILED, "measure on a kernel of your own", "the CPU clocks of the spinners stand still");
		return;
	}
	for (int i = 0; i < r->n; i++)
		step_value(s, shares[i], (int64_t)((double)r->spinners[i].cpu_ns / (double)sum * 1e6));
	if (r->spinners[1].wait_ns != RUN_NULL)
		step_value(s, "wait2", (int64_t)((double)r->spinners[1].wait_ns / (double)wall * 1e6));
	step_outside(s, wall, wall - sum);
}

static void refuse(struct probe_step *s, int err)
{
	bool denied = err == EACCES || err == EPERM;

	if (denied && !sys_cap_sys_nice())
		step_status(s, RUN_SKIPPED, "run it as root, or raise the limit of nice (ulimit -e)",
			"setpriority=%s: no CAP_SYS_NICE, and the limit of nice forbids it; started at nice %d",
			err == EACCES ? "EACCES" : "EPERM", getpriority(PRIO_PROCESS, 0));
	else
		step_status(s, RUN_SKIPPED, "a container's seccomp or a security module may forbid it",
			"a spinner could not be started, pinned or given its nice value: %s", strerror(err));
}

static void measure(struct probe_step *s, const struct probe_case *c, struct ring *r, int64_t window)
{
	int err = start_all(r, s, c);

	if (err) {
		refuse(s, err);
		return;
	}
	clock_sleep(SETTLE_NS);
	check_groups(s, r, c->arg[ARG_SESSIONS]);
	int64_t began = clock_ns();
	read_all(r, false);
	clock_sleep(window);
	read_all(r, true);
	report(s, r, clock_ns() - began);
}

static void nice_run(struct probe_step *s, const struct probe_case *c)
{
	bool autogroup = sys_int("/proc/sys/kernel/sched_autogroup_enabled") == 1;
	/* With autogroup, two sessions share equally whatever their nice values: a short window shows it. */
	int64_t window = window_ns(s->env, c, autogroup && c->arg[ARG_SESSIONS]);

	if (s->env->quick && window > quick_window_most_ns) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: a pass takes %d.%d s here",
			(int)(window / 1000000000), (int)(window / 100000000 % 10));
		return;
	}
	if (s->pass < 0)
		window = s->env->quantum_ns * 4;
	struct ring *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	/* Off the spinners' CPU, if there is another: the observer must read on time and not take theirs. */
	if (s->env->other >= 0)
		env_pin(s->env->other);
	step_param(s, "nice1", c->arg[ARG_NICE1]);
	step_param(s, "nice2", c->arg[ARG_NICE2]);
	if (c->arg[ARG_NICE3] != NONE)
		step_param(s, "nice3", c->arg[ARG_NICE3]);
	step_param(s, "window_ms", window / 1000000);
	measure(s, c, r, window);
	stop_all(r);
	munmap(r, sizeof *r);
}

static const struct probe_case cases[] = {
	{"0-0", {0, 0, NONE}},
	{"0-5", {0, 5, NONE}},
	{"0-10", {0, 10, NONE}},
	{"5-15", {5, 15, NONE}},
	{"m5-0-5", {-5, 0, 5}},
	{"0-10-sessions", {0, 10, NONE, true}},
	{0},
};

const struct probe_ops nice_ops = {
	.name = "nice",
	.twin = "0-5",
	.limit_ms = 120000,
	.cases = cases,
	.run = nice_run,
};
