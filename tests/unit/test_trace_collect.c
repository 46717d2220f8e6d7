/* From a kernel's records to a trace: switches out of idle that it does not tell, on logs made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "model/trace_stats.h"
#include "probe/trace_direct.h"

enum { ARENA = 64 << 20, MS = 1000000, START = 5 * MS, A = TRACE_FIRST, B };

static struct {
	struct arena_block block;
	struct arena arena;
	struct sim_scenario scenario;
	struct trace_stage stage;
	struct trace_collector collector;
} hall;

static void begin(void)
{
	hall.arena = arena_new(&hall.block, ARENA);
	hall.scenario = (struct sim_scenario){.n_tasks = 2, .tasks = {{.name = "a"}, {.name = "b"}}};
	hall.stage = (struct trace_stage){
		.scenario = &hall.scenario, .n_cpus = 1, .cpus = {1}, .prefix = "rq-", .t0_ns = START};
	hall.collector =
		(struct trace_collector){.arena = &hall.arena, .stage = &hall.stage, .duration_ns = 100 * (int64_t)MS};
}

static void name(char to[TRACE_COMM_BYTES + 1], int task)
{
	snprintf(to, TRACE_COMM_BYTES + 1, task >= TRACE_FIRST ? "rq-%02d" : "kworker", task - TRACE_FIRST);
}

/* At a time in tenths of a ms of the scenario. */
static void give(int at, struct trace_raw raw)
{
	raw.t_ns = (uint64_t)(START + (int64_t)at * MS / 10);
	trace_collect(&hall.collector, &raw);
}

static void turn(int at, int from, int to)
{
	struct trace_raw raw = {.state = from == TRACE_IDLE ? 'R' : 'S',
		.from_idle = from == TRACE_IDLE,
		.to_idle = to == TRACE_IDLE,
		.by_idle = from == TRACE_IDLE,
		.by_other = from != TRACE_IDLE};

	name(raw.from, from);
	name(raw.to, to);
	give(at, raw);
}

static void sign(int at, int by, bool resched)
{
	give(at, (struct trace_raw){
			 .sign = true, .by_idle = by == TRACE_IDLE, .by_other = by != TRACE_IDLE, .resched = resched});
}

static void wake(int at, int who, int by, bool resched)
{
	struct trace_raw raw = {.wake = true,
		.target = 1,
		.by_idle = by == TRACE_IDLE,
		.by_other = by != TRACE_IDLE,
		.resched = resched};

	name(raw.from, who);
	give(at, raw);
}

static void expect(const struct trace *t, ptrdiff_t i, int at, int from, int to, char state)
{
	assert_true(i < t->n);
	assert_int_equal(t->events[i].kind, TRACE_SWITCH);
	assert_int_equal(t->events[i].t_ns, (int64_t)at * MS / 10);
	assert_int_equal(t->events[i].task, from);
	assert_int_equal(t->events[i].other, to);
	assert_int_equal(t->events[i].state, state);
}

static void an_interrupt_that_told_idle_to_leave_dates_the_switch(void **state)
{
	(void)state;
	begin();
	turn(0, A, TRACE_IDLE);
	sign(40, TRACE_IDLE, false); /* a tick that changed nothing */
	sign(80, TRACE_IDLE, true);
	sign(120, A, false);
	turn(130, A, B);
	turn(140, B, TRACE_IDLE);
	wake(200, B, TRACE_IDLE, true);
	turn(210, B, TRACE_IDLE);
	struct trace *t = trace_collected(&hall.collector);
	assert_int_equal(t->n, 7);
	expect(t, 1, 80, TRACE_IDLE, A, TRACE_INFERRED);
	expect(t, 2, 130, A, B, 'S');
	assert_int_equal(t->events[4].kind, TRACE_WAKE); /* before the switch that it caused */
	expect(t, 5, 200, TRACE_IDLE, B, TRACE_INFERRED);
	assert_int_equal(t->lost, 0);
	const struct trace_stats *s = trace_stats_of(&hall.arena, t);
	assert_int_equal(s->inferred, 2);
	/* A ran 5 ms of 100 ms, B 1 ms twice: what is untold would have given A 13 and B 8. */
	assert_int_equal(s->tasks[0].share_ppm, 50000);
	assert_int_equal(s->tasks[1].share_ppm, 20000);
	arena_free(&hall.block);
}

static void who_was_seen_first_dates_it_otherwise(void **state)
{
	(void)state;
	begin();
	turn(0, A, TRACE_IDLE);
	sign(40, TRACE_IDLE, true); /* told to leave, but still there later: it found nobody */
	sign(50, TRACE_IDLE, false);
	sign(90, TRACE_OTHER, false);
	sign(95, TRACE_OTHER, false);
	turn(100, TRACE_OTHER, A);
	struct trace *t = trace_collected(&hall.collector);
	assert_int_equal(t->n, 3);
	expect(t, 1, 90, TRACE_IDLE, TRACE_OTHER, TRACE_INFERRED);
	assert_int_equal(t->lost, 0);
	arena_free(&hall.block);
}

static void without_a_sign_it_is_lost(void **state)
{
	(void)state;
	begin();
	turn(0, A, TRACE_IDLE);
	sign(40, TRACE_IDLE, false);
	turn(100, B, A);
	turn(110, A, TRACE_IDLE);
	give(150, (struct trace_raw){.sign = true}); /* of a kernel that does not tell who was there */
	turn(160, B, TRACE_IDLE);
	struct trace *t = trace_collected(&hall.collector);
	assert_int_equal(t->n, 4);
	assert_int_equal(t->lost, 2);
	arena_free(&hall.block);
}

static void what_is_told_is_not_inferred(void **state)
{
	(void)state;
	begin();
	sign(-30, TRACE_IDLE, true); /* before anything is known of the CPU */
	turn(-20, B, A);
	turn(0, A, TRACE_IDLE);
	wake(50, A, TRACE_IDLE, true);
	turn(51, TRACE_IDLE, A);
	sign(60, A, true);
	turn(61, A, B);
	/* Another CPU's records say nothing about this one. */
	turn(70, B, TRACE_IDLE);
	hall.collector.cpu = SIM_NONE;
	sign(80, TRACE_IDLE, true);
	hall.collector.cpu = 0;
	turn(90, A, B);
	struct trace *t = trace_collected(&hall.collector);
	assert_int_equal(t->n, 6);
	for (ptrdiff_t i = 0; i < t->n; i++)
		assert_int_not_equal(t->events[i].state, TRACE_INFERRED);
	assert_int_equal(t->lost, 1);
	arena_free(&hall.block);
}

/* Idle came before the scenario began: who is there at its start is told by who leaves first. */
static void before_the_start_nothing_is_written(void **state)
{
	(void)state;
	begin();
	turn(-50, B, TRACE_IDLE);
	wake(-10, A, TRACE_IDLE, true);
	turn(20, A, TRACE_IDLE);
	struct trace *t = trace_collected(&hall.collector);
	assert_int_equal(t->n, 1);
	expect(t, 0, 20, A, TRACE_IDLE, 'S');
	assert_int_equal(t->lost, 0);
	arena_free(&hall.block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_that_told_idle_to_leave_dates_the_switch),
		cmocka_unit_test(who_was_seen_first_dates_it_otherwise),
		cmocka_unit_test(without_a_sign_it_is_lost),
		cmocka_unit_test(what_is_told_is_not_inferred),
		cmocka_unit_test(before_the_start_nothing_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
