/* Reading /proc and /sys; clocks and CPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "probe/facts_machine.h"
#include "probe/harness.h"
#include "probe/sys.h"

#define assert_str(s, z) assert_true(str_eq((s), str_of(z)))

static struct arena_block block;
static struct arena arena;

static void fields_are_found_by_name(void **state)
{
	struct str cpu = STR("model\t\t: 17\nmodel name\t: AMD EPYC\nmicrocode\t: 0x1\n");
	struct str stat = STR("cpu  4 0 2\ncpu1 16 0 11 68\ncpu10 99 1\nprocs_running 3\n");

	assert_str(sys_field(cpu, "model"), "17");
	assert_str(sys_field(cpu, "model name"), "AMD EPYC");
	assert_str(sys_field(cpu, "missing"), "");
	assert_str(sys_word(sys_field(stat, "cpu1"), 0), "16");
	assert_str(sys_word(sys_field(stat, "cpu1"), 3), "68");
	assert_str(sys_word(sys_field(stat, "cpu1"), 4), "");
	assert_int_equal(sys_number(sys_field(stat, "procs_running")), 3);
	assert_int_equal(sys_number(STR("0-3")), 0);
	assert_int_equal(sys_number(STR("-1")), -1);
	assert_int_equal(sys_number(STR("max")), RUN_NULL);
	assert_int_equal(sys_number(STR("")), RUN_NULL);
	(void)state;
}

static void kernel_parameters_are_words(void **state)
{
	struct str line = STR("quiet isolcpus=2,3 threadirqs xnohz_full=1 preempt=");

	assert_str(cmdline_value(line, "isolcpus"), "2,3");
	assert_str(cmdline_value(line, "threadirqs"), "yes");
	assert_str(cmdline_value(line, "nohz_full"), "none");
	assert_str(cmdline_value(line, "preempt"), "yes");
	assert_int_equal(cmdline_value(STR(""), "preempt").len, 0);
	(void)state;
}

static void files_not_open_to_all_do_not_count(void **state)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/tmp/runq-test-fact.%d", (int)getpid());
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("  42 rest\n", f);
	fclose(f);
	chmod(path, 0644);
	assert_str(sys_text(&arena, path), "42 rest");
	assert_int_equal(sys_int(path), 42);
	chmod(path, 0600);
	assert_int_equal(sys_text(&arena, path).len, 0);
	assert_int_equal(sys_int(path), RUN_NULL);
	unlink(path);
	assert_int_equal(sys_text(&arena, path).len, 0);
	(void)state;
}

static void facts_are_plausible(void **state)
{
	struct probe_env env;

	env_read(&env, true, 5);
	assert_true(env.n_cpus >= 1);
	assert_int_equal(env.cpu, env.cpus[0]);
	assert_true(env.other == -1 ? env.n_cpus == 1 : env.other != env.cpu);
	assert_true(env.tick_ns >= 100000 && env.tick_ns <= 100000000);
	assert_true(env.quantum_ns >= env.tick_ns);
	assert_true(env.clock_cost_ns >= 1 && env.clock_cost_ns < 1000000);

	struct run_facts machine = facts_machine(&arena, &env), load = facts_load(&arena, &env, 1000);
	const struct run_fact *hz = run_fact_get(&machine, "hz"), *cpus = run_fact_get(&machine, "cpus_online");
	assert_true(hz->num >= 24 && hz->num <= 10000);
	assert_true(cpus->num >= env.n_cpus);
	assert_true(run_fact_get(&machine, "kernel_release")->text.len > 0);
	assert_true(run_fact_get(&load, "loadavg_milli")->num >= 0);
	assert_true(run_fact_get(&load, "run_delay_ns")->num >= 1000);
	(void)state;
}

static void pins_and_releases(void **state)
{
	struct probe_env env;

	env_read(&env, true, 5);
	assert_true(env_pin(env.cpu));
	struct probe_env pinned;
	env_read(&pinned, true, 5);
	assert_int_equal(pinned.n_cpus, 1);
	assert_int_equal(pinned.other, -1);
	assert_true(env_unpin(&env));
	env_read(&pinned, true, 5);
	assert_int_equal(pinned.n_cpus, env.n_cpus);
	(void)state;
}

/* Best of many, so that strangers on the CPU do not matter. */
static int64_t best_of(uint64_t rounds)
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < 200; i++) {
		int64_t began = clock_ns();
		spin_work(rounds);
		int64_t took = clock_ns() - began;
		best = took < best ? took : best;
	}
	return best;
}

static void twice_the_work_takes_twice_the_time(void **state)
{
	double ratio = (double)best_of(40000) / (double)best_of(20000);

	assert_true(ratio > 1.9 && ratio < 2.1);
	(void)state;
}

static void sleeps_long_enough(void **state)
{
	int64_t began = clock_ns();

	clock_sleep(5000000);
	assert_true(clock_ns() - began >= 5000000);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_found_by_name),
		cmocka_unit_test(kernel_parameters_are_words),
		cmocka_unit_test(files_not_open_to_all_do_not_count),
		cmocka_unit_test(facts_are_plausible),
		cmocka_unit_test(pins_and_releases),
		cmocka_unit_test(twice_the_work_takes_twice_the_time),
		cmocka_unit_test(sleeps_long_enough),
	};

	arena = arena_new(&block, 64 << 20);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&block);
	return failed;
}
