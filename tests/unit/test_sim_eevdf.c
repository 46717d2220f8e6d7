/* The published vectors of EEVDF: forked tasks, one of two CPUs, HZ 250, unless said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

static void shares_of_nice_0_and_10(void **state)
{
	simulate("for 1s; task a cpu 0: run; task b nice 10 cpu 0: run");
	assert_int_equal(figures("a").cpu_ns, 900 * MS);
	assert_int_equal(figures("b").cpu_ns, 100 * MS);
	simulate("for 10s; task a cpu 0: run; task b nice 10 cpu 0: run");
	assert_int_equal(figures("a").cpu_ns, 9028 * MS);
	assert_int_equal(figures("b").cpu_ns, 972 * MS);
	simulate("hrtick on; for 10s; task a cpu 0: run; task b nice 10 cpu 0: run");
	assert_near((double)figures("a").cpu_ns / 1e8, 90.29, .05);
	assert_near((double)figures("b").cpu_ns / 1e8, 9.71, .05);
	(void)state;
}

static void four_ms_in_virtual_time(void **state)
{
	static const struct {
		int nice;
		int64_t v;
	} cases[] = {{-20, 46146}, {-10, 428990}, {-5, 1312399}, {1, 4995121}, {5, 12226865}, {10, 37236363},
		{19, 273066666}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(sim_virtual(4 * MS, sim_nice_weight(cases[i].nice)), cases[i].v);
	(void)state;
}

/* The state when the last record was made, or at a time. */
static const struct sim_member *member_at(int64_t t, const char *task)
{
	static struct sim_state s;
	int i = sim_task_find(&scenario, task, strlen(task));

	assert_true(i >= 0);
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, t, &s));
	return &s.members[i];
}

static void deadlines_scale_with_weight(void **state)
{
	static const struct {
		int nice;
		int64_t ahead;
	} cases[] = {{10, 13032727}, {-5, 459339}, {19, 95573333}, {0, 1400000}};
	char text[100];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "for 100ms; task a nice %d cpu 0 woken: run", cases[i].nice);
		simulate(text);
		const struct sim_member *m = member_at(0, "a");
		assert_int_equal(m->deadline - m->v, cases[i].ahead);
		assert_int_equal(m->slice, 1400000);
	}
	(void)state;
}

static void base_slice_grows_with_cpus(void **state)
{
	static const struct {
		int cpus;
		int64_t slice, old;
	} cases[] = {{1, 700000, 750000}, {2, 1400000, 1500000}, {3, 1400000, 1500000}, {4, 2100000, 2250000},
		{7, 2100000, 2250000}, {8, 2800000, 3000000}, {16, 2800000, 3000000}};
	char text[100];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "cpus %d; task a: run", cases[i].cpus);
		simulate(text);
		assert_int_equal(engine.base_slice, cases[i].slice);
		snprintf(text, sizeof text, "profile eevdf612; cpus %d; task a: run", cases[i].cpus);
		simulate(text);
		assert_int_equal(engine.base_slice, cases[i].old);
	}
	(void)state;
}

static void two_equal_hogs(void **state)
{
	simulate("for 5s; task a cpu 0: run; task b cpu 0: run");
	struct sim_figures a = figures("a"), b = figures("b");
	assert_int_equal(a.run_min, 4 * MS);
	assert_int_equal(a.run_max, 4 * MS);
	assert_int_equal(b.run_min, 4 * MS);
	assert_int_equal(b.run_max, 4 * MS);
	int switches = 0;
	for (uint32_t i = 0; i < result.records; i++)
		switches += records[i].kind == SIM_SWITCH;
	assert_int_equal(switches, 1250);
	simulate("hrtick on; for 20ms; task a cpu 0: run; task b cpu 0: run");
	assert_string_equal(turns(0, 5), "a0-0.7 b0.7-1.4 a1.4-2.8 b2.8-4.2 a4.2-5.6");
	(void)state;
}

static void turns_of_nice_0_and_10(void **state)
{
	simulate("for 10s; task a cpu 0: run; task b nice 10 cpu 0: run");
	assert_string_equal(turns(0, 9), "a0-4 b4-8 a8-44 b44-48 a48-84 b84-88 a88-124 b124-128 a128-168");
	assert_int_equal(figures("b").run_min, 4 * MS);
	assert_int_equal(figures("b").run_max, 4 * MS);
	(void)state;
}

/* Four members of one queue. */
static void average_lag_and_eligibility(void **state)
{
	static const int64_t weights[] = {1024, 335, 3121, 1024}, v_us[] = {10000, 14000, 9000, 9500};
	static const double lags[] = {-.417, -1.445, 1.778, .083};
	double sum = 0;

	simulate("for 1ms; task a cpu 1: run; task b cpu 1: run; task c cpu 1: run; task d cpu 1: run");
	struct sim_queue *q = &engine.queues[0];
	for (int i = 0; i < 4; i++) {
		struct sim_entity *e = &engine.entities[i];
		*e = (struct sim_entity){.weight = weights[i], .v = v_us[i] * 1000, .child = SIM_NONE};
		sim_queue_add(&engine, q, e);
	}
	struct sim_average a = sim_average_of(&engine, q);
	int64_t v = sim_average_v(a, 0);
	assert_near((double)v / 1e6, 9.58339, .00001);
	for (int i = 0; i < 4; i++) {
		double lag = (double)(weights[i] * (v - engine.entities[i].v)) / 1024e6;
		assert_near(lag, lags[i], .0005);
		sum += lag;
		assert_int_equal(sim_average_eligible(a, engine.entities[i].v), i >= 2);
	}
	assert_near(sum, 0, .00001);
	(void)state;
}

static void lag_limits(void **state)
{
	static const struct {
		int nice;
		double late, old;
	} cases[] = {{0, 5.4, 4.0}, {10, 50.269, 37.236}, {-5, 1.772, 1.312}};
	char text[100];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "for 1ms; task a nice %d cpu 0: run", cases[i].nice);
		simulate(text);
		assert_near((double)sim_lag_limit(&engine, &engine.queues[0], &engine.entities[0]) / 1e6, cases[i].late,
			.001);
		snprintf(text, sizeof text, "profile eevdf6180; for 1ms; task a nice %d cpu 0: run", cases[i].nice);
		simulate(text);
		assert_near((double)sim_lag_limit(&engine, &engine.queues[0], &engine.entities[0]) / 1e6, cases[i].old,
			.001);
	}
	(void)state;
}

static void a_wake_up_beside_one_hog(void **state)
{
	static const struct {
		const char *slice, *at;
		int64_t wait_ns;
	} cases[] = {{"", "8.5ms", 3500000}, {"slice 100us", "8.5ms", 0}, {"slice 3ms", "8.5ms", 3500000},
		{"", "9.6ms", 0}, {"slice 3ms", "9.6ms", 2400000}};
	char text[200];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "for 20ms; task A cpu 0 woken: run; task S %s cpu 0 start %s woken: run",
			cases[i].slice, cases[i].at);
		simulate(text);
		assert_int_equal(figures("S").wait_max, cases[i].wait_ns);
	}
	simulate("for 20ms; task A cpu 0 woken: run; task S cpu 0 start 8.5ms woken: run");
	const struct sim_member *s = member_at(8500000, "S");
	assert_int_equal(s->deadline, 9900000);
	assert_int_equal(member_at(8500000, "A")->deadline, 9400000);
	(void)state;
}

static void a_short_sleeper_keeps_its_lag(void **state)
{
	simulate("for 30ms; task A cpu 0: run; task B cpu 0: run 1ms, sleep_until 15ms, run 1ms, exit");
	assert_string_equal(turns(0, 4), "A0-4 B4-5 A5-15 B15-16");
	assert_int_equal(member_at(10 * MS, "B")->lag, 1500000);
	const struct sim_member *b = member_at(15 * MS, "B");
	assert_int_equal(b->v, 11 * MS);
	assert_int_equal(b->average, 12500000);
	assert_false(member_at(15 * MS, "A")->eligible);
	assert_int_equal(member_at(15 * MS, "A")->v, 14 * MS);
	(void)state;
}

static void custom_slices_of_hogs(void **state)
{
	simulate("hz 1000; for 200ms; task A slice 3ms cpu 0: run; task B slice 30ms cpu 0: run");
	assert_string_equal(turns(0, 6), "A0-2 B2-5 A5-8 B8-11 A11-14 B14-17");
	assert_int_equal(figures("B").run_max, 3 * MS);
	simulate("profile eevdf612; hz 1000; for 500ms; task A slice 3ms cpu 0: run; task B slice 30ms cpu 0: run");
	assert_int_equal(figures("B").run_max, 30 * MS);
	assert_int_equal(figures("B").run_median, 30 * MS);
	(void)state;
}

static void yield_gives_up_the_request(void **state)
{
	const struct sim_fair_rules *rules = &sim_rules_eevdf;

	simulate("for 1ms; task A cpu 1: run; task B cpu 1: run");
	struct sim_queue *q = &engine.queues[0];
	struct sim_entity *a = &engine.entities[0], *b = &engine.entities[1];
	*a = (struct sim_entity){.weight = 1024, .v = 200000, .deadline = 1400000, .slice = 1400000, .child = SIM_NONE};
	*b = (struct sim_entity){.weight = 1024, .v = 500000, .deadline = 1900000, .slice = 1400000, .child = SIM_NONE};
	sim_queue_add(&engine, q, a);
	sim_queue_add(&engine, q, b);
	q->curr = 0;
	rules->yield(&engine, q, a);
	assert_int_equal(a->v, 1400000);
	assert_int_equal(a->deadline, 2800000);
	assert_int_equal(sim_average_v(sim_average_of(&engine, q), 0), 950000);
	assert_int_equal(rules->pick(&engine, q), 1);
	a->v = 1000000;
	b->v = 0;
	rules->yield(&engine, q, a);
	assert_int_equal(a->v, 1000000);
	assert_int_equal(rules->pick(&engine, q), 1);
	(void)state;
}

static void forks_get_half_a_slice(void **state)
{
	simulate("for 101ms; task A cpu 0: run; task B cpu 0 start 100ms: run; task C cpu 0 start 100ms woken: run");
	const struct sim_member *b = member_at(100 * MS, "B"), *c = member_at(100 * MS, "C");
	assert_int_equal(b->v, 100 * MS);
	assert_int_equal(b->deadline, 100700000);
	assert_int_equal(c->deadline, 101400000);
	(void)state;
}

/* The model's half of the validation table, and the vector of the jittered sleeper. */
static void jittered_sleepers(void **state)
{
	static const struct {
		int hogs;
		const char *run, *slice;
		double at_once, p50, p90, mean, share; /* mean, share < 0: not published */
	} cases[] = {
		{1, "100us", "", .97, 0, 0, -1, -1},
		{1, "100us", "slice 100ms", .96, 0, 0, -1, -1},
		{1, "2ms", "", .805, 0, 3.45, .63, -1},
		{1, "2ms", "slice 100ms", .43, .54, 3.71, 1.33, -1},
		{2, "2ms", "", .186, 3.7, 5.1, 3.15, 13.2},
		{2, "2ms", "slice 100us", .974, 0, 0, .07, 14.0},
		{2, "2ms", "slice 100ms", .570, 0, 8.7, 3.27, 13.0},
	};
	char text[300];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text,
			"for 20s; task h1 cpu 0: run; %s; task S %s cpu 0 start 5.123457ms seed 2463534242: run %s, "
			"sleep 9ms..11ms",
			cases[i].hogs == 2 ? "task h2 cpu 0: run" : "", cases[i].slice, cases[i].run);
		simulate(text);
		struct sim_figures f = figures("S");
		assert_near(at_once(f), cases[i].at_once, .03);
		assert_near((double)f.wait_median / 1e6, cases[i].p50, .15);
		assert_near((double)f.wait_p90 / 1e6, cases[i].p90, .2);
		if (cases[i].mean >= 0)
			assert_near(mean_wait_ms(f), cases[i].mean, .15);
		if (cases[i].share >= 0)
			assert_near((double)f.cpu_ns / 2e8, cases[i].share, .05);
	}
	(void)state;
}

static void run_lengths_of_the_table(void **state)
{
	simulate("for 10s; task a slice 10ms cpu 0: run; task b slice 10ms cpu 0: run");
	assert_int_equal(figures("a").run_median, 12 * MS);
	assert_int_equal(figures("b").run_max, 12 * MS);
	simulate("for 10s; task a slice 100us cpu 0: run; task b slice 100us cpu 0: run");
	assert_int_equal(figures("a").run_median, 4 * MS);
	(void)state;
}

/* An exactly periodic sleeper locks onto the tick: the reason for jitter. */
static void exact_periods_lock_onto_the_tick(void **state)
{
	simulate("for 20s; task a cpu 0: run; task b cpu 0: run; task S cpu 0 start 5ms: run 2ms, sleep 8.3ms");
	struct sim_figures f = figures("S");
	assert_int_equal(f.wait_median, 1700000);
	assert_int_equal(f.wait_p90, 1700000);
	(void)state;
}

/* Interrupts that take 10 us of the clock a tick cost a 3.00 ms slice a fourth tick at HZ 1000; 2.8 ms does not care. */
static void tick_loss_costs_a_tick(void **state)
{
	simulate("profile eevdf612; cpus 8; hz 1000; tick_loss 10us; for 1s; task a cpu 0: run; task b cpu 0: run");
	assert_int_equal(figures("a").run_median, 4 * MS);
	simulate("cpus 8; hz 1000; tick_loss 10us; for 1s; task a cpu 0: run; task b cpu 0: run");
	assert_int_equal(figures("a").run_median, 3 * MS);
	(void)state;
}

/* Reading one's own CPU clock is an accounting point: hogs that poll alternate by the slice, not by the tick. */
static void polling_shortens_turns(void **state)
{
	simulate("events 1000000; for 2s; task a cpu 0: run 10us, poll; task b cpu 0: run 10us, poll");
	assert_near((double)figures("a").run_median / 1e6, 1.4, .02);
	simulate("events 1000000; for 2s; task a cpu 0: run 10us; task b cpu 0: run 10us");
	assert_int_equal(figures("a").run_median, 4 * MS);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_of_nice_0_and_10),
		cmocka_unit_test(four_ms_in_virtual_time),
		cmocka_unit_test(deadlines_scale_with_weight),
		cmocka_unit_test(base_slice_grows_with_cpus),
		cmocka_unit_test(two_equal_hogs),
		cmocka_unit_test(turns_of_nice_0_and_10),
		cmocka_unit_test(average_lag_and_eligibility),
		cmocka_unit_test(lag_limits),
		cmocka_unit_test(a_wake_up_beside_one_hog),
		cmocka_unit_test(a_short_sleeper_keeps_its_lag),
		cmocka_unit_test(custom_slices_of_hogs),
		cmocka_unit_test(yield_gives_up_the_request),
		cmocka_unit_test(forks_get_half_a_slice),
		cmocka_unit_test(jittered_sleepers),
		cmocka_unit_test(run_lengths_of_the_table),
		cmocka_unit_test(exact_periods_lock_onto_the_tick),
		cmocka_unit_test(tick_loss_costs_a_tick),
		cmocka_unit_test(polling_shortens_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
