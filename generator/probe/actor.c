#include "probe/actor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/sys.h"

enum { WAKES_DROPPED = 2, WORK_ROUNDS = 2000, AUTOGROUP_TRIES = 30 };
/* A step of the clock of 5 us or more: we did not run. Interrupts take less, mostly. */
static const int64_t nap_ns = 200000, autogroup_pause_ns = 20000000, gap_least_ns = 5000;

static int set_nice(int nice)
{
	if (setpriority(PRIO_PROCESS, 0, nice) != 0)
		return errno;
	errno = 0;
	int got = getpriority(PRIO_PROCESS, 0);
	return got == nice && !errno ? 0 : ENOTSUP;
}

static int set_policy(int policy)
{
	struct sched_param none = {0};

	if (linux_policy_set(0, policy, &none) != 0)
		return errno;
	return linux_policy_get(0) == policy ? 0 : ENOTSUP;
}

static int set_slice(const struct actor_spec *spec)
{
	struct linux_sched_attr attr = {
		.policy = (uint32_t)spec->policy, .nice = spec->nice, .runtime_ns = (uint64_t)spec->slice_ns};

	if (linux_sched_set(0, &attr) != 0 || linux_sched_get(0, &attr) != 0)
		return errno;
	return attr.runtime_ns == (uint64_t)spec->slice_ns ? 0 : ENOTSUP;
}

/* Of our session's autogroup. The kernel lets an unprivileged user do this ten times a second in all. */
static int set_autogroup_nice(int nice)
{
	char text[16];
	int n = snprintf(text, sizeof text, "%d", nice), fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC),
	    err = 0;

	if (fd < 0)
		return errno;
	for (int i = 0; i < AUTOGROUP_TRIES; i++) {
		err = write(fd, text, (size_t)n) == n ? 0 : errno;
		if (err != EAGAIN)
			break;
		clock_sleep(autogroup_pause_ns);
	}
	close(fd);
	return err;
}

/* Returns an errno; me->deed says of what. */
static int take_place(struct actor *me, const struct probe_env *env)
{
	const struct actor_spec *spec = &me->spec;
	int err = 0;

	atomic_store(&me->deed, DEED_SESSION);
	if (spec->own_session && setsid() < 0)
		return errno;
	atomic_store(&me->deed, DEED_PIN);
	if (spec->cpu == STAGE_ANY_CPU ? !env_unpin(env) : !env_pin(spec->cpu))
		return errno ? errno : EINVAL;
	atomic_store(&me->deed, DEED_NICE);
	if (spec->nice != getpriority(PRIO_PROCESS, 0))
		err = set_nice(spec->nice);
	if (!err && spec->policy != SCHED_OTHER) {
		atomic_store(&me->deed, DEED_POLICY);
		err = set_policy(spec->policy);
	}
	if (!err && spec->slice_ns) {
		atomic_store(&me->deed, DEED_SLICE);
		err = set_slice(spec);
	}
	if (!err && spec->autogroup_nice) {
		atomic_store(&me->deed, DEED_AUTOGROUP);
		err = set_autogroup_nice(spec->autogroup_nice);
	}
	return err;
}

static int64_t thread_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void sleep_until(int64_t at)
{
	struct timespec t = {.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		continue;
}

/* Latency from the intended time. One that does not catch up skips what it missed: who wants to count the missed wakes
 * adds them (wakeup.c does). */
static _Noreturn void wake_and_sleep(struct stage *st, const struct actor *me)
{
	const struct actor_spec *spec = &me->spec;
	uint64_t dice = 1;

	if (spec->slack_ns)
		prctl(PR_SET_TIMERSLACK, (unsigned long)spec->slack_ns);
	int64_t due = clock_ns();
	for (int i = -WAKES_DROPPED;; i++) {
		dice = dice * 6364136223846793005U + 1442695040888963407U;
		int64_t off = spec->jitter_ns ? (int64_t)(dice >> 33) % (2 * spec->jitter_ns) - spec->jitter_ns : 0;
		do
			due += spec->period_ns;
		while (!spec->catches_up && due + off <= clock_ns());
		sleep_until(due + off);
		int64_t late = clock_ns() - due - off;
		int kept = atomic_load(&st->n_late);
		if (i >= 0 && kept < spec->wakes && kept < STAGE_WAKES_MAX) {
			st->late_ns[kept] = late;
			atomic_store(&st->n_late, kept + 1);
		}
		for (int64_t end = spec->work_ns ? thread_cpu_ns() + spec->work_ns : 0; end && thread_cpu_ns() < end;)
			spin_work(WORK_ROUNDS);
	}
}

static _Noreturn void keep_gaps(struct stage *st)
{
	for (int64_t last = clock_ns(), now;; last = now) {
		now = clock_ns();
		if (now - last < gap_least_ns)
			continue;
		int at = atomic_fetch_add(&st->n_gaps, 1);
		if (at < STAGE_GAPS_MAX)
			st->gap_ns[at] = now - last;
	}
}

static _Noreturn void do_job(struct actor *me)
{
	cpu_set_t seen;
	int cpu = sched_getcpu();

	CPU_ZERO(&seen);
	int64_t cpu_ns = thread_cpu_ns(), wait_ns = sys_schedstat(0, 1);
	atomic_store(&me->began_ns, clock_ns());
	for (int64_t i = 0; i < me->spec.units; i++) {
		int now = sched_getcpu();
		if (now >= 0 && now < CPU_SETSIZE)
			CPU_SET((size_t)now, &seen);
		atomic_fetch_add(&me->moves, now != cpu);
		cpu = now;
		spin_work(STAGE_UNIT_ROUNDS);
	}
	int64_t done = clock_ns(), waited = sys_schedstat(0, 1);
	me->cpu_ns = thread_cpu_ns() - cpu_ns;
	me->wait_ns = waited == RUN_NULL || wait_ns == RUN_NULL ? RUN_NULL : waited - wait_ns;
	atomic_store(&me->cpus_used, CPU_COUNT(&seen));
	atomic_store(&me->done_ns, done);
	for (;;)
		pause();
}

/* Gives the CPU away for a moment each time it has used work_ns of it. */
static _Noreturn void nap_often(const struct actor *me)
{
	for (;;) {
		for (int64_t end = thread_cpu_ns() + me->spec.work_ns; thread_cpu_ns() < end;)
			spin_work(WORK_ROUNDS);
		clock_sleep(me->spec.nap_ns);
	}
}

_Noreturn void actor_play(struct stage *st, struct actor *me, const struct probe_env *env, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	atomic_store(&me->err, take_place(me, env));
	atomic_store(&me->ready, true);
	while (!atomic_load(&me->go))
		clock_sleep(nap_ns);
	if (me->spec.period_ns)
		wake_and_sleep(st, me);
	if (me->spec.nap_ns)
		nap_often(me);
	if (me->spec.keeps_gaps)
		keep_gaps(st);
	if (me->spec.units)
		do_job(me);
	for (;;) {
		spin_work(STAGE_UNIT_ROUNDS);
		atomic_fetch_add_explicit(&me->work, 1, memory_order_relaxed);
	}
}
