/* What the probes of bands compute, on values made up; and that nothing is left when a guard has cleared up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "probe/hogs.h"
#include "probe/load_open.h"

static void own_groups_are_found(void **state)
{
	static const char v1[] = "9:name=systemd:/x\n3:cpuset:/c\n2:cpu,cpuacct:/a/b\n0::/";
	static const char v2[] = "0::/user.slice/session-1.scope";

	assert_true(str_eq(group_own_path(str_of(v1), false), STR("/a/b")));
	assert_true(str_eq(group_own_path(str_of(v1), true), STR("/")));
	assert_true(str_eq(group_own_path(str_of(v2), true), STR("/user.slice/session-1.scope")));
	assert_int_equal(group_own_path(str_of(v2), false).len, 0);
	(void)state;
}

static void totals_of_pressure_are_read(void **state)
{
	static const char text[] = "some avg10=62.75 avg60=17.60 avg300=23.65 total=1901262706\n"
				   "full avg10=0.00 avg60=0.00 avg300=0.00 total=7";

	assert_int_equal(pressure_total_us(str_of(text), "some"), 1901262706);
	assert_int_equal(pressure_total_us(str_of(text), "full"), 7);
	assert_int_equal(pressure_total_us(STR(""), "some"), RUN_NULL);
	(void)state;
}

/* The mean distance of 4,000 exponential ones is right within 5 per cent, the schedule the same each time. */
static void the_schedule_is_a_poisson_process(void **state)
{
	static int64_t due[OPEN_REQUESTS_MAX], again[OPEN_REQUESTS_MAX];
	int n = open_schedule(due, OPEN_REQUESTS_MAX, 1000000, INT64_C(4000000000)), close = 0;

	assert_in_range(n, 3800, 4096);
	assert_int_equal(open_schedule(again, OPEN_REQUESTS_MAX, 1000000, INT64_C(4000000000)), n);
	assert_memory_equal(due, again, (size_t)n * sizeof *due);
	for (int i = 1; i < n; i++) {
		assert_true(due[i] >= due[i - 1]);
		close += due[i] - due[i - 1] < 1000000;
	}
	/* 1 - 1/e of them are shorter than the mean. */
	assert_in_range(close * 1000 / n, 600, 664);
	(void)state;
}

static void runs_are_what_gaps_leave(void **state)
{
	static struct hog me;
	int64_t longest;

	me = (struct hog){.began_ns = 100, .last_ns = 900, .n_gaps = 2, .gaps = {{200, 300}, {500, 800}}};
	assert_int_equal(hog_ran_ns(&me, 100, 900, &longest), 400);
	assert_int_equal(longest, 300);
	/* Before it began and after it was last seen it did not run. */
	assert_int_equal(hog_ran_ns(&me, 0, 1000, &longest), 400);
	assert_int_equal(hog_ran_ns(&me, 250, 600, &longest), 200);
	assert_int_equal(longest, 100);
	(void)state;
}

static void quantiles_are_nearest_ranks(void **state)
{
	int64_t v[] = {50, 10, 40, 20, 30};

	assert_int_equal(hogs_quantile(v, 5, 500), 30);
	assert_int_equal(hogs_quantile(v, 5, 990), 50);
	assert_int_equal(hogs_quantile(v, 5, 0), 10);
	assert_int_equal(hogs_quantile(v, 0, 500), RUN_NULL);
	(void)state;
}

static void a_guard_removes_what_it_was_told(void **state)
{
	char path[] = "/tmp/runq-guard.XXXXXX";
	struct guard g;

	assert_true(guard_open(&g));
	assert_non_null(mkdtemp(path));
	assert_true(guard_group(&g, path));
	assert_true(guard_group(&g, "/tmp/runq-guard-never-made"));
	guard_close(&g);
	assert_int_equal(access(path, F_OK), -1);
	guard_close(&g);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_groups_are_found),
		cmocka_unit_test(totals_of_pressure_are_read),
		cmocka_unit_test(the_schedule_is_a_poisson_process),
		cmocka_unit_test(runs_are_what_gaps_leave),
		cmocka_unit_test(quantiles_are_nearest_ranks),
		cmocka_unit_test(a_guard_removes_what_it_was_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
