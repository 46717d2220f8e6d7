#include "probe/load.h"

#include <sched.h>
#include <string.h>

#include "probe/linux.h"
#include "probe/meter.h"
#include "probe/sys.h"

enum { SPIN_ROUNDS = 1000 };
static const int64_t nap_ns = 1000000, half_ns = 5000000, slice_of_rival_ns = 2000000;

static int64_t spin_until(int64_t until_ns)
{
	int64_t n = 0;

	do {
		spin_work(SPIN_ROUNDS);
		n++;
	} while (clock_ns() < until_ns);
	return n;
}

/* The calling thread sleeps, and its doings in the call are added. */
static void away_for(struct load_done *d, int64_t ns)
{
	int64_t cpu = cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID), began = clock_ns();

	clock_sleep(ns);
	d->away_ns += clock_ns() - began;
	d->away_cpu_ns += cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

/* Reading a file takes longer than the clocks: only where sleeps are long and few. */
static void away_watched(struct load_done *d, int64_t ns)
{
	int64_t from = sys_schedstat(linux_tid(), 1);

	away_for(d, ns);
	int64_t to = sys_schedstat(linux_tid(), 1);
	bool told = from != RUN_NULL && to != RUN_NULL && d->away_wait_ns != RUN_NULL;
	d->away_wait_ns = told ? d->away_wait_ns + to - from : RUN_NULL;
}

struct load_done load_run(enum load_kind kind, int64_t until_ns)
{
	struct load_done d = {0};
	int64_t waited = kind == LOAD_SLEEP ? sys_schedstat(linux_tid(), 1) : 0;

	for (int64_t now; (now = clock_ns()) < until_ns;) {
		int64_t half = now + half_ns < until_ns ? now + half_ns : until_ns;
		switch (kind) {
		case LOAD_SPIN: d.ops += spin_until(until_ns); break;
		case LOAD_MIXED:
			spin_until(half);
			away_watched(&d, half_ns);
			d.ops++;
			break;
		case LOAD_SLEEP:
			away_for(&d, nap_ns);
			d.ops++;
			break;
		case LOAD_YIELD:
			sched_yield();
			d.ops++;
			break;
		}
	}
	/* Who only sleeps, waits only when it wakes. */
	if (kind == LOAD_SLEEP)
		d.away_wait_ns = waited == RUN_NULL ? RUN_NULL : sys_schedstat(linux_tid(), 1) - waited;
	return d;
}

static void *live(void *arg)
{
	const struct rival *me = arg;

	env_pin(me->cpu);
	crew_gate(&me->all->crew);
	while (!crew_stopped(&me->all->crew))
		load_run(me->kind, clock_ns() + slice_of_rival_ns);
	return NULL;
}

bool rivals_start(struct probe_step *s, struct rivals *r, int n, int cpu, enum load_kind kind)
{
	for (int i = 0; i < n; i++)
		r->each[i] = (struct rival){r, cpu, kind};
	int err = crew_start(&r->crew, n, live, r->each, sizeof *r->each);
	if (err)
		step_status(s, RUN_FAILED, "raise 'ulimit -u'", "no thread: %s", strerror(err));
	else
		crew_open(&r->crew);
	return !err;
}

void rivals_stop(struct rivals *r)
{
	crew_join(&r->crew);
}
