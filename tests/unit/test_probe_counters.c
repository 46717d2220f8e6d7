/* The probes of counters, states and turns, on short windows: what must hold however busy the machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "probe/gaps.h"
#include "probe/meter.h"
#include "probe_case.h"

static void a_forced_block_is_one_voluntary_switch(void **state)
{
	static const char *const names[] = {"pipe", "recv", "recv-timeout", "poll", "epoll", "futex", "mutex", "cond",
		"sem", "waitpid", "nanosleep", "cond-timed"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured("blocking", names[i]);
		assert_int_equal(c->status, RUN_OK);
		assert_within(names[i], value(c, "blocking", "voluntary"), 980, 1050);
	}
	(void)state;
}

static void what_does_not_block_is_none(void **state)
{
	const struct probe_cell *c = measured("blocking", "mutex-free");

	assert_within("mutex-free", value(c, "blocking", "voluntary"), 0, 10);
	c = measured("blocking", "yield-rival");
	assert_within("yield-rival", value(c, "blocking", "voluntary"), 0, 10);
	assert_within("yield-rival, involuntary", value(c, "blocking", "involuntary"), 500, 1000000);
	(void)state;
}

/* The main thread's status tells nothing of the others, and who ended takes the count along. */
static void each_source_counts_its_own(void **state)
{
	static const struct {
		const char *name;
		int64_t lo, hi;
	} expected[] = {{"rusage-thread", 990, 1010}, {"status-thread", 990, 1010}, {"rusage-self", 1000, 1100},
		{"status-process", 0, 60}, {"status-tasks", 1000, 1100}, {"status-tasks-ended", 0, 60}};

	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const struct probe_cell *c = measured("counters", expected[i].name);
		assert_int_equal(c->status, RUN_OK);
		assert_within(expected[i].name, value(c, "counters", "counted"), expected[i].lo, expected[i].hi);
		assert_within("own", value(c, "counters", "own"), 990, 1010);
	}
	(void)state;
}

static void lives_have_signatures(void **state)
{
	const struct probe_cell *c = measured("signatures", "spin-rival");

	assert_within("spin, voluntary", value(c, "signatures", "voluntary"), 0, 100000);
	assert_within("spin, involuntary", value(c, "signatures", "involuntary"), 1, 2000000);
	c = measured("signatures", "sleep");
	assert_within("sleep, voluntary", value(c, "signatures", "voluntary"), 50000, 1100000);
	assert_within("sleep, switches", value(c, "signatures", "switches-per-op"), 980, 3000);
	c = measured("signatures", "ping-pong");
	assert_within("ping-pong, switches", value(c, "signatures", "switches-per-op"), 1980, 4000);
	(void)state;
}

/* R is what /proc shows of a spinner, whether it runs or waits. */
static void the_state_hides_the_wait(void **state)
{
	if (env.other < 0)
		skip();
	const struct probe_cell *c = measured("states", "4-spin");
	assert_int_equal(c->status, RUN_OK);
	assert_within("running", value(c, "states", "running"), 1, 700000);
	assert_within("shown runnable", value(c, "states", "shown-runnable"), 900000, 1000000);
	assert_true(c->n_spans > 0);
	c = measured("states", "2-spin-2-sleep");
	assert_within("shown asleep", value(c, "states", "shown-asleep"), 600000, 1000000);
	(void)state;
}

static void a_sweep_says_what_it_leaves_out(void **state)
{
	const struct probe_cell *c = measured("sweep", "2n");

	assert_int_equal(c->status, RUN_OK);
	assert_true(value(c, "sweep", "work") > 0 && value(c, "sweep", "finish") > 0);
	c = measured("sweep", "half-n");
	assert_true(c->status == (env.n_cpus < 4 ? RUN_SKIPPED : RUN_OK) || env.n_cpus >= 4);
	if (c->status == RUN_SKIPPED)
		assert_true(c->cause[0] && c->remedy[0]);
	(void)state;
}

static void clocks_add_up(void **state)
{
	const struct probe_cell *c = measured("clocks", "spin-rival");

	if (value(c, "clocks", "sum") != RUN_NULL)
		assert_within("sum", value(c, "clocks", "sum"), 900000, 1100000);
	c = measured("clocks", "monotonic-coarse");
	assert_int_equal(value(c, "clocks", "resolution"), env.tick_ns);
	(void)state;
}

static void keep_turn(void *ctx, int i, int64_t from_ns, int64_t to_ns)
{
	int64_t *turns = ctx;

	turns[(ptrdiff_t)2 * i] = from_ns;
	turns[(ptrdiff_t)2 * i + 1] = to_ns;
}

static void turns_lie_between_switches(void **state)
{
	static struct gaps g = {.items = {{10, 20, GAP_SWITCH}, {25, 26, GAP_OTHER}, {30, 45, GAP_SWITCH},
					{50, 52, GAP_HOST}, {60, 70, GAP_SWITCH}, {71, 72, GAP_OTHER}},
		.n = 6,
		.began_ns = 0,
		.ended_ns = 100};
	int64_t turns[4] = {0};
	int count;

	/* The interrupt and the host's pause do not end a turn; the cut-off first and last are none. */
	assert_int_equal(gaps_turns(&g, keep_turn, turns), 2);
	assert_int_equal(turns[0], 20);
	assert_int_equal(turns[1], 30);
	assert_int_equal(turns[2], 45);
	assert_int_equal(turns[3], 60);
	assert_int_equal(gaps_total_ns(&g, GAP_SWITCH, &count), 35);
	assert_int_equal(count, 3);
	assert_int_equal(gaps_median_ns(&g, GAP_SWITCH), 10);
	assert_int_equal(gaps_median_ns(&g, GAP_HOST), 2);
	g.n = 0;
	assert_int_equal(gaps_median_ns(&g, GAP_HOST), RUN_NULL);
	(void)state;
}

static void rates_and_parts(void **state)
{
	assert_int_equal(ppm_of(1, 3), 333333);
	assert_int_equal(ppm_of(RUN_NULL, 3), RUN_NULL);
	assert_int_equal(ppm_of(1, 0), RUN_NULL);
	assert_int_equal(milli_per_second(25, 100000000), 250000);
	assert_int_equal(milli_per_second(25, 0), RUN_NULL);
	struct meter sum = {.cpu_ns = 1, .wait_ns = 2}, more = {.cpu_ns = 3, .wait_ns = RUN_NULL, .voluntary = 4};
	meter_add(&sum, &more);
	assert_int_equal(sum.cpu_ns, 4);
	assert_int_equal(sum.wait_ns, RUN_NULL);
	assert_int_equal(sum.voluntary, 4);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forced_block_is_one_voluntary_switch),
		cmocka_unit_test(what_does_not_block_is_none),
		cmocka_unit_test(each_source_counts_its_own),
		cmocka_unit_test(lives_have_signatures),
		cmocka_unit_test(the_state_hides_the_wait),
		cmocka_unit_test(a_sweep_says_what_it_leaves_out),
		cmocka_unit_test(clocks_add_up),
		cmocka_unit_test(turns_lie_between_switches),
		cmocka_unit_test(rates_and_parts),
	};

	env_read(&env, true, 5);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
