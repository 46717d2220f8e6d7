#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "run_sample.h"

/* A record from parts: `old` in the sample's text is replaced by `new`. */
static struct run_result with(struct arena *a, const char *old, const char *new)
{
	struct str whole = written(a, sample());
	ptrdiff_t at = str_find(whole, str_of(old));
	struct buf b = buf_new(a);

	if (at < 0)
		fail_msg("the sample does not hold %s", old);
	buf_add(&b, str_slice(whole, 0, at));
	buf_add(&b, str_of(new));
	buf_add(&b, str_from(whole, at + str_of(old).len));
	return run_validate(a, buf_str(&b));
}

static void refusals_name_field_and_rule(void **state)
{
	static const struct {
		const char *old, *new, *code, *field;
	} cases[] = {
		{"\"1\"},\"version\":1", "\"1\"},\"version\":2", "unsupported_version", "version"},
		{"\"runq-run\"", "\"other\"", "unknown_word", "format"},
		{"\"format\":\"runq-run\",", "", "missing_key", "format"},
		{"\"note\":\"two", "\"note\":1,\"note\":\"two", "duplicate_key", "note"},
		{"\"quick\":false,", "\"quick\":false,\"zzz\":1,", "unknown_key", "zzz"},
		{"\"quick\":false", "\"quick\":0", "wrong_type", "quick"},
		{"\"quick\":false,", "", "missing_key", "quick"},
		{"\"created_utc_ms\":1790000000000", "\"created_utc_ms\":-1", "out_of_range", "created_utc_ms"},
		{"\"created_utc_ms\":1790000000000", "\"created_utc_ms\":1e3", "number", "created_utc_ms"},
		{"\"0123456789abcdef\"", "\"0123456789ABCDEF\"", "bad_name", "nonce"},
		{"\"0123456789abcdef\"", "\"0123\"", "bad_name", "nonce"},
		{"\"arch\":", "\"Arch\":", "bad_name", "machine.Arch"},
		{"\"arch\":\"x86_64\"", "\"arch\":true", "wrong_type", "machine.arch"},
		{"\"arch\":\"x86_64\"", "\"arch\":{}", "wrong_type", "machine.arch"},
		{"\"arch\":\"x86_64\"", "\"arch\":\"\\u202e\"", "bad_text", "machine.arch"},
		{"\"arch\":\"x86_64\"", "\"arch\":\"\\u0000\"", "bad_string", "machine.arch"},
		{"\"pinned\":1", "\"pinned\":\"yes\"", "wrong_type", "tables[0].cases[0].params.pinned"},
		{"\"probe\":\"create\"", "\"probe\":\"Create!\"", "bad_name", "tables[0].probe"},
		{"\"probe\":\"nice\"", "\"probe\":\"create\"", "duplicate_table", "tables[1].probe"},
		{"\"passes\":6", "\"passes\":0", "out_of_range", "tables[0].passes"},
		{"\"passes\":6", "\"passes\":65", "out_of_range", "tables[0].passes"},
		{"\"passes\":6", "\"passes\":7", "values_count", "tables[0].cases[0].metrics.wall.values"},
		{"\"seed\":7", "\"seed\":-1", "out_of_range", "tables[0].seed"},
		{"\"seed\":7", "\"sede\":7", "unknown_key", "tables[0].sede"},
		{"\"before\":{\"", "\"before\":[1],\"x\":{\"", "unknown_key", "tables[0].x"},
		{"127000,null", "127000,\"x\"", "wrong_type", "tables[0].cases[0].metrics.wall.values[1]"},
		{"127000,null", "127000", "values_count", "tables[0].cases[0].metrics.wall.values"},
		{"127000,null", "127000,0", "out_of_range", "tables[0].cases[0].metrics.wall.values[1]"},
		{"127000,null", "127000,1000000001", "out_of_range", "tables[0].cases[0].metrics.wall.values[1]"},
		{"127000,null", "127000,9007199254740992", "number", "tables[0].cases[0].metrics.wall.values[1]"},
		{"\"unit\":\"ns\",\"values\"", "\"unit\":\"us\",\"values\"", "unknown_word",
			"tables[0].cases[0].metrics.wall.unit"},
		{"\"unit\":\"ns\",\"values\"", "\"unit\":\"count\",\"values\"", "wrong_unit",
			"tables[0].cases[0].metrics.wall.unit"},
		{"500000,500000,500000,500000,500000,500001", "530000,500000,500000,500000,500000,500001", "bad_sum",
			"tables[1].cases[0].metrics"},
		{"\"status\":\"ok\"", "\"status\":\"fine\"", "unknown_word", "tables[0].cases[0].status"},
		{"\"status\":\"ok\"", "\"status\":\"degraded\"", "no_cause", "tables[0].cases[0].cause"},
		{"\"cause\":\"no /bin/true\",", "", "no_cause", "tables[0].cases[2].cause"},
		{"\"status\":\"skipped\"", "\"status\":\"ok\"", "no_values", "tables[0].cases[2].metrics"},
		{"\"status\":\"skipped\"",
			"\"metrics\":{\"wall\":{\"unit\":\"ns\",\"values\":[90,90,90,90,90,90]}},\"status\":"
			"\"skipped\"",
			"out_of_range", "tables[0].cases[2].metrics"},
		{",\"twin\":\"fork\"", "", "bad_twin", "tables[0].cases[1].twin"},
		{",\"twin\":\"fork\"", ",\"twin\":\"vfork\"", "bad_twin", "tables[0].cases[1].twin"},
		{",\"twin\":\"fork\"", ",\"twin\":\"aa\"", "bad_twin", "tables[0].cases[1].twin"},
		{"\"try\":\"install coreutils\"", "\"twin\":\"fork\"", "bad_twin", "tables[0].cases[2].twin"},
		{"\"case\":\"spawn-true\"", "\"case\":\"fork\"", "duplicate_case", "tables[0].cases[2].case"},
		{"[64,66,1]", "[64,64,1]", "out_of_range", "tables[0].cases[0].hists.latency.buckets[1][1]"},
		{"[64,66,1]", "[64,66,0]", "out_of_range", "tables[0].cases[0].hists.latency.buckets[1][2]"},
		{"[64,66,1]", "[64,66]", "bad_histogram", "tables[0].cases[0].hists.latency.buckets[1]"},
		{"[64,66,1]", "[64,1025,1]", "bad_histogram", "tables[0].cases[0].hists.latency.buckets[2]"},
		{"[64,66,1]", "[64,66,9007199254740991]", "bad_histogram",
			"tables[0].cases[0].hists.latency.buckets[1]"},
		{",5,9,\"running\"]", ",9,5,\"running\"]", "out_of_range", "tables[0].cases[0].spans[0][2]"},
		{",5,9,\"running\"]", ",5,9]", "bad_span", "tables[0].cases[0].spans[0]"},
		{",5,9,\"running\"]", ",5,9,\"on CPU\"]", "bad_name", "tables[0].cases[0].spans[0][3]"},
	};
	struct arena outer = arena;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = outer;
		struct run_result r = with(&a, cases[i].old, cases[i].new);
		if (!r.error.code || strcmp(r.error.code, cases[i].code) != 0)
			fail_msg("%s: got %s at %.*s", cases[i].new, r.error.code ? r.error.code : "accepted",
				STR_FMT(r.error.field));
		if (!str_eq(r.error.field, str_of(cases[i].field)))
			fail_msg("%s: got field %.*s", cases[i].new, STR_FMT(r.error.field));
		assert_null(r.run);
		assert_true(r.error.line == 1 && r.error.col > 0);
		/* A rule and a remedy. */
		assert_true(str_find(r.error.what, STR("; ")) > 0);
	}
	(void)state;
}

static void no_records_at_all_are_bad_json(void **state)
{
	static const char *const texts[] = {
		"", "1", "[]", "null", "\"x\"", "{", "{}x", "\xff\xfe{\0}", "// x", "{'a':1}", "{\"a\":1,}"};
	struct arena a = arena;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_string_equal(run_validate(&a, str_of(texts[i])).error.code, "bad_json");
	assert_string_equal(run_validate(&a, STR("{}")).error.code, "missing_key");
	(void)state;
}

static void unsupported_versions_say_what_is_accepted(void **state)
{
	struct arena a = arena;
	struct run_result r = run_validate(&a, STR("{\"format\":\"runq-run\",\"version\":2,\"new_key\":[]}"));

	assert_string_equal(r.error.code, "unsupported_version");
	assert_true(str_find(r.error.what, STR("accepts=1")) > 0);
	(void)state;
}

static struct str repeated(struct arena *a, const char *text, ptrdiff_t times)
{
	struct buf b = buf_new(a);

	while (times--)
		buf_add(&b, str_of(text));
	return buf_str(&b);
}

static void limits_are_exact(void **state)
{
	struct arena a = arena;
	struct run *r = sample();
	static struct run_fact facts[RUN_FACTS_MAX + 1];
	struct run_result read;

	r->note = repeated(&a, "x", RUN_TEXT_BYTES_MAX);
	read = run_validate(&a, written(&a, r));
	assert_fine(&read);
	r->note = repeated(&a, "x", RUN_TEXT_BYTES_MAX + 1);
	read = run_validate(&a, written(&a, r));
	assert_string_equal(read.error.code, "too_long");
	assert_true(str_eq(read.error.field, STR("note")));
	/* Bytes count, not characters. */
	r->note = repeated(&a, "\xc3\xa9", RUN_TEXT_BYTES_MAX / 2 + 1);
	read = run_validate(&a, written(&a, r));
	assert_string_equal(read.error.code, "too_long");
	r->note = STR("");
	for (int i = 0; i <= RUN_FACTS_MAX; i++) {
		struct buf key = buf_new(&a);
		buf_char(&key, 'f');
		buf_i64(&key, i);
		facts[i] = (struct run_fact){.key = buf_str(&key), .num = i};
	}
	r->machine = (struct run_facts){facts, RUN_FACTS_MAX};
	read = run_validate(&a, written(&a, r));
	assert_fine(&read);
	r->machine.n++;
	struct buf out = buf_new(&a);
	run_write(r, &out);
	assert_true(out.full);
	assert_string_equal(run_validate(&a, repeated(&a, " ", RUN_BYTES_MAX + 1)).error.code, "too_large");
	assert_string_equal(run_validate(&a, repeated(&a, "[", 100000)).error.code, "too_deep");
	(void)state;
}

static void too_many_values_end_soon(void **state)
{
	struct arena a = arena;
	struct buf b = buf_new(&a);
	struct timespec t0, t1;

	buf_char(&b, '[');
	buf_add(&b, repeated(&a, "0,", 200000));
	buf_add(&b, STR("0]"));
	clock_gettime(CLOCK_MONOTONIC, &t0);
	assert_string_equal(run_validate(&a, buf_str(&b)).error.code, "too_many");
	clock_gettime(CLOCK_MONOTONIC, &t1);
	assert_true((t1.tv_sec - t0.tv_sec) * 1000 + (t1.tv_nsec - t0.tv_nsec) / 1000000 < 500);
	(void)state;
}

static void the_unknown_is_stored_and_flagged(void **state)
{
	static const struct {
		const char *old, *new, *flags;
	} cases[] = {
		{"\"probe\":\"create\"", "\"probe\":\"from-the-future\"", "unknown_probe"},
		{"\"case\":\"spawn-true\"", "\"case\":\"clone9\"", "unknown_case"},
		{"\"wall\":{\"unit\":\"ns\",\"values\":[127000", "\"wool\":{\"unit\":\"count\",\"values\":[127000",
			"unknown_metric"},
		{"\"created_utc_ms\":1790000000000", "\"created_utc_ms\":0", "bad_clock"},
		{"\"arch\":", "\"a_new_fact\":1,\"arch\":", ""},
	};
	struct arena a = arena;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct run_result r = with(&a, cases[i].old, cases[i].new);
		assert_fine(&r);
		assert_true(str_eq(r.flags, str_of(cases[i].flags)));
		assert_true(str_eq(written(&a, r.run), r.canon));
	}
	struct run *r = sample();
	r->n_tables = 1;
	r->tables[0].passes = 4;
	r->tables[0].cases[0].metrics[0].n = r->tables[0].cases[1].metrics[0].n = 4;
	struct run_result read = run_validate(&a, written(&a, r));
	assert_fine(&read);
	assert_true(str_eq(read.flags, STR("few_passes")));
	(void)state;
}

/* Another version of a probe may measure something else under the name. */
static void bounds_hold_for_the_registrys_version_only(void **state)
{
	struct arena a = arena;
	struct run *r = sample();

	r->tables[0].cases[1].metrics[0].values[1] = 3;
	assert_string_equal(run_validate(&a, written(&a, r)).error.code, "out_of_range");
	r->tables[0].version = 2;
	struct run_result read = run_validate(&a, written(&a, r));
	r->tables[0].cases[1].metrics[0].values[1] = 5000;
	assert_fine(&read);
	assert_true(str_eq(read.flags, STR("")));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_name_field_and_rule),
		cmocka_unit_test(no_records_at_all_are_bad_json),
		cmocka_unit_test(unsupported_versions_say_what_is_accepted),
		cmocka_unit_test(limits_are_exact),
		cmocka_unit_test(too_many_values_end_soon),
		cmocka_unit_test(the_unknown_is_stored_and_flagged),
		cmocka_unit_test(bounds_hold_for_the_registrys_version_only),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
