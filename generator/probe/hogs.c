#include "probe/hogs.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/sys.h"

enum { NAP_NS = 200000 };

struct hogs *hogs_open(struct probe_step *s, struct guard *guard, int64_t most_ns)
{
	struct hogs *h = mmap(NULL, sizeof *h, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (h == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return NULL;
	}
	h->guard = guard;
	h->until_ns = clock_ns() + most_ns;
	return h;
}

/* A real-time hog also asks the kernel to end it, should it spin much longer than planned. */
static int take_policy(const struct hog_plan *p, int64_t most_ns)
{
	struct sched_param param = {.sched_priority = p->priority};
	struct rlimit limit = {
		.rlim_cur = (rlim_t)(most_ns / 1000 + 100000), .rlim_max = (rlim_t)(most_ns / 1000 + 200000)};

	if (!p->policy)
		return 0;
	if (setrlimit(RLIMIT_RTTIME, &limit) != 0 || linux_policy_set(0, p->policy, &param) != 0)
		return errno;
	return linux_policy_get(0) == p->policy ? 0 : ENOTSUP;
}

static int take_place(const struct hog_plan *p, const struct probe_env *env)
{
	if (p->cpu == HOG_ANY_CPU ? !env_unpin(env) : !env_pin(p->cpu))
		return errno ? errno : EINVAL;
	if (p->nice && setpriority(PRIO_PROCESS, 0, p->nice) != 0)
		return errno;
	/* Last: a new group goes by what its tasks weighed a while ago, on every CPU. */
	if (p->own_session && setsid() < 0)
		return errno;
	return 0;
}

static void spin(struct hog *me, int64_t until_ns)
{
	int64_t before = clock_ns(), now, began = before, ran = 0;

	atomic_store(&me->began_ns, began);
	for (; before < until_ns; before = now) {
		now = clock_ns();
		atomic_store_explicit(&me->last_ns, now, memory_order_relaxed);
		if (now - before < me->plan.gap_ns) {
			ran += now - before;
			if (!me->plan.work_ns || ran < me->plan.work_ns)
				continue;
			clock_sleep(me->plan.every_ns - (now - began) % me->plan.every_ns);
			now = clock_ns();
			ran = 0;
			continue;
		}
		int n = atomic_load_explicit(&me->n_gaps, memory_order_relaxed);
		if (n < HOG_GAPS_MAX)
			me->gaps[n] = (struct hog_gap){before, now};
		atomic_store_explicit(&me->n_gaps, n + 1, memory_order_release);
	}
}

static _Noreturn void play(struct hogs *h, struct hog *me, const struct probe_env *env, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	int err = take_place(&me->plan, env);
	if (!err && me->plan.policy_first)
		err = take_policy(&me->plan, h->until_ns - clock_ns());
	atomic_store(&me->err, err);
	atomic_store(&me->ready, true);
	while (!atomic_load(&h->go))
		clock_sleep(NAP_NS);
	/* Again: before Linux 6.2 a group with the cpuset controller gives a task that joins it all of its own CPUs. */
	if (!err && me->plan.cpu != HOG_ANY_CPU && !env_pin(me->plan.cpu))
		atomic_store(&me->err, err = errno ? errno : EINVAL);
	if (!err) {
		if (!me->plan.policy_first)
			atomic_store(&me->err, err = take_policy(&me->plan, h->until_ns - clock_ns()));
		if (err)
			atomic_store(&me->began_ns, clock_ns());
		else
			spin(me, h->until_ns);
	}
	/* The parent reads our clock: stay until we are collected. */
	for (;;)
		pause();
}

int hogs_add(struct hogs *h, const struct probe_env *env, const struct groups *g, struct hog_plan plan)
{
	pid_t parent = getpid();

	if (h->n == HOGS_MAX)
		return ENOSPC;
	struct hog *me = &h->hogs[h->n];
	me->plan = plan;
	(void)fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		return errno;
	if (child == 0)
		play(h, me, env, parent);
	me->pid = child;
	h->n++;
	if (h->guard)
		guard_pid(h->guard, child);
	h->groups = g;
	return clock_getcpuclockid(child, &me->clock);
}

int hogs_ready(struct hogs *h)
{
	for (int i = 0; i < h->n; i++) {
		while (!atomic_load(&h->hogs[i].ready))
			clock_sleep(NAP_NS);
		if (atomic_load(&h->hogs[i].err))
			return atomic_load(&h->hogs[i].err);
		/* Not before it has its CPU and weight, see take_place. */
		if (h->hogs[i].plan.group != HOG_NO_GROUP &&
			!group_join(h->groups, h->hogs[i].plan.group, h->hogs[i].pid))
			return errno;
	}
	return 0;
}

void hogs_go(struct hogs *h)
{
	atomic_store(&h->go, true);
}

int hogs_begin(struct hogs *h)
{
	hogs_go(h);
	for (int i = 0; i < h->n; i++) {
		while (!atomic_load(&h->hogs[i].began_ns)) {
			if (clock_ns() > h->until_ns)
				return ETIME;
			clock_sleep(NAP_NS);
		}
		if (atomic_load(&h->hogs[i].err))
			return atomic_load(&h->hogs[i].err);
	}
	return 0;
}

void hogs_read(struct hogs *h, bool difference)
{
	struct timespec t;
	int64_t now = clock_ns();

	h->wall_ns = now - h->read_ns;
	h->read_ns = now;
	for (int i = 0; i < h->n; i++) {
		struct hog *me = &h->hogs[i];
		int64_t cpu = clock_gettime(me->clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
		int64_t wait = sys_schedstat(me->pid, 1);
		me->cpu_ns = difference ? cpu - me->cpu_ns : cpu;
		me->wait_ns = wait == RUN_NULL || me->wait_ns == RUN_NULL ? RUN_NULL
			      : difference				  ? wait - me->wait_ns
									  : wait;
	}
}

int64_t hogs_cpu_ns(const struct hogs *h)
{
	int64_t sum = 0;

	for (int i = 0; i < h->n; i++)
		sum += h->hogs[i].cpu_ns;
	return sum;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t hogs_quantile(int64_t *values, int n, int per_mille)
{
	if (n <= 0)
		return RUN_NULL;
	qsort(values, (size_t)n, sizeof *values, compare);
	int rank = (int)(((int64_t)n * per_mille + 999) / 1000);
	return values[rank > 0 ? rank - 1 : 0];
}

int64_t hog_gap(const struct hogs *h, int64_t from_ns, int64_t to_ns, int first, int n, int per_mille)
{
	static int64_t lengths[HOGS_MAX * HOG_GAPS_MAX];
	int count = 0;

	for (int i = first; i < first + n; i++) {
		int have = atomic_load(&h->hogs[i].n_gaps);
		for (int k = 0; k < have && k < HOG_GAPS_MAX; k++) {
			const struct hog_gap *gap = &h->hogs[i].gaps[k];
			if (gap->t0_ns >= from_ns && gap->t0_ns < to_ns)
				lengths[count++] = gap->t1_ns - gap->t0_ns;
		}
	}
	return hogs_quantile(lengths, count, per_mille);
}

int64_t hog_ran_ns(const struct hog *me, int64_t from_ns, int64_t to_ns, int64_t *longest_ns)
{
	int64_t began = atomic_load(&me->began_ns), last = atomic_load(&me->last_ns), missed = 0;
	int have = atomic_load(&me->n_gaps);

	*longest_ns = 0;
	/* One at the beginning, one at the end, and those that it recorded. */
	for (int i = -2; i < have && i < HOG_GAPS_MAX; i++) {
		struct hog_gap g = i == -2   ? (struct hog_gap){from_ns, began}
				   : i == -1 ? (struct hog_gap){last, to_ns}
					     : me->gaps[i];
		int64_t t0 = g.t0_ns > from_ns ? g.t0_ns : from_ns, t1 = g.t1_ns < to_ns ? g.t1_ns : to_ns;
		if (t1 <= t0)
			continue;
		missed += t1 - t0;
		*longest_ns = t1 - t0 > *longest_ns ? t1 - t0 : *longest_ns;
	}
	return to_ns - from_ns - missed;
}

void hogs_stop(struct hogs *h)
{
	for (int i = 0; i < h->n; i++)
		kill(h->hogs[i].pid, SIGKILL);
	for (int i = 0; i < h->n; i++)
		while (waitpid(h->hogs[i].pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	h->n = 0;
	if (h->guard)
		guard_forget_pids(h->guard);
}

void hogs_close(struct hogs *h)
{
	if (!h)
		return;
	hogs_stop(h);
	munmap(h, sizeof *h);
}

void hog_spans(
	struct probe_step *s, const struct hog *me, const char *lane, const char *gap, int64_t from_ns, int64_t to_ns)
{
	int have = atomic_load(&me->n_gaps);
	int64_t at = from_ns;

	for (int k = 0; k < have && k < HOG_GAPS_MAX && at < to_ns; k++) {
		const struct hog_gap *g = &me->gaps[k];
		int64_t t0 = g->t0_ns > from_ns ? g->t0_ns : from_ns, t1 = g->t1_ns < to_ns ? g->t1_ns : to_ns;
		if (t0 >= t1)
			continue;
		if (t0 > at)
			step_span(s, lane, "running", at, t0);
		step_span(s, lane, gap, t0, t1);
		at = t1;
	}
	if (at < to_ns)
		step_span(s, lane, "running", at, to_ns);
}
