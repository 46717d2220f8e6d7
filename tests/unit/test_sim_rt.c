/* Real-time FIFO and round robin, their throttling, and the fair server: the published vectors and what was recorded of a kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

/* The first record with that reason from time `from` on; its number. */
static uint32_t find(int reason, int64_t from)
{
	uint32_t i = 0;

	while (i < result.records && (records[i].reason != reason || records[i].t < from))
		i++;
	assert_true(i < result.records);
	return i;
}

static void a_round_survives_preemption(void **state)
{
	simulate("for 400ms; task a rr 50 cpu 0: run; task b rr 50 cpu 0: run; task f fifo 60 cpu 0 start 42ms: run "
		 "28ms, "
		 "once");
	assert_string_equal(turns(0, 5), "a0-42 f42-70 a70-128 b128-228 a228-328");
	(void)state;
}

/* Nor does sleep renew it: 12 of its 25 ticks were before. */
static void a_round_survives_sleep(void **state)
{
	simulate("for 200ms; task a rr 50 cpu 0: run 50ms, sleep 1ms, run; task b rr 50 cpu 0 start 60ms: run");
	assert_string_equal(turns(0, 2), "a0-50 a51-100");
	(void)state;
}

static void a_round_is_100_ms_at_any_hz(void **state)
{
	static const int rates[] = {100, 250, 300, 1000};
	char text[200];

	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		snprintf(text, sizeof text, "hz %d; for 500ms; task a rr 1 cpu 0: run; task b rr 1 cpu 0: run",
			rates[i]);
		simulate(text);
		assert_near((double)figures("a").run_median / 1e6, 100, .001);
		assert_near((double)figures("b").run_median / 1e6, 100, .001);
	}
	(void)state;
}

static void fifo_equals_wait_for_ever(void **state)
{
	simulate("for 500ms; fair_server off; task a fifo 5 cpu 0: run; task b fifo 5 cpu 0: run; task h cpu 0: run");
	assert_int_equal(result.cpu_ns[0], 500 * MS);
	(void)state;
}

/* Who is preempted comes back before its equals; who yields goes behind them. */
static void heads_and_tails(void **state)
{
	simulate("for 40ms; task a fifo 5 cpu 0: run 10ms, once; task b fifo 5 cpu 0: run 10ms, once; task c fifo 6 "
		 "cpu 0 start "
		 "3ms: run 1ms, once");
	assert_string_equal(turns(0, 4), "a0-3 c3-4 a4-11 b11-21");
	simulate("for 40ms; task a fifo 5 cpu 0: run 3ms, yield, run 2ms, once; task b fifo 5 cpu 0: run 10ms, once");
	assert_string_equal(turns(0, 3), "a0-3 b3-13 a13-15");
	(void)state;
}

static void the_fair_server_gets_50_ms_of_a_second(void **state)
{
	simulate("for 5s; task f fifo 1 cpu 0: run; task h cpu 0: run");
	assert_string_equal(turns(0, 4), "f0-950 h950-1000 f1000-1950 h1950-2000");
	assert_int_equal(records[find(SIM_SERVER_ON, 0)].t, 950 * MS);
	assert_int_equal(figures("h").cpu_ns, 250 * MS);
	(void)state;
}

/* Recorded on 6.18.44: the ticks' place makes the server run over, and its next turn is 950 ms after its end. */
static void the_server_defers_from_the_end_of_its_turn(void **state)
{
	simulate("for 5s; tick_offset 1090us; tick_loss 10us; task f fifo 1 cpu 0: run; task h cpu 0: run");
	uint32_t on = find(SIM_SERVER_ON, 0);
	for (int i = 0; i < 3; i++) {
		uint32_t off = find(SIM_SERVER_OFF, records[on].t);
		assert_true(records[off].t - records[on].t >= 50 * MS &&
			    records[off].t - records[on].t <= 54 * MS + MS / 10);
		on = find(SIM_SERVER_ON, records[off].t);
		assert_int_equal(records[on].t - records[off].t, 950 * MS);
	}
	(void)state;
}

/* Fair tasks that get 50 ms in the background need no server; less than that moves its moment. */
static void what_fair_tasks_got_counts_for_the_server(void **state)
{
	simulate("for 5s; task f fifo 1 cpu 0: run 80ms, sleep 20ms; task h cpu 0: run");
	for (uint32_t i = 0; i < result.records; i++)
		assert_int_not_equal(records[i].reason, SIM_SERVER_ON);
	simulate("for 1200ms; task f fifo 1 cpu 0: run 400ms, sleep 20ms, run; task h cpu 0: run");
	assert_int_equal(records[find(SIM_SERVER_ON, 0)].t, 970 * MS);
	simulate("for 1200ms; task h cpu 0: run 1ms, sleep 9ms; task f fifo 1 cpu 0 start 100ms: run");
	assert_true(records[find(SIM_SERVER_ON, 0)].t >= 1040 * MS); /* idling counts, too */
	(void)state;
}

static void the_server_leaves_when_there_is_nothing_fair(void **state)
{
	simulate("for 3s; task f fifo 1 cpu 0: run; task h cpu 0: run 10ms, once");
	assert_string_equal(turns(0, 2), "f0-950 h950-960");
	assert_int_equal(result.cpu_ns[0], 2990 * MS);
	(void)state;
}

static void throttling_until_611(void **state)
{
	static const char *const texts[] = {
		"profile eevdf66; for 4s; task f fifo 1 cpu 0: run; task h cpu 0: run",
		"fair_server off; rt_throttle on; for 4s; task f fifo 1 cpu 0: run; task h cpu 0: run",
	};

	for (int i = 0; i < 2; i++) {
		simulate(texts[i]);
		assert_string_equal(turns(0, 5), "f0-952 h952-1000 f1000-1952 h1952-2000 f2000-2948");
	}
	simulate("profile cfs65; rt_throttle off; for 2s; task f fifo 1 cpu 0: run; task h cpu 0: run");
	assert_int_equal(result.cpu_ns[0], 2000 * MS);
	(void)state;
}

/* With RT_GROUP_SCHED both act: alone on its CPU a real-time task has 95 % of it, the rest idles. */
static void throttled_time_idles_if_nobody_wants_it(void **state)
{
	simulate("rt_throttle on; for 20s; task f fifo 1 cpu 0: run");
	assert_near((double)result.cpu_ns[0] / 20e9, .95, .0005);
	simulate("for 20s; task f fifo 1 cpu 0: run");
	assert_int_equal(result.cpu_ns[0], 20000 * MS);
	simulate("rt_throttle on; for 5s; task f fifo 1 cpu 0: run; task h cpu 0: run");
	assert_string_equal(turns(0, 4), "f0-950 h950-1000 f1000-1950 h1950-2000");
	(void)state;
}

/* The highest priorities run, wherever they woke. */
static void real_time_tasks_are_pushed_and_pulled(void **state)
{
	simulate("for 400ms; fair_server off; task a fifo 10: run; task b fifo 20: run; task c fifo 30 start 5ms: run "
		 "10ms, sleep "
		 "20ms; task h: run");
	assert_int_equal(result.cpu_ns[1], 400 * MS); /* always among the first two */
	assert_int_equal(result.cpu_ns[3], 0);
	assert_int_equal(result.idle, 0);
	simulate("for 100ms; fair_server off; task a fifo 10 cpu 0: run; task b fifo 20 cpu 0: run; task h cpu 1: run");
	assert_int_equal(result.cpu_ns[0], 0); /* not where they may not */
	(void)state;
}

static void snapshots_tell_priorities_and_the_server(void **state)
{
	static struct sim_state s;

	simulate("for 2s; task a rr 50 cpu 0: run; task b rr 50 cpu 0: run; task h cpu 0: run");
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 42 * MS, &s));
	assert_int_equal(s.members[0].level_left, 15);
	assert_int_equal(s.members[1].level_left, 25);
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 960 * MS, &s));
	const struct sim_member *server = &s.members[3];
	assert_true(server->task == SIM_NONE && server->group == SIM_NONE && server->running && !server->throttled);
	assert_int_equal(server->deadline, 1950 * MS);
	assert_int_equal(s.running[0], 2);
	(void)state;
}

/* A check of the checker. */
static void disorder_is_found(void **state)
{
	int cpu;

	simulate("for 5ms; task f fifo 3 cpu 0: run; task g fifo 2 cpu 0: run; task h cpu 0: run");
	assert_int_equal(sim_state_check(&engine, &cpu), SIM_SOUND);
	engine.cpus[0].curr = 1;
	assert_int_equal(sim_state_check(&engine, &cpu), SIM_DEFECT_ORDER);
	engine.cpus[0].curr = 2;
	engine.cpus[0].curr_class = SIM_CLASS_FAIR;
	assert_int_equal(sim_state_check(&engine, &cpu), SIM_DEFECT_ORDER);
	engine.parts.rt[0].throttled = true;
	assert_int_equal(sim_state_check(&engine, &cpu), SIM_SOUND);
	engine.cpus[0].curr = SIM_NONE;
	assert_int_equal(sim_state_check(&engine, &cpu), SIM_DEFECT_IDLE);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_survives_preemption),
		cmocka_unit_test(a_round_survives_sleep),
		cmocka_unit_test(a_round_is_100_ms_at_any_hz),
		cmocka_unit_test(fifo_equals_wait_for_ever),
		cmocka_unit_test(heads_and_tails),
		cmocka_unit_test(the_fair_server_gets_50_ms_of_a_second),
		cmocka_unit_test(the_server_defers_from_the_end_of_its_turn),
		cmocka_unit_test(what_fair_tasks_got_counts_for_the_server),
		cmocka_unit_test(the_server_leaves_when_there_is_nothing_fair),
		cmocka_unit_test(throttling_until_611),
		cmocka_unit_test(throttled_time_idles_if_nobody_wants_it),
		cmocka_unit_test(real_time_tasks_are_pushed_and_pulled),
		cmocka_unit_test(snapshots_tell_priorities_and_the_server),
		cmocka_unit_test(disorder_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
