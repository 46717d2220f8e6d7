/* Reservations: admission, the rules of the constant bandwidth server, earliest deadline first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

static int count(int reason)
{
	int n = 0;

	for (uint32_t i = 0; i < result.records; i++)
		n += records[i].reason == reason;
	return n;
}

static bool admitted(const char *text)
{
	simulate(text);
	return count(SIM_REFUSED) == 0;
}

/* Two CPUs: 1992294 of 2^-20, of which the fair servers have 104856. */
static void admission_is_a_sum(void **state)
{
	assert_true(admitted("task a deadline 10ms 10ms 10ms: run; task b deadline 8ms 10ms 10ms: run"));
	assert_false(admitted("task a deadline 10ms 10ms 10ms: run; task b deadline 8.1ms 10ms 10ms: run"));
	assert_true(
		admitted("profile eevdf66; task a deadline 10ms 10ms 10ms: run; task b deadline 8.9ms 10ms 10ms: run"));
	assert_true(admitted(
		"cpus 1; rt_throttle off; task a deadline 10ms 10ms 10ms: run; task b deadline 8ms 10ms 10ms: run"));
	assert_false(admitted("task a deadline 1ms 10ms 10ms cpu 0: run")); /* not every CPU */
	assert_false(admitted("task a deadline 50us 90us 90us: run")); /* period too short */
	assert_false(admitted("task a deadline 1ms 5s 5s: run")); /* too long */
	(void)state;
}

static void who_ends_makes_room(void **state)
{
	assert_true(admitted(
		"cpus 1; task a deadline 5ms 10ms 10ms: run 5ms, once; task b deadline 5ms 10ms 10ms start 20ms: run"));
	assert_false(
		admitted("cpus 1; task a deadline 5ms 10ms 10ms: run; task b deadline 5ms 10ms 10ms start 20ms: run"));
	simulate("cpus 1; task a deadline 10ms 10ms 10ms: run; task h: run");
	assert_int_equal(result.cpu_ns[0], 0); /* refused, it never runs */
	(void)state;
}

/* A reservation of (runtime, deadline, period) with a deadline and a budget left wakes at `now`. */
static struct sim_reservation wake(int64_t now, const char *reservation, int64_t deadline, int64_t budget)
{
	char text[200];

	snprintf(text, sizeof text, "for 1ms; task a deadline %s: run 100us, sleep 100us, once", reservation);
	simulate(text);
	engine.now = now;
	engine.parts.reservations[0] =
		(struct sim_reservation){.deadline = deadline, .budget = budget, .admitted = true};
	sim_class_deadline.enqueue(&engine, 0, 0, SIM_BY_WAKE);
	return engine.parts.reservations[0];
}

static void waking_keeps_or_renews(void **state)
{
	struct sim_reservation r = wake(5 * MS, "4ms 10ms 10ms", 10 * MS, 2 * MS);

	assert_true(r.deadline == 10 * MS && r.budget == 2 * MS); /* 2/5 is not more than 4/10 */
	r = wake(6 * MS, "4ms 10ms 10ms", 10 * MS, 2 * MS);
	assert_true(r.deadline == 16 * MS && r.budget == 4 * MS);
	r = wake(12 * MS, "4ms 10ms 10ms", 10 * MS, 2 * MS);
	assert_true(r.deadline == 22 * MS && r.budget == 4 * MS);
	(void)state;
}

static void constrained_deadlines(void **state)
{
	struct sim_reservation r = wake(3 * MS, "2ms 5ms 10ms", 5 * MS, 3 * MS / 2);

	assert_int_equal(r.deadline, 5 * MS);
	assert_near((double)r.budget, 800000, 2); /* as dense as 2 in 5 */
	r = wake(7 * MS, "2ms 5ms 10ms", 5 * MS, 3 * MS / 2);
	assert_true(r.throttled && r.budget == 0); /* its deadline passed, its period did not */
	assert_int_equal(engine.timers[SIM_TIMER_REPLENISH], 10 * MS);
	r = wake(11 * MS, "2ms 5ms 10ms", 5 * MS, 3 * MS / 2);
	assert_true(!r.throttled && r.deadline == 16 * MS && r.budget == 2 * MS);
	(void)state;
}

/* 2 in 5 and 4 in 7: 97 %, more than admission allows, but EDF misses nothing, where fixed priorities do at once. */
static void earliest_deadline_first(void **state)
{
	simulate("cpus 1; rt_throttle off; for 35ms; task a deadline 2ms 5ms 5ms: run 2ms, yield; task b deadline 4ms "
		 "7ms 7ms: run 4ms, "
		 "yield");
	assert_int_equal(count(SIM_MISSED), 0);
	assert_int_equal(result.cpu_ns[0], 14 * MS);
	assert_int_equal(result.cpu_ns[1], 20 * MS);
	assert_string_equal(turns(0, 8), "a0-2 b2-6 a6-8 b8-12 a12-14 b14-15 a15-17 b17-20");
	simulate("cpus 1; for 35ms; task a fifo 2: run 2ms, sleep 3ms; task b fifo 1: run 4ms, once");
	assert_string_equal(turns(0, 4), "a0-2 b2-5 a5-7 b7-8"); /* 1 ms of its work is left at 7 */
	(void)state;
}

/* A hog gets its runtime in each period, and the deadline moves on with every budget. Without hrtick ticks notice: what ran over is
 * paid back. */
static void a_hog_is_held_to_its_bandwidth(void **state)
{
	static struct sim_state s;

	simulate("cpus 1; for 10s; task a deadline 10ms 100ms 100ms: run; task h: run");
	assert_near((double)result.cpu_ns[0] / 10e9, .1, .001);
	assert_string_equal(turns(0, 3), "a0-12 h12-100 a100-108");
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 50 * MS, &s));
	assert_true(s.members[0].throttled && s.members[0].level_left == -2 * MS && s.members[0].deadline == 100 * MS);
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 102 * MS, &s));
	assert_true(!s.members[0].throttled && s.members[0].deadline == 200 * MS);
	simulate("cpus 1; hrtick on; for 10s; task a deadline 10ms 100ms 100ms: run; task h: run");
	assert_string_equal(turns(0, 3), "a0-10 h10-100 a100-110");
	assert_int_equal(result.cpu_ns[0], 1000 * MS);
	(void)state;
}

/* A debt of more than a runtime postpones by more than a period. */
static void a_large_debt_skips_periods(void **state)
{
	simulate("cpus 1; hz 100; for 1s; task a deadline 1ms 20ms 20ms: run; task h: run");
	assert_near((double)result.cpu_ns[0] / 1e9, .05, .011);
	(void)state;
}

static void late_work_is_noted(void **state)
{
	simulate("cpus 1; for 1s; task a deadline 5ms 10ms 10ms: run 12ms, sleep 8ms; task h: run");
	assert_true(count(SIM_MISSED) > 0);
	simulate("cpus 1; for 1s; task a deadline 5ms 10ms 10ms: run 3ms, sleep 7ms; task h: run");
	assert_int_equal(count(SIM_MISSED), 0);
	(void)state;
}

static void reservations_outrank_all(void **state)
{
	simulate("cpus 1; for 100ms; fair_server off; task f fifo 99: run; task h: run; task a deadline 2ms 10ms 10ms "
		 "start 5ms: run 1ms, sleep "
		 "9ms");
	assert_int_equal(figures("a").wait_max, 0);
	assert_int_equal(result.cpu_ns[2], 10 * MS);
	assert_int_equal(result.cpu_ns[1], 0);
	(void)state;
}

/* The two earliest of three run; the third comes when one of them is throttled. */
static void earliest_on_all_cpus(void **state)
{
	simulate("for 1s; task a deadline 3ms 10ms 10ms: run; task b deadline 4ms 20ms 20ms: run; task c deadline 20ms "
		 "40ms 40ms: run");
	assert_near((double)result.cpu_ns[0] / 1e9, .3, .01);
	assert_near((double)result.cpu_ns[1] / 1e9, .2, .01);
	assert_near((double)result.cpu_ns[2] / 1e9, .5, .01);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(admission_is_a_sum),
		cmocka_unit_test(who_ends_makes_room),
		cmocka_unit_test(waking_keeps_or_renews),
		cmocka_unit_test(constrained_deadlines),
		cmocka_unit_test(earliest_deadline_first),
		cmocka_unit_test(a_hog_is_held_to_its_bandwidth),
		cmocka_unit_test(a_large_debt_skips_periods),
		cmocka_unit_test(late_work_is_noted),
		cmocka_unit_test(reservations_outrank_all),
		cmocka_unit_test(earliest_on_all_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
