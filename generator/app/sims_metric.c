/* What sim('block-id:metric') can ask of a scenario that ran. */
#include <math.h>
#include <string.h>

#include "app/sims.h"

enum what {
	SHARE, CPU, RUNS, RUN_MEDIAN, RUN_MIN, RUN_MAX, WAKES, WAIT_MEAN, WAIT_P50, WAIT_P90, WAIT_MAX, WAIT_SHORT, FIRST_RUN, FINISHED,
	TURNAROUND, OF_TASKS, IDLE = OF_TASKS, SWITCHES, EVENTS, WHATS
};

/* Those of a task are written with its name: "share-a". */
static const char *const names[WHATS] = {[SHARE] = "share", [CPU] = "cpu", [RUNS] = "runs", [RUN_MEDIAN] = "run-median",
	[RUN_MIN] = "run-min", [RUN_MAX] = "run-max", [WAKES] = "wakes", [WAIT_MEAN] = "wait-mean", [WAIT_P50] = "wait-p50",
	[WAIT_P90] = "wait-p90", [WAIT_MAX] = "wait-max", [WAIT_SHORT] = "wait-below-300us", [FIRST_RUN] = "first-run",
	[FINISHED] = "finished", [TURNAROUND] = "turnaround", [IDLE] = "idle", [SWITCHES] = "switches", [EVENTS] = "events"};

static double per(int64_t a, int64_t b)
{
	return b ? (double)a / (double)b : (double)NAN;
}

static double known(int64_t n, int64_t value)
{
	return n ? (double)value : (double)NAN;
}

static double of_task(const struct sim_done *d, int task, enum what what)
{
	const struct sim_figures *f = &d->figures[task];

	switch ((int)what) {
	case SHARE: return per(f->cpu_ns, d->result.t);
	case CPU: return (double)f->cpu_ns;
	case RUNS: return (double)f->runs;
	case RUN_MEDIAN: return known(f->runs, f->run_median);
	case RUN_MIN: return known(f->runs, f->run_min);
	case RUN_MAX: return known(f->runs, f->run_max);
	case WAKES: return (double)f->wakes;
	case WAIT_MEAN: return per(f->wait_sum, f->wakes);
	case WAIT_P50: return known(f->wakes, f->wait_median);
	case WAIT_P90: return known(f->wakes, f->wait_p90);
	case WAIT_MAX: return known(f->wakes, f->wait_max);
	case WAIT_SHORT: return per(f->below_300us, f->wakes);
	case FIRST_RUN: return f->first_run == SIM_NONE ? (double)NAN : (double)f->first_run;
	case FINISHED: return f->finished == SIM_NONE ? (double)NAN : (double)f->finished;
	case TURNAROUND: return f->finished == SIM_NONE ? (double)NAN : (double)(f->finished - d->sc.tasks[task].start);
	default: return (double)NAN;
	}
}

static double of_all(const struct sim_done *d, enum what what)
{
	int64_t n = 0;

	if (what != SWITCHES)
		return what == IDLE ? (double)d->result.idle : (double)d->result.events;
	for (uint32_t i = 0; i < d->result.records; i++)
		n += d->log[i].kind == SIM_SWITCH && d->log[i].from != d->log[i].to;
	return (double)n;
}

/* "at-16ms" or "at-16ms-cpu1". */
static bool who_at(struct arena *a, const struct sim_done *d, struct str metric, struct str *who)
{
	struct str rest = str_from(metric, 3), cpu_text, time = str_cut(rest, '-', &cpu_text);
	struct sim_scenario *probe = ARENA_NEW(a, struct sim_scenario, 1);
	struct sim_error e;
	int64_t cpu = 0;
	int task = SIM_NONE;

	struct str line = str_printf(a, "task t start %.*s: run", STR_FMT(time));
	if (!sim_parse(line.ptr, (size_t)line.len, probe, &e) || probe->n_tasks != 1 || probe->tasks[0].start >= d->result.t)
		return false;
	if (cpu_text.ptr && !(str_starts(cpu_text, STR("cpu")) && str_int(str_from(cpu_text, 3), &cpu) && cpu >= 0 && cpu < d->sc.cpus))
		return false;
	for (uint32_t i = 0; i < d->result.records && d->log[i].t <= probe->tasks[0].start; i++)
		if (d->log[i].kind == SIM_SWITCH && d->log[i].cpu == cpu)
			task = d->log[i].to;
	*who = task == SIM_NONE ? STR("idle") : str_copy(a, str_of(d->sc.tasks[task].name));
	return true;
}

static struct str unknown(struct arena *a, const struct sim_done *d, struct str metric)
{
	enum { MOST = OF_TASKS * SIM_TASKS_MAX + WHATS };
	struct str *all = ARENA_NEW(a, struct str, MOST);
	ptrdiff_t n = 0;

	for (int what = 0; what < OF_TASKS; what++)
		for (int i = 0; i < d->sc.n_tasks; i++)
			all[n++] = str_printf(a, "%s-%s", names[what], d->sc.tasks[i].name);
	for (int what = OF_TASKS; what < WHATS; what++)
		all[n++] = str_of(names[what]);
	struct str near = str_nearest(metric, all, n);
	return str_printf(a, "a simulation has no metric '%.*s'; %s%.*s", STR_FMT(metric),
		near.len ? "did you mean " : "write one like share-TASK, run-median-TASK, wait-p50-TASK, at-16ms or switches", STR_FMT(near));
}

struct str sims_metric(struct arena *a, const struct sim_done *d, struct str metric, double *value, struct str *who)
{
	*value = (double)NAN;
	*who = (struct str){0};
	for (int what = OF_TASKS; what < WHATS; what++)
		if (str_eq(metric, str_of(names[what]))) {
			*value = of_all(d, (enum what)what);
			return STR("");
		}
	for (int what = 0; what < OF_TASKS; what++) {
		struct str name = str_of(names[what]), task = str_from(metric, name.len + 1);
		if (!str_starts(metric, name) || metric.len <= name.len + 1 || metric.ptr[name.len] != '-')
			continue;
		int i = sim_task_find(&d->sc, task.ptr, (size_t)task.len);
		if (i == SIM_NONE)
			continue;
		*value = of_task(d, i, (enum what)what);
		return STR("");
	}
	if (str_starts(metric, STR("at-")) && who_at(a, d, metric, who))
		return STR("");
	return unknown(a, d, metric);
}
