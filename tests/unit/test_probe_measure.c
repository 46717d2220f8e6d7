/* The probes themselves, on short windows: what must hold on any kernel, however busy the machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "probe/channel.h"
#include "probe/harness.h"
#include "probe_case.h"

static void every_creation_is_timed(void **state)
{
	const struct probe_ops *ops = probe_ops_find("create");

	for (const struct probe_case *c = ops->cases; c->name; c++) {
		const struct probe_cell *cell = measured("create", c->name);
		if (cell->status == RUN_SKIPPED)
			continue;
		assert_int_equal(cell->status, RUN_OK);
		assert_true(cell->values[0][0] > 500);
		assert_int_equal(param(cell, "ops") % (c->arg[1] ? 50 : 200), 0);
		assert_int_equal(param(cell, "pinned"), strstr(c->name, "-free") == NULL);
	}
	assert_int_equal(measured("create", "fork")->status, RUN_OK);
	(void)state;
}

/* A round trip on one CPU needs two switches at least, however many strangers add some. SCHED_BATCH has no wake-up
 * preemption: next to none is involuntary, when the machine is quiet. */
static void switches_are_counted(void **state)
{
	static const char *const names[] = {"pipe-thread-same", "pipe-process-same", "socketpair-thread-same",
		"socketpair-process-same", "futex-thread-same", "futex-process-same", "pipe-thread-same-batch",
		"futex-process-same-batch"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured("switch", names[i]);
		int64_t switches = value(c, "switch", "switches"), rounds = param(c, "rounds");
		assert_int_equal(c->status, RUN_OK);
		if (switches < 1980 || switches > 3500)
			fail_msg("%s: %lld switches in a thousand round trips", names[i], (long long)switches);
		assert_true(value(c, "switch", "involuntary") <= switches);
		assert_true(rounds > 0);
		int64_t handoff = value(c, "switch", "handoff"), per_switch = value(c, "switch", "per-switch");
		double expect = 2.0 * (double)handoff * 1000 / (double)switches;
		assert_true((double)per_switch > expect * 0.99 - 2 && (double)per_switch < expect * 1.01 + 2);
	}
	(void)state;
}

static void nobody_switches_alone(void **state)
{
	const struct probe_cell *c = measured("switch", "pipe-self");

	assert_true(value(c, "switch", "handoff") > 0);
	assert_int_equal(value(c, "switch", "switches"), RUN_NULL);
	c = measured("switch", "pipe-thread-cross");
	assert_int_equal(c->status, env.other < 0 ? RUN_SKIPPED : RUN_OK);
	(void)state;
}

static void one_cpu_is_a_reason(void **state)
{
	int other = env.other;

	env.other = -1;
	const struct probe_cell *c = measured("switch", "futex-process-cross");
	env.other = other;
	assert_int_equal(c->status, RUN_SKIPPED);
	assert_non_null(strstr(c->cause, "one CPU"));
	assert_true(c->remedy[0]);
	(void)state;
}

/* Weights 1024 and 335 (kernel/sched/core.c), the window short: within 6 points. */
static void weights_share_the_cpu(void **state)
{
	const struct probe_cell *c = measured("nice", "0-5");
	int64_t share1 = value(c, "nice", "share1"), share2 = value(c, "nice", "share2");

	if (c->status == RUN_SKIPPED)
		skip();
	assert_int_equal(c->status, RUN_OK);
	assert_true(share1 + share2 >= 999998 && share1 + share2 <= 1000000);
	if (share1 < 693000 || share1 > 813000)
		fail_msg("share1 is %lld ppm", (long long)share1);
	assert_int_equal(value(c, "nice", "share3"), RUN_NULL);
	assert_int_equal(param(c, "nice2"), 5);
	(void)state;
}

static void long_windows_are_not_quick(void **state)
{
	int64_t quantum = env.quantum_ns;

	env.quantum_ns = 100000000;
	const struct probe_cell *c = measured("nice", "0-10");
	env.quantum_ns = quantum;
	assert_int_equal(c->status, RUN_SKIPPED);
	assert_true(str_starts(str_of(c->cause), STR("quick: ")));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_creation_is_timed),
		cmocka_unit_test(switches_are_counted),
		cmocka_unit_test(nobody_switches_alone),
		cmocka_unit_test(one_cpu_is_a_reason),
		cmocka_unit_test(weights_share_the_cpu),
		cmocka_unit_test(long_windows_are_not_quick),
	};

	env_read(&env, true, 5);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
