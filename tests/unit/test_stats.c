#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/stats.h"

static unsigned char mem[1 << 16];

static struct arena scratch(void)
{
	return arena_over(mem, sizeof mem);
}

static void assert_near(double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
		fail_msg("got %.17g, not %.17g", got, want);
}

/* Values of R: quantile(c(3, 1, 4, 1, 5, 9, 2, 6), p), type 7. */
static void quantiles_are_those_of_type_7(void **state)
{
	static const double v[] = {3, 1, 4, 1, 5, 9, 2, 6};

	assert_near(stats_quantile(v, 8, 0, scratch()), 1);
	assert_near(stats_quantile(v, 8, 0.1, scratch()), 1);
	assert_near(stats_quantile(v, 8, 0.25, scratch()), 1.75);
	assert_near(stats_quantile(v, 8, 0.5, scratch()), 3.5);
	assert_near(stats_quantile(v, 8, 0.9, scratch()), 6.9);
	assert_near(stats_quantile(v, 8, 1, scratch()), 9);
	assert_near(stats_quantile(v, 1, 0.9, scratch()), 3);
	assert_near(stats_quantile(v, 0, 0.5, scratch()), (double)NAN);
	assert_near(v[0], 3);
	(void)state;
}

static void medians_of_odd_and_even(void **state)
{
	static const double v[] = {5, -1, 3, 100};

	assert_near(stats_median(v, 3, scratch()), 3);
	assert_near(stats_median(v, 4, scratch()), 4);
	assert_near(stats_median(v, 0, scratch()), (double)NAN);
	(void)state;
}

static void the_mad_ignores_one_outlier(void **state)
{
	static const double v[] = {1, 1, 2, 2, 4, 6, 9}, spike[] = {10, 11, 9, 10, 1e9};

	assert_near(stats_mad(v, 7, scratch()), 1);
	assert_near(stats_mad(spike, 5, scratch()), 1);
	assert_near(stats_mad(v, 1, scratch()), 0);
	assert_near(stats_mad(v, 0, scratch()), (double)NAN);
	(void)state;
}

static void extremes(void **state)
{
	static const double v[] = {2, -7, 5};

	assert_near(stats_min(v, 3), -7);
	assert_near(stats_max(v, 3), 5);
	assert_near(stats_min(v, 0), (double)NAN);
	assert_near(stats_max(v, 0), (double)NAN);
	(void)state;
}

/* Not the gap of the medians, which is 0 here. */
static void noise_is_the_largest_paired_gap(void **state)
{
	static const double a[] = {100, 102, 98, 100, 101}, b[] = {102, 100, 100, 99, 98};
	double with_holes[] = {100, (double)NAN, 98, 100, (double)NAN}, holes[] = {102, 0, (double)NAN, 99, 1};

	assert_near(stats_noise(a, b, 5, scratch()), 0.03);
	assert_near(stats_noise(a, a, 5, scratch()), 0);
	assert_near(stats_noise(with_holes, holes, 5, scratch()), 0.02);
	assert_near(stats_noise(with_holes + 1, holes + 1, 1, scratch()), (double)NAN);
	assert_near(stats_noise(a, b, 0, scratch()), (double)NAN);
	static const double zero[] = {0, 0};
	assert_near(stats_noise(zero, a, 2, scratch()), (double)NAN);
	(void)state;
}

/* The table of any textbook: 6 values cover their median with 1 - 2/64, and the fourth sign of 6 is no surprise. */
static void known_coverages_and_p(void **state)
{
	static const double v[] = {6, 1, 5, 2, 4, 3, 9, 8};

	assert_near(stats_median_coverage(5, 1), 0.9375);
	assert_near(stats_median_coverage(6, 1), 0.96875);
	assert_near(stats_median_coverage(8, 1), 0.9921875);
	assert_near(stats_median_coverage(8, 2), 0.9296875);
	assert_near(stats_median_coverage(1, 1), 0);
	assert_near(stats_median_interval(v, 8, 0.95, scratch()).hi, 9);
	assert_near(stats_median_interval(v, 8, 0.9, scratch()).hi, 8);
	assert_near(stats_median_interval(v, 8, 0.9, scratch()).lo, 2);
	assert_near(stats_median_interval(v, 0, 0.9, scratch()).coverage, 0);
	assert_near(stats_sign_test(5, 0), 0.0625);
	assert_near(stats_sign_test(0, 6), 0.03125);
	assert_near(stats_sign_test(3, 3), 1);
	assert_near(stats_sign_test(0, 0), 1);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_type_7),
		cmocka_unit_test(medians_of_odd_and_even),
		cmocka_unit_test(the_mad_ignores_one_outlier),
		cmocka_unit_test(extremes),
		cmocka_unit_test(noise_is_the_largest_paired_gap),
		cmocka_unit_test(known_coverages_and_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
