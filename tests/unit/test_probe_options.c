/* The probe's command line, its exit statuses, its summary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "probe/harness.h"
#include "probe/options.h"
#include "probe/run_command.h"
#include "probe/summary.h"

static struct probe_options options;

static bool reads(const char *line)
{
	static char copy[200];
	char *argv[12] = {copy};
	int argc = 1;

	snprintf(copy, sizeof copy, "prog %s", line);
	for (char *c = copy; *c; c++)
		if (*c == ' ' && c[1]) {
			*c = '\0';
			argv[argc++] = c + 1;
		}
	return options_read(&options, argc, argv, "prog");
}

static void takes_what_help_says(void **state)
{
	assert_true(reads("run create switch"));
	assert_int_equal(options.verb, VERB_RUN);
	assert_int_equal(options.n_probes, 2);
	assert_string_equal(options.probes[1]->name, "switch");
	assert_false(options.quick);
	assert_int_equal(options.passes, 0);
	assert_null(options.out);

	assert_true(reads("run --quick --passes 8 create -o x.json create"));
	assert_true(options.quick);
	assert_int_equal(options.n_probes, 1);
	assert_int_equal(options.passes, 8);
	assert_string_equal(options.out, "x.json");
	assert_true(reads("run --passes=64 nice -o -"));
	assert_int_equal(options.passes, 64);
	assert_string_equal(options.out, "-");

	assert_true(reads("run --all"));
	assert_string_equal(options.probes[0]->name, probe_infos[0]->name);
	assert_true(options.n_probes >= 38);
	assert_true(reads("list"));
	assert_int_equal(options.verb, VERB_LIST);
	assert_true(reads("run --help"));
	assert_int_equal(options.verb, VERB_HELP);
	assert_true(reads("--help"));
	(void)state;
}

static void refuses_the_rest(void **state)
{
	static const char *const lines[] = {"", "measure", "run", "describe", "run nosuch", "run --passes 4 nice",
		"run --passes 65 nice", "run --passes x nice", "run --passes", "run nice -o", "run --quick=yes nice",
		"run --fast nice", "run -x nice", "run - nice"};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (reads(lines[i]))
			fail_msg("taken: %s", lines[i]);
	(void)state;
}

static void every_probe_of_the_registry_is_there(void **state)
{
	for (const struct probe_info *const *p = probe_infos; *p; p++) {
		const struct probe_ops *ops = probe_ops_find((*p)->name);
		int known = 0, listed = 0;
		assert_non_null(ops);
		assert_non_null(probe_case_find(*p, str_of(ops->twin)));
		for (const struct probe_case *c = ops->cases; c->name; c++, known++)
			if (!probe_case_find(*p, str_of(c->name)))
				fail_msg("%s does not list %s", (*p)->name, c->name);
		while ((*p)->cases[listed].name)
			listed++;
		assert_int_equal(known, listed);
		assert_true(listed < PROBE_CASES_MAX);
	}
	(void)state;
}

static int status_of(enum run_status a, enum run_status b)
{
	struct run_case cases[2] = {{.status = a}, {.status = b}};
	struct run_table table = {.cases = cases, .n_cases = 2};
	struct run r = {.tables = &table, .n_tables = 1};

	return run_exit_status(&r);
}

static void exit_status_tells_what_came_out(void **state)
{
	assert_int_equal(status_of(RUN_OK, RUN_FAILED), 0);
	assert_int_equal(status_of(RUN_SKIPPED, RUN_CONTENDED), 0);
	assert_int_equal(status_of(RUN_SKIPPED, RUN_REFUSED), 4);
	assert_int_equal(status_of(RUN_SKIPPED, RUN_FAILED), 1);
	(void)state;
}

static void summary_drops_lost_passes(void **state)
{
	int64_t values[] = {5, RUN_NULL, 1, 9, 2, 7};
	struct run_metric m = {.values = values, .n = 6};
	struct summary s = summary_of(&m);

	assert_int_equal(s.n, 5);
	assert_int_equal(s.median, 5);
	assert_int_equal(s.min, 1);
	assert_int_equal(s.max, 9);
	m.n = 0;
	assert_int_equal(summary_of(&m).n, 0);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_help_says),
		cmocka_unit_test(refuses_the_rest),
		cmocka_unit_test(every_probe_of_the_registry_is_there),
		cmocka_unit_test(exit_status_tells_what_came_out),
		cmocka_unit_test(summary_drops_lost_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
