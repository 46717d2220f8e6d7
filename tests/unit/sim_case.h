/* A scenario simulated for a test: with the invariants checked after every event, and the log followed. */
#ifndef RUNQ_TESTS_SIM_CASE_H
#define RUNQ_TESTS_SIM_CASE_H

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/fair.h"

enum { CASE_LOG_MAX = 400000 };
static struct sim_scenario scenario;
static struct sim_record records[CASE_LOG_MAX];
static struct sim_result result;
static struct sim engine;

static const int64_t MS = 1000000;

static inline void read_scenario(const char *text)
{
	struct sim_error e;

	if (!sim_parse(text, strlen(text), &scenario, &e))
		fail_msg("%d:%d: %s in %s", (int)e.line, (int)e.col, e.message, text);
}

static inline void simulate(const char *text)
{
	uint32_t at;

	read_scenario(text);
	sim_run(&scenario, &engine, sizeof engine, records, CASE_LOG_MAX, SIM_FLAG_CHECK, &result);
	if (result.end != SIM_END_HORIZON)
		fail_msg("stopped for reason %d at %lld ns (%s): %s", result.end, (long long)result.t,
			sim_defect_text(result.defect), text);
	if (sim_check(&scenario, records, result.records, &at) != SIM_SOUND)
		fail_msg("record %u contradicts the log: %s", at, text);
}

static inline struct sim_figures figures(const char *task)
{
	static int64_t scratch[CASE_LOG_MAX];
	struct sim_figures f;
	int i = sim_task_find(&scenario, task, strlen(task));

	assert_true(i >= 0);
	sim_measure(&scenario, records, result.records, result.t, i, scratch, &f);
	assert_int_equal(f.cpu_ns, result.cpu_ns[i]);
	return f;
}

/* "a0-4 b4-8 …" in ms, decimals as needed: who ran on a CPU, the first `n` stretches that are not idle; what runs at the end has none. */
static inline const char *turns(int cpu, int n)
{
	static char text[4096];
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < result.records && n > 0; i++) {
		const struct sim_record *r = &records[i];
		if (r->kind != SIM_SWITCH || r->cpu != cpu || r->from == SIM_NONE)
			continue;
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%s%.6g-%.6g", at ? " " : "",
			scenario.tasks[r->from].name, (double)(r->t - r->value) / 1e6, (double)r->t / 1e6);
		n--;
	}
	return text;
}

static inline void assert_near(double got, double want, double tolerance)
{
	if (got < want - tolerance || got > want + tolerance)
		fail_msg("%g is not within %g of %g", got, tolerance, want);
}

static inline double mean_wait_ms(struct sim_figures f)
{
	return f.wakes ? (double)f.wait_sum / (double)f.wakes / 1e6 : 0;
}

static inline double at_once(struct sim_figures f)
{
	return f.wakes ? (double)f.below_300us / (double)f.wakes : 0;
}

#endif
