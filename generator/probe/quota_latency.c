/* quota-latency: what a quota does to the latency of a request. Requests arrive on a schedule fixed before, whatever
 * became of the last (an open loop), and latency counts from the intended start: a stall delays all that were due in it.
 * Two loads: requests of 30 ms at 10 a second, served by a few workers; and one of 0.5 ms every 10 ms beside spinners
 * that use the quota up. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "probe/hogs.h"
#include "probe/load_open.h"

enum { ARG_KIND, ARG_QUOTA_US, ARG_PERIOD_US, ARG_WORKERS };
enum { REQUESTS, TAIL, TAIL_WEIGHT };
enum { WEIGHT = 10000, RIVAL_WEIGHT = 2000 };
static const int64_t request_work_ns = 30000000, request_every_ns = 100000000;
static const int64_t tail_work_ns = 500000, tail_every_ns = 10000000;
static const int64_t requests_window_ns = 2500000000, tail_window_ns = 1000000000, gap_ns = 5000000;

static void report(struct probe_step *s, struct open_load *load, struct group_stat st, int64_t window)
{
	int64_t *latency = load->latency_ns, stalls = 0;
	int n = load->n, done = 0;

	for (int i = 0; i < n; i++) {
		/* One that never ended took longer than all that did; the window is what can be said of it. */
		if (latency[i] == 0)
			latency[i] = window;
		else
			done++;
		step_hist(s, "latency", RUN_UNIT_NS, latency[i]);
	}
	for (int w = 0; w < load->workers; w++)
		stalls += atomic_load(&load->stalls[w]);
	step_value(s, "p50", hogs_quantile(latency, n, 500));
	step_value(s, "p99", hogs_quantile(latency, n, 990));
	if (st.periods != RUN_NULL && st.periods > 0)
		step_value(s, "throttled", st.throttled * 1000000 / st.periods);
	step_value(s, "stalls", stalls * 1000 / load->workers);
	step_param(s, "requests", n);
	step_param(s, "done", done);
	step_param(s, "workers", load->workers);
}

static void measure(struct probe_step *s, const struct probe_case *c, struct groups *g)
{
	bool tail = c->arg[ARG_KIND] != REQUESTS, weights = c->arg[ARG_KIND] == TAIL_WEIGHT;
	int group = group_make(s, g), rivals = weights ? group_make(s, g) : group, err = 0;
	int64_t window = tail ? tail_window_ns : requests_window_ns;
	struct open_load *load = NULL;

	/* So heavy that strangers do not keep it from its quota. */
	if (group < 0 || rivals < 0 || !group_weight(s, g, group, WEIGHT) ||
		(weights ? !group_weight(s, g, rivals, RIVAL_WEIGHT)
			 : !group_quota(s, g, group, c->arg[ARG_QUOTA_US], c->arg[ARG_PERIOD_US])))
		return;
	struct hogs *h = hogs_open(s, &g->guard, window + INT64_C(5000000000));
	if (!h)
		return;
	for (int i = 0; tail && i < 2 && !err; i++)
		err = hogs_add(h, s->env, g,
			(struct hog_plan){.cpu = s->env->cpus[i % s->env->n_cpus], .group = rivals, .gap_ns = gap_ns});
	if (!err)
		err = hogs_ready(h);
	if (!err) {
		load = open_load_start(s, &g->guard,
			(struct open_plan){.work_ns = tail ? tail_work_ns : request_work_ns,
				.every_ns = tail ? tail_every_ns : request_every_ns,
				.window_ns = window,
				.workers = c->arg[ARG_WORKERS],
				.gap_ns = gap_ns});
		err = !load ? 0 : group_join(g, group, load->pid) ? 0 : errno;
	}
	if (err) {
		step_status(s, RUN_SKIPPED, "a container's seccomp or its limits may forbid it",
			"a process could not be started or put into the group: %s", strerror(err));
	} else if (load) {
		hogs_go(h);
		clock_sleep((int64_t)c->arg[ARG_PERIOD_US] * 1100);
		struct group_stat from = group_stat(g, group);
		open_load_run(load);
		report(s, load, group_stat_since(g, group, from), window);
		if (!weights) {
			step_param(s, "quota_us", c->arg[ARG_QUOTA_US]);
			step_param(s, "period_us", c->arg[ARG_PERIOD_US]);
		}
	}
	group_quota(s, g, group, 0, c->arg[ARG_PERIOD_US]);
	open_load_end(load);
	hogs_close(h);
}

static void quota_latency_run(struct probe_step *s, const struct probe_case *c)
{
	struct groups g;

	if (s->env->quick) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: a tail needs hundreds of requests");
		return;
	}
	if (!groups_open(s, &g, false))
		return;
	if (s->pass >= 0)
		measure(s, c, &g);
	groups_close(&g);
}

static const struct probe_case cases[] = {
	{"requests-1", {REQUESTS, 50000, 100000, 1}},
	{"requests-2", {REQUESTS, 50000, 100000, 2}},
	{"requests-2-half", {REQUESTS, 25000, 50000, 2}},
	{"requests-2-whole", {REQUESTS, 100000, 100000, 2}},
	{"tail", {TAIL, 50000, 100000, 1}},
	{"tail-half", {TAIL, 25000, 50000, 1}},
	{"tail-weight", {TAIL_WEIGHT, 0, 100000, 1}},
	{0},
};

const struct probe_ops quota_latency_ops = {
	.name = "quota-latency",
	.twin = "tail",
	.limit_ms = 40000,
	.cases = cases,
	.run = quota_latency_run,
};
