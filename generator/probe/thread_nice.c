/* thread-nice: on Linux nice belongs to a thread. setpriority with a process id changes the main thread only, with a
 * thread id that thread, and a new thread has the nice value of the thread that created it. A process of its own plays
 * this through, for without privilege nobody comes back from a higher nice value. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"
#include "probe/linux.h"

enum { ARG_CALL, ARG_ASKED, ARG_NICE, ARG_SPIN };
/* setpriority with the process's id, with a worker's thread id, or with the process's before there are threads; or up and, without any
 * privilege, down again. */
enum { BY_PID, BY_TID, BEFORE, AS_NOBODY };
enum { MAIN, WORKER, CHILD_OF_MAIN, CHILD_OF_WORKER };
enum { MEMBERS = 11 /* main and ten workers */, SPINNERS = 2, ROUNDS_QUICK = 7, ROUNDS_FULL = 20 };
enum order { WAIT, CREATE, SPIN };

static const int64_t nap_ns = 200000, settle_ns = 10000000;
static const double weight_step = 1.25; /* sched_prio_to_weight, about; the window alone depends on it */

struct member {
	pthread_t thread;
	struct play *play;
	_Atomic int tid, order;
	_Atomic int child_nice; /* of a thread it made; -1: not yet */
	_Atomic bool placed;
};

/* Shared with the parent. */
struct play {
	const struct probe_env *env;
	const struct probe_case *kase;
	struct member members[MEMBERS];
	int64_t window_ns, cpu_ns[SPINNERS];
	int nice, niced, err;
	int lowering_err; /* an errno */
};

static void *tell_nice(void *arg)
{
	atomic_store((_Atomic int *)arg, getpriority(PRIO_PROCESS, 0));
	return NULL;
}

/* What every thread does: as it is told. */
static void *serve(void *arg)
{
	struct member *me = arg;
	pthread_t child;

	atomic_store(&me->tid, linux_tid());
	for (;;) {
		enum order order = (enum order)atomic_load(&me->order);
		if (order == CREATE && atomic_load(&me->child_nice) < 0) {
			if (pthread_create(&child, NULL, tell_nice, &me->child_nice) == 0)
				pthread_join(child, NULL);
		} else if (order == SPIN) {
			env_pin(me->play->env->cpu);
			atomic_store(&me->placed, true);
			for (;;)
				spin_work(1U << 18);
		}
		clock_sleep(nap_ns);
	}
	return NULL;
}

static int64_t cpu_ns_of(const struct member *m)
{
	clockid_t clock;
	struct timespec t = {0};

	if (pthread_getcpuclockid(m->thread, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void order(struct member *m, enum order what)
{
	atomic_store(&m->order, what);
}

/* Main and the first worker, side by side on one CPU, for a while. */
static void spin_both(struct play *p)
{
	for (int i = 0; i < SPINNERS; i++)
		order(&p->members[i], SPIN);
	for (int i = 0; i < SPINNERS; i++)
		while (!atomic_load(&p->members[i].placed))
			clock_sleep(nap_ns);
	clock_sleep(settle_ns);
	for (int i = 0; i < SPINNERS; i++)
		p->cpu_ns[i] = cpu_ns_of(&p->members[i]);
	clock_sleep(p->window_ns);
	for (int i = 0; i < SPINNERS; i++)
		p->cpu_ns[i] = cpu_ns_of(&p->members[i]) - p->cpu_ns[i];
}

static int nice_of_child(struct member *creator)
{
	order(creator, CREATE);
	while (atomic_load(&creator->child_nice) < 0)
		clock_sleep(nap_ns);
	return atomic_load(&creator->child_nice);
}

/* A thread apart from those in question. */
static void *direct(void *arg)
{
	struct play *p = arg;
	struct member *main_thread = &p->members[MAIN], *worker = &p->members[WORKER];
	const int *a = p->kase->arg;
	int tid;

	if (p->env->other >= 0)
		env_pin(p->env->other);
	for (int i = 0; i < MEMBERS; i++)
		while (!atomic_load(&p->members[i].tid))
			clock_sleep(nap_ns);
	tid = a[ARG_CALL] == BY_TID ? atomic_load(&worker->tid) : getpid();
	if (a[ARG_CALL] != BEFORE && setpriority(PRIO_PROCESS, (id_t)tid, a[ARG_NICE]) != 0)
		p->err = errno;
	for (int i = 0; i < MEMBERS; i++)
		p->niced += getpriority(PRIO_PROCESS, (id_t)atomic_load(&p->members[i].tid)) == a[ARG_NICE];
	if (a[ARG_ASKED] == MAIN || a[ARG_ASKED] == WORKER)
		p->nice = getpriority(
			PRIO_PROCESS, (id_t)atomic_load(&(a[ARG_ASKED] == MAIN ? main_thread : worker)->tid));
	else
		p->nice = nice_of_child(a[ARG_ASKED] == CHILD_OF_MAIN ? main_thread : worker);
	if (a[ARG_SPIN] && !p->err)
		spin_both(p);
	_exit(0);
}

/* Anybody may raise a nice value; lowering it takes CAP_SYS_NICE or a limit (ulimit -e) that allows it. */
static _Noreturn void up_and_down(struct play *p)
{
	enum { NOBODY = 65534 };
	int from = getpriority(PRIO_PROCESS, 0);

	if (geteuid() == 0 && (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
		p->err = errno;
	if (!p->err && setpriority(PRIO_PROCESS, 0, p->kase->arg[ARG_NICE]) != 0)
		p->err = errno;
	if (!p->err && setpriority(PRIO_PROCESS, 0, from) != 0)
		p->lowering_err = errno;
	p->nice = getpriority(PRIO_PROCESS, 0);
	p->niced = p->nice == p->kase->arg[ARG_NICE];
	_exit(0);
}

static _Noreturn void play(struct play *p, pid_t parent)
{
	pthread_t director;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	env_unpin(p->env);
	if (p->kase->arg[ARG_CALL] == AS_NOBODY)
		up_and_down(p);
	p->err = pthread_create(&director, NULL, direct, p);
	if (!p->err && p->kase->arg[ARG_CALL] == BEFORE && setpriority(PRIO_PROCESS, 0, p->kase->arg[ARG_NICE]) != 0)
		p->err = errno;
	p->members[MAIN].thread = pthread_self();
	for (int i = WORKER; i < MEMBERS && !p->err; i++)
		p->err = pthread_create(&p->members[i].thread, NULL, serve, &p->members[i]);
	if (p->err)
		_exit(0);
	serve(&p->members[MAIN]);
	_exit(0);
}

static void report(struct probe_step *s, const struct probe_case *c, const struct play *p)
{
	int asked = c->arg[ARG_ASKED];

	if (p->err) {
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u'; a container's seccomp may forbid setpriority",
			"no thread, or no nice value for it: %s", strerror(p->err));
		return;
	}
	step_value(s, "nice", p->nice);
	step_value(s, "niced", p->niced);
	if (c->arg[ARG_CALL] == AS_NOBODY)
		step_param(s, "lowering_errno", p->lowering_err);
	else
		step_value(s, "threads", MEMBERS);
	step_param(s, "set_to", c->arg[ARG_NICE]);
	if (!c->arg[ARG_SPIN]) {
		step_outside(s, 1, 0); /* a question with one answer: no load changes it */
		return;
	}
	int64_t sum = p->cpu_ns[MAIN] + p->cpu_ns[WORKER];
	if (sum > 0)
		step_value(s, "share", (int64_t)((double)p->cpu_ns[asked] / (double)sum * 1e6));
	step_outside(s, p->window_ns, p->window_ns - sum);
	step_param(s, "window_ms", p->window_ns / 1000000);
}

static int64_t window_ns(const struct probe_step *s, int nice)
{
	double ratio = 1;

	for (int i = 0; i < nice; i++)
		ratio *= weight_step;
	if (s->pass < 0)
		return s->env->quantum_ns * 2;
	return (int64_t)((double)s->env->quantum_ns * (1 + ratio) * (s->env->quick ? ROUNDS_QUICK : ROUNDS_FULL));
}

static void thread_nice_run(struct probe_step *s, const struct probe_case *c)
{
	struct play *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t parent = getpid();

	if (p == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	p->env = s->env;
	p->kase = c;
	p->window_ns = window_ns(s, c->arg[ARG_NICE]);
	for (int i = 0; i < MEMBERS; i++) {
		p->members[i].play = p;
		atomic_store(&p->members[i].child_nice, -1);
	}
	pid_t child = fork();
	if (child == 0)
		play(p, parent);
	if (child < 0)
		p->err = errno;
	else
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			continue;
	report(s, c, p);
	munmap(p, sizeof *p);
}

static const struct probe_case cases[] = {
	{"pid-main", {BY_PID, MAIN, 10, true}},
	{"pid-worker", {BY_PID, WORKER, 10}},
	{"pid-child-of-main", {BY_PID, CHILD_OF_MAIN, 10}},
	{"pid-child-of-worker", {BY_PID, CHILD_OF_WORKER, 10}},
	{"tid-main", {BY_TID, MAIN, 5}},
	{"tid-worker", {BY_TID, WORKER, 5, true}},
	{"before-worker", {BEFORE, WORKER, 10}},
	{"nobody-up-and-down", {AS_NOBODY, MAIN, 5}},
	{0},
};

const struct probe_ops thread_nice_ops = {
	.name = "thread-nice",
	.twin = "tid-worker",
	.limit_ms = 30000,
	.cases = cases,
	.run = thread_nice_run,
};
