/* What each task of a recorded scenario does. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/realtime.h"
#include "probe/trace_stage.h"

enum { CHUNK_ROUNDS = 5000, CHUNK_SAMPLES = 1001 };
static const int64_t nap_ns = 200000, spare_ns = 2000000000;

static int by_value(const void *pa, const void *pb)
{
	int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	return (a > b) - (a < b);
}

int64_t trace_chunk_ps(void)
{
	enum { CHUNKS = 20 }; /* a sample: long against reading the clock */
	static int64_t took[CHUNK_SAMPLES];
	int64_t cost = INT64_MAX;

	for (int i = 0; i < CHUNK_SAMPLES; i++) {
		int64_t from = clock_ns(), none = clock_ns();
		spin_work((uint64_t)CHUNKS * CHUNK_ROUNDS);
		took[i] = clock_ns() - none;
		cost = none - from < cost ? none - from : cost;
	}
	qsort(took, CHUNK_SAMPLES, sizeof *took, by_value);
	return (took[CHUNK_SAMPLES / 2] - cost) * 1000 / CHUNKS;
}

static int pin(const struct trace_stage *st, const struct sim_task *task)
{
	cpu_set_t want, got;

	if (task->policy == SIM_DEADLINE)
		return env_unpin(st->env) ? 0 : EINVAL;
	CPU_ZERO(&want);
	for (int i = 0; i < st->n_cpus; i++)
		if (task->cpus >> i & 1)
			CPU_SET((size_t)st->cpus[i], &want);
	if (sched_setaffinity(0, sizeof want, &want) != 0)
		return errno;
	return sched_getaffinity(0, sizeof got, &got) == 0 && CPU_EQUAL(&want, &got) ? 0 : EINVAL;
}

static int schedule(const struct sim_task *task)
{
	static const uint32_t policies[] = {[SIM_NORMAL] = SCHED_OTHER,
		[SIM_BATCH] = SCHED_BATCH,
		[SIM_IDLE] = SCHED_IDLE,
		[SIM_TASK_FIFO] = SCHED_FIFO,
		[SIM_TASK_RR] = SCHED_RR,
		[SIM_DEADLINE] = SCHED_DEADLINE};
	bool fair = task->policy == SIM_NORMAL || task->policy == SIM_BATCH || task->policy == SIM_IDLE;
	struct linux_sched_attr want = {.policy = policies[task->policy], .nice = fair ? task->nice : 0}, got;

	if (task->policy == SIM_DEADLINE) {
		want.runtime_ns = (uint64_t)task->runtime;
		want.deadline_ns = (uint64_t)task->deadline;
		want.period_ns = (uint64_t)task->period;
	} else if (fair) {
		want.runtime_ns = (uint64_t)task->slice;
	} else {
		want.priority = (uint32_t)task->prio;
	}
	if (linux_sched_set(0, &want) != 0 || linux_sched_get(0, &got) != 0)
		return errno;
	if (got.policy != want.policy || got.priority != want.priority || (fair && got.nice != task->nice))
		return EINVAL;
	return fair && task->slice && got.runtime_ns != want.runtime_ns ? ENOTSUP : 0;
}

/* A real-time task that nobody stops is stopped by the kernel. */
static int limit(const struct trace_stage *st, const struct sim_task *task)
{
	rlim_t us = (rlim_t)((st->scenario->horizon + spare_ns) / 1000);
	struct rlimit l = {us, us};

	return (task->policy == SIM_TASK_FIFO || task->policy == SIM_TASK_RR) && setrlimit(RLIMIT_RTTIME, &l) != 0
		       ? errno
		       : 0;
}

static int take_place(struct trace_stage *st, struct trace_player *me, const struct sim_task *task)
{
	atomic_store(&me->deed, TRACE_PINS);
	int err = pin(st, task);
	if (err)
		return err;
	atomic_store(&me->deed, TRACE_LIMITS);
	err = limit(st, task);
	if (err)
		return err;
	/* A sleep lasts as long as it says: the default slack of 50 us would be part of every wait. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	atomic_store(&me->deed, TRACE_SCHEDULES);
	return schedule(task);
}

static void work(const struct trace_stage *st, int64_t ns)
{
	int64_t chunks = ns == SIM_FOREVER ? INT64_MAX : ns * 1000 / st->chunk_ps;
	int64_t rest = ns == SIM_FOREVER ? 0 : (ns * 1000 - chunks * st->chunk_ps) * CHUNK_ROUNDS / st->chunk_ps;

	for (int64_t i = 0; i < chunks && !atomic_load_explicit(&st->stop, memory_order_relaxed); i++)
		spin_work(CHUNK_ROUNDS);
	spin_work((uint64_t)rest);
}

static void sleep_to(int64_t at_ns)
{
	struct timespec t = {.tv_sec = at_ns / 1000000000, .tv_nsec = at_ns % 1000000000};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		continue;
}

static void take_token(struct trace_player *me)
{
	while (atomic_exchange(&me->token, 0) == 0)
		linux_futex_wait(&me->token, 0, false);
}

static void poll_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
}

static void act(struct trace_stage *st, struct trace_player *me, const struct sim_op *op, uint32_t *dice)
{
	switch ((enum sim_code)op->code) {
	case SIM_RUN: work(st, sim_draw(op, dice)); break;
	case SIM_SLEEP: sleep_to(clock_ns() + sim_draw(op, dice)); break;
	case SIM_SLEEP_UNTIL: sleep_to(st->t0_ns + op->a); break;
	case SIM_YIELD: sched_yield(); break;
	case SIM_POLL: poll_clock(); break;
	case SIM_WAKE:
		atomic_store(&st->players[op->arg].token, 1);
		linux_futex_wake(&st->players[op->arg].token, 1, false);
		break;
	case SIM_WAIT: take_token(me); break;
	case SIM_SET_NICE: setpriority(PRIO_PROCESS, 0, op->arg); break;
	case SIM_EXIT:
	case SIM_CODES: break;
	}
}

static void play_program(struct trace_stage *st, struct trace_player *me, const struct sim_task *task)
{
	const struct sim_op *ops = &st->scenario->ops[task->first_op];
	uint32_t dice = task->seed;

	do
		for (int i = 0; i < task->n_ops && !atomic_load(&st->stop); i++) {
			if (ops[i].code == SIM_EXIT)
				return;
			act(st, me, &ops[i], &dice);
		}
	while (!task->once && !atomic_load(&st->stop));
}

_Noreturn void trace_play(struct trace_stage *st, int i, pid_t parent)
{
	const struct sim_task *task = &st->scenario->tasks[i];
	struct trace_player *me = &st->players[i];
	char name[16];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	snprintf(name, sizeof name, "%s%02d", st->prefix, i);
	prctl(PR_SET_NAME, name);
	atomic_store(&me->alive, true);
	while (!atomic_load(&me->placed))
		clock_sleep(nap_ns);
	atomic_store(&me->err, take_place(st, me, task));
	atomic_store(&me->ready, true);
	while (atomic_load(&st->go) == 0)
		linux_futex_wait(&st->go, 0, false);
	sleep_to(st->t0_ns + task->start);
	play_program(st, me, task);
	/* A reservation outlives its last period asleep: see deadline.c. */
	if (task->policy == SIM_DEADLINE)
		clock_sleep((task->period ? task->period : task->deadline) * 5 / 4);
	atomic_store(&me->done, true);
	_exit(0);
}
