/* switch: two sides hand one byte (or a futex word) to and fro. What a hand-off takes, and how many context switches
 * it took: counted on both sides by getrusage, for an assumed two a round trip is wrong wherever wake-up preemption
 * adds involuntary ones, or the partner on another CPU answers before we sleep. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/channel.h"
#include "probe/harness.h"
#include "probe/linux.h"

enum { ARG_CHANNEL, ARG_SIDES, ARG_CROSS, ARG_BATCH };
enum { THREADS, PROCESSES, ALONE };
enum { SAME, CROSS };
enum { OTHER, BATCH };

enum {
	UNTIMED = 1000, /* round trips before the clock starts */
	FIRST_GUESS = 2000, /* round trips in the warm-up pass */
	FULL_SAME = 100000,
	FULL_CROSS = 20000,
};
static const int64_t batch_least_ns = 20000000, batch_quick_ns = 50000000, batch_most_ns = 500000000;

struct counts {
	int64_t voluntary, involuntary, cpu_ns;
};

/* Shared by the sides, which may be processes. */
struct duel {
	struct channel channel;
	const struct probe_env *env;
	const struct probe_case *kase;
	int64_t rounds;
	struct counts partner; /* over the timed part */
	int partner_err; /* an errno: the partner could not take its place */
};

static struct counts counts_now(void)
{
	struct rusage u;
	struct timespec t;

	getrusage(RUSAGE_THREAD, &u);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (struct counts){u.ru_nvcsw, u.ru_nivcsw, (int64_t)t.tv_sec * 1000000000 + t.tv_nsec};
}

static struct counts counts_since(struct counts from)
{
	struct counts now = counts_now();

	return (struct counts){
		now.voluntary - from.voluntary, now.involuntary - from.involuntary, now.cpu_ns - from.cpu_ns};
}

static int set_policy(int policy)
{
	struct sched_param none = {0};

	if (linux_policy_set(0, policy, &none) != 0)
		return errno;
	return linux_policy_get(0) == policy ? 0 : ENOTSUP;
}

static int take_place(const struct duel *d, int cpu)
{
	if (!env_pin(cpu))
		return errno ? errno : EINVAL;
	return d->kase->arg[ARG_BATCH] ? set_policy(SCHED_BATCH) : 0;
}

/* Answers every hand-off. A side that could not take its place still answers, so that nobody waits for ever. */
static void *answer(void *arg)
{
	struct duel *d = arg;

	d->partner_err = take_place(d, d->kase->arg[ARG_CROSS] ? d->env->other : d->env->cpu);
	for (int i = 0; i < UNTIMED; i++)
		channel_answer(&d->channel);
	struct counts from = counts_now();
	for (int64_t i = 0; i < d->rounds; i++)
		channel_answer(&d->channel);
	d->partner = counts_since(from);
	return NULL;
}

static pid_t start_process(struct duel *d)
{
	pid_t parent = getpid(), child = fork();

	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		answer(d);
	_exit(0);
}

/* Runs the asking side. Returns the wall time of the timed part. */
static int64_t ask(struct duel *d, struct counts *own)
{
	for (int i = 0; i < UNTIMED; i++)
		channel_ask(&d->channel);
	struct counts from = counts_now();
	int64_t began = clock_ns();
	for (int64_t i = 0; i < d->rounds; i++)
		channel_ask(&d->channel);
	int64_t wall = clock_ns() - began;
	*own = counts_since(from);
	return wall;
}

static int run_duel(struct duel *d, int64_t *wall_ns, struct counts *own)
{
	pthread_t thread;
	pid_t child = 0;
	int err = take_place(d, d->env->cpu), status;

	if (err)
		return err;
	if (d->kase->arg[ARG_SIDES] == PROCESSES) {
		child = start_process(d);
		if (child < 0)
			return errno;
	} else {
		err = pthread_create(&thread, NULL, answer, d);
		if (err)
			return err;
	}
	*wall_ns = ask(d, own);
	if (child)
		waitpid(child, &status, 0);
	else
		pthread_join(thread, NULL);
	return d->partner_err;
}

static void report(struct probe_step *s, const struct duel *d, int64_t wall, struct counts own)
{
	int64_t involuntary = own.involuntary + d->partner.involuntary;
	int64_t switches = own.voluntary + d->partner.voluntary + involuntary;

	step_value(s, "handoff", wall / d->rounds / 2);
	step_param(s, "rounds", d->rounds);
	step_param(s, "untimed", UNTIMED);
	if (d->kase->arg[ARG_CROSS])
		step_param(s, "smt_siblings", s->env->other_is_sibling);
	else /* One of the two always runs: what is missing went to others. */
		step_outside(s, wall, wall - own.cpu_ns - d->partner.cpu_ns);
	if (switches == 0 && !d->kase->arg[ARG_CROSS]) {
		step_status(s, RUN_DEGRADED, "measure on a kernel of your own", "the kernel does not count switches");
		return;
	}
	/* A partner that finds its answer ready never sleeps: fast, and no hand-off between two that wait. */
	if (switches < d->rounds / 2)
		step_status(s, RUN_DEGRADED, "leave the machine alone and measure again",
			"in most round trips nobody slept: there was nothing to switch");
	step_value(s, "switches", switches * 1000 / d->rounds);
	step_value(s, "involuntary", involuntary * 1000 / d->rounds);
	if (switches)
		step_value(s, "per-switch", wall / switches);
}

/* Enough rounds for 50 ms; in a full run 100,000 (20,000 between CPUs) unless that takes half a second. */
static int64_t rounds_for(const struct probe_step *s, const struct probe_case *c, int64_t wall_ns, int64_t rounds)
{
	double each = (double)(wall_ns ? wall_ns : 1) / (double)rounds;
	int64_t least = (int64_t)((double)batch_quick_ns / each) + 1,
		most = (int64_t)((double)batch_most_ns / each) + 1;
	int64_t want = s->env->quick ? least : c->arg[ARG_CROSS] ? FULL_CROSS : FULL_SAME;

	return want < least ? least : want > most ? most : want;
}

/* The warm-up pass decides; where strangers slowed it down, later passes turn out too short and make up for it. */
static void calibrate(struct probe_step *s, const struct probe_case *c, int64_t wall_ns, int64_t rounds)
{
	if (!s->cell->calibrated || wall_ns < batch_least_ns)
		s->cell->calibrated = rounds_for(s, c, wall_ns, rounds);
}

/* One thread writes and reads: the channel's own cost, without any switch. */
static void run_alone(struct probe_step *s, struct channel *ch, int64_t rounds)
{
	struct counts from = counts_now();
	int64_t began = clock_ns();

	for (int64_t i = 0; i < rounds; i++)
		channel_alone(ch);
	int64_t wall = clock_ns() - began;
	step_outside(s, wall, wall - counts_since(from).cpu_ns);
	step_value(s, "handoff", wall / rounds);
	step_param(s, "rounds", rounds);
}

static void switch_step(struct probe_step *s, const struct probe_case *c, struct duel *d)
{
	int64_t wall = 0;
	struct counts own = {0};
	int err = 0;

	d->rounds = s->cell->calibrated ? s->cell->calibrated : FIRST_GUESS;
	if (c->arg[ARG_SIDES] == ALONE) {
		err = take_place(d, d->env->cpu);
		int64_t began = clock_ns();
		if (!err)
			run_alone(s, &d->channel, d->rounds);
		wall = clock_ns() - began;
	} else {
		err = run_duel(d, &wall, &own);
		if (!err)
			report(s, d, wall, own);
	}
	if (c->arg[ARG_BATCH])
		set_policy(SCHED_OTHER);
	if (err)
		step_status(s, RUN_SKIPPED,
			"allow sched_setaffinity and SCHED_BATCH; a container's seccomp may forbid them",
			"a side could not take its place: %s", strerror(err));
	else
		calibrate(s, c, wall, d->rounds);
}

static void switch_run(struct probe_step *s, const struct probe_case *c)
{
	if (c->arg[ARG_CROSS] && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	struct duel *d = mmap(NULL, sizeof *d, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (d == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	d->env = s->env;
	d->kase = c;
	if (channel_open(&d->channel, (enum channel_kind)c->arg[ARG_CHANNEL], c->arg[ARG_SIDES] == PROCESSES)) {
		switch_step(s, c, d);
		channel_close(&d->channel);
	} else {
		step_status(s, RUN_FAILED, "raise 'ulimit -n'", "no channel: %s", strerror(errno));
	}
	munmap(d, sizeof *d);
}

#define CASES_OF(name, kind)                                                                                           \
	{name "-thread-same", {kind, THREADS, SAME}}, {name "-thread-cross", {kind, THREADS, CROSS}},                  \
		{name "-process-same", {kind, PROCESSES, SAME}}, {name "-process-cross", {kind, PROCESSES, CROSS}},    \
		{name "-thread-same-batch", {kind, THREADS, SAME, BATCH}},                                             \
	{                                                                                                              \
		name "-process-same-batch",                                                                            \
		{                                                                                                      \
			kind, PROCESSES, SAME, BATCH                                                                   \
		}                                                                                                      \
	}

static const struct probe_case cases[] = {
	CASES_OF("pipe", CHANNEL_PIPE),
	CASES_OF("socketpair", CHANNEL_SOCKETPAIR),
	CASES_OF("futex", CHANNEL_FUTEX),
	{"pipe-self", {CHANNEL_PIPE, ALONE}},
	{"socketpair-self", {CHANNEL_SOCKETPAIR, ALONE}},
	{0},
};

const struct probe_ops switch_ops = {
	.name = "switch",
	.twin = "pipe-thread-same",
	.limit_ms = 30000,
	.cases = cases,
	.run = switch_run,
};
