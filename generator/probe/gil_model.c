/* gil-model: a scheduler on top of the kernel's. Threads compute under one interpreter's lock, as in CPython: how often
 * it changes hands at which interval, what a thread that mostly sleeps waits for it, and what becomes of a slow thread
 * beside a fast one, with and without the forced hand-over. A slow core is imitated by stopping one thread for six parts
 * in seven of the time, wherever it is, lock held or not; slower work and nice are there to compare. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "probe/crew.h"
#include "probe/gil.h"
#include "probe/harness.h"
#include "probe/linux.h"

enum { ARG_INTERVAL_US, ARG_KIND, ARG_UNFORCED };
enum kind { SPINNERS, SLEEPER, SLOW_LOOP, SLOW_DUTY, SLOW_NICE };
enum {
	THREADS = 2,
	SLOWNESS = 7, /* of an efficiency core, as once measured under an interpreter */
	UNIT_NS = 1000, /* between two looks at the request */
	DUTY_PERIOD_NS = 2000000,
	REQUEST_NS = 2000000, /* the sleeper's period, and what it does then */
	REQUEST_WORK_NS = 20000,
	RESPONSES_MAX = 4096,
	RATE_NS = 1000000,
	FIRST_NS = 10000000,
	QUICK_NS = 44000000,
	FULL_NS = 100000000,
	INTERVALS_LEAST = 5,
	QUICK_MOST_US = 5000,
};

struct player {
	struct crew *crew;
	struct gil *gil;
	enum kind kind;
	int me; /* from 1; the second is the slow one, or the sleeper */
	uint64_t unit_rounds;
	double rate;
	int64_t units, held_ns;
	struct thread_use use;
	int64_t responses[RESPONSES_MAX];
	int n_responses;
};

/* Runs in the slow thread, in the middle of anything. */
static void pause_here(int sig)
{
	int err = errno;
	struct timespec off = {.tv_nsec = (long)DUTY_PERIOD_NS / SLOWNESS * (SLOWNESS - 1)};

	(void)sig;
	nanosleep(&off, NULL);
	errno = err;
}

static void spin_player(struct player *p)
{
	gil_take(p->gil, p->me);
	int64_t since = clock_ns();
	while (!crew_stopped(p->crew)) {
		spin_work(p->unit_rounds);
		p->units++;
		if (!gil_asked(p->gil))
			continue;
		p->held_ns += clock_ns() - since;
		gil_drop(p->gil, p->me);
		gil_take(p->gil, p->me);
		since = clock_ns();
	}
	p->held_ns += clock_ns() - since;
	gil_drop(p->gil, p->me);
}

/* Asks for the lock at set times; a response counts from the set time, also if it was late to begin with. */
static void sleep_player(struct player *p)
{
	uint64_t rounds = work_rounds(p->rate, REQUEST_WORK_NS);

	prctl(PR_SET_TIMERSLACK, 1UL);
	for (int64_t due = clock_ns() + REQUEST_NS; !crew_stopped(p->crew); due += REQUEST_NS) {
		int64_t now = clock_ns();
		if (due > now)
			clock_sleep(due - now);
		gil_take(p->gil, p->me);
		if (p->n_responses < RESPONSES_MAX)
			p->responses[p->n_responses++] = clock_ns() - due;
		spin_work(rounds);
		gil_drop(p->gil, p->me);
	}
}

static void *player_main(void *arg)
{
	struct player *p = arg;
	bool second = p->me == THREADS;

	/* Without the pid of a process, this names a thread. */
	if (second && p->kind == SLOW_NICE)
		setpriority(PRIO_PROCESS, (id_t)linux_tid(), 19);
	crew_gate(p->crew);
	struct thread_use from = thread_use();
	if (second && p->kind == SLEEPER)
		sleep_player(p);
	else
		spin_player(p);
	p->use = thread_use_since(from);
	return NULL;
}

static int64_t per_second(int64_t n, int64_t wall)
{
	return (int64_t)((double)n * 1e9 / (double)wall);
}

static int64_t part(double of, double whole)
{
	return whole > 0 ? (int64_t)(of / whole * 1e6) : RUN_NULL;
}

static void report_kind(struct probe_step *s, struct player *p, enum kind kind)
{
	struct player *second = &p[THREADS - 1];
	double units = (double)p[0].units, held = (double)p[0].held_ns;

	if (kind == SLEEPER) {
		for (int i = 0; i < second->n_responses; i++)
			step_hist(s, "response", RUN_UNIT_NS, second->responses[i]);
		step_value(s, "p50", values_quantile(second->responses, second->n_responses, 500));
		step_value(s, "p99", values_quantile(second->responses, second->n_responses, 990));
		step_param(s, "requests", second->n_responses);
	} else if (kind != SPINNERS) {
		step_value(s, "work2", part((double)second->units, units + (double)second->units));
		step_value(s, "held2", part((double)second->held_ns, held + (double)second->held_ns));
		step_param(s, "slowness", kind == SLOW_NICE ? 1 : SLOWNESS);
	}
}

static void report(struct probe_step *s, const struct probe_case *c, struct player *p, int64_t wall)
{
	enum kind kind = (enum kind)c->arg[ARG_KIND];
	int64_t handoffs = per_second(p->gil->handoffs, wall), useful = 0;
	int64_t voluntary = p[0].use.voluntary + p[1].use.voluntary;
	int64_t involuntary = p[0].use.involuntary + p[1].use.involuntary;

	for (int i = 0; i < THREADS; i++)
		useful += p[i].units * UNIT_NS;
	step_value(s, "handoffs", handoffs);
	if (kind == SPINNERS)
		step_value(s, "factor", (int64_t)((double)handoffs * c->arg[ARG_INTERVAL_US] / 1e6 * 1000));
	/* A thread stopped from outside sleeps on that account too, and slower work would not count as more. */
	if (kind != SLOW_DUTY) {
		step_value(s, "voluntary", per_second(voluntary, wall));
		step_value(s, "involuntary", per_second(involuntary, wall));
	}
	if (kind == SPINNERS || kind == SLEEPER)
		step_value(s, "useful", part((double)useful, (double)wall));
	report_kind(s, p, kind);
	step_param(s, "interval_us", c->arg[ARG_INTERVAL_US]);
	step_param(s, "window_ms", wall / 1000000);
}

/* Lets them play; stops the slow one now and then where that is the question. */
static void play(struct crew *crew, enum kind kind, int64_t window)
{
	int64_t end = clock_ns() + window;

	while (kind == SLOW_DUTY && clock_ns() < end - DUTY_PERIOD_NS) {
		pthread_kill(crew->threads[THREADS - 1], SIGUSR1);
		clock_sleep(DUTY_PERIOD_NS);
	}
	int64_t left = end - clock_ns();
	if (left > 0)
		clock_sleep(left);
}

static int64_t window_ns(const struct probe_step *s, const struct probe_case *c)
{
	int64_t window = s->pass < 0 ? FIRST_NS : s->env->quick ? QUICK_NS : FULL_NS;
	int64_t least = (int64_t)c->arg[ARG_INTERVAL_US] * 1000 * INTERVALS_LEAST;

	return s->pass >= 0 && window < least ? least : window;
}

static int run_players(struct probe_step *s, const struct probe_case *c, struct gil *gil, double rate)
{
	static struct player players[THREADS];
	static struct crew crew;
	enum kind kind = (enum kind)c->arg[ARG_KIND];

	memset(players, 0, sizeof players);
	for (int i = 0; i < THREADS; i++) {
		struct player *p = &players[i];
		p->crew = &crew;
		p->gil = gil;
		p->kind = kind;
		p->me = i + 1;
		p->rate = rate;
		p->unit_rounds = work_rounds(rate, i && kind == SLOW_LOOP ? UNIT_NS * SLOWNESS : UNIT_NS);
	}
	int err = crew_start(&crew, THREADS, player_main, players, sizeof *players);
	if (err) {
		crew_join(&crew);
		return err;
	}
	crew_open(&crew);
	int64_t began = clock_ns();
	play(&crew, kind, window_ns(s, c));
	crew_join(&crew);
	report(s, c, players, clock_ns() - began);
	return 0;
}

static void gil_model_run(struct probe_step *s, const struct probe_case *c)
{
	static struct gil gil;
	struct sigaction pause = {.sa_handler = pause_here}, old;

	if (s->env->quick && c->arg[ARG_INTERVAL_US] > QUICK_MOST_US) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: an interval of %d ms needs a long window",
			c->arg[ARG_INTERVAL_US] / 1000);
		return;
	}
	double rate = work_rate(RATE_NS);
	int err = gil_open(&gil, (int64_t)c->arg[ARG_INTERVAL_US] * 1000, !c->arg[ARG_UNFORCED]);
	(void)sigaction(SIGUSR1, &pause, &old);
	if (!err) {
		err = run_players(s, c, &gil, rate);
		gil_close(&gil);
	}
	(void)sigaction(SIGUSR1, &old, NULL);
	if (err)
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u', or the container's limit of processes", "no thread: %s",
			strerror(err));
}

static const struct probe_case cases[] = {
	{"50us", {50}},
	{"500us", {500}},
	{"5ms", {5000}},
	{"100ms", {100000}},
	{"50us-unforced", {50, SPINNERS, true}},
	{"5ms-unforced", {5000, SPINNERS, true}},
	{"50us-sleeper", {50, SLEEPER}},
	{"500us-sleeper", {500, SLEEPER}},
	{"5ms-sleeper", {5000, SLEEPER}},
	{"100ms-sleeper", {100000, SLEEPER}},
	{"5ms-slow-loop", {5000, SLOW_LOOP}},
	{"5ms-slow-duty", {5000, SLOW_DUTY}},
	{"5ms-slow-nice", {5000, SLOW_NICE}},
	{"5ms-slow-loop-unforced", {5000, SLOW_LOOP, true}},
	{"5ms-slow-duty-unforced", {5000, SLOW_DUTY, true}},
	{"5ms-slow-nice-unforced", {5000, SLOW_NICE, true}},
	{0},
};

const struct probe_ops gil_model_ops = {
	.name = "gil-model",
	.twin = "5ms",
	.limit_ms = 60000,
	.cases = cases,
	.run = gil_model_run,
};
