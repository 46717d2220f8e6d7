/* What must hold for every scenario, on scenarios drawn from seeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"
#include "sim_random.h"

enum { DRAWS = 3000 };
static char text[20000];

static void scenario_of(uint32_t seed)
{
	size_t n = draw_scenario(seed, true, true, text, sizeof text);

	assert_true(n < sizeof text);
	read_scenario(text);
}

/* Weighted lags add up to 0, nothing ineligible is picked, no CPU idles or runs less urgent tasks beside waiting ones, groups keep to
 * their quotas, queues count right: asserted by the engine after every event. The log follows from itself. */
static void invariants_hold(void **state)
{
	for (uint32_t seed = 1; seed <= DRAWS; seed++) {
		uint32_t at;
		scenario_of(seed);
		sim_run(&scenario, &engine, sizeof engine, records, CASE_LOG_MAX, SIM_FLAG_CHECK, &result);
		if (result.end != SIM_END_HORIZON && result.end != SIM_END_EVENTS)
			fail_msg("seed %u: %s at %lld ns on CPU %d\n%s", (unsigned)seed, sim_defect_text(result.defect),
				(long long)result.t, result.defect_cpu, text);
		if (sim_check(&scenario, records, result.records, &at) != SIM_SOUND)
			fail_msg("seed %u: record %u contradicts the log\n%s", (unsigned)seed, (unsigned)at, text);
	}
	(void)state;
}

/* CPUs are idle or run a task, all the time. */
static void time_is_all_there(void **state)
{
	for (uint32_t seed = 1; seed <= DRAWS; seed++) {
		scenario_of(seed);
		sim_run(&scenario, &engine, sizeof engine, records, CASE_LOG_MAX, 0, &result);
		int64_t sum = result.idle;
		for (int i = 0; i < scenario.n_tasks; i++)
			sum += result.cpu_ns[i];
		assert_int_equal(sum, result.t * scenario.cpus);
	}
	(void)state;
}

static void print_and_parse_are_inverse(void **state)
{
	static char printed[20000], again[20000];
	static struct sim_scenario second;

	for (uint32_t seed = 1; seed <= DRAWS; seed++) {
		struct sim_error e;
		draw_scenario(seed, true, true, text, sizeof text);
		read_scenario(text);
		size_t n = sim_print(&scenario, printed, sizeof printed);
		assert_true(n < sizeof printed && n == strlen(printed));
		if (!sim_parse(printed, n, &second, &e))
			fail_msg("%d:%d: %s in\n%s", (int)e.line, (int)e.col, e.message, printed);
		if (memcmp(&scenario, &second, sizeof scenario) != 0)
			fail_msg("another scenario:\n%s", printed);
		sim_print(&second, again, sizeof again);
		assert_string_equal(printed, again);
	}
	(void)state;
}

/* A second run, in dirty memory, without a log, or stopped, comes by the same records. */
static void runs_repeat(void **state)
{
	static struct sim_record second[CASE_LOG_MAX];
	static struct sim_state s;
	struct sim_result other;

	for (uint32_t seed = 1; seed <= 300; seed++) {
		scenario_of(seed);
		memset(&engine, 0xa5, sizeof engine);
		sim_run(&scenario, &engine, sizeof engine, records, CASE_LOG_MAX, 0, &result);
		sim_run(&scenario, &engine, sizeof engine, second, CASE_LOG_MAX, SIM_FLAG_CHECK, &other);
		assert_memory_equal(&result, &other, sizeof result);
		assert_memory_equal(records, second, result.records * sizeof *records);
		sim_run(&scenario, &engine, sizeof engine, NULL, 0, 0, &other);
		assert_memory_equal(&result, &other, sizeof result);
		uint32_t at = result.records / 2;
		assert_true(sim_state_at_record(&scenario, &engine, sizeof engine, at, &s));
		assert_int_equal(s.t, records[at].t);
		assert_int_equal(s.event, records[at].event);
		assert_false(sim_state_at_record(&scenario, &engine, sizeof engine, result.records, &s));
	}
	(void)state;
}

/* Without joins and leaves V advances by 1024 / (sum of weights) of the time, and each lag by what the task got too little. */
static void average_advances_by_the_weights(void **state)
{
	static struct sim_state a, b;

	simulate("for 2s; task x cpu 0: run; task y nice 5 cpu 0: run; task z nice -3 slice 5ms cpu 0: run");
	const int64_t load = 1024 + 335 + 1991;
	for (int64_t t = 8 * MS; t < 1900 * MS; t += 36 * MS) {
		assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, t, &a));
		assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, t + 20 * MS, &b));
		assert_near((double)(b.members[0].average - a.members[0].average), 20e6 * 1024 / (double)load, 20);
	}
	(void)state;
}

static void limits_are_kept(void **state)
{
	simulate("for 1s; task a cpu 0: run; task b cpu 0: run");
	uint32_t n = result.records;
	sim_run(&scenario, &engine, sizeof engine, records, n - 1, 0, &result);
	assert_int_equal(result.end, SIM_END_LOG);
	assert_int_equal(result.records, n - 1);
	sim_run(&scenario, &engine, sizeof engine - 1, records, n, 0, &result);
	assert_int_equal(result.end, SIM_END_MEMORY);
	scenario.events_max = 100;
	sim_run(&scenario, &engine, sizeof engine, records, n, 0, &result);
	assert_int_equal(result.end, SIM_END_EVENTS);
	scenario.tasks[0].first_op = 7;
	sim_run(&scenario, &engine, sizeof engine, records, n, 0, &result);
	assert_int_equal(result.end, SIM_END_SCENARIO);
	(void)state;
}

/* A check of the checker: logs that are wrong. */
static void false_logs_are_found(void **state)
{
	uint32_t at;

	simulate("for 100ms; task a cpu 0: run 3ms, sleep 2ms; task b cpu 0: run");
	for (uint32_t i = 3; i < result.records; i++) {
		struct sim_record keep = records[i];
		if (keep.kind != SIM_SWITCH)
			continue;
		records[i].value++;
		assert_int_equal(sim_check(&scenario, records, result.records, &at), SIM_DEFECT_LOG);
		assert_int_equal(at, i);
		records[i] = keep;
		records[i].from = keep.to;
		assert_int_equal(sim_check(&scenario, records, result.records, &at), SIM_DEFECT_LOG);
		records[i] = keep;
		records[i].cpu = 1;
		assert_int_equal(sim_check(&scenario, records, result.records, &at), SIM_DEFECT_LOG);
		records[i] = keep;
	}
	assert_int_equal(sim_check(&scenario, records, result.records, &at), SIM_SOUND);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(invariants_hold),
		cmocka_unit_test(time_is_all_there),
		cmocka_unit_test(print_and_parse_are_inverse),
		cmocka_unit_test(runs_repeat),
		cmocka_unit_test(average_advances_by_the_weights),
		cmocka_unit_test(limits_are_kept),
		cmocka_unit_test(false_logs_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
