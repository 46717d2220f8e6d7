/* The rule by which the simulator and a kernel agree, on numbers chosen by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "model/compare.h"

enum { ARENA = 4 << 20, MS = 1000000, TICK = 4 * MS };

/* Every value the same. */
static struct trace_dist flat(int64_t n, int64_t value)
{
	struct trace_dist d = {.n = n, .mean_ns = value, .under_ppm = value < TRACE_AT_ONCE_NS ? 1000000 : 0};

	for (int k = 0; k < TRACE_QUANTILES; k++)
		d.q_ns[k] = value;
	return d;
}

static struct trace_stats *one(struct arena *a, int64_t share_ppm, struct trace_dist runs, struct trace_dist waits)
{
	struct trace_stats *s = ARENA_NEW(a, struct trace_stats, 1);

	s->n = 1;
	s->tasks = ARENA_NEW(a, struct trace_task, 1);
	s->turns = ARENA_NEW(a, int64_t, 4);
	s->tasks[0] = (struct trace_task){STR("a"), share_ppm, runs, waits};
	return s;
}

static const struct compare_line *line_of(const struct compare *c, enum compare_what what)
{
	for (int i = 0; i < c->n; i++)
		if (c->lines[i].what == what)
			return &c->lines[i];
	return NULL;
}

static void the_rule_has_its_bounds(void **state)
{
	static const struct {
		enum compare_what what;
		int64_t predicted, recorded;
		bool agrees;
	} cases[] = {
		{COMPARE_SHARE, 500000, 510000, true},
		{COMPARE_SHARE, 500000, 510001, false},
		{COMPARE_RUN_P50, 12 * MS, 16 * MS, true},
		{COMPARE_RUN_P50, 12 * MS, 16 * MS + 1, false},
		{COMPARE_RUN_P90, 12 * MS, 8 * MS - 1, false},
		{COMPARE_WAIT_P50, 3 * MS, 4 * MS, true},
		{COMPARE_WAIT_P50, 3 * MS, 4 * MS + 1, false},
		{COMPARE_WAIT_MEAN, 0, 100000, true},
		{COMPARE_WAIT_MEAN, 0, 100001, false},
		{COMPARE_WAIT_MEAN, 8500000, 10 * MS, true}, /* 15 % of the median recorded */
		{COMPARE_WAIT_MEAN, 8499999, 10 * MS, false},
	};
	struct arena_block block;
	struct arena whole = arena_new(&block, ARENA);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = whole;
		bool share = cases[i].what == COMPARE_SHARE;
		struct trace_stats *p = one(
			&a, share ? cases[i].predicted : 0, flat(20, cases[i].predicted), flat(20, cases[i].predicted));
		const struct trace_stats *r = one(
			&a, share ? cases[i].recorded : 0, flat(20, cases[i].recorded), flat(20, cases[i].recorded));
		struct compare_result c = compare_stats(&a, p, &r, 1, TICK);
		const struct compare_line *line = line_of(c.compare, cases[i].what);
		assert_non_null(line);
		if (line->agrees != cases[i].agrees)
			fail_msg("%s: %lld against %lld, tolerance %lld", compare_labels[line->what],
				(long long)line->predicted, (long long)line->median, (long long)line->tolerance);
	}
	arena_free(&block);
}

static void the_median_of_five_decides(void **state)
{
	static const int64_t shares[] = {490000, 700000, 505000, 100000, 509000};
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	const struct trace_stats *recorded[5];

	(void)state;
	for (int i = 0; i < 5; i++)
		recorded[i] = one(&a, shares[i], flat(0, 0), flat(0, 0));
	struct compare_result c = compare_stats(&a, one(&a, 500000, flat(0, 0), flat(0, 0)), recorded, 5, TICK);
	assert_int_equal(c.compare->n, 1); /* nothing but the share: neither runs nor waits */
	assert_int_equal(c.compare->misses, 0);
	assert_int_equal(c.compare->lines[0].median, 505000);
	assert_int_equal(c.compare->lines[0].least, 100000);
	assert_int_equal(c.compare->lines[0].most, 700000);
	assert_int_equal(c.compare->tasks[0].runs_ns, RUN_NULL);
	arena_free(&block);
}

static void few_values_say_nothing(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *p = one(&a, 0, flat(20, MS), flat(20, MS));
	const struct trace_stats *r = one(&a, 0, flat(4, 99 * MS), flat(19, 99 * MS));

	(void)state;
	struct compare_result c = compare_stats(&a, p, &r, 1, TICK);
	assert_int_equal(c.compare->n, 1);
	assert_int_equal(c.compare->misses, 0);
	arena_free(&block);
}

static void distance_is_the_area_between(void **state)
{
	struct trace_dist low = flat(9, 4 * MS), high = flat(30, 7 * MS), mixed = flat(40, 0), none = flat(0, 0);

	(void)state;
	assert_int_equal(compare_distance(&low, &low), 0);
	assert_int_equal(compare_distance(&low, &high), 3 * MS);
	assert_int_equal(compare_distance(&high, &low), 3 * MS);
	assert_int_equal(compare_distance(&low, &none), RUN_NULL);
	/* Half at 0, half at 8: from 4 everything moves by 4. */
	for (int k = 0; k < TRACE_QUANTILES; k++)
		mixed.q_ns[k] = k <= TRACE_QUANTILES / 2 ? 0 : 8 * MS;
	assert_int_equal(compare_distance(&mixed, &low), 4 * MS);
}

static void turns_differ_by_half_the_sum(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *p = one(&a, 0, flat(0, 0), flat(0, 0)), *r = one(&a, 0, flat(0, 0), flat(0, 0));
	const struct trace_stats *recorded = r;

	(void)state;
	p->turns[1] = 10;
	p->turns[2] = 10;
	r->turns[1] = 3;
	r->turns[3] = 1;
	assert_int_equal(compare_stats(&a, p, &recorded, 1, TICK).compare->turns_ppm, 500000);
	assert_int_equal(compare_stats(&a, p, &(const struct trace_stats *){p}, 1, TICK).compare->turns_ppm, 0);
	arena_free(&block);
}

static void other_tasks_are_refused(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA);
	struct trace_stats *p = one(&a, 0, flat(0, 0), flat(0, 0)), *r = one(&a, 0, flat(0, 0), flat(0, 0));
	const struct trace_stats *recorded = r;

	(void)state;
	r->tasks[0].name = STR("b");
	assert_null(compare_stats(&a, p, &recorded, 1, TICK).compare);
	assert_true(str_find(compare_stats(&a, p, &recorded, 1, TICK).error, STR("; record")) > 0);
	assert_null(compare_stats(&a, p, NULL, 0, TICK).compare);
	arena_free(&block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_has_its_bounds),
		cmocka_unit_test(the_median_of_five_decides),
		cmocka_unit_test(few_values_say_nothing),
		cmocka_unit_test(distance_is_the_area_between),
		cmocka_unit_test(turns_differ_by_half_the_sum),
		cmocka_unit_test(other_tasks_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
