/* psi: pressure on a CPU, as the growth of "total" over the window against the wall clock; avg10 only lags behind it. The
 * group of our own tells our tasks' pressure apart from the machine's; without one the machine's is all there is. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/hogs.h"
#include "probe/sys.h"

enum { ARG_SPINNERS, ARG_LIMIT };
/* A group of the cpu controller as well: with a quota, or without one to compare. */
enum { NO_LIMIT, QUOTA, NO_QUOTA, QUOTA_US = 25000, PERIOD_US = 50000 };
static const int64_t quick_ns = 100000000, full_ns = 350000000, settle_ns = 20000000, hog_gap_ns = 2000000;
static const char system_path[] = "/proc/pressure/cpu";

/* A kernel built with PSI but not told to use it has the file and refuses to read it. */
static int readable(void)
{
	char byte;
	int fd = open(system_path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return errno;
	if (read(fd, &byte, 1) < 0)
		err = errno;
	close(fd);
	return err;
}

struct pressure {
	int64_t group_some, group_full, system_some, system_full;
};

static int64_t system_us(const char *kind)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int64_t us = pressure_total_us(sys_text(&a, system_path), kind);

	arena_free(&block);
	return us;
}

static struct pressure pressure_now(const struct groups *g)
{
	return (struct pressure){g ? group_pressure_us(g, 0, "some") : RUN_NULL,
		g ? group_pressure_us(g, 0, "full") : RUN_NULL, system_us("some"), system_us("full")};
}

/* In ppm of the wall time; a total may be ahead of the window by what was under way when it was read. */
static int64_t part(int64_t from_us, int64_t now_us, int64_t wall_ns)
{
	if (from_us == RUN_NULL || now_us == RUN_NULL)
		return RUN_NULL;
	int64_t ppm = (int64_t)((double)(now_us - from_us) * 1e9 / (double)wall_ns);
	return ppm > 1000000 ? 1000000 : ppm;
}

static int64_t avg10_ppm(void)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	struct str some = sys_field(sys_text(&a, system_path), "some"), rest;
	ptrdiff_t at = str_find(some, STR("avg10="));
	int64_t whole = at < 0 ? RUN_NULL : sys_number(str_cut(str_from(some, at + 6), '.', &rest));
	int64_t ppm = whole == RUN_NULL ? RUN_NULL : whole * 10000 + sys_number(rest) * 100;

	arena_free(&block);
	return ppm;
}

static void watch(struct probe_step *s, const struct groups *g, const struct groups *limit, struct hogs *h)
{
	clock_sleep(settle_ns);
	hogs_read(h, false);
	struct pressure from = pressure_now(g);
	struct group_stat stat = limit ? group_stat(limit, 0) : (struct group_stat){0};
	int64_t began = clock_ns();
	clock_sleep(s->env->quick ? quick_ns : full_ns);
	struct pressure now = pressure_now(g);
	int64_t wall = clock_ns() - began;
	hogs_read(h, true);
	if (limit)
		step_value(s, "throttled", group_stat_since(limit, 0, stat).throttled);

	int64_t machine = part(from.system_some, now.system_some, wall);
	step_value(s, "some", g ? part(from.group_some, now.group_some, wall) : machine);
	step_value(s, "full", part(from.group_full, now.group_full, wall));
	step_value(s, "machine", machine);
	step_value(s, "machine-full", part(from.system_full, now.system_full, wall));
	step_value(s, "avg10", avg10_ppm());
	step_param(s, "window_ms", wall / 1000000);
}

/* Under cgroup v1 the cpu controller's groups are others than those that know their pressure: a spinner is in both. */
static bool join_limit(struct probe_step *s, const struct groups *limit, struct hogs *h)
{
	for (int i = 0; limit && i < h->n; i++)
		if (!group_join(limit, 0, h->hogs[i].pid)) {
			step_status(s, RUN_SKIPPED, "run it as root", "a spinner could not join a group: %s",
				strerror(errno));
			return false;
		}
	return true;
}

static void measure(struct probe_step *s, const struct probe_case *c, struct groups *g, const struct groups *limit,
	struct guard *guard)
{
	int group = g ? 0 : HOG_NO_GROUP, spinners = c->arg[ARG_SPINNERS], err = 0;
	struct hogs *h = hogs_open(s, guard, 2 * full_ns + INT64_C(5000000000));

	if (!h)
		return;
	if (s->env->other >= 0)
		env_pin(s->env->other);
	for (int i = 0; i < spinners && !err; i++)
		err = hogs_add(
			h, s->env, g, (struct hog_plan){.cpu = s->env->cpu, .group = group, .gap_ns = hog_gap_ns});
	if (!err)
		err = hogs_ready(h);
	if (!err && join_limit(s, limit == g ? NULL : limit, h))
		err = hogs_begin(h);
	step_param(s, "spinners", spinners);
	step_param(s, "own_group", g != NULL);
	if (err)
		step_status(s, RUN_SKIPPED, "a container's seccomp or its limits may forbid it",
			"a spinner could not take its place: %s", strerror(err));
	else if (s->cell->status != RUN_SKIPPED)
		watch(s, g, limit, h);
	hogs_close(h);
}

/* With a group of the cpu controller: the same one under cgroup v2 where it has that controller, else one beside it. */
static void measure_limited(struct probe_step *s, const struct probe_case *c, struct groups *g)
{
	bool quota = c->arg[ARG_LIMIT] == QUOTA;
	struct groups v1, *limit = g;

	if (!group_has(g, 0, "cpu.max")) {
		limit = &v1;
		if (!groups_open(s, limit, false))
			return;
	}
	if ((limit == g || group_make(s, limit) == 0) && group_weight(s, limit, 0, GROUP_WEIGHT_MAX) &&
		(!quota || group_quota(s, limit, 0, QUOTA_US, PERIOD_US))) {
		step_param(s, "quota_us", quota ? QUOTA_US : 0);
		measure(s, c, g, limit, &g->guard);
		group_quota(s, limit, 0, 0, PERIOD_US);
	}
	if (limit != g)
		groups_close(limit);
}

/* No group: the machine's pressure, in which everybody has a part. */
static void without_group(struct probe_step *s, const struct probe_case *c)
{
	struct guard guard;

	s->cell->status = RUN_OK;
	s->cell->cause[0] = s->cell->remedy[0] = '\0';
	if (s->pass < 0)
		return;
	if (!guard_open(&guard)) {
		step_status(s, RUN_FAILED, "free some memory", "no guard process: %s", strerror(errno));
		return;
	}
	measure(s, c, NULL, NULL, &guard);
	guard_close(&guard);
	step_status(s, RUN_DEGRADED, "run it as root, or in a delegated scope",
		"no cgroup of our own: the pressure of the whole machine");
}

static void psi_run(struct probe_step *s, const struct probe_case *c)
{
	struct groups g;
	int err = readable();

	if (c->arg[ARG_LIMIT] && s->env->quick) {
		step_status(s, RUN_SKIPPED, "run it without --quick", "quick: left out to save time");
		return;
	}
	if (err == ENOENT)
		step_status(
			s, RUN_SKIPPED, "use a kernel with CONFIG_PSI, Linux 4.20 or later", "the kernel has no PSI");
	else if (err == EOPNOTSUPP)
		step_status(s, RUN_SKIPPED, "boot with psi=1", "PSI is built in but off");
	else if (err)
		step_status(s, RUN_SKIPPED, "see who may read it", "%s: %s", system_path, strerror(err));
	if (err)
		return;
	enum run_status before = s->cell->status;
	if (before == RUN_DEGRADED || !groups_open(s, &g, true)) {
		if (c->arg[ARG_LIMIT])
			return; /* told by groups_open */
		without_group(s, c);
		return;
	}
	if (s->pass >= 0 && group_make(s, &g) == 0) {
		if (c->arg[ARG_LIMIT])
			measure_limited(s, c, &g);
		else
			measure(s, c, &g, NULL, &g.guard);
	}
	groups_close(&g);
}

static const struct probe_case cases[] = {
	{"1", {1}},
	{"2", {2}},
	{"4", {4}},
	{"2-quota", {2, QUOTA}},
	{"2-no-quota", {2, NO_QUOTA}},
	{0},
};

const struct probe_ops psi_ops = {
	.name = "psi",
	.twin = "2",
	.limit_ms = 30000,
	.cases = cases,
	.run = psi_run,
};
