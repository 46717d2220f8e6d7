/* Groups: the published vectors of weights, what a group weighs on each CPU, sessions, cpu.idle, slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_case.h"

static double share(const char *task)
{
	return 100.0 * (double)result.cpu_ns[sim_task_find(&scenario, task, strlen(task))] / (double)result.t;
}

static void weights_are_those_of_the_kernel(void **state)
{
	static const struct {
		int weight, shares;
	} cases[] = {{1, 10}, {50, 512}, {100, 1024}, {300, 3072}, {10000, 102400}};
	char text[200];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "cpus 1; for 8ms; group g weight %d; task a in g: run", cases[i].weight);
		simulate(text);
		assert_int_equal(engine.entities[sim_group_entity(0, 0)].weight, cases[i].shares);
	}
	(void)state;
}

static void shares_are_divided_level_by_level(void **state)
{
	simulate("for 40s; group A weight 100; group B weight 300; task a in A cpu 0: run; task b nice 5 in A cpu 0: "
		 "run; task c in B cpu "
		 "0: run");
	assert_near(share("a"), 18.837, .05);
	assert_near(share("b"), 6.163, .05);
	assert_near(share("c"), 75, .05);
	(void)state;
}

/* A group's weight is split over the CPUs its tasks are on: beside one of N threads a task of the root gets N/(N+1). */
static void a_spread_group_weighs_less_on_each_cpu(void **state)
{
	static const struct {
		int n;
		double root;
	} cases[] = {{2, 66.667}, {4, 80}, {16, 94.118}};
	char text[2000];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int at = snprintf(text, sizeof text, "cpus %d; for 20s; group g; task r cpu 0: run", cases[i].n);
		for (int t = 0; t < cases[i].n; t++)
			at += snprintf(text + at, sizeof text - (size_t)at, "; task t%d in g cpu %d: run", t, t);
		simulate(text);
		assert_near(share("r"), cases[i].root, .1);
	}
	(void)state;
}

/* The other CPU's part grows when this one's task leaves: it sees so at its next tick. */
static void parts_follow_the_loads(void **state)
{
	static struct sim_state s;

	simulate("for 100ms; group g; task a in g cpu 0: run 51ms, once; task b in g cpu 1: run; task h cpu 1: run");
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 50 * MS, &s));
	int at = 3;
	while (at < s.n && !(s.members[at].group == 0 && s.members[at].cpu == 1))
		at++;
	assert_true(at < s.n);
	assert_int_equal(s.members[at].weight, 512);
	assert_true(sim_state_at_time(&scenario, &engine, sizeof engine, 60 * MS, &s));
	at = 3;
	while (at < s.n && !(s.members[at].group == 0 && s.members[at].cpu == 1))
		at++;
	assert_true(at < s.n);
	assert_int_equal(s.members[at].weight, 1024);
	(void)state;
}

static void a_part_weighs_at_least_2(void **state)
{
	simulate("for 40ms; group g weight 1; task a nice 19 in g cpu 0: run; task b nice -20 in g cpu 1: run");
	assert_int_equal(engine.entities[sim_group_entity(0, 0)].weight, 2);
	(void)state;
}

/* Autogroup: nice compares the tasks of a session alone. */
static void sessions_hide_nice(void **state)
{
	simulate("for 20s; session s; session t; task a nice 19 in s cpu 0: run; task b in t cpu 0: run");
	assert_near(share("a"), 50, .1);
	simulate("for 20s; session s; task a nice 10 in s cpu 0: run; task b in s cpu 0: run");
	assert_near(share("a"), 9.7, .1);
	(void)state;
}

static void an_idle_group_gives_way(void **state)
{
	simulate("for 1s; group g idle weight 10000; task a in g cpu 0: run; task b cpu 0: run 1ms, sleep 9ms");
	assert_int_equal(figures("b").wait_max, 0);
	simulate("for 20s; group g idle; task a in g cpu 0: run; task b cpu 0: run");
	assert_near(share("a"), 100.0 * 3 / 1027, .05);
	(void)state;
}

static void a_groups_slice_is_the_shortest_inside(void **state)
{
	simulate("for 40ms; group p; group g in p; task a slice 5ms in g cpu 0: run; task b slice 700us in g cpu 0: "
		 "run; task h cpu 0: run");
	assert_int_equal(engine.entities[sim_group_entity(1, 0)].slice, 700000);
	assert_int_equal(engine.entities[sim_group_entity(0, 0)].slice, 700000);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_those_of_the_kernel),
		cmocka_unit_test(shares_are_divided_level_by_level),
		cmocka_unit_test(a_spread_group_weighs_less_on_each_cpu),
		cmocka_unit_test(parts_follow_the_loads),
		cmocka_unit_test(a_part_weighs_at_least_2),
		cmocka_unit_test(sessions_hide_nice),
		cmocka_unit_test(an_idle_group_gives_way),
		cmocka_unit_test(a_groups_slice_is_the_shortest_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
