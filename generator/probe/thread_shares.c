/* thread-shares: the scheduler knows threads, not processes. A process with one spinner beside a process with several,
 * all on one CPU: each process's CPU time against that of both. In two sessions autogroup makes two groups of them, and
 * groups share like single threads. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe/crew.h"
#include "probe/harness.h"
#include "probe/sys.h"

enum { ARG_MANY, ARG_SESSIONS };
enum {
	TURNS_WARM_UP = 2,
	TURNS_QUICK = 6,
	TURNS_FULL = 20,
	WINDOW_PARTS = 8,
	LONGER_MOST = 4,
	SETTLE_NS = 8000000,
	READY_NS = 2000000000
};

/* In shared memory. */
struct process {
	pid_t pid;
	clockid_t clock;
	int64_t cpu_ns;
	_Atomic int running; /* threads that spin */
	_Atomic int err;
};

static void *spin(void *arg)
{
	struct process *const *me = arg;

	atomic_fetch_add(&(*me)->running, 1);
	for (;;)
		spin_work(1U << 20);
	return NULL;
}

static _Noreturn void process_main(
	struct process *me, const struct probe_env *env, int threads, bool own_session, pid_t parent)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (own_session && setsid() < 0)
		atomic_store(&me->err, errno);
	if (!env_pin(env->cpu))
		atomic_store(&me->err, EINVAL);
	for (int i = 1; i < threads && !atomic_load(&me->err); i++)
		atomic_store(&me->err, pthread_create(&thread, NULL, spin, &me));
	spin(&me);
	_exit(1);
}

static int start(struct process *p, const struct probe_env *env, int threads, bool own_session)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		process_main(p, env, threads, own_session, parent);
	if (child < 0)
		return errno;
	p->pid = child;
	int64_t most = clock_ns() + READY_NS;
	while (atomic_load(&p->running) < threads && !atomic_load(&p->err)) {
		if (clock_ns() > most)
			return ETIMEDOUT;
		clock_sleep(1000000);
	}
	return atomic_load(&p->err) ? atomic_load(&p->err) : clock_getcpuclockid(child, &p->clock);
}

static void stop(struct process *p)
{
	if (!p->pid)
		return;
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static int64_t cpu_ns_of(const struct process *p)
{
	struct timespec t;

	return clock_gettime(p->clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
}

static void measure(struct probe_step *s, const struct probe_case *c, struct process *both)
{
	int turns = s->pass < 0 ? TURNS_WARM_UP : s->env->quick ? TURNS_QUICK : TURNS_FULL;
	int64_t window = turns * s->env->quantum_ns * (c->arg[ARG_MANY] + 1);

	clock_sleep(SETTLE_NS);
	int64_t began = clock_ns(), one_then = cpu_ns_of(&both[0]), many_then = cpu_ns_of(&both[1]), one, many, wall;
	/* Where strangers take of the CPU, as many turns take longer. */
	do {
		clock_sleep(window / WINDOW_PARTS);
		one = cpu_ns_of(&both[0]) - one_then;
		many = cpu_ns_of(&both[1]) - many_then;
		wall = clock_ns() - began;
	} while (one + many < window && wall < window * LONGER_MOST);
	/* Of a few turns nobody can tell the shares. */
	if (one + many < window / 2) {
		step_status(s, RUN_FAILED, "stop other programs and run it again",
			"strangers left the spinners %.0f %% of the CPU", 100 * (double)(one + many) / (double)wall);
		return;
	}
	step_value(s, "share-many", (int64_t)((double)many / (double)(one + many) * 1e6));
	step_value(s, "per-thread", (int64_t)((double)many / (double)(one + many) * 1e6 / c->arg[ARG_MANY]));
	step_outside(s, wall, wall - one - many);
	step_param(s, "threads", c->arg[ARG_MANY]);
	step_param(s, "window_ms", window / 1000000);
}

static void thread_shares_run(struct probe_step *s, const struct probe_case *c)
{
	struct process *both = mmap(NULL, 2 * sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int64_t autogroup = sys_int("/proc/sys/kernel/sched_autogroup_enabled");

	if (both == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	/* The observer must neither come late nor take of their CPU. */
	if (s->env->other >= 0)
		env_pin(s->env->other);
	step_param(s, "autogroup", autogroup == 1);
	if (c->arg[ARG_SESSIONS] && autogroup != 1)
		step_status(s, RUN_DEGRADED, "sysctl kernel.sched_autogroup_enabled=1",
			"autogroup is off or absent: two sessions are one group");
	int err = start(&both[0], s->env, 1, c->arg[ARG_SESSIONS]);
	if (!err)
		err = start(&both[1], s->env, c->arg[ARG_MANY], c->arg[ARG_SESSIONS]);
	if (err)
		step_status(s, RUN_SKIPPED, "allow sched_setaffinity; raise 'ulimit -u'",
			"the spinners do not start: %s", strerror(err));
	else
		measure(s, c, both);
	stop(&both[0]);
	stop(&both[1]);
	munmap(both, 2 * sizeof *both);
}

static const struct probe_case cases[] = {
	{"1-1", {1}},
	{"1-3", {3}},
	{"1-7", {7}},
	{"1-3-sessions", {3, true}},
	{0},
};

const struct probe_ops thread_shares_ops = {
	.name = "thread-shares",
	.twin = "1-1",
	.limit_ms = 60000,
	.cases = cases,
	.run = thread_shares_run,
};
