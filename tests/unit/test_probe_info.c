#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "base/buf.h"
#include "model/probe_info.h"

static bool name_ok(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= 64 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == n && name[0] != '-' &&
	       name[n - 1] != '-';
}

/* A label stands in rows and on axes, a text in `describe`. */
static void assert_label(const char *probe, const char *label)
{
	if (!label || strlen(label) <= 3 || strlen(label) > 48 || strchr(label, '\n') ||
		(label[0] >= 'A' && label[0] <= 'Z' && label[1] >= 'a' && label[1] <= 'z'))
		fail_msg("%s: the label '%s' is too short, too long, of several lines or begins with a capital", probe,
			label ? label : "(none)");
}

static void every_entry_is_complete(void **state)
{
	for (int i = 0; probe_infos[i]; i++) {
		const struct probe_info *p = probe_infos[i];
		assert_true(name_ok(p->name));
		assert_true(p->title && p->what && p->how && p->needs && p->sources);
		assert_true(p->version >= 1);
		assert_non_null(p->cases[0].name);
		assert_non_null(p->metrics[0].name);
		for (const struct case_info *c = p->cases; c->name; c++) {
			assert_true(name_ok(c->name));
			assert_label(p->name, c->label);
			assert_ptr_equal(probe_case_find(p, str_of(c->name)), c);
			assert_string_not_equal(c->name, "aa");
			for (const struct case_info *other = p->cases; other < c; other++)
				assert_string_not_equal(other->label, c->label);
		}
		for (const struct metric_info *m = p->metrics; m->name; m++) {
			assert_true(name_ok(m->name));
			assert_label(p->name, m->label);
			assert_true(m->lo < m->hi); /* a difference may be negative */
			assert_ptr_equal(probe_metric_find(p, str_of(m->name)), m);
		}
		assert_ptr_equal(probe_info_find(str_of(p->name)), p);
	}
	(void)state;
}

/* The promises made to the reader: under three minutes to measure quickly, twelve to measure fully. */
static void budgets_sum_to_what_is_promised(void **state)
{
	int quick = 0, full = 0;

	for (int i = 0; probe_infos[i]; i++) {
		if (probe_infos[i]->quick_ms <= 0 || probe_infos[i]->quick_ms > probe_infos[i]->full_ms)
			fail_msg("%s: no budget, or more for a quick run than for a full one", probe_infos[i]->name);
		quick += probe_infos[i]->quick_ms;
		full += probe_infos[i]->full_ms;
	}
	if (quick > 170000 || full > 720000)
		fail_msg("quick %d ms, full %d ms; shorten windows or leave out cases", quick, full);
	(void)state;
}

static void keys_name_probe_case_and_metric(void **state)
{
	struct probe_key k = probe_key_parse(STR("switch/pipe-thread-same:switches"));

	assert_true(k.ok);
	assert_string_equal(k.probe->name, "switch");
	assert_string_equal(k.kase->name, "pipe-thread-same");
	assert_int_equal(k.metric->unit, RUN_UNIT_MILLI);
	assert_int_equal(k.metric->class, METRIC_BEHAVIOUR);
	k = probe_key_parse(STR("create/fork"));
	assert_true(k.ok);
	assert_string_equal(k.metric->name, "wall");
	k = probe_key_parse(STR("nice/m5-0-5:share3"));
	assert_true(k.ok);
	assert_string_equal(k.metric->name, "share3");
	(void)state;
}

static void unknown_parts_leave_nulls(void **state)
{
	struct probe_key k = probe_key_parse(STR("create/frok:wall"));

	assert_false(k.ok);
	assert_non_null(k.probe);
	assert_null(k.kase);
	assert_non_null(k.metric);
	static const char *const bad[] = {"", "/", "create", "create/", "create/fork:", "create/fork:w", "Create/fork",
		"create/fork ", "create//fork", "create/fork:wall:wall", "create/aa", "x/fork"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (probe_key_parse(str_of(bad[i])).ok)
			fail_msg("taken for a key: %s", bad[i]);
	(void)state;
}

static void the_nearest_key_is_suggested(void **state)
{
	static unsigned char mem[1 << 16];
	static const char *const cases[][2] = {
		{"create/frok", "create/fork"},
		{"creat/fork", "create/fork"},
		{"create/threadjoin", "create/thread-join"},
		{"switch/pipe-thread-sam", "switch/pipe-thread-same"},
		{"switch/pipe-thread-same:swiches", "switch/pipe-thread-same:switches"},
		{"switch/pipe-thread-same:per_switch", "switch/pipe-thread-same:per-switch"},
		{"nice/0-5:shar1", "nice/0-5:share1"},
		{"nice/0-5:share4", "nice/0-5:share1"},
		{"something else altogether", ""},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = arena_over(mem, sizeof mem);
		struct str near = probe_key_nearest(&a, str_of(cases[i][0]));
		if (!str_eq(near, str_of(cases[i][1])))
			fail_msg("%s: got %.*s", cases[i][0], STR_FMT(near));
	}
	(void)state;
}

static void rows_sort_in_the_order_of_the_course(void **state)
{
	int last = -1;

	for (int i = 0; probe_infos[i]; i++) {
		struct str probe = str_of(probe_infos[i]->name);
		for (const struct case_info *c = probe_infos[i]->cases; c->name; c++) {
			int at = probe_order(probe, str_of(c->name));
			assert_true(at > last);
			last = at;
		}
		int twin = probe_order(probe, STR("aa"));
		assert_true(twin > last);
		last = twin;
		assert_int_equal(probe_order(probe, STR("unknown")), INT_MAX);
	}
	assert_true(last < INT_MAX);
	assert_int_equal(probe_order(STR("unknown"), STR("fork")), INT_MAX);
	(void)state;
}

static void units_have_names_and_scales(void **state)
{
	assert_string_equal(run_unit_names[RUN_UNIT_NS], "ns");
	assert_string_equal(run_unit_names[RUN_UNIT_MILLI], "milli");
	assert_true(run_unit_scale(RUN_UNIT_NS) == 1 && run_unit_scale(RUN_UNIT_BYTES) == 1);
	assert_true(run_unit_scale(RUN_UNIT_PPM) == 1e-6 && run_unit_scale(RUN_UNIT_MILLI) == 1e-3);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_is_complete),
		cmocka_unit_test(budgets_sum_to_what_is_promised),
		cmocka_unit_test(keys_name_probe_case_and_metric),
		cmocka_unit_test(unknown_parts_leave_nulls),
		cmocka_unit_test(the_nearest_key_is_suggested),
		cmocka_unit_test(rows_sort_in_the_order_of_the_course),
		cmocka_unit_test(units_have_names_and_scales),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
