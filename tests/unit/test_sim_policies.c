/* The published vectors of CFS and of the textbook's policies; wake-ups between tasks; several CPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

static void cfs_slices_end_at_ticks(void **state)
{
	simulate("profile cfs65; cpus 8; for 2s; task a cpu 0: run; task b cpu 0: run");
	assert_string_equal(turns(0, 3), "a0-16 b16-32 a32-48");
	assert_int_equal(figures("a").run_min, 16 * MS);
	assert_int_equal(figures("b").run_max, 16 * MS);
	simulate("profile cfs65; cpus 8; for 100ms; task a cpu 0: run; task b nice 10 cpu 0: run");
	assert_string_equal(turns(0, 2), "a0-24 b24-28");
	(void)state;
}

/* The first moment at which a tick would end the slice, which is one ns after it. */
static void cfs_slice_lengths(void **state)
{
	simulate("profile cfs65; cpus 8; for 1ms; task a cpu 0: run; task b nice 10 cpu 0: run");
	struct sim_queue *q = &engine.queues[0];
	for (int i = 0; i < 2; i++)
		engine.entities[i].sum = engine.entities[i].sum_at_pick = 0;
	assert_near((double)(sim_rules_cfs.extra(&engine, q, &engine.entities[0]) - 1) / 1e6, 21.672, .0005);
	assert_int_equal(sim_rules_cfs.extra(&engine, q, &engine.entities[1]) - 1, 3 * MS);
	(void)state;
}

static void cfs_sleepers_get_half_a_latency(void **state)
{
	static struct sim_state s;

	simulate("profile cfs65; cpus 8; for 300ms; task a cpu 0: run; task s cpu 0 start 8ms: run 1ms, sleep_until "
		 "200ms, run 50ms");
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 200 * MS, &s));
	assert_int_equal(s.members[0].v - s.members[1].v, 12 * MS);
	(void)state;
}

static void cfs_wakeup_granularity(void **state)
{
	static const struct {
		int nice;
		double gran;
	} cases[] = {{-5, 1.312}, {0, 4}, {5, 12.227}};

	simulate("profile cfs65; cpus 8; for 1ms; task a cpu 0: run");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_near((double)sim_virtual(engine.wake_gran, sim_nice_weight(cases[i].nice)) / 1e6, cases[i].gran,
			.0005);
	(void)state;
}

static void mlfq_counts_time_across_blocking(void **state)
{
	const char *rest = "; for 2s; task g: run 9ms, sleep 1ms";
	char text[200];
	uint32_t i = 0;

	snprintf(text, sizeof text, "profile mlfq; allot 20ms 40ms%s", rest);
	simulate(text);
	while (i < result.records && records[i].reason != SIM_DEMOTE)
		i++;
	assert_int_equal(records[i].t, 22 * MS);
	snprintf(text, sizeof text, "profile mlfq; allot 20ms 40ms; reset_on_block on%s", rest);
	simulate(text);
	for (i = 0; i < result.records; i++)
		assert_int_not_equal(records[i].reason, SIM_DEMOTE);
	(void)state;
}

/* The waits of an interactive job beside a hog: none while it is above, then what is left of a quantum, then all but its own sleep. */
static void mlfq_without_boost_starves_the_interactive(void **state)
{
	int64_t woken = 0;
	int bursts = 0, demoted = 0;

	simulate("profile mlfq; quantum 10ms 20ms 40ms; allot 20ms 40ms; for 3s; task h cpu 0: run; task I cpu 0 start "
		 "100ms: run 1ms, sleep 9ms");
	for (uint32_t i = 0; i < result.records; i++) {
		const struct sim_record *r = &records[i];
		if (r->reason == SIM_DEMOTE && r->to == 1)
			assert_int_equal(r->t, demoted++ ? 691 * MS : 291 * MS);
		if (r->to == 1 && r->kind == SIM_WOKEN)
			woken = r->t;
		if (r->to == 1 && r->kind == SIM_SWITCH) {
			assert_int_equal(r->t - woken, bursts < 60 ? 0 : bursts == 60 ? 20 * MS : 31 * MS);
			bursts++;
		}
	}
	assert_int_equal(demoted, 2);
	assert_true(bursts > 100);
	(void)state;
}

static void mlfq_boost_lifts_everyone(void **state)
{
	simulate("profile mlfq; quantum 10ms 20ms 40ms; allot 20ms 40ms; boost 500ms; for 5s; task h cpu 0: run; task "
		 "I cpu 0 start 100ms: run 1ms, sleep 9ms");
	assert_true(figures("I").wait_max <= 10 * MS);
	(void)state;
}

/* OSTEP's mlfq.py -n 3 -q 10 -a 2 -l 0,50,0:0,50,0: two quanta a level; the allotment is judged when a quantum is over. */
static void mlfq_as_in_ostep(void **state)
{
	simulate("profile mlfq; ostep on; quantum 10ms 10ms 10ms; allot 20ms 20ms; for 200ms; task a cpu 0: run 50ms, "
		 "once; task b cpu 0: run 50ms, once");
	assert_string_equal(turns(0, 10), "a0-10 b10-20 a20-30 b30-40 a40-50 b50-60 a60-70 b70-80 a80-90 b90-100");
	(void)state;
}

static double mean_end_ms(void)
{
	return (double)(figures("a").finished + figures("b").finished + figures("c").finished) / 3e6;
}

static void turnaround_and_response(void **state)
{
	const char *jobs =
		"for 1s; task a cpu 0: run 100ms, once; task b cpu 0: run 10ms, once; task c cpu 0: run 10ms, once";
	char text[300];

	snprintf(text, sizeof text, "profile fifo; %s", jobs);
	simulate(text);
	assert_near(mean_end_ms(), 110, 0);
	snprintf(text, sizeof text, "profile sjf; %s", jobs);
	simulate(text);
	assert_near(mean_end_ms(), 50, 0);
	simulate("profile rr; quantum 1ms; for 1s; task a cpu 0: run 5ms, once; task b cpu 0: run 5ms, once; task c "
		 "cpu 0: run 5ms, once");
	assert_int_equal(figures("a").finished, 13 * MS);
	assert_int_equal(figures("b").finished, 14 * MS);
	assert_int_equal(figures("c").finished, 15 * MS);
	assert_int_equal(figures("a").first_run, 0);
	assert_int_equal(figures("b").first_run, 1 * MS);
	assert_int_equal(figures("c").first_run, 2 * MS);
	(void)state;
}

/* Who arrives when a quantum ends is queued before the one whose quantum ended. */
static void rr_arrival_beats_requeue(void **state)
{
	simulate("profile rr; quantum 2ms; for 20ms; task a cpu 0: run 4ms, once; task b cpu 0: run 4ms, once; task c "
		 "cpu 0 start 2ms: run 2ms, once");
	assert_string_equal(turns(0, 5), "a0-2 b2-4 c4-6 a6-8 b8-10");
	(void)state;
}

static void tasks_wake_each_other(void **state)
{
	simulate("for 10ms; task ping cpu 0: run 100us, wake pong, wait; task pong cpu 1: wait, run 300us, wake ping");
	assert_int_equal(figures("ping").cpu_ns, 2500000);
	assert_int_equal(figures("pong").cpu_ns, 7500000);
	(void)state;
}

static void idle_cpus_pull(void **state)
{
	simulate("for 100ms; task a: run; task b: run 10ms, once; task c: run");
	assert_int_equal(figures("a").cpu_ns + figures("c").cpu_ns, 190 * MS);
	assert_int_equal(result.idle, 0);
	(void)state;
}

static void affinity_is_kept(void **state)
{
	simulate("cpus 3; for 200ms; task a cpu 0: run; task b cpu 0: run; task c cpu 0,2: run 3ms, sleep 2ms; task d "
		 "cpu 1-2: run");
	for (uint32_t i = 0; i < result.records; i++)
		if (records[i].kind == SIM_SWITCH && records[i].to != SIM_NONE)
			assert_true(scenario.tasks[records[i].to].cpus >> records[i].cpu & 1);
	(void)state;
}

static void nice_changes_keep_lag_in_time(void **state)
{
	simulate("for 2s; task a cpu 0: run 500ms, set_nice 5, run; task b cpu 0: run");
	struct sim_figures a = figures("a");
	/* 500 ms of its own at half the CPU, then 335 of 1359. */
	assert_near((double)a.cpu_ns / 1e6, 500 + 1000 * 335. / 1359, 8);
	(void)state;
}

static void idle_tasks_yield_to_all(void **state)
{
	simulate("for 1s; task i idle cpu 0: run; task s cpu 0 start 1ms: run 1ms, sleep 3ms..5ms");
	assert_int_equal(figures("s").wait_max, 0);
	simulate("for 1s; task n cpu 0: run; task w batch cpu 0 start 1ms: run 1ms, sleep 30ms..31ms");
	for (uint32_t i = 0; i < result.records; i++)
		assert_false(records[i].kind == SIM_WOKEN && records[i].to == 1 &&
			     records[i].reason == SIM_WAKE_CURR_INELIGIBLE);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cfs_slices_end_at_ticks),
		cmocka_unit_test(cfs_slice_lengths),
		cmocka_unit_test(cfs_sleepers_get_half_a_latency),
		cmocka_unit_test(cfs_wakeup_granularity),
		cmocka_unit_test(mlfq_counts_time_across_blocking),
		cmocka_unit_test(mlfq_without_boost_starves_the_interactive),
		cmocka_unit_test(mlfq_boost_lifts_everyone),
		cmocka_unit_test(mlfq_as_in_ostep),
		cmocka_unit_test(turnaround_and_response),
		cmocka_unit_test(rr_arrival_beats_requeue),
		cmocka_unit_test(tasks_wake_each_other),
		cmocka_unit_test(idle_cpus_pull),
		cmocka_unit_test(affinity_is_kept),
		cmocka_unit_test(nice_changes_keep_lag_in_time),
		cmocka_unit_test(idle_tasks_yield_to_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
