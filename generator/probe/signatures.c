/* signatures: what the two switch counters, the CPU time and the waiting time say of simple lives, alone and beside a
 * rival on the same CPU. Only the subject's own thread is counted; for the ping-pong both sides are. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/channel.h"
#include "probe/groups.h"
#include "probe/load.h"
#include "probe/meter.h"

enum { ARG_LIFE, ARG_RIVAL };
enum { PING_PONG = LOAD_YIELD + 1, THROTTLED, QUOTA_US = 10000, PERIOD_US = 20000, FEW_SLEEPS = 5 };
static const int64_t quick_ns = 70000000, full_ns = 280000000, warm_up_ns = 10000000;

struct partner {
	struct channel channel;
	struct crew crew;
	const struct probe_env *env;
	_Atomic int64_t asked; /* in all; known at the end */
	struct meter used;
};

/* Answers all that is asked. A flag would not do: seen too early, the last question stays open. */
static void *answer(void *arg)
{
	struct partner *p = arg;

	env_pin(p->env->cpu);
	crew_gate(&p->crew);
	struct meter from = meter_now();
	for (int64_t n = 0; n < atomic_load(&p->asked); n++)
		channel_answer(&p->channel);
	p->used = meter_since(from);
	return NULL;
}

static void report(struct probe_step *s, const struct probe_case *c, struct meter m, int64_t ops, int64_t switches)
{
	step_value(s, "voluntary", milli_per_second(m.voluntary, m.wall_ns));
	step_value(s, "involuntary", milli_per_second(m.involuntary, m.wall_ns));
	step_value(s, "cpu", ppm_of(m.cpu_ns, m.wall_ns));
	step_value(s, "waiting", ppm_of(m.wait_ns, m.wall_ns));
	step_value(s, "system", ppm_of(m.sys_ns, m.user_ns + m.sys_ns));
	step_value(s, "ops", milli_per_second(ops, m.wall_ns));
	if (ops)
		step_value(s, "switches-per-op", switches * 1000 / ops);
	step_param(s, "window_ms", m.wall_ns / 1000000);
	if (c->arg[ARG_LIFE] == LOAD_SPIN && !c->arg[ARG_RIVAL])
		step_outside(s, m.wall_ns, m.wall_ns - m.cpu_ns);
	if (c->arg[ARG_LIFE] == LOAD_SLEEP && ops >= FEW_SLEEPS && !m.voluntary && !m.involuntary)
		step_status(s, RUN_DEGRADED, "measure on a kernel of your own", "the kernel does not count switches");
}

static void run_ping_pong(struct probe_step *s, const struct probe_case *c, int64_t window)
{
	struct partner p = {.env = s->env, .asked = INT64_MAX};
	int64_t ops = 0;

	if (!channel_open(&p.channel, CHANNEL_SOCKETPAIR, false)) {
		step_status(s, RUN_FAILED, "raise 'ulimit -n'", "no channel: %s", strerror(errno));
		return;
	}
	int err = crew_start(&p.crew, 1, answer, &p, sizeof p);
	if (err) {
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
		channel_close(&p.channel);
		return;
	}
	crew_open(&p.crew);
	struct meter from = meter_now();
	for (int64_t until = from.wall_ns + window; clock_ns() < until; ops++)
		channel_ask(&p.channel);
	struct meter used = meter_since(from);
	atomic_store(&p.asked, ops + 1);
	channel_ask(&p.channel);
	crew_join(&p.crew);
	int64_t switches = used.voluntary + used.involuntary + p.used.voluntary + p.used.involuntary;
	report(s, c, used, ops, switches);
	channel_close(&p.channel);
}

/* A process of its own, for it must leave the group by ending: what is held back could not move. */
struct captive {
	_Atomic bool joined;
	bool done;
	int64_t ops;
	struct meter used;
};

static _Noreturn void spin_captive(struct captive *me, const struct probe_env *env, int64_t window, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent && !atomic_load(&me->joined))
		clock_sleep(100000);
	if (getppid() == parent && env_pin(env->cpu)) {
		struct meter from = meter_now();
		me->ops = load_run(LOAD_SPIN, from.wall_ns + window).ops;
		me->used = meter_since(from);
		me->done = true;
	}
	_exit(0);
}

static void watch_captive(
	struct probe_step *s, const struct probe_case *c, struct groups *g, struct captive *captive, int64_t window)
{
	pid_t parent = getpid(), child;
	int group = group_make(s, g);

	if (group < 0 || !group_quota(s, g, group, QUOTA_US, PERIOD_US))
		return;
	child = fork();
	if (child == 0)
		spin_captive(captive, s->env, window, parent);
	if (child > 0 && guard_pid(&g->guard, child) && group_join(g, group, child))
		atomic_store(&captive->joined, true);
	else
		step_status(s, RUN_SKIPPED, "a container's limits may forbid it",
			"the spinner could not be put into a group: %s", strerror(errno));
	if (child > 0 && !atomic_load(&captive->joined))
		kill(child, SIGKILL);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	guard_forget_pids(&g->guard);
	if (captive->done) {
		report(s, c, captive->used, captive->ops, captive->used.voluntary + captive->used.involuntary);
		step_param(s, "quota_us", QUOTA_US);
		step_param(s, "period_us", PERIOD_US);
	}
}

static void run_throttled(struct probe_step *s, const struct probe_case *c, int64_t window)
{
	struct groups g;
	struct captive *captive =
		mmap(NULL, sizeof *captive, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (captive == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no shared memory: %s", strerror(errno));
		return;
	}
	if (groups_open(s, &g, false)) {
		watch_captive(s, c, &g, captive, window);
		groups_close(&g);
	}
	munmap(captive, sizeof *captive);
}

static void signatures_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	enum load_kind kind = (enum load_kind)c->arg[ARG_LIFE];
	struct rivals rivals;

	if (c->arg[ARG_LIFE] == THROTTLED) {
		run_throttled(s, c, window);
		return;
	}
	if (!env_pin(s->env->cpu)) {
		step_status(s, RUN_FAILED, "allow it the CPU", "cannot be pinned to its CPU: %s", strerror(errno));
		return;
	}
	if (c->arg[ARG_LIFE] == PING_PONG) {
		run_ping_pong(s, c, window);
		return;
	}
	/* A yield needs somebody to yield to, who gives the CPU back at once. */
	enum load_kind rival = kind == LOAD_YIELD ? LOAD_YIELD : LOAD_SPIN;
	if (rivals_start(s, &rivals, c->arg[ARG_RIVAL], s->env->cpu, rival)) {
		struct meter from = meter_now();
		struct load_done done = load_run(kind, from.wall_ns + window);
		struct meter used = meter_since(from);
		report(s, c, used, done.ops, used.voluntary + used.involuntary);
	}
	rivals_stop(&rivals);
}

static const struct probe_case cases[] = {
	{"spin", {LOAD_SPIN}},
	{"spin-rival", {LOAD_SPIN, 1}},
	{"sleep", {LOAD_SLEEP}},
	{"ping-pong", {PING_PONG}},
	{"yield", {LOAD_YIELD}},
	{"yield-rival", {LOAD_YIELD, 1}},
	{"mixed", {LOAD_MIXED}},
	{"mixed-rival", {LOAD_MIXED, 1}},
	{"throttled", {THROTTLED}},
	{0},
};

const struct probe_ops signatures_ops = {
	.name = "signatures",
	.twin = "spin-rival",
	.limit_ms = 15000,
	.cases = cases,
	.run = signatures_run,
};
