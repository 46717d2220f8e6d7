#include "probe/trace_direct.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe/linux.h"
#include "probe/realtime.h"
#include "probe/sys.h"
#include "probe/trace_cast.h"

enum { US = 1000, STEAL = 7, USER_HZ_NS = 10000000, KIB_LEAST = 2048, KIB_A_SECOND = 1024, KIB_MOST = 32768 };
static const int64_t ms = 1000000, second = 1000000000, lead_ns = 60000000, early_ns = 20000000;

static bool watch(struct direction *d)
{
	pid_t pids[SIM_TASKS_MAX];

	if (!trace_real_time(d->sc))
		return true;
	for (int i = 0; i < d->sc->n_tasks; i++)
		pids[i] = d->st->players[i].pid;
	d->watchdog =
		watchdog_over(d->step->env, clock_ns() + d->sc->horizon + second, pids, d->sc->n_tasks, &d->guard);
	if (d->watchdog < 0)
		realtime_refused(d->step, "sched_setscheduler", SCHED_FIFO, errno, NULL);
	return d->watchdog >= 0;
}

/* What the hypervisor took from the scenario's CPUs since boot. */
static int64_t steal_ns(const struct trace_stage *st)
{
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	struct str stat = sys_text(&scratch, "/proc/stat");
	int64_t sum = 0;

	for (int i = 0; i < st->n_cpus && sum != RUN_NULL; i++) {
		char key[24];
		snprintf(key, sizeof key, "cpu%d", st->cpus[i]);
		int64_t ticks = sys_number(sys_word(sys_field(stat, key), STEAL));
		sum = ticks == RUN_NULL ? RUN_NULL : sum + ticks * USER_HZ_NS;
	}
	arena_free(&block);
	return sum;
}

static void perform(struct direction *d)
{
	struct trace_stage *st = d->st;

	st->t0_ns = clock_ns() + lead_ns;
	atomic_store(&st->go, 1);
	linux_futex_wake(&st->go, SIM_TASKS_MAX, false);
	clock_sleep(lead_ns - early_ns);
	trace_fs_switch(&d->fs, true);
	clock_sleep(st->t0_ns + d->sc->horizon + ms - clock_ns());
	trace_fs_switch(&d->fs, false);
	atomic_store(&st->stop, true);
}

static struct trace *collect(struct direction *d, struct arena *a)
{
	struct trace_collector c = {.arena = a, .stage = d->st, .duration_ns = d->sc->horizon};

	for (int i = 0; i < d->st->n_cpus; i++) {
		c.cpu = i;
		int64_t lost = trace_fs_read(&d->fs, d->st->cpus[i], trace_collect, &c);
		if (lost < 0) {
			step_status(
				d->step, RUN_FAILED, "run it again", "the trace cannot be read: %s", strerror(errno));
			return NULL;
		}
		c.lost += lost;
	}
	return trace_collected(&c);
}

static struct trace *record(struct direction *d, struct arena *a)
{
	int64_t kib = KIB_LEAST + d->sc->horizon / second * KIB_A_SECOND;

	if (!cast_groups(d) ||
		!trace_fs_make(d->step, &d->fs, &d->guard, d->st->cpus, d->st->n_cpus,
			(int)(kib < KIB_MOST ? kib : KIB_MOST)) ||
		!cast_players(d) || !watch(d))
		return NULL;
	int64_t stolen = steal_ns(d->st);
	perform(d);
	int64_t now = steal_ns(d->st);
	struct trace *t = collect(d, a);
	if (t)
		t->steal_ns = stolen == RUN_NULL || now == RUN_NULL ? RUN_NULL : now - stolen;
	return t;
}

struct trace *trace_direct(struct probe_step *s, struct arena *a, const struct sim_scenario *scenario)
{
	struct direction d = {.step = s, .sc = scenario};
	struct trace *t = NULL;

	d.st = mmap(NULL, sizeof *d.st, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (d.st == MAP_FAILED) {
		step_status(s, RUN_FAILED, "free some memory", "no memory: %s", strerror(errno));
		return NULL;
	}
	d.st->scenario = scenario;
	d.st->env = s->env;
	snprintf(d.st->prefix, sizeof d.st->prefix, "rq%06x-",
		(unsigned)(clock_ns() / US ^ (int64_t)getpid() << 12) & 0xffffff);
	/* The mounts before the guard, which must see them. */
	if (trace_able(s, d.st, scenario->horizon) && trace_fs_find(s, &d.fs)) {
		env_pin(d.st->cpus[0]);
		d.st->chunk_ps = trace_chunk_ps();
		env_pin(s->env->cpu);
		if (guard_open(&d.guard)) {
			t = record(&d, a);
			cast_dismiss(&d);
			if (d.grouped)
				groups_close(&d.groups);
			guard_close(&d.guard);
		} else {
			step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		}
	}
	munmap(d.st, sizeof *d.st);
	return t;
}
