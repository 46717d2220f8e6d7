/* The harness, with probes made up to misbehave. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "probe/shared.h"

static const struct case_info fake_cases[] = {{"one", "one"}, {"two", "two"}, {"three", "three"}, {0}};
static const struct metric_info fake_metrics[] = {{"wall", "wall", RUN_UNIT_NS, METRIC_COST, 1, 1000000},
	{"extra", "extra", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, 1000000}, {0}};
static const struct probe_info fake_info = {
	.name = "fake", .version = 3, .quick_ms = 100, .full_ms = 100, .cases = fake_cases, .metrics = fake_metrics};

enum { WELL, HANG, CRASH, LEAVE, LOSE_A_PASS, LOSE_ALL, SKIP, IMPLAUSIBLE, STRANGERS, DEGRADE };

/* What ran, in order, across processes: the first cell's calibration counts, "wall" tells the turn. */
static void fake_run(struct probe_step *s, const struct probe_case *c)
{
	int64_t turn = ++s->cell->calibrated;

	switch (c->arg[0]) {
	case HANG: sleep(60); break;
	case CRASH: raise(SIGKILL); break;
	case LEAVE: _exit(7);
	case LOSE_A_PASS:
		if (s->pass == 2)
			return;
		break;
	case LOSE_ALL: step_status(s, RUN_FAILED, "remedy", "cause %d", 1); return;
	case SKIP: step_status(s, RUN_SKIPPED, "buy one", "no %s", "thing"); return;
	case IMPLAUSIBLE: turn = s->pass == 1 ? 99999999 : turn; break;
	case STRANGERS: step_outside(s, 1000, 20); break;
	case DEGRADE: step_status(s, RUN_DEGRADED, NULL, "half of it"); break;
	default: break;
	}
	step_value(s, "wall", turn);
	step_value(s, "no such metric", 1);
	step_param(s, "p", s->pass);
	if (c->arg[0] == WELL) {
		step_outside(s, 1000, 9);
		step_hist(s, "turns", RUN_UNIT_COUNT, turn);
		step_span(s, "cpu 1", "running", 1000 * turn, 1000 * turn + 10);
		step_span(s, "cpu 0", "asleep", 1000 * turn - 5, 1000 * turn);
	}
}

static struct probe_env env;
static struct arena_block block;
static struct arena arena;

static int measure(struct probe_table *t, const struct probe_ops *ops, const struct probe_watch *watch)
{
	*t = (struct probe_table){.ops = ops, .info = &fake_info, .env = &env};
	return table_measure(t, &arena, watch);
}

static void order_is_reversed_in_odd_passes(void **state)
{
	assert_int_equal(table_order(4, PROBE_WARM_UP, 1), 1);
	assert_int_equal(table_order(4, 0, 1), 1);
	assert_int_equal(table_order(4, 1, 0), 3);
	assert_int_equal(table_order(4, 1, 3), 0);
	assert_int_equal(table_order(4, 2, 0), 0);
	(void)state;
}

static void passes_are_counted_and_the_warm_up_is_dropped(void **state)
{
	static const struct probe_case cases[] = {{"one", {WELL}}, {"two", {WELL}}, {"three", {WELL}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "two", .limit_ms = 20000, .cases = cases, .run = fake_run};
	struct probe_table t;

	assert_int_equal(measure(&t, &ops, NULL), 0);
	assert_int_equal(t.n_cases, 4);
	assert_int_equal(t.passes_done, 5);
	assert_string_equal(table_case_name(&t, 3), "aa");
	for (int i = 0; i < 4; i++) {
		const struct probe_cell *c = table_cell(&t, i);
		assert_true(run_status_usable(c->status));
		/* Turn 1 was the warm-up pass. */
		for (int p = 0; p < 5; p++)
			assert_int_equal(c->values[0][p], p + 2);
		assert_int_equal(c->values[0][5], RUN_NULL);
		assert_int_equal(c->values[1][0], RUN_NULL);
		assert_int_equal(c->n_params, 1);
		assert_int_equal(c->params[0].num, 4);
		assert_int_equal(c->wall_ns, 5000);
		assert_int_equal(c->outside_ns, 45);
	}
	table_free(&t);
	(void)state;
}

static void a_hang_costs_one_row(void **state)
{
	static const struct probe_case cases[] = {{"one", {WELL}}, {"two", {HANG}}, {"three", {WELL}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "one", .limit_ms = 700, .cases = cases, .run = fake_run};
	struct probe_table t;
	int64_t began = clock_ns();

	assert_int_equal(measure(&t, &ops, NULL), 0);
	/* It hung in the warm-up pass and was not tried again. */
	assert_true(clock_ns() - began < INT64_C(20000000000));
	assert_int_equal(table_cell(&t, 1)->status, RUN_FAILED);
	assert_string_equal(table_cell(&t, 1)->cause, "no result within 1 s");
	for (int i = 0; i < 4; i++)
		if (i != 1)
			assert_int_equal(table_cell(&t, i)->values[0][4], 6);
	table_free(&t);
	(void)state;
}

static void a_death_costs_one_row(void **state)
{
	static const struct probe_case cases[] = {{"one", {CRASH}}, {"two", {LEAVE}}, {"three", {WELL}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "one", .limit_ms = 20000, .cases = cases, .run = fake_run};
	struct probe_table t;

	assert_int_equal(measure(&t, &ops, NULL), 0);
	assert_int_equal(table_cell(&t, 0)->status, RUN_FAILED);
	assert_string_equal(table_cell(&t, 0)->cause, "the measuring process was killed by signal 9");
	assert_int_equal(table_cell(&t, 1)->status, RUN_FAILED);
	assert_string_equal(table_cell(&t, 1)->cause, "the measuring process exited with 7");
	assert_int_equal(table_cell(&t, 3)->status, RUN_FAILED);
	assert_true(run_status_usable(table_cell(&t, 2)->status));
	assert_int_equal(table_cell(&t, 2)->values[0][4], 6);
	table_free(&t);
	(void)state;
}

static void lost_passes_show(void **state)
{
	static const struct probe_case cases[] = {
		{"one", {LOSE_A_PASS}}, {"two", {LOSE_ALL}}, {"three", {IMPLAUSIBLE}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "three", .limit_ms = 20000, .cases = cases, .run = fake_run};
	struct probe_table t;

	assert_int_equal(measure(&t, &ops, NULL), 0);
	assert_int_equal(table_cell(&t, 0)->status, RUN_DEGRADED);
	assert_string_equal(table_cell(&t, 0)->cause, "1 of 5 passes failed");
	assert_int_equal(table_cell(&t, 0)->values[0][2], RUN_NULL);
	assert_int_equal(table_cell(&t, 1)->status, RUN_FAILED);
	assert_string_equal(table_cell(&t, 1)->cause, "cause 1");
	assert_string_equal(table_cell(&t, 1)->remedy, "remedy");
	assert_int_equal(table_cell(&t, 2)->status, RUN_DEGRADED);
	assert_int_equal(table_cell(&t, 2)->values[0][1], RUN_NULL);
	table_free(&t);
	(void)state;
}

static void rows_say_why(void **state)
{
	static const struct probe_case cases[] = {{"one", {SKIP}}, {"two", {STRANGERS}}, {"three", {DEGRADE}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "two", .limit_ms = 20000, .cases = cases, .run = fake_run};
	struct probe_table t;

	assert_int_equal(measure(&t, &ops, NULL), 0);
	assert_int_equal(table_cell(&t, 0)->status, RUN_SKIPPED);
	assert_string_equal(table_cell(&t, 0)->cause, "no thing");
	/* Once skipped, always skipped: it ran in the warm-up pass alone. */
	assert_int_equal(table_cell(&t, 0)->calibrated, 1);
	assert_int_equal(table_cell(&t, 1)->status, RUN_CONTENDED);
	assert_string_equal(table_cell(&t, 1)->cause, "others took 2.0 % of the time");
	assert_int_equal(table_cell(&t, 2)->status, RUN_DEGRADED);
	assert_string_equal(table_cell(&t, 2)->cause, "half of it");
	table_free(&t);
	(void)state;
}

static void load_makes_rows_contended(void **state)
{
	struct probe_shared *shared = calloc(1, sizeof *shared);
	struct probe_table t = {.shared = shared, .n_cases = 3, .passes_done = 1};

	assert_non_null(shared);
	shared->cells[0].wall_ns = 1000; /* knows what others took: nothing */
	shared->cells[2].status = RUN_SKIPPED;
	table_settle(&t, (struct table_load){.others = 0.06});
	assert_int_equal(shared->cells[0].status, RUN_OK);
	assert_int_equal(shared->cells[1].status, RUN_CONTENDED);
	assert_int_equal(shared->cells[2].status, RUN_SKIPPED);
	table_settle(&t, (struct table_load){.steal = 0.006});
	assert_int_equal(shared->cells[0].status, RUN_CONTENDED);
	free(shared);
	(void)state;
}

static void stop_in_second_pass(void *ctx, const struct probe_table *t, int pass, int position, int64_t left_ns)
{
	(void)ctx;
	(void)t;
	(void)position;
	assert_true(left_ns >= 0);
	if (pass == 1)
		raise(SIGTERM);
}

static void a_signal_stops_it(void **state)
{
	static const struct probe_case cases[] = {{"one", {WELL}}, {"two", {WELL}}, {"three", {WELL}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "two", .limit_ms = 20000, .cases = cases, .run = fake_run};
	struct probe_watch watch = {stop_in_second_pass, NULL};
	struct probe_table t;

	assert_int_equal(measure(&t, &ops, &watch), SIGTERM);
	assert_int_equal(t.passes_done, 1);
	table_free(&t);
	(void)state;
}

static void the_record_is_valid(void **state)
{
	static const struct probe_case cases[] = {{"one", {WELL}}, {"two", {SKIP}}, {"three", {DEGRADE}}, {0}};
	static const struct probe_ops ops = {
		.name = "fake", .twin = "one", .limit_ms = 20000, .cases = cases, .run = fake_run};
	struct probe_table t;
	struct buf text = buf_new(&arena);

	assert_int_equal(measure(&t, &ops, NULL), 0);
	struct run *r = record_build(&arena, &env, &t, 1);
	run_write(r, &text);
	struct run_result back = run_validate(&arena, buf_str(&text));
	assert_non_null(back.run);
	assert_true(str_eq(back.canon, buf_str(&text)));
	assert_true(str_eq(back.flags, STR("unknown_probe")));
	const struct run_table *table = back.run->tables;
	assert_int_equal(table->n_cases, 4);
	assert_int_equal(table->passes, 5);
	assert_int_equal(table->version, 3);
	assert_true(str_eq(table->cases[3].twin, STR("one")));
	assert_int_equal(table->cases[0].n_metrics, 1);
	assert_int_equal(table->cases[1].n_metrics, 0);
	/* Five passes: turns 2 to 6, each a bucket of its own. Spans: those of the first. The twin has neither. */
	const struct run_case *one = &table->cases[0];
	assert_int_equal(one->n_hists, 1);
	assert_int_equal(one->hists[0].n, 5);
	assert_int_equal(one->hists[0].unit, RUN_UNIT_COUNT);
	assert_int_equal(one->hists[0].buckets[4].lo, 6);
	assert_int_equal(one->n_spans, 2);
	assert_true(str_eq(one->spans[0].lane, STR("cpu 1")));
	assert_int_equal(one->spans[0].t0_ns, 5);
	assert_int_equal(one->spans[1].t0_ns, 0);
	assert_int_equal(table->cases[3].n_hists + table->cases[3].n_spans, 0);
	/* Each key of the identity is there, though it may be null. */
	for (const char *const *key = run_config_keys; *key; key++)
		if (!run_fact_get(&back.run->machine, *key))
			fail_msg("no machine fact %s", *key);
	table_free(&t);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_is_reversed_in_odd_passes),
		cmocka_unit_test(passes_are_counted_and_the_warm_up_is_dropped),
		cmocka_unit_test(a_hang_costs_one_row),
		cmocka_unit_test(a_death_costs_one_row),
		cmocka_unit_test(lost_passes_show),
		cmocka_unit_test(rows_say_why),
		cmocka_unit_test(load_makes_rows_contended),
		cmocka_unit_test(a_signal_stops_it),
		cmocka_unit_test(the_record_is_valid),
	};

	arena = arena_new(&block, 64 << 20);
	env_read(&env, true, 5);
	stop_signals_block();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&block);
	return failed;
}
