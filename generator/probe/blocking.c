/* blocking: which counter each way to block moves. A second thread makes sure that the call blocks: it wakes the waiter
 * only once the waiter's state in /proc is S. Without a waker: sleeps, an uncontended mutex, a yield to a rival, and a
 * mutex that two threads take in turn as fast as they can, held for a time. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/blocking.h"
#include "probe/linux.h"
#include "probe/load.h"
#include "probe/meter.h"

enum { ARG_KIND, ARG_HOLD_NS };
enum { CONTEND = BLOCK_KINDS, TIMES_QUICK = 200, TIMES_FULL = 1000, TIMES_WARM_UP = 20, WAITPID_LESS = 4 };
static const int64_t asleep_most_ns = 1000000000;

struct waiter {
	struct crew crew;
	struct blocking b;
	const struct blocking_kind *kind;
	const struct probe_env *env;
	int times;
	_Atomic pid_t tid;
	_Atomic int armed, about, done; /* the waker prepared, the waiter calls, the call returned: how often */
	struct meter used;
	int64_t in_call_cpu_ns; /* summed */
	int64_t woken_ns[TIMES_FULL], returned_ns[TIMES_FULL];
};

/* In turn with a thread that is about to act. The waiter spins, since to sleep or yield would count; unless both share a
 * CPU. */
static void wait_until(const _Atomic int *count, int at_least, bool yield)
{
	while (atomic_load_explicit(count, memory_order_acquire) < at_least)
		if (yield)
			sched_yield();
}

static void *wait_often(void *arg)
{
	struct waiter *w = arg;

	atomic_store(&w->tid, linux_tid());
	env_pin(w->env->cpu);
	crew_gate(&w->crew);
	struct meter from = meter_now();
	for (int i = 0; i < w->times; i++) {
		if (w->kind->wake)
			wait_until(&w->armed, i + 1, w->env->other < 0);
		int64_t cpu = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID);
		atomic_store_explicit(&w->about, i + 1, memory_order_release);
		w->kind->block(&w->b);
		w->returned_ns[i] = clock_ns();
		w->in_call_cpu_ns += cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
		atomic_store_explicit(&w->done, i + 1, memory_order_release);
	}
	w->used = meter_since(from);
	return NULL;
}

static bool asleep(int stat_fd)
{
	char text[128];
	ssize_t n = pread(stat_fd, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	const char *after_name = strrchr(text, ')');
	return after_name && after_name[1] == ' ' && after_name[2] == 'S';
}

/* False: the waiter did not fall asleep in time. */
static bool wake_often(struct waiter *w, int stat_fd)
{
	bool all = true;

	for (int i = 0; i < w->times; i++) {
		if (w->kind->prepare)
			w->kind->prepare(&w->b);
		atomic_store_explicit(&w->armed, i + 1, memory_order_release);
		wait_until(&w->about, i + 1, true);
		int64_t give_up = clock_ns() + asleep_most_ns;
		bool sleeps = false;
		while (all && !(sleeps = asleep(stat_fd)) && clock_ns() < give_up)
			sched_yield();
		all = sleeps;
		w->woken_ns[i] = clock_ns();
		w->kind->wake(&w->b);
		wait_until(&w->done, i + 1, true);
	}
	return all;
}

static void report(struct probe_step *s, struct waiter *w)
{
	int64_t n = w->times, wake[TIMES_FULL];

	if (w->b.err) {
		step_status(s, RUN_FAILED, "run it again; if it fails again, report the machine",
			"a call did not do what it should: %s", strerror(w->b.err));
		return;
	}
	step_value(s, "voluntary", w->used.voluntary * 1000 / n);
	step_value(s, "involuntary", w->used.involuntary * 1000 / n);
	step_value(s, "cpu", w->in_call_cpu_ns / n);
	step_value(s, "waiting", w->used.wait_ns == RUN_NULL ? RUN_NULL : w->used.wait_ns / n);
	step_param(s, "times", n);
	if (!w->kind->wake)
		return;
	for (int i = 0; i < n; i++)
		wake[i] = w->returned_ns[i] - w->woken_ns[i];
	step_value(s, "wake", values_quantile(wake, n, 500));
}

/* `rival` yields on the waiter's CPU. */
static void run_kind(struct probe_step *s, struct waiter *w, bool rival)
{
	struct rivals rivals = {0};
	char path[64];
	bool all = true;

	if (s->env->other >= 0)
		env_pin(s->env->other);
	if (rival && !rivals_start(s, &rivals, 1, s->env->cpu, LOAD_YIELD)) {
		rivals_stop(&rivals);
		return;
	}
	int err = crew_start(&w->crew, 1, wait_often, w, sizeof *w);
	if (!err) {
		crew_open(&w->crew);
		snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)atomic_load(&w->tid));
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (w->kind->wake)
			all = wake_often(w, fd);
		crew_join(&w->crew);
		close(fd);
	}
	if (rival)
		rivals_stop(&rivals);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
	else if (!all)
		step_status(s, RUN_FAILED, "mount /proc", "the waiter was never seen asleep");
	else
		report(s, w);
}

/* One of two threads that take the same mutex in turn. */
struct contender {
	struct crew *crew;
	const struct probe_env *env;
	pthread_mutex_t *mutex;
	int times, cpu;
	int64_t hold_ns;
	struct meter used;
};

static void *contend(void *arg)
{
	struct contender *me = arg;

	env_pin(me->cpu);
	crew_gate(me->crew);
	struct meter from = meter_now();
	for (int i = 0; i < me->times; i++) {
		pthread_mutex_lock(me->mutex);
		for (int64_t end = clock_ns() + me->hold_ns; me->hold_ns && clock_ns() < end;)
			continue;
		pthread_mutex_unlock(me->mutex);
	}
	me->used = meter_since(from);
	return NULL;
}

static void run_contended(struct probe_step *s, const struct probe_case *c, int times)
{
	struct contender two[2];
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct crew crew;
	struct meter sum = {0};

	if (s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "allow it a second CPU", "one CPU: the two would not meet");
		return;
	}
	for (int i = 0; i < 2; i++)
		two[i] = (struct contender){
			&crew, s->env, &mutex, times, i ? s->env->other : s->env->cpu, c->arg[ARG_HOLD_NS], {0}};
	int err = crew_start(&crew, 2, contend, two, sizeof *two);
	if (!err)
		crew_open(&crew);
	crew_join(&crew);
	if (err) {
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
		return;
	}
	for (int i = 0; i < 2; i++)
		meter_add(&sum, &two[i].used);
	int64_t n = INT64_C(2) * times;
	step_value(s, "voluntary", sum.voluntary * 1000 / n);
	step_value(s, "involuntary", sum.involuntary * 1000 / n);
	step_value(s, "cpu", sum.cpu_ns / n);
	step_value(s, "waiting", sum.wait_ns == RUN_NULL ? RUN_NULL : sum.wait_ns / n);
	step_param(s, "times", n);
	step_param(s, "hold_ns", c->arg[ARG_HOLD_NS]);
}

static void blocking_run(struct probe_step *s, const struct probe_case *c)
{
	int times = s->pass < 0 ? TIMES_WARM_UP : s->env->quick ? TIMES_QUICK : TIMES_FULL;

	if (c->arg[ARG_KIND] == CONTEND) {
		run_contended(s, c, times);
		return;
	}
	struct waiter *w = calloc(1, sizeof *w);
	if (!w) {
		step_status(s, RUN_FAILED, "free some memory", "no memory for the times");
		return;
	}
	w->kind = &blocking_kinds[c->arg[ARG_KIND]];
	w->env = s->env;
	w->times = c->arg[ARG_KIND] == BLOCK_WAITPID ? times / WAITPID_LESS : times;
	if (blocking_open(&w->b, w->kind)) {
		run_kind(s, w, c->arg[ARG_KIND] == BLOCK_YIELD);
		blocking_close(&w->b);
	} else {
		step_status(s, RUN_FAILED, "raise 'ulimit -n'", "nothing to wait for: %s", strerror(errno));
	}
	free(w);
}

static const struct probe_case cases[] = {
	{"pipe", {BLOCK_PIPE}},
	{"recv", {BLOCK_RECV}},
	{"recv-timeout", {BLOCK_RECV_TIMEOUT}},
	{"poll", {BLOCK_POLL}},
	{"epoll", {BLOCK_EPOLL}},
	{"futex", {BLOCK_FUTEX}},
	{"mutex", {BLOCK_MUTEX}},
	{"cond", {BLOCK_COND}},
	{"sem", {BLOCK_SEM}},
	{"waitpid", {BLOCK_WAITPID}},
	{"nanosleep", {BLOCK_NANOSLEEP}},
	{"cond-timed", {BLOCK_COND_TIMED}},
	{"mutex-free", {BLOCK_MUTEX_FREE}},
	{"yield-rival", {BLOCK_YIELD}},
	{"mutex-hold-0", {CONTEND, 0}},
	{"mutex-hold-1us", {CONTEND, 1000}},
	{"mutex-hold-10us", {CONTEND, 10000}},
	{"mutex-hold-50us", {CONTEND, 50000}},
	{0},
};

const struct probe_ops blocking_ops = {
	.name = "blocking",
	.twin = "pipe",
	.limit_ms = 20000,
	.cases = cases,
	.run = blocking_run,
};
