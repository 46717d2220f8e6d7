/* states: two CPUs with four spinners, and with two spinners beside two threads that sleep: the same four threads, the same
 * use of the CPUs, another wait. The state that /proc shows cannot tell running from waiting; the counters can. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/crew.h"
#include "probe/gaps.h"
#include "probe/linux.h"
#include "probe/meter.h"

enum { ARG_SPINNERS };
enum { THREADS = 4, SPANS_MAX = 60 };
static const int64_t quick_ns = 120000000, full_ns = 500000000, warm_up_ns = 20000000, sample_ns = 10000000,
		     nap_ns = 20000000;

struct actor_of_states {
	struct crew *crew;
	const struct probe_env *env;
	const _Atomic int64_t *until_ns;
	bool spins;
	int cpu;
	_Atomic pid_t tid;
	struct meter used;
	struct gaps gaps; /* a sleeper's: its naps */
	int runnable, samples; /* how often /proc showed R */
};

static void nap(struct gaps *g, int64_t until_ns)
{
	g->began_ns = clock_ns();
	for (int64_t now; (now = clock_ns()) < until_ns && g->n < GAPS_MAX;) {
		clock_sleep(until_ns - now < nap_ns ? until_ns - now : nap_ns);
		g->items[g->n++] = (struct gap){now, clock_ns(), GAP_OTHER};
	}
	g->ended_ns = clock_ns();
}

static void *act(void *arg)
{
	struct actor_of_states *me = arg;

	atomic_store(&me->tid, linux_tid());
	env_pin(me->cpu);
	crew_gate(me->crew);
	struct meter from = meter_now();
	if (me->spins)
		gaps_watch(&me->gaps, me->env, me->cpu, atomic_load(me->until_ns));
	else
		nap(&me->gaps, atomic_load(me->until_ns));
	me->used = meter_since(from);
	return NULL;
}

static char state_of(int stat_fd)
{
	char text[128];
	ssize_t n = pread(stat_fd, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	const char *after_name = strrchr(text, ')');
	return after_name && after_name[1] == ' ' ? after_name[2] : '?';
}

/* Looks at the states every 10 ms, from wherever there is room: four short reads, about a hundredth of a CPU. */
static void sample(struct actor_of_states *actors, int64_t until_ns)
{
	int fds[THREADS];
	char path[64];

	for (int i = 0; i < THREADS; i++) {
		snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)atomic_load(&actors[i].tid));
		fds[i] = open(path, O_RDONLY | O_CLOEXEC);
	}
	for (int64_t next = clock_ns() + sample_ns; next < until_ns; next += sample_ns) {
		clock_sleep(next - clock_ns());
		if (clock_ns() >= until_ns)
			break;
		for (int i = 0; i < THREADS; i++) {
			char state = state_of(fds[i]);
			actors[i].runnable += state == 'R';
			actors[i].samples += state != '?';
		}
	}
	for (int i = 0; i < THREADS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void draw(struct probe_step *s, const struct actor_of_states *a, int number)
{
	char lane[PROBE_SPAN_TEXT_MAX];
	const struct gaps *g = &a->gaps;
	int64_t from = g->began_ns;
	int drawn = 0;

	snprintf(lane, sizeof lane, "thread %d", number);
	for (int i = 0; i < g->n && drawn < SPANS_MAX; i++) {
		/* Interrupts are too short to be seen. */
		if (a->spins && g->items[i].kind != GAP_SWITCH)
			continue;
		if (a->spins)
			step_span(s, lane, "running", from, g->items[i].from_ns);
		step_span(s, lane, a->spins ? "waiting" : "asleep", g->items[i].from_ns, g->items[i].to_ns);
		from = g->items[i].to_ns;
		drawn++;
	}
	if (a->spins && drawn < SPANS_MAX)
		step_span(s, lane, "running", from, g->ended_ns);
}

static void report(struct probe_step *s, const struct actor_of_states *actors, int spinners)
{
	struct meter spun = {0}, all = {0};
	int runnable = 0, samples = 0, asleep = 0, sleep_samples = 0;

	for (int i = 0; i < THREADS; i++) {
		const struct actor_of_states *a = &actors[i];
		draw(s, a, i + 1);
		meter_add(&all, &a->used);
		if (a->spins) {
			meter_add(&spun, &a->used);
			runnable += a->runnable;
			samples += a->samples;
		} else {
			asleep += a->samples - a->runnable;
			sleep_samples += a->samples;
		}
	}
	step_value(s, "running", ppm_of(spun.cpu_ns, spun.wall_ns));
	step_value(s, "waiting", ppm_of(spun.wait_ns, spun.wall_ns));
	step_value(s, "shown-runnable", ppm_of(runnable, samples));
	step_value(s, "shown-asleep", ppm_of(asleep, sleep_samples));
	step_value(s, "involuntary", milli_per_second(spun.involuntary, spun.wall_ns));
	/* Four threads on two CPUs: the mean window is a quarter of the sum. */
	step_value(s, "busy", ppm_of(all.cpu_ns, all.wall_ns / THREADS * 2));
	step_param(s, "spinners", spinners);
	step_param(s, "window_ms", all.wall_ns / THREADS / 1000000);
	/* Both CPUs were ours: what four spinners did not get went to others. */
	step_outside(s, all.wall_ns / THREADS * 2, all.wall_ns / THREADS * 2 - all.cpu_ns);
}

static void states_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? warm_up_ns : s->env->quick ? quick_ns : full_ns;
	struct crew crew;
	_Atomic int64_t until = 0;

	if (s->env->other < 0) {
		step_status(s, RUN_SKIPPED, "allow it a second CPU", "one CPU: the case is about two");
		return;
	}
	struct actor_of_states *actors = calloc(THREADS, sizeof *actors);
	if (!actors) {
		step_status(s, RUN_FAILED, "free some memory", "no memory for the states");
		return;
	}
	for (int i = 0; i < THREADS; i++) {
		actors[i].crew = &crew;
		actors[i].env = s->env;
		actors[i].until_ns = &until;
		actors[i].spins = i < c->arg[ARG_SPINNERS];
		actors[i].cpu = i % 2 ? s->env->other : s->env->cpu;
	}
	int err = crew_start(&crew, THREADS, act, actors, sizeof *actors);
	if (!err) {
		int64_t end = clock_ns() + window;
		atomic_store(&until, end);
		crew_open(&crew);
		sample(actors, end);
	}
	crew_join(&crew);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
	else if (s->pass >= 0)
		report(s, actors, c->arg[ARG_SPINNERS]);
	free(actors);
}

static const struct probe_case cases[] = {
	{"4-spin", {4}},
	{"2-spin-2-sleep", {2}},
	{0},
};

const struct probe_ops states_ops = {
	.name = "states",
	.twin = "4-spin",
	.limit_ms = 15000,
	.cases = cases,
	.run = states_run,
};
