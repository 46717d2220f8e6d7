#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/hist.h"

static struct hist hist, other;

static void reset(void)
{
	memset(&hist, 0, sizeof hist);
	memset(&other, 0, sizeof other);
}

/* The promise of the header: buckets tile the numbers, and are no wider than a 32nd of what they hold. */
static void buckets_tile_and_are_narrow(void **state)
{
	static unsigned char mem[1 << 16];
	int64_t last_hi = 0;

	reset();
	for (int64_t v = 0; v < 5000; v++)
		hist_add(&hist, v);
	struct arena a = arena_over(mem, sizeof mem);
	struct run_hist r = hist_record(&hist, &a, STR("x"), RUN_UNIT_NS);
	for (ptrdiff_t i = 0; i < r.n; i++) {
		assert_int_equal(r.buckets[i].lo, last_hi);
		int64_t width = r.buckets[i].hi - r.buckets[i].lo;
		assert_true(width == 1 || width * 32 <= r.buckets[i].lo);
		assert_true(r.buckets[i].count == width || i == r.n - 1);
		last_hi = r.buckets[i].hi;
	}
	assert_true(last_hi >= 5000);
	(void)state;
}

static void every_power_of_two_lies_in_its_bucket(void **state)
{
	static unsigned char mem[4096];

	for (int bit = 0; bit < 53; bit++)
		for (int64_t near = -1; near <= 1; near++) {
			int64_t v = (INT64_C(1) << bit) + near;
			reset();
			hist_add(&hist, v);
			struct arena a = arena_over(mem, sizeof mem);
			struct run_hist r = hist_record(&hist, &a, STR("x"), RUN_UNIT_NS);
			assert_int_equal(r.n, 1);
			assert_true(r.buckets[0].lo <= v && v < r.buckets[0].hi);
			assert_int_equal(hist_quantile(&hist, 500000), v);
		}
	(void)state;
}

static void extremes_are_clamped(void **state)
{
	static unsigned char mem[4096];

	reset();
	hist_add(&hist, -5);
	hist_add(&hist, INT64_MAX);
	assert_int_equal(hist.least, 0);
	assert_int_equal(hist.most, (INT64_C(1) << 53) - 1);
	struct arena a = arena_over(mem, sizeof mem);
	struct run_hist r = hist_record(&hist, &a, STR("x"), RUN_UNIT_NS);
	assert_int_equal(r.n, 2);
	assert_true(r.buckets[1].lo < r.buckets[1].hi && r.buckets[1].hi <= (INT64_C(1) << 53) - 1);
	(void)state;
}

static void quantiles_are_within_a_64th(void **state)
{
	static const int64_t ppms[] = {0, 10000, 250000, 500000, 900000, 990000, 999000, 1000000};

	reset();
	for (int64_t v = 1; v <= 100000; v++)
		hist_add(&hist, v * 17);
	for (size_t i = 0; i < sizeof ppms / sizeof *ppms; i++) {
		int64_t exact = (ppms[i] < 10 ? 1 : ppms[i] / 10) * 17, got = hist_quantile(&hist, ppms[i]);
		int64_t away = got > exact ? got - exact : exact - got;
		assert_true(away * 64 <= exact);
	}
	assert_int_equal(hist_quantile(&hist, 1000000), 1700000);
	reset();
	assert_true(hist_quantile(&hist, 500000) == RUN_NULL);
	(void)state;
}

static void small_values_are_exact(void **state)
{
	reset();
	for (int i = 0; i < 10; i++)
		hist_add(&hist, i);
	assert_int_equal(hist_quantile(&hist, 500000), 4);
	assert_int_equal(hist_quantile(&hist, 500001), 5);
	assert_int_equal(hist_quantile(&hist, 100000), 0);
	assert_int_equal(hist_quantile(&hist, 1000000), 9);
	(void)state;
}

static void merging_equals_adding(void **state)
{
	static struct hist whole;

	reset();
	memset(&whole, 0, sizeof whole);
	for (int64_t i = 0; i < 1000; i++) {
		hist_add(i % 3 ? &hist : &other, i * i);
		hist_add(&whole, i * i);
	}
	hist_merge(&hist, &other);
	assert_memory_equal(&hist, &whole, sizeof whole);
	memset(&other, 0, sizeof other);
	hist_merge(&hist, &other);
	assert_memory_equal(&hist, &whole, sizeof whole);
	hist_merge(&other, &hist);
	assert_memory_equal(&other, &whole, sizeof whole);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_tile_and_are_narrow),
		cmocka_unit_test(every_power_of_two_lies_in_its_bucket),
		cmocka_unit_test(extremes_are_clamped),
		cmocka_unit_test(quantiles_are_within_a_64th),
		cmocka_unit_test(small_values_are_exact),
		cmocka_unit_test(merging_equals_adding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
