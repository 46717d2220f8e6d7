/* inversion: a task above all others wants a lock that a fair task holds, while one in between spins. Without priority
 * inheritance it waits for the one in between as well; with it the holder runs in its place until it lets go. All three on
 * one CPU, in a process of their own; the one in between spins for so short a time that no throttling is met. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/meter.h"
#include "probe/realtime.h"

enum { ARG_INHERIT, ARG_MIDDLE };
enum { PRIORITY_MIDDLE = 2, PRIORITY_HIGH = 3 };
static const int64_t hold_ns = 5000000, middle_ns = 40000000, nap_ns = 200000, most_ns = 400000000, rest_ns = 10000000;

struct scene {
	const struct probe_env *env;
	pthread_mutex_t lock;
	_Atomic bool held, asked, go_high, go_middle, middle_spins;
	_Atomic int err;
	int64_t asked_ns, got_ns; /* the high one's */
	_Atomic bool done;
};

/* Pins the thread and waits for its turn, in the class that it is to have. */
static bool on_stage(struct scene *sc, int priority, _Atomic bool *go)
{
	struct sched_param param = {.sched_priority = priority};

	if (!env_pin(realtime_cpu(sc->env)) || (priority && linux_policy_set(0, SCHED_FIFO, &param) != 0)) {
		atomic_store(&sc->err, errno);
		return false;
	}
	while (go && !atomic_load(go))
		clock_sleep(nap_ns);
	return true;
}

static void *low(void *arg)
{
	struct scene *sc = arg;

	if (!on_stage(sc, 0, NULL))
		return NULL;
	pthread_mutex_lock(&sc->lock);
	atomic_store(&sc->held, true);
	for (int64_t from = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID);
		cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from < hold_ns;)
		spin_work(1000);
	pthread_mutex_unlock(&sc->lock);
	return NULL;
}

static void *middle(void *arg)
{
	struct scene *sc = arg;

	if (!on_stage(sc, PRIORITY_MIDDLE, &sc->go_middle))
		return NULL;
	atomic_store(&sc->middle_spins, true);
	for (int64_t from = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID);
		cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from < middle_ns;)
		spin_work(1000);
	return NULL;
}

static void *high(void *arg)
{
	struct scene *sc = arg;

	if (!on_stage(sc, PRIORITY_HIGH, &sc->go_high))
		return NULL;
	sc->asked_ns = clock_ns();
	atomic_store(&sc->asked, true);
	pthread_mutex_lock(&sc->lock);
	sc->got_ns = clock_ns();
	pthread_mutex_unlock(&sc->lock);
	return NULL;
}

static int open_lock(struct scene *sc, bool inherit)
{
	pthread_mutexattr_t attr;
	int err = pthread_mutexattr_init(&attr);

	if (!err && inherit)
		err = pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	if (!err)
		err = pthread_mutex_init(&sc->lock, &attr);
	return err;
}

static bool wait_for(struct scene *sc, _Atomic bool *flag)
{
	while (!atomic_load(flag) && !atomic_load(&sc->err))
		clock_sleep(nap_ns);
	return !atomic_load(&sc->err);
}

/* The director watches from another CPU. */
static _Noreturn void play(struct scene *sc, const struct probe_case *c, pid_t parent)
{
	void *(*const parts[])(void *) = {high, middle, low};
	pthread_t threads[3];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	int err = open_lock(sc, c->arg[ARG_INHERIT]);
	for (int i = 0; i < 3 && !err; i++)
		err = pthread_create(&threads[i], NULL, parts[i], sc);
	if (err)
		atomic_store(&sc->err, err);
	if (!err && wait_for(sc, &sc->held)) {
		atomic_store(&sc->go_high, true);
		if (wait_for(sc, &sc->asked) && c->arg[ARG_MIDDLE])
			atomic_store(&sc->go_middle, true);
		while (!atomic_load(&sc->err) && pthread_tryjoin_np(threads[0], NULL) != 0)
			clock_sleep(nap_ns);
		atomic_store(&sc->done, !atomic_load(&sc->err));
	}
	_exit(0);
}

static void measure(struct probe_step *s, const struct probe_case *c, struct scene *sc, struct guard *guard)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		play(sc, c, parent);
	if (child < 0) {
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "fork: %s", strerror(errno));
		return;
	}
	guard_pid(guard, child);
	pid_t watchdog = watchdog_over(s->env, clock_ns() + most_ns, &child, 1, guard);
	int err = watchdog < 0 ? errno : 0;
	if (watchdog < 0)
		kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	watchdog_stop(watchdog);
	guard_forget_pids(guard);
	if (!err)
		err = atomic_load(&sc->err);
	if (err == EPERM)
		realtime_refused(s, "sched_setscheduler", SCHED_FIFO, err, NULL);
	else if (err)
		step_status(s, RUN_SKIPPED,
			"a container's seccomp, or a C library without priority inheritance, may forbid it",
			"a thread or its lock: %s", strerror(err));
	else if (!atomic_load(&sc->done))
		step_status(s, RUN_FAILED, "run it again on a quieter machine", "nobody had the lock within %lld ms",
			(long long)(most_ns / 1000000));
	else
		step_value(s, "wait", sc->got_ns - sc->asked_ns);
	step_param(s, "hold_us", hold_ns / 1000);
	if (c->arg[ARG_MIDDLE])
		step_param(s, "middle_us", middle_ns / 1000);
	/* Some of every second stays with the fair class, or the next row would be throttled. */
	clock_sleep(rest_ns);
}

static void inversion_run(struct probe_step *s, const struct probe_case *c)
{
	struct sched_param one = {.sched_priority = 1}, zero = {0};
	struct guard guard;

	if (!realtime_safe(s))
		return;
	if (s->pass < 0) {
		if (linux_policy_set(0, SCHED_FIFO, &one) != 0)
			realtime_refused(s, "sched_setscheduler", SCHED_FIFO, errno, NULL);
		else
			linux_policy_set(0, SCHED_OTHER, &zero);
		return;
	}
	struct scene *sc = mmap(NULL, sizeof *sc, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sc == MAP_FAILED || !guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory, or no guard process: %s",
			strerror(errno));
		return;
	}
	sc->env = s->env;
	measure(s, c, sc, &guard);
	guard_close(&guard);
	munmap(sc, sizeof *sc);
}

static const struct probe_case cases[] = {
	{"two", {false, false}},
	{"three", {false, true}},
	{"three-inherit", {true, true}},
	{0},
};

const struct probe_ops inversion_ops = {
	.name = "inversion",
	.twin = "three-inherit",
	.limit_ms = 10000,
	.cases = cases,
	.run = inversion_run,
};
