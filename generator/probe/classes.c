/* classes: one spinner of each policy on one CPU. The class decides before any weight: of two real-time policies the higher
 * priority has it all, and what throttling or the fair server leaves goes to the fair class, there by weight. Beside it,
 * the limit on real-time CPU time, and how many tasks of the machine are in which class. A reservation (SCHED_DEADLINE)
 * would come first, but cannot be pinned to a CPU. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/realtime.h"

enum { ARG_ROW };
enum { ROW_ORDER, ROW_LIMIT, ROW_CENSUS };
enum { OTHER, BATCH, IDLE, FAIR_KINDS, FIFO = 0, RR, REAL_KINDS };
static const int64_t lead_ns = 20000000, gap_ns = 2000000, slack_ns = 300000000, limit_ns = 100000000,
		     most_ns = 300000000;
static const int64_t longest_period_ns = 2000000000;

static int add_all(struct probe_step *s, struct hogs *fair, struct hogs *real)
{
	static const int fair_policies[FAIR_KINDS] = {SCHED_OTHER, SCHED_BATCH, SCHED_IDLE};
	struct hog_plan plan = {.cpu = realtime_cpu(s->env), .group = HOG_NO_GROUP, .gap_ns = gap_ns};
	int err = 0;

	for (int i = 0; i < FAIR_KINDS && !err; i++) {
		plan.policy = fair_policies[i];
		err = hogs_add(fair, s->env, NULL, plan);
	}
	for (int i = 0; i < REAL_KINDS && !err; i++) {
		plan.policy = i == FIFO ? SCHED_FIFO : SCHED_RR;
		plan.priority = i == FIFO ? 2 : 1;
		err = hogs_add(real, s->env, NULL, plan);
	}
	if (!err)
		err = hogs_ready(fair);
	return err ? err : hogs_ready(real);
}

/* The fair ones first, for beside a real-time spinner they would hardly begin. Shares of a whole period. */
static void watch_order(struct probe_step *s, struct hogs *fair, struct hogs *real)
{
	static const char *const fair_names[FAIR_KINDS] = {"other", "batch", "idle"};
	static const char *const real_names[REAL_KINDS] = {"fifo", "rr"};
	int64_t period = realtime_period_ns();

	hogs_go(fair);
	clock_sleep(lead_ns);
	hogs_go(real);
	while (!atomic_load(&real->hogs[FIFO].began_ns))
		clock_sleep(lead_ns / 100);
	int err = atomic_load(&real->hogs[FIFO].err);
	if (err) {
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, err, NULL);
		return;
	}
	hogs_read(fair, false);
	hogs_read(real, false);
	clock_sleep(period);
	hogs_read(fair, true);
	hogs_read(real, true);
	int64_t sum = hogs_cpu_ns(fair) + hogs_cpu_ns(real);
	for (int i = 0; i < FAIR_KINDS && sum > 0; i++)
		step_value(s, fair_names[i], (int64_t)((double)fair->hogs[i].cpu_ns / (double)sum * 1e6));
	for (int i = 0; i < REAL_KINDS && sum > 0; i++)
		step_value(s, real_names[i], (int64_t)((double)real->hogs[i].cpu_ns / (double)sum * 1e6));
	step_outside(s, period, period > sum ? period - sum : 0);
	step_param(s, "window_ms", period / 1000000);
}

static void run_order(struct probe_step *s, struct guard *guard)
{
	int64_t period = realtime_period_ns(), most = 2 * period;

	if (period > longest_period_ns) {
		step_status(s, RUN_SKIPPED, "sysctl kernel.sched_rt_period_us=1000000",
			"a period of real-time bandwidth is %lld ms here", (long long)(period / 1000000));
		return;
	}
	/* The kernel's clock of periods runs on for one after the last real-time task: begin with one that is whole. */
	clock_sleep(period + lead_ns);
	struct hogs *fair = hogs_open(s, guard, most + slack_ns), *real = hogs_open(s, guard, most + slack_ns);
	int err = fair && real ? add_all(s, fair, real) : ENOMEM;
	pid_t watchdog = err ? -1 : watchdog_start(s->env, real, guard);
	if (err)
		step_status(s, RUN_SKIPPED, "a container's seccomp may forbid it",
			"a spinner could not take its place: %s", strerror(err));
	else if (watchdog < 0)
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, errno, NULL);
	else
		watch_order(s, fair, real);
	hogs_close(real);
	hogs_close(fair);
	watchdog_stop(watchdog);
}

/* Shared with the child that spins until the signal comes. */
struct limited {
	_Atomic bool go;
	_Atomic int err;
	_Atomic int64_t began_ns, signal_ns;
};
static struct limited *limited;

static void on_limit(int number)
{
	(void)number;
	atomic_store(&limited->signal_ns, clock_ns());
}

static _Noreturn void spin_limited(const struct probe_env *env, pid_t parent)
{
	struct sigaction act = {.sa_handler = on_limit};
	struct rlimit limit = {.rlim_cur = (rlim_t)(limit_ns / 1000), .rlim_max = (rlim_t)(most_ns / 1000)};
	struct sched_param one = {.sched_priority = 1};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent && !atomic_load(&limited->go))
		clock_sleep(lead_ns / 100);
	if (getppid() != parent)
		_exit(1);
	if (!env_pin(realtime_cpu(env)) || sigaction(SIGXCPU, &act, NULL) != 0 ||
		setrlimit(RLIMIT_RTTIME, &limit) != 0 || linux_policy_set(0, SCHED_FIFO, &one) != 0) {
		atomic_store(&limited->err, errno);
		_exit(1);
	}
	int64_t began = clock_ns();
	atomic_store(&limited->began_ns, began);
	while (!atomic_load(&limited->signal_ns) && clock_ns() - began < most_ns)
		spin_work(1000);
	_exit(0);
}

static void run_limit(struct probe_step *s, struct guard *guard)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		spin_limited(s->env, parent);
	if (child < 0) {
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "fork: %s", strerror(errno));
		return;
	}
	guard_pid(guard, child);
	pid_t watchdog = watchdog_over(s->env, clock_ns() + most_ns, &child, 1, guard);
	int watchdog_err = errno;
	if (watchdog < 0)
		kill(child, SIGKILL);
	else
		atomic_store(&limited->go, true);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	watchdog_stop(watchdog);
	guard_forget_pids(guard);
	int64_t began = atomic_load(&limited->began_ns), signalled = atomic_load(&limited->signal_ns);
	int err = watchdog < 0 ? watchdog_err : atomic_load(&limited->err);
	if (err)
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, err, NULL);
	else if (!signalled)
		step_status(s, RUN_DEGRADED, "look whether the kernel has RLIMIT_RTTIME", "no SIGXCPU within %lld ms",
			(long long)(most_ns / 1000000));
	else
		step_value(s, "signal", signalled - began);
	step_param(s, "limit_ms", limit_ns / 1000000);
}

/* Every process of the machine, kernel threads among them, by the policy of its main thread. */
static void run_census(struct probe_step *s)
{
	DIR *dir = opendir("/proc");
	int64_t tasks = 0, normal = 0;

	for (struct dirent *e; dir && (e = readdir(dir));) {
		int policy = isdigit((unsigned char)e->d_name[0]) ? linux_policy_get((pid_t)strtol(e->d_name, NULL, 10))
								  : -1;
		tasks += policy >= 0;
		normal += (policy & ~SCHED_RESET_ON_FORK) == SCHED_OTHER;
	}
	if (dir)
		closedir(dir);
	if (!tasks) {
		step_status(s, RUN_SKIPPED, "mount /proc", "no process could be asked for its policy");
		return;
	}
	step_value(s, "tasks", tasks);
	step_value(s, "normal", normal * 1000000 / tasks);
	step_outside(s, 1, 0); /* a question with one answer: no load changes it */
}

static void run_guarded(struct probe_step *s, int row)
{
	struct guard guard;

	if (!guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return;
	}
	if (row == ROW_ORDER)
		run_order(s, &guard);
	else
		run_limit(s, &guard);
	guard_close(&guard);
}

static void classes_run(struct probe_step *s, const struct probe_case *c)
{
	struct sched_param one = {.sched_priority = 1}, zero = {0};
	int row = c->arg[ARG_ROW];

	if (row == ROW_CENSUS) {
		run_census(s);
		return;
	}
	if (row == ROW_ORDER && s->env->quick) {
		step_status(s, RUN_SKIPPED, "run it without --quick",
			"quick: a period of real-time bandwidth is %lld ms",
			(long long)(realtime_period_ns() / 1000000));
		return;
	}
	if (!realtime_safe(s))
		return;
	if (s->pass < 0) {
		if (linux_policy_set(0, SCHED_FIFO, &one) != 0)
			realtime_refused(s, "sched_setscheduler", SCHED_FIFO, errno, NULL);
		else
			linux_policy_set(0, SCHED_OTHER, &zero);
		return;
	}
	limited = mmap(NULL, sizeof *limited, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (limited == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	run_guarded(s, row);
	munmap(limited, sizeof *limited);
}

static const struct probe_case cases[] = {
	{"order", {ROW_ORDER}},
	{"rttime", {ROW_LIMIT}},
	{"census", {ROW_CENSUS}},
	{0},
};

const struct probe_ops classes_ops = {
	.name = "classes",
	.twin = "rttime",
	.limit_ms = 20000,
	.cases = cases,
	.run = classes_run,
};
