/* The probes of classes, locks without order and monitors, on short windows: what must hold however busy the machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "probe/linux.h"
#include "probe/realtime.h"
#include "probe/sys.h"
#include "probe_case.h"

/* What cannot run here says so, and why. */
static bool ran(const struct probe_cell *c)
{
	if (c->status == RUN_OK || c->status == RUN_DEGRADED)
		return true;
	assert_true(c->status == RUN_SKIPPED || c->status == RUN_REFUSED);
	assert_true(c->cause[0] && c->remedy[0]);
	return false;
}

static void atomic_additions_are_not_lost(void **state)
{
	static const char *const names[] = {"two-cpus", "two-cpus-yield", "one-cpu", "one-cpu-yield"};
	const struct probe_cell *c = measured("race", "two-cpus-atomic");

	if (ran(c))
		assert_int_equal(value(c, "race", "lost"), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		c = measured("race", names[i]);
		if (ran(c))
			assert_within(names[i], value(c, "race", "lost"), 0, 999999);
	}
	(void)state;
}

static void a_mask_is_cut_to_what_is_allowed(void **state)
{
	const struct probe_cell *c = measured("affinity", "mask-wider");

	if (ran(c)) {
		assert_int_equal(value(c, "affinity", "accepted"), 1);
		assert_int_equal(value(c, "affinity", "in-mask"), env.n_cpus);
	}
	c = measured("affinity", "mask-nowhere");
	if (ran(c)) {
		assert_int_equal(value(c, "affinity", "accepted"), 0);
		assert_int_equal(value(c, "affinity", "in-mask"), env.n_cpus);
		assert_int_equal(param(c, "errno"), EINVAL);
	}
	(void)state;
}

static void the_limit_of_real_time_strikes_when_it_is_used_up(void **state)
{
	const struct probe_cell *c = measured("classes", "rttime");

	if (ran(c) && c->status == RUN_OK)
		assert_within("signal", value(c, "classes", "signal"), 95000000, 400000000);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	(void)state;
}

static void every_process_has_a_policy(void **state)
{
	const struct probe_cell *c = measured("classes", "census");

	assert_int_equal(c->status, RUN_OK);
	assert_within("tasks", value(c, "classes", "tasks"), 1, 10000000);
	assert_within("normal", value(c, "classes", "normal"), 1, 1000000);
	(void)state;
}

static void who_waits_for_a_lock_gets_it(void **state)
{
	static const char *const names[] = {"two", "three", "three-inherit"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured("inversion", names[i]);
		if (c->status != RUN_FAILED && ran(c))
			assert_within(names[i], value(c, "inversion", "wait"), 1, 1000000000);
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	(void)state;
}

static void columns_are_parts_of_the_time(void **state)
{
	const struct probe_cell *c = measured("proc-stat", "spin");

	assert_int_equal(c->status, RUN_SKIPPED);
	assert_non_null(strstr(c->cause, "quick"));
	env.quick = false;
	c = measured("proc-stat", "spin-nice-5");
	env.quick = true;
	if (ran(c))
		assert_within("columns",
			value(c, "proc-stat", "user") + value(c, "proc-stat", "nice") + value(c, "proc-stat", "idle"),
			1, 1000000);
	(void)state;
}

static void the_tightest_quota_on_the_way_up_counts(void **state)
{
	env.quick = false;
	const struct probe_cell *c = measured("quota", "1-quarter-nested");
	env.quick = true;

	if (ran(c))
		assert_within("usage", value(c, "quota", "usage"), 0, 400);
	(void)state;
}

static void the_kernel_tells_the_weight_of_a_nice_value(void **state)
{
	const struct probe_cell *c = measured("nice", "0-3");
	int64_t weight = value(c, "nice", "weight2");

	if (weight != RUN_NULL) {
		assert_int_equal(weight, 526);
		assert_int_equal(param(c, "prio2"), 123);
	}
	(void)state;
}

/* Root in a group without real-time bandwidth is not told to become root. */
static void a_refusal_names_its_cause(void **state)
{
	static struct probe_cell cell;
	const struct groups g = {.version = 1};
	struct probe_step s = {.env = &env, .info = probe_info_find(STR("rt")), .cell = &cell};
	bool v1 = access("/sys/fs/cgroup/cpu/cpu.rt_runtime_us", F_OK) == 0;

	realtime_refused(&s, "sched_setscheduler", SCHED_FIFO, EPERM, &g);
	assert_int_equal(cell.status, RUN_SKIPPED);
	assert_true(cell.remedy[0]);
	assert_non_null(strstr(cell.cause, "sched_setscheduler=EPERM: "));
	if (!sys_cap_sys_nice())
		assert_non_null(strstr(cell.cause, "CAP_SYS_NICE"));
	else if (v1)
		assert_non_null(strstr(cell.cause, "RT_GROUP_SCHED"));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(atomic_additions_are_not_lost),
		cmocka_unit_test(a_mask_is_cut_to_what_is_allowed),
		cmocka_unit_test(the_limit_of_real_time_strikes_when_it_is_used_up),
		cmocka_unit_test(a_refusal_names_its_cause),
		cmocka_unit_test(every_process_has_a_policy),
		cmocka_unit_test(who_waits_for_a_lock_gets_it),
		cmocka_unit_test(columns_are_parts_of_the_time),
		cmocka_unit_test(the_tightest_quota_on_the_way_up_counts),
		cmocka_unit_test(the_kernel_tells_the_weight_of_a_nice_value),
	};

	env_read(&env, true, 5);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
