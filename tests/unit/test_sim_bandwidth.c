/* Quotas: the published vectors, burst, slack, hierarchy, and the counters of cpu.stat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

static char text[4000];

/* One thread on each of n CPUs, all in a group with that quota. */
static void crowd(const char *settings, int n, const char *quota)
{
	int at = snprintf(text, sizeof text, "%s; cpus %d; group g quota %s", settings, n, quota);

	for (int i = 0; i < n; i++)
		at += snprintf(text + at, sizeof text - (size_t)at, "; task t%d in g cpu %d: run", i, i);
	simulate(text);
}

/* What a task ran from `from` to `to`. */
static int64_t ran(int task, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < result.records; i++)
		if (records[i].kind == SIM_SWITCH && records[i].from == task && records[i].t > from &&
			records[i].t - records[i].value < to)
			sum += sim_min(records[i].t, to) - sim_max(records[i].t - records[i].value, from);
	return sum;
}

static int64_t all_ran(int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (int i = 0; i < scenario.n_tasks; i++)
		sum += ran(i, from, to);
	return sum;
}

static void a_hog_within_its_quota(void **state)
{
	simulate("for 1s; group g quota 20ms/100ms; task a in g cpu 0: run");
	assert_string_equal(turns(0, 3), "a0-20 a100-120 a200-220");
	simulate("for 1s; group g quota 10ms/100ms; task a in g cpu 0: run");
	assert_string_equal(turns(0, 4), "a0-12 a100-108 a200-212 a300-308");
	(void)state;
}

/* Ticks charge: 15 CPUs fetch 5 + 8 ms and run for 16, the last found the pool empty at 8. Charged each ms, which pieces of
 * 5 ms fit, eight fetch a third piece. Nobody stops at 12.5 ms. */
static void sixteen_threads_drain_the_pool_unevenly(void **state)
{
	crowd("for 2001ms", 16, "200ms/100ms");
	assert_int_equal(all_ran(0, 100 * MS), 248 * MS);
	for (int i = 0; i < 16; i++)
		assert_int_equal(ran(i, 0, 100 * MS), (i < 15 ? 16 : 8) * MS);
	assert_near((double)all_ran(100 * MS, 2000 * MS) / 19e6, 200, 2);
	crowd("hz 1000; for 101ms", 16, "200ms/100ms");
	assert_int_equal(all_ran(0, 100 * MS), 200 * MS);
	int tens = 0, fifteens = 0;
	for (int i = 0; i < 16; i++) {
		tens += ran(i, 0, 100 * MS) == 10 * MS;
		fifteens += ran(i, 0, 100 * MS) == 15 * MS;
	}
	assert_int_equal(tens, 8);
	assert_int_equal(fifteens, 8);
	(void)state;
}

/* A period that was not used is kept up to the burst, and no longer. */
static void burst_keeps_what_an_idle_period_left(void **state)
{
	simulate("for 500ms; group g quota 20ms/100ms burst 20ms; task a in g cpu 0 start 200ms woken: run");
	assert_string_equal(turns(0, 3), "a200-240 a300-320 a400-420");
	simulate("for 1900ms; group g quota 20ms/100ms burst 20ms; task a in g cpu 0 start 1500ms woken: run");
	assert_string_equal(turns(0, 2), "a1500-1540 a1600-1620");
	simulate("for 700ms; group g quota 20ms/100ms; task a in g cpu 0 start 200ms woken: run");
	assert_string_equal(turns(0, 2), "a200-220 a300-320");
	(void)state;
}

static void the_phase_places_the_refill(void **state)
{
	simulate("for 400ms; group g quota 20ms/100ms phase 40ms; task a in g cpu 0: run");
	assert_string_equal(turns(0, 3), "a0-20 a40-60 a140-160");
	(void)state;
}

/* The timer stops after an idle period, and goes on in its grid. The 1 ms that the emptied queue kept makes 21 to run, which ticks
 * round up to 24. */
static void counters_are_those_of_cpu_stat(void **state)
{
	simulate("for 1s; group g quota 20ms/100ms; task a in g cpu 0: run");
	assert_int_equal(result.groups[0].periods, 9); /* the tenth ends with the scenario */
	assert_int_equal(result.groups[0].throttled, 9);
	assert_int_equal(result.groups[0].throttled_ns, 720 * MS);
	assert_int_equal(result.groups[0].cpu_ns, 200 * MS);
	simulate("for 1s; group g quota 20ms/100ms; task a in g cpu 0: run 2ms, once; task b in g cpu 0 start 848ms: "
		 "run");
	assert_int_equal(result.groups[0].periods, 3); /* one used, one not, then 900 */
	assert_int_equal(result.groups[0].throttled, 1);
	assert_string_equal(turns(0, 3), "a0-2 b848-872 b900-920");
	(void)state;
}

/* What a queue does not need when it empties goes back to the pool, but for 1 ms. */
static void leftovers_return(void **state)
{
	simulate("for 100ms; group g quota 30ms/100ms; task a in g cpu 0 start 1ms: run 1ms, once; task b in g cpu 1: "
		 "run");
	assert_int_equal(engine.queues[sim_queue_of(0, 0)].budget, MS);
	assert_int_equal(result.cpu_ns[1], 28 * MS);
	(void)state;
}

/* At 10 ms a finds the pool empty; b and c end 0.2 ms later and give back 3.8 ms each, more than a piece: 5 ms later that is
 * handed out. Not if a refill comes within 7 ms. */
static void a_slack_timer_hands_out_what_came_back(void **state)
{
	const char *tasks =
		"task b in g cpu 0: run 10200us, once; task c in g cpu 1: run 10200us, once; task a in g cpu 2: run";

	snprintf(text, sizeof text, "for 90ms; hz 1000; cpus 3; group g quota 40ms/100ms; %s", tasks);
	simulate(text);
	assert_string_equal(turns(2, 2), "a0-10 a15.2-23");
	snprintf(text, sizeof text, "for 90ms; hz 1000; cpus 3; group g quota 40ms/100ms phase 17ms; %s", tasks);
	simulate(text);
	assert_string_equal(turns(2, 1), "a0-10");
	assert_int_equal(ran(2, 10 * MS, 17 * MS), 0);
	(void)state;
}

static void children_stop_with_their_parents(void **state)
{
	simulate("for 1s; group p quota 20ms/100ms; group c in p; group d in p quota 90ms/100ms; task a in c cpu 0: "
		 "run; task b in d "
		 "cpu 0: run; task h cpu 1: run");
	assert_int_equal(result.cpu_ns[0] + result.cpu_ns[1], 200 * MS);
	assert_int_equal(result.groups[2].throttled, 0);
	simulate("for 1s; group p quota 50ms/100ms; group c in p quota 20ms/100ms; task a in c cpu 0: run");
	assert_int_equal(result.cpu_ns[0], 200 * MS);
	(void)state;
}

/* Demand over the quota waits; a task that wakes while its group is throttled waits for the refill. */
static void who_wakes_in_a_throttled_group_waits(void **state)
{
	simulate("for 300ms; group g quota 20ms/100ms; task a in g cpu 0: run; task s in g cpu 0 start 50ms woken: run "
		 "1ms, once; task o "
		 "cpu 0 start 60ms woken: run 1ms, once");
	struct sim_figures f = figures("s");
	assert_true(f.wait_max >= 50 * MS);
	assert_int_equal(figures("o").wait_max, 0);
	for (uint32_t i = 0; i < result.records; i++)
		if (records[i].kind == SIM_WOKEN && records[i].to == 1)
			assert_int_equal(records[i].reason, SIM_WAKE_THROTTLED);
	(void)state;
}

/* The rest of the CPU belongs to others: throttling is no idling. */
static void others_get_what_is_throttled(void **state)
{
	simulate("for 10s; group g quota 20ms/100ms; task a in g cpu 0: run; task h cpu 0: run");
	assert_int_equal(result.cpu_ns[0] + result.cpu_ns[1], 10000 * MS);
	assert_near((double)result.cpu_ns[0] / 10e9, .2, .001);
	(void)state;
}

/* A check of the checkers: a smaller quota than the one simulated is not kept; money from nowhere is noticed. */
static void false_use_is_found(void **state)
{
	uint32_t at;

	simulate("for 2s; group g quota 20ms/100ms; task a in g cpu 0: run");
	scenario.groups[0].quota = 15 * MS;
	assert_int_equal(sim_check(&scenario, records, result.records, &at), SIM_DEFECT_BANDWIDTH);
	scenario.groups[0].quota = 20 * MS;
	assert_true(sim_bandwidth_sound(&engine, 0));
	engine.parts.pools[0].left++;
	assert_false(sim_bandwidth_sound(&engine, 0));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hog_within_its_quota),
		cmocka_unit_test(sixteen_threads_drain_the_pool_unevenly),
		cmocka_unit_test(burst_keeps_what_an_idle_period_left),
		cmocka_unit_test(the_phase_places_the_refill),
		cmocka_unit_test(counters_are_those_of_cpu_stat),
		cmocka_unit_test(leftovers_return),
		cmocka_unit_test(a_slack_timer_hands_out_what_came_back),
		cmocka_unit_test(children_stop_with_their_parents),
		cmocka_unit_test(who_wakes_in_a_throttled_group_waits),
		cmocka_unit_test(others_get_what_is_throttled),
		cmocka_unit_test(false_use_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
