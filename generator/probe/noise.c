/* noise: the same operation measured twice in a row, for each kind of operation that other probes measure. The difference
 * is nothing but noise: no claim may rest on less. Which of the two comes first alternates with the pass. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/channel.h"
#include "probe/load.h"
#include "probe/meter.h"

enum kind { SPIN, CLOCK, SYSCALL, MEMORY, PIPE, HANDOFF, THREAD, FORK, SLEEP, SHARE };
enum { MEMORY_BYTES = 4 << 20, LINE = 64, STRIDE_LINES = 4099, WALKS = 20000 };
static const int64_t quick_ns = 10000000, full_ns = 50000000;

struct noise {
	struct channel channel;
	struct crew crew;
	const struct probe_env *env;
	int64_t asked; /* so far */
	_Atomic int64_t in_all; /* known at the end */
	unsigned char *memory;
	size_t at;
};

static void *answer(void *arg)
{
	struct noise *n = arg;

	env_pin(n->env->cpu);
	crew_gate(&n->crew);
	for (int64_t i = 0; i < atomic_load(&n->in_all); i++)
		channel_answer(&n->channel);
	return NULL;
}

static void *nothing(void *arg)
{
	return arg;
}

static void fork_once(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
}

/* A stride that the prefetcher does not follow: a new line, and a new page, each time. */
static void walk(struct noise *n)
{
	for (int i = 0; i < WALKS; i++) {
		n->at = (n->at + (size_t)STRIDE_LINES * LINE) % MEMORY_BYTES;
		n->memory[n->at]++;
	}
}

static void once(struct noise *n, enum kind kind)
{
	pthread_t thread;

	switch (kind) {
	case SPIN:
	case SHARE: spin_work(10000); break;
	case CLOCK:
		for (int i = 0; i < 100; i++)
			clock_ns();
		break;
	case SYSCALL:
		for (int i = 0; i < 100; i++)
			getppid();
		break;
	case MEMORY: walk(n); break;
	case PIPE: channel_alone(&n->channel); break;
	case HANDOFF:
		channel_ask(&n->channel);
		n->asked++;
		break;
	case THREAD:
		if (pthread_create(&thread, NULL, nothing, NULL) == 0)
			pthread_join(thread, NULL);
		break;
	case FORK: fork_once(); break;
	case SLEEP: clock_sleep(500000); break;
	}
}

/* Time per operation; how many fit is found anew each time. For a share of the CPU: CPU time against wall time. */
static int64_t time_each(struct noise *n, enum kind kind, int64_t window)
{
	int64_t ops = 0, began = clock_ns(), now = began, cpu = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	for (; now < began + window; now = clock_ns(), ops++)
		once(n, kind);
	if (kind == SHARE)
		return ppm_of(cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu, now - began);
	/* In thousandths of a nanosecond: whole ones would hide the noise of the short ones. */
	return (now - began) * 1000 / (ops ? ops : 1);
}

static void compare(struct probe_step *s, struct noise *n, enum kind kind)
{
	int64_t window = s->env->quick ? quick_ns : full_ns, each[2];
	int first = s->pass % 2 == 1;

	/* A turn of each and a few more, or the share says nothing. */
	if (kind == SHARE)
		window = s->env->quantum_ns * (s->env->quick ? 10 : 40);
	time_each(n, kind, window / 4);
	each[first] = time_each(n, kind, window);
	each[!first] = time_each(n, kind, window);
	int64_t least = each[0] < each[1] ? each[0] : each[1], most = each[0] + each[1] - least;
	step_value(s, "difference", ppm_of(most - least, least));
	if (kind == SHARE)
		step_value(s, "share", each[0]);
	else
		step_value(s, "each", each[0] / 1000);
	step_param(s, "window_ms", window / 1000000);
}

static void noise_run(struct probe_step *s, const struct probe_case *c)
{
	enum kind kind = (enum kind)c->arg[0];
	struct noise n = {.env = s->env, .in_all = INT64_MAX};
	struct rivals rivals = {0};
	int err = 0;

	if (!env_pin(s->env->cpu) || !channel_open(&n.channel, CHANNEL_PIPE, false)) {
		step_status(s, RUN_FAILED, "raise 'ulimit -n'", "not started: %s", strerror(errno));
		return;
	}
	n.memory = calloc(1, MEMORY_BYTES);
	bool ok = n.memory && (kind != SHARE || rivals_start(s, &rivals, 1, s->env->cpu, LOAD_SPIN));
	if (ok && kind == HANDOFF) {
		err = crew_start(&n.crew, 1, answer, &n, sizeof n);
		if (!err)
			crew_open(&n.crew);
	}
	if (ok && !err)
		compare(s, &n, kind);
	else
		step_status(s, RUN_FAILED, "free some memory", "not started: %s", strerror(err ? err : errno));
	if (kind == HANDOFF && n.crew.n) {
		atomic_store(&n.in_all, n.asked + 1);
		channel_ask(&n.channel);
		crew_join(&n.crew);
	}
	rivals_stop(&rivals);
	free(n.memory);
	channel_close(&n.channel);
}

static const struct probe_case cases[] = {
	{"spin", {SPIN}},
	{"clock", {CLOCK}},
	{"syscall", {SYSCALL}},
	{"memory", {MEMORY}},
	{"pipe", {PIPE}},
	{"handoff", {HANDOFF}},
	{"thread", {THREAD}},
	{"fork", {FORK}},
	{"sleep", {SLEEP}},
	{"share", {SHARE}},
	{0},
};

const struct probe_ops noise_ops = {
	.name = "noise",
	.twin = "spin",
	.limit_ms = 15000,
	.cases = cases,
	.run = noise_run,
};
