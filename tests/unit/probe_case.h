/* One measurement of one case, in the test's own process; with cmocka's headers included before. Test files only. */
#ifndef RUNQ_TESTS_PROBE_CASE_H
#define RUNQ_TESTS_PROBE_CASE_H

#include <string.h>

#include "probe/harness.h"

static struct probe_env env; /* the test's main fills it in with env_read */

/* The cell is overwritten by the next call. */
static inline struct probe_cell *measured(const char *probe, const char *name)
{
	static struct probe_cell cell;
	const struct probe_ops *ops = probe_ops_find(probe);
	const struct probe_case *c = ops->cases;

	memset(&cell, 0, sizeof cell);
	for (int m = 0; m < PROBE_METRICS_MAX; m++)
		cell.values[m][0] = RUN_NULL;
	while (strcmp(c->name, name) != 0)
		c++;
	struct probe_step s = {.env = &env, .info = probe_info_find(str_of(probe)), .cell = &cell};
	ops->run(&s, c);
	assert_true(env_unpin(&env));
	return &cell;
}

static inline int64_t value(const struct probe_cell *c, const char *probe, const char *metric)
{
	const struct probe_info *info = probe_info_find(str_of(probe));

	return c->values[probe_metric_find(info, str_of(metric)) - info->metrics][0];
}

static inline int64_t param(const struct probe_cell *c, const char *key)
{
	for (int i = 0; i < c->n_params; i++)
		if (strcmp(c->params[i].key, key) == 0)
			return c->params[i].num;
	return RUN_NULL;
}

static inline void assert_within(const char *what, int64_t v, int64_t lo, int64_t hi)
{
	if (v < lo || v > hi)
		fail_msg("%s is %lld, not from %lld to %lld", what, (long long)v, (long long)lo, (long long)hi);
}

#endif
