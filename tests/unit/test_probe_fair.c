/* The probes of the fair class and of placement, on short windows: what holds on any kernel, however busy the machine. */
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

#include "probe/stage.h"
#include "probe_case.h"

/* It leaves no child. */
static struct probe_cell *measured_alone(const char *probe, const char *name)
{
	struct probe_cell *cell = measured(probe, name);

	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	return cell;
}

static void quantiles_are_values(void **state)
{
	int64_t v[] = {50, 10, 40, 20, 30};

	assert_int_equal(stage_quantile(v, 5, 500), 30);
	assert_int_equal(stage_quantile(v, 5, 900), 50);
	assert_int_equal(stage_quantile(v, 5, 1000), 50);
	assert_int_equal(stage_quantile(v, 5, 0), 10);
	assert_int_equal(stage_quantile(v, 1, 500), 10);
	assert_int_equal(stage_quantile(v, 0, 500), RUN_NULL);
	(void)state;
}

static void parts_of_nothing_are_unknown(void **state)
{
	assert_int_equal(stage_ppm(1, 4), 250000);
	assert_int_equal(stage_ppm(0, 4), 0);
	assert_int_equal(stage_ppm(1, 0), RUN_NULL);
	assert_int_equal(stage_ppm(RUN_NULL, 4), RUN_NULL);
	assert_int_equal(stage_ppm(4, RUN_NULL), RUN_NULL);
	(void)state;
}

static void a_mask_belongs_to_a_thread_and_is_inherited(void **state)
{
	static const struct {
		const char *name;
		bool all;
	} cases[] = {{"free", true}, {"mask-one", false}, {"mask-one-thread", false},
		{"mask-one-thread-of-worker", true}, {"mask-one-fork", false}, {"mask-one-exec", false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct probe_cell *c = measured_alone("cpu-count", cases[i].name);
		assert_int_equal(c->status, RUN_OK);
		assert_int_equal(value(c, "cpu-count", "affinity"), cases[i].all ? env.n_cpus : 1);
		assert_int_equal(value(c, "cpu-count", "online"), sysconf(_SC_NPROCESSORS_ONLN));
	}
	(void)state;
}

/* A quota is in no count of CPUs; a cpuset narrows a mask without a word. */
static void groups_limit_or_say_why_not(void **state)
{
	const struct probe_cell *c = measured_alone("cpu-count", "quota-half");

	if (c->status == RUN_OK) {
		assert_int_equal(value(c, "cpu-count", "affinity"), env.n_cpus);
		assert_true(value(c, "cpu-count", "quota") <= 500);
	} else {
		assert_int_equal(c->status, RUN_SKIPPED);
		assert_true(c->cause[0] && c->remedy[0]);
	}
	c = measured_alone("cpu-count", "cpuset-one-mask-all");
	if (c->status == RUN_OK)
		assert_int_equal(value(c, "cpu-count", "affinity"), 1);
	else
		assert_true(c->status == RUN_SKIPPED && c->cause[0] && c->remedy[0]);
	(void)state;
}

static void nice_belongs_to_a_thread_and_is_inherited(void **state)
{
	static const struct {
		const char *name;
		int nice, niced;
	} cases[] = {{"pid-main", 10, 1}, {"pid-worker", 0, 1}, {"pid-child-of-main", 10, 1},
		{"pid-child-of-worker", 0, 1}, {"tid-main", 0, 1}, {"tid-worker", 5, 1}, {"before-worker", 10, 11}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct probe_cell *c = measured_alone("thread-nice", cases[i].name);
		assert_int_equal(c->status, RUN_OK);
		assert_int_equal(value(c, "thread-nice", "nice"), cases[i].nice);
		assert_int_equal(value(c, "thread-nice", "niced"), cases[i].niced);
	}
	(void)state;
}

static void a_slice_is_clamped_or_the_kernel_too_old(void **state)
{
	static const struct {
		const char *name;
		int64_t got_ns;
	} cases[] = {{"ask-10us", 100000}, {"ask-100us", 100000}, {"ask-20ms", 20000000}, {"ask-200ms", 100000000}};
	struct linux_sched_attr before, after;

	assert_int_equal(linux_sched_get(0, &before), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct probe_cell *c = measured_alone("slice", cases[i].name);
		if (c->status == RUN_OK)
			assert_int_equal(value(c, "slice", "slice"), cases[i].got_ns);
		else
			assert_non_null(strstr(c->cause, "older than 6.12"));
	}
	assert_int_equal(linux_sched_get(0, &after), 0);
	assert_int_equal(before.runtime_ns, after.runtime_ns);
	(void)state;
}

/* Weights 15 and 3: a sixth, the window short. */
static void the_idle_policy_has_a_weight(void **state)
{
	const struct probe_cell *c = measured_alone("idle-batch", "idle-beside-19");
	int64_t share = value(c, "idle-batch", "share");

	assert_int_equal(c->status, RUN_OK);
	/* A group so light may get next to nothing beside busy strangers. */
	assert_true(share == RUN_NULL || (share >= 0 && share <= 1000000));
	c = measured_alone("idle-batch", "idle-beside-0");
	assert_int_equal(c->status, RUN_SKIPPED);
	assert_true(str_starts(str_of(c->cause), STR("quick: ")));
	(void)state;
}

static void sleepers_report_in_order(void **state)
{
	static const char *const names[] = {"alone", "1-hog", "2-hogs-slack-1ns"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured_alone("wakeup", names[i]);
		assert_int_equal(c->status, RUN_OK);
		int64_t p50 = value(c, "wakeup", "p50"), p90 = value(c, "wakeup", "p90"),
			max = value(c, "wakeup", "max");
		assert_true(p50 > 0 && p50 <= p90 && p90 <= max);
		assert_int_equal(value(c, "wakeup", "p99"), RUN_NULL);
		assert_true(value(c, "wakeup", "mean") <= max);
		assert_true(value(c, "wakeup", "missed") >= 0);
	}
	(void)state;
}

static void jobs_do_their_work(void **state)
{
	const struct probe_cell *c = measured_alone("affinity", "four-jobs-pinned");

	assert_int_equal(c->status, RUN_OK);
	assert_int_equal(value(c, "affinity", "migrations"), 0);
	assert_int_equal(value(c, "affinity", "cpus"), 1);
	assert_true(value(c, "affinity", "wall") >= 4 * value(c, "affinity", "cpu") / 100 * 98);
	c = measured_alone("affinity", "one-job");
	assert_int_equal(c->status, env.n_cpus > 1 ? RUN_OK : RUN_SKIPPED);
	(void)state;
}

static void others_measure_or_say_why_not(void **state)
{
	static const char *const names[][2] = {{"nice-idle", "19-alone"}, {"nice-idle", "10-rival-stops"},
		{"autogroup", "one-session"}, {"autogroup", "one-against-two"}, {"run-delay", "two-workers"},
		{"run-delay", "one-moved"}, {"asymmetry", "each-cpu"}, {"asymmetry", "busy-sibling"},
		{"asymmetry", "clamped"}, {"nice", "0-0-slept"}, {"nice", "0-0-napper"}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct probe_cell *c = measured_alone(names[i][0], names[i][1]);
		if (c->status == RUN_OK)
			continue;
		if (c->status != RUN_SKIPPED || !c->cause[0] || !c->remedy[0])
			fail_msg("%s/%s: status %d, %s", names[i][0], names[i][1], (int)c->status, c->cause);
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_values),
		cmocka_unit_test(parts_of_nothing_are_unknown),
		cmocka_unit_test(a_mask_belongs_to_a_thread_and_is_inherited),
		cmocka_unit_test(groups_limit_or_say_why_not),
		cmocka_unit_test(nice_belongs_to_a_thread_and_is_inherited),
		cmocka_unit_test(a_slice_is_clamped_or_the_kernel_too_old),
		cmocka_unit_test(the_idle_policy_has_a_weight),
		cmocka_unit_test(sleepers_report_in_order),
		cmocka_unit_test(jobs_do_their_work),
		cmocka_unit_test(others_measure_or_say_why_not),
	};

	env_read(&env, true, 5);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
