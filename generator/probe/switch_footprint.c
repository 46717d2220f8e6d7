/* switch-footprint: what a switch costs because the other side used the caches. Two sides take turns on one CPU, each
 * walking its own W bytes a turn; the baseline is one thread that walks the same two arrays alternately with the same
 * system calls and no switch. The difference by counted switch is signed: it is noise where it straddles 0. The cases
 * named move walk W bytes after moving to another CPU and back, against walking them again without a move. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/channel.h"
#include "probe/crew.h"
#include "probe/harness.h"
#include "probe/sys.h"
#include "probe/walk.h"

enum { ARG_SIZE, ARG_HOW };
enum { THREADS, PROCESSES, MOVE };
enum { HEAD = 4096, UNTIMED = 3, ROUNDS_LEAST = 4, FIRST_ROUNDS = 4, MOVES_LEAST = 4, MOVES_MOST = 400 };
static const int64_t quick_part_ns = 12000000, full_part_ns = 36000000, quick_bytes_most = INT64_C(8) << 20;

/* In shared memory, as the arrays are. */
struct duel {
	struct channel channel;
	struct walk_node *own, *partners; /* NULL: no walk */
	const struct probe_env *env;
	int64_t rounds;
	struct thread_use partner;
	int err;
};

_Static_assert(sizeof(struct duel) <= HEAD, "the arrays begin a page");

static void *answer(void *arg)
{
	struct duel *d = arg;
	struct thread_use from = {0};

	d->err = env_pin(d->env->cpu) ? 0 : EINVAL;
	for (int64_t i = -UNTIMED; i < d->rounds; i++) {
		if (i == 0)
			from = thread_use();
		channel_wait(&d->channel);
		walk(d->partners);
		channel_reply(&d->channel);
	}
	d->partner = thread_use_since(from);
	return NULL;
}

static int64_t ask(struct duel *d, struct thread_use *own)
{
	struct thread_use from = {0};
	int64_t began = 0;

	for (int64_t i = -UNTIMED; i < d->rounds; i++) {
		if (i == 0) {
			from = thread_use();
			began = clock_ns();
		}
		walk(d->own);
		channel_ask(&d->channel);
	}
	int64_t wall = clock_ns() - began;
	*own = thread_use_since(from);
	return wall;
}

static int run_duel(struct duel *d, bool processes, int64_t *wall_ns, struct thread_use *both)
{
	pthread_t thread;
	pid_t parent = getpid(), child = 0;
	int err = 0;

	if (processes) {
		child = fork();
		if (child == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() == parent)
				answer(d);
			_exit(0);
		}
		err = child < 0 ? errno : 0;
	} else {
		err = pthread_create(&thread, NULL, answer, d);
	}
	if (err)
		return err;
	*wall_ns = ask(d, both);
	if (processes)
		waitpid(child, NULL, 0);
	else
		pthread_join(thread, NULL);
	both->voluntary += d->partner.voluntary;
	both->involuntary += d->partner.involuntary;
	both->cpu_ns += d->partner.cpu_ns;
	return d->err;
}

/* The same walks and system calls by one thread. */
static int64_t run_alone(struct duel *d)
{
	int64_t began = 0;

	for (int64_t i = -UNTIMED; i < d->rounds; i++) {
		if (i == 0)
			began = clock_ns();
		walk(d->own);
		channel_alone(&d->channel);
		walk(d->partners);
		channel_alone(&d->channel);
	}
	return clock_ns() - began;
}

static int64_t part_ns(const struct probe_env *env)
{
	return env->quick ? quick_part_ns : full_part_ns;
}

static void compare(struct probe_step *s, const struct probe_case *c, struct duel *d)
{
	int64_t wall = 0;
	struct thread_use both = {0};

	d->rounds = s->cell->calibrated ? s->cell->calibrated : FIRST_ROUNDS;
	int64_t alone = run_alone(d);
	int err = run_duel(d, c->arg[ARG_HOW] == PROCESSES, &wall, &both);
	if (err) {
		step_status(
			s, RUN_SKIPPED, "allow sched_setaffinity; raise 'ulimit -u'", "no partner: %s", strerror(err));
		return;
	}
	int64_t switches = both.voluntary + both.involuntary;
	step_outside(s, wall, wall - both.cpu_ns);
	step_param(s, "rounds", d->rounds);
	/* Strangers may have slowed the pass that decided: later ones make up for it. */
	if (!s->cell->calibrated || wall < part_ns(s->env) / 2) {
		int64_t want = part_ns(s->env) / (wall / d->rounds + 1);
		s->cell->calibrated = want < ROUNDS_LEAST ? ROUNDS_LEAST : want;
	}
	step_value(s, "turn", wall / d->rounds / 2);
	step_value(s, "still", alone / d->rounds / 2);
	if (switches > 0) {
		step_value(s, "extra", (wall - alone) / switches);
		step_value(s, "switches", switches * 1000 / d->rounds);
	} else {
		step_status(s, RUN_FAILED, "measure on a kernel of your own", "the kernel does not count switches");
	}
}

static int64_t timed_walk(struct walk_node *w)
{
	int64_t began = clock_ns();

	walk_dirty(w);
	return clock_ns() - began;
}

/* Walks that write, so that the lines are nowhere else. */
static void move(struct probe_step *s, struct duel *d)
{
	int64_t cold = 0, warm = 0, n = 0, began = clock_ns(), most = s->pass < 0 ? 0 : part_ns(s->env);

	for (; n < MOVES_LEAST || (n < MOVES_MOST && clock_ns() - began < most); n++) {
		if (!env_pin(n % 2 ? s->env->cpu : s->env->other)) {
			step_status(s, RUN_SKIPPED, "allow sched_setaffinity", "cannot move: %s", strerror(errno));
			return;
		}
		cold += timed_walk(d->own);
		timed_walk(d->own);
		warm += timed_walk(d->own);
	}
	step_value(s, "extra", (cold - warm) / n);
	step_value(s, "turn", cold / n);
	step_value(s, "still", warm / n);
	step_param(s, "moves", n);
}

/* Do translations outlive a change of address space? x86 says so with a flag; other machines leave the parameter out. */
static void tell_pcid(struct probe_step *s)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str flags = sys_field(sys_text(&a, "/proc/cpuinfo"), "flags");

	if (flags.len)
		step_param(s, "pcid", str_find(flags, STR(" pcid ")) >= 0);
	arena_free(&block);
}

static void with_arrays(struct probe_step *s, const struct probe_case *c, struct walk_size size)
{
	size_t bytes = walk_bytes(size);
	char *shared = mmap(NULL, HEAD + 2 * bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED) {
		step_status(s, RUN_SKIPPED, "free some memory", "no memory: %s", strerror(errno));
		return;
	}
	struct duel *d = (struct duel *)(void *)shared;
	d->env = s->env;
	d->own = walk_build(shared + HEAD, size, 1);
	d->partners = walk_build(shared + HEAD + bytes, size, 2);
	step_param(s, "bytes", size.nodes * WALK_LINE);
	step_param(s, "pages", size.stride > WALK_LINE ? size.nodes : size.nodes * WALK_LINE / 4096);
	if (c->arg[ARG_HOW] == PROCESSES)
		tell_pcid(s);
	if (c->arg[ARG_HOW] == MOVE) {
		move(s, d);
	} else if (channel_open(&d->channel, CHANNEL_PIPE, c->arg[ARG_HOW] == PROCESSES)) {
		compare(s, c, d);
		channel_close(&d->channel);
	} else {
		step_status(s, RUN_SKIPPED, "raise 'ulimit -n'", "no channel: %s", strerror(errno));
	}
	munmap(shared, HEAD + 2 * bytes);
}

static void switch_footprint_run(struct probe_step *s, const struct probe_case *c)
{
	struct walk_size size;

	if (c->arg[ARG_HOW] == MOVE && s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "run it on a machine, or in a cpuset, with two CPUs",
			"only one CPU is allowed here");
		return;
	}
	if (!walk_size_of((enum walk_kind)c->arg[ARG_SIZE], s->env->cpu, &size)) {
		step_status(s, RUN_SKIPPED, "run it where /sys/devices/system/cpu/cpu0/cache exists",
			"the kernel does not tell the sizes of the caches");
		return;
	}
	if (s->env->quick && (int64_t)size.nodes * WALK_LINE > quick_bytes_most) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: a walk of %lld MiB takes long",
			(long long)(size.nodes * WALK_LINE / (1 << 20)));
		return;
	}
	if (!env_pin(s->env->cpu)) {
		step_status(s, RUN_SKIPPED, "allow sched_setaffinity", "cannot pin to one CPU: %s", strerror(errno));
		return;
	}
	with_arrays(s, c, size);
}

static const struct probe_case cases[] = {
	{"0", {WALK_0}},
	{"16k", {WALK_16K}},
	{"64k", {WALK_64K}},
	{"half-l2", {WALK_HALF_L2}},
	{"l2", {WALK_L2}},
	{"2l2", {WALK_2_L2}},
	{"half-llc", {WALK_HALF_LLC}},
	{"pages64", {WALK_64_PAGES}},
	{"pages512", {WALK_512_PAGES}},
	{"0-process", {WALK_0, PROCESSES}},
	{"64k-process", {WALK_64K, PROCESSES}},
	{"l2-process", {WALK_L2, PROCESSES}},
	{"pages64-process", {WALK_64_PAGES, PROCESSES}},
	{"pages512-process", {WALK_512_PAGES, PROCESSES}},
	{"64k-move", {WALK_64K, MOVE}},
	{"l2-move", {WALK_L2, MOVE}},
	{0},
};

const struct probe_ops switch_footprint_ops = {
	.name = "switch-footprint",
	.twin = "64k",
	.limit_ms = 60000,
	.cases = cases,
	.run = switch_footprint_run,
};
