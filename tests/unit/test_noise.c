#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/noise.h"

enum { PASSES = 4 };

static int64_t fork_ns[PASSES] = {100, 110, RUN_NULL, 90}, twin_ns[PASSES] = {104, 90, 500, RUN_NULL};
static struct run_metric fork_metric = {.name = {"wall", 4}, .values = fork_ns, .n = PASSES};
static struct run_metric twin_metric = {.name = {"wall", 4}, .values = twin_ns, .n = PASSES};

static double noise_with(enum run_status status, const char *twin_of, const char *metric)
{
	unsigned char mem[4096];
	struct run_case cases[] = {
		{.name = STR("fork"), .metrics = &fork_metric, .n_metrics = 1},
		{.name = STR("aa"), .twin = str_of(twin_of), .status = status, .metrics = &twin_metric, .n_metrics = 1},
	};
	struct run_table t = {.cases = cases, .n_cases = 2};

	return table_noise(&t, str_of(metric), arena_over(mem, sizeof mem));
}

/* Passes 0 and 1 have both; the larger gap is 20, the median of the case in them 105. */
static void compares_the_passes_that_both_have(void **state)
{
	assert_true(fabs(noise_with(RUN_OK, "fork", "wall") - 20.0 / 105.0) < 1e-12);
	assert_true(fabs(noise_with(RUN_CONTENDED, "fork", "wall") - 20.0 / 105.0) < 1e-12);
	(void)state;
}

static void is_absent_without_a_usable_twin(void **state)
{
	assert_true(isnan(noise_with(RUN_OK, "", "wall")));
	assert_true(isnan(noise_with(RUN_OK, "vfork", "wall")));
	assert_true(isnan(noise_with(RUN_OK, "fork", "cpu")));
	assert_true(isnan(noise_with(RUN_FAILED, "fork", "wall")));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares_the_passes_that_both_have),
		cmocka_unit_test(is_absent_without_a_usable_twin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
