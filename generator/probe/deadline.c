/* deadline: what SCHED_DEADLINE promises, whom it refuses, and how it holds a task to its reservation. Each reservation
 * is made by a fresh process on every CPU we may use, which sleeps longer than a period before it ends and never goes
 * back to another policy: some kernels lose count of their bandwidth otherwise, for everybody and until the next boot. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/realtime.h"

enum { ARG_ROW };
enum { ROW_JOBS, ROW_OVERRUN, ROW_ADMISSION, ROW_PINNED };
enum { TASKS_MAX = 512, JOBS_MAX = 64, PERIODS_QUICK = 6, PERIODS_FULL = 10 }; /* two repay no tick's overrun */
static const int64_t ms = 1000000, job_work_ns = 5000000, gap_ns = 1000000;

struct reservation {
	int64_t runtime_ns, period_ns;
};
static const struct reservation jobs_rsv = {10000000, 100000000}, overrun_rsv = {5000000, 50000000},
				quarter_rsv = {14000000, 50000000}, sane_rsv = {40000000, 100000000},
				whole_rsv = {100000000, 100000000};

struct task {
	pid_t pid;
	_Atomic int err; /* of the reservation */
	_Atomic bool asked;
	int64_t ran_ns, longest_ns; /* overrun */
	int64_t responses[JOBS_MAX];
	_Atomic bool done;
};

struct lab {
	struct guard guard;
	int row, n, jobs;
	_Atomic int leave; /* a futex: those that only hold their reservation may go */
	struct task tasks[TASKS_MAX];
};

static void do_jobs(struct lab *lab, struct task *me, struct reservation r)
{
	int64_t release = clock_ns() + r.period_ns / 10;

	for (int i = 0; i < lab->jobs; i++, release += r.period_ns) {
		int64_t now = clock_ns(), ran = 0;
		if (release > now)
			clock_sleep(release - now);
		for (int64_t at = clock_ns(); ran < job_work_ns; at = now) {
			now = clock_ns();
			ran += now - at < gap_ns ? now - at : 0;
		}
		me->responses[i] = clock_ns() - release;
	}
}

static void do_overrun(struct lab *lab, struct task *me, struct reservation r)
{
	int64_t began = clock_ns(), end = began + lab->jobs * r.period_ns, now;

	for (int64_t at = began; at < end; at = now) {
		now = clock_ns();
		if (now - at < gap_ns)
			me->ran_ns += now - at;
		else if (now - at > me->longest_ns)
			me->longest_ns = now - at;
	}
}

static _Noreturn void be_task(
	struct lab *lab, struct task *me, const struct probe_env *env, struct reservation r, int cpu, pid_t parent)
{
	struct linux_sched_attr attr = {.policy = SCHED_DEADLINE,
		.runtime_ns = (uint64_t)r.runtime_ns,
		.deadline_ns = (uint64_t)r.period_ns,
		.period_ns = (uint64_t)r.period_ns};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	int err = (cpu < 0 ? env_unpin(env) : env_pin(cpu)) ? 0 : EINVAL;
	if (!err && linux_sched_set(0, &attr) != 0)
		err = errno;
	atomic_store(&me->err, err);
	atomic_store(&me->asked, true);
	if (err)
		_exit(0);
	if (lab->row == ROW_JOBS)
		do_jobs(lab, me, r);
	else if (lab->row == ROW_OVERRUN)
		do_overrun(lab, me, r);
	else /* asleep until told to leave: a reservation that sleeps costs nothing */
		while (atomic_load(&lab->leave) == 0)
			linux_futex_wait(&lab->leave, 0, false);
	atomic_store(&me->done, true);
	clock_sleep(r.period_ns + r.period_ns / 4);
	_exit(0);
}

/* A new process asks; waits for the answer: 0 or an errno. */
static int reserve(struct lab *lab, const struct probe_env *env, struct reservation r, int cpu)
{
	struct task *me = &lab->tasks[lab->n];
	pid_t parent = getpid();

	if (lab->n == TASKS_MAX)
		return ENOSPC;
	(void)fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		return errno;
	if (child == 0)
		be_task(lab, me, env, r, cpu, parent);
	me->pid = child;
	lab->n++;
	guard_pid(&lab->guard, child);
	while (!atomic_load(&me->asked))
		clock_sleep(ms / 5);
	return atomic_load(&me->err);
}

/* They end by themselves, for a reservation must not die while it is counted; and for two periods after the last nothing
 * else of ours does: Linux 6.18 was seen to subtract a reservation twice when a process of another session (our guard)
 * ended right behind it. */
static void collect(struct lab *lab, int64_t period_ns)
{
	atomic_store(&lab->leave, 1);
	linux_futex_wake(&lab->leave, TASKS_MAX, false);
	for (int i = 0; i < lab->n; i++)
		while (waitpid(lab->tasks[i].pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	clock_sleep(2 * period_ns);
	guard_forget_pids(&lab->guard);
	memset(lab->tasks, 0, sizeof lab->tasks[0] * (size_t)lab->n);
	lab->n = 0;
	atomic_store(&lab->leave, 0);
}

/* A kernel that refuses 40 per cent and admits 100 has lost count. False: the case is over, and told. */
static bool sane(struct probe_step *s, struct lab *lab)
{
	int row = lab->row;

	lab->row = ROW_ADMISSION;
	int err = reserve(lab, s->env, sane_rsv, -1), whole = EBUSY;
	collect(lab, sane_rsv.period_ns);
	if (err == EBUSY) {
		whole = reserve(lab, s->env, whole_rsv, -1);
		collect(lab, whole_rsv.period_ns);
	}
	lab->row = row;
	if (err == EBUSY && whole == 0)
		step_status(s, RUN_REFUSED, "reboot, or write sched_rt_runtime_us again with its own value",
			"kernel DL accounting inconsistent: 40 %% is refused, 100 %% admitted");
	else if (err == EBUSY)
		step_status(s, RUN_SKIPPED, "stop other programs that hold reservations",
			"others hold so much deadline bandwidth that 40 %% is refused");
	else if (err)
		realtime_refused(s, "sched_setattr", SCHED_DEADLINE, err, NULL);
	return err == 0;
}

/* The answer holds for every row of the table. */
static void ask_once(struct probe_step *s, struct lab *lab)
{
	static struct probe_cell answer;
	static bool asked;

	if (!asked) {
		asked = true;
		sane(s, lab);
		answer = *s->cell;
	} else if (!run_status_usable(answer.status)) {
		step_status(s, answer.status, answer.remedy, "%s", answer.cause);
	}
}

static int64_t predicted(const struct probe_env *env)
{
	/* From 6.12 the fair server of each CPU holds 5 per cent itself. */
	int64_t each = realtime_ppm() - (kernel_at_least(6, 12) ? 50000 : 0);

	return each * env->n_cpus / (quarter_rsv.runtime_ns * 1000000 / quarter_rsv.period_ns);
}

static void admission(struct probe_step *s, struct lab *lab)
{
	int64_t admitted = 0;
	int err = 0;

	while (lab->n < TASKS_MAX / 2 && !(err = reserve(lab, s->env, quarter_rsv, -1)))
		admitted++;
	collect(lab, quarter_rsv.period_ns);
	if (err != EBUSY)
		step_status(s, RUN_SKIPPED, "measure on fewer CPUs", "no end of admission: %s", strerror(err));
	step_value(s, "admitted", admitted);
	step_value(s, "predicted", predicted(s->env));
	step_param(s, "reservation_ppm", quarter_rsv.runtime_ns * 1000000 / quarter_rsv.period_ns);
}

static void pinned(struct probe_step *s, struct lab *lab)
{
	int err = reserve(lab, s->env, sane_rsv, s->env->cpu);

	collect(lab, err ? 0 : sane_rsv.period_ns);
	if (s->env->n_cpus < 2) {
		step_status(
			s, RUN_SKIPPED, "run it on a machine with two CPUs", "one CPU is all the affinity there is");
		return;
	}
	step_value(s, "admitted", err == 0);
	if (err)
		step_note(s, "%s: a reservation counts on every CPU of the root domain",
			err == EPERM ? "EPERM" : strerror(err));
}

static void work(struct probe_step *s, struct lab *lab)
{
	bool jobs = lab->row == ROW_JOBS;
	struct reservation r = jobs ? jobs_rsv : overrun_rsv;
	int64_t misses = 0, window = (s->env->quick ? PERIODS_QUICK : PERIODS_FULL) * r.period_ns;

	lab->jobs = (int)(window / r.period_ns);
	struct hogs *h = hogs_open(s, &lab->guard, window + 20 * ms);
	if (!h)
		return;
	/* Fair rivals on every CPU: a reservation is above them. */
	for (int i = 0; i < s->env->n_cpus && i < HOGS_MAX; i++)
		hogs_add(h, s->env, NULL,
			(struct hog_plan){.cpu = s->env->cpus[i], .group = HOG_NO_GROUP, .gap_ns = gap_ns});
	hogs_ready(h);
	hogs_go(h);
	int err = reserve(lab, s->env, r, -1);
	while (!err && !atomic_load(&lab->tasks[0].done))
		clock_sleep(ms);
	struct task t = lab->tasks[0];
	collect(lab, r.period_ns);
	hogs_close(h);
	if (err) {
		step_status(s, RUN_FAILED, "stop other programs that hold reservations", "%s", strerror(err));
		return;
	}
	step_value(s, "admitted", 1);
	step_param(s, "runtime_us", r.runtime_ns / 1000);
	step_param(s, "period_us", r.period_ns / 1000);
	step_param(s, "periods", lab->jobs);
	if (!jobs) {
		step_value(s, "share", (int64_t)((double)t.ran_ns / (double)window * 1e6));
		step_value(s, "gap", t.longest_ns);
		return;
	}
	for (int i = 0; i < lab->jobs; i++) {
		misses += t.responses[i] > r.period_ns;
		step_hist(s, "response", RUN_UNIT_NS, t.responses[i]);
	}
	step_value(s, "misses", misses);
	step_value(s, "response", hogs_quantile(t.responses, lab->jobs, 990));
}

static void deadline_run(struct probe_step *s, const struct probe_case *c)
{
	struct lab *lab = mmap(NULL, sizeof *lab, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (lab == MAP_FAILED || !guard_open(&lab->guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no memory or no guard process: %s", strerror(errno));
		return;
	}
	lab->row = c->arg[ARG_ROW];
	if (s->env->quick && lab->row == ROW_JOBS)
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: ten jobs a pass take a second");
	else if (s->pass < 0)
		ask_once(s, lab);
	else if (lab->row == ROW_ADMISSION)
		admission(s, lab);
	else if (lab->row == ROW_PINNED)
		pinned(s, lab);
	else
		work(s, lab);
	guard_close(&lab->guard);
	munmap(lab, sizeof *lab);
}

static const struct probe_case cases[] = {
	{"jobs", {ROW_JOBS}},
	{"overrun", {ROW_OVERRUN}},
	{"admission", {ROW_ADMISSION}},
	{"pinned", {ROW_PINNED}},
	{0},
};

const struct probe_ops deadline_ops = {
	.name = "deadline",
	.twin = "overrun",
	.limit_ms = 30000,
	.cases = cases,
	.run = deadline_run,
};
