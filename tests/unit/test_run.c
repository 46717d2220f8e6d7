#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/run.h"

static struct arena_block block;
static struct arena arena;

static struct run_fact text_fact(const char *key, const char *text)
{
	return (struct run_fact){.key = str_of(key), .text = str_of(text)};
}

static struct run_fact int_fact(const char *key, int64_t v)
{
	return (struct run_fact){.key = str_of(key), .num = v};
}

#define FACTS(...) ((struct run_facts){(struct run_fact[]){__VA_ARGS__}, sizeof((struct run_fact[]){__VA_ARGS__}) / sizeof(struct run_fact)})

/* A run with every part, its keys out of order. The arrays live as long as the program. */
static struct run *sample(void)
{
	static int64_t fork_ns[] = {127000, RUN_NULL, 126000, 128000, 127500, 127100}, twin_ns[] = {127001, 5000, 6000, 7000, 8000, 9000};
	static int64_t share1[] = {500000, 500000, 500000, 500000, 500000, 500001}, share2[] = {500000, 500000, 500000, 500000, 500000, 499999};
	static struct run_metric fork_metrics[1], twin_metrics[1], nice_metrics[2];
	static struct run_bucket buckets[] = {{0, 1, 4}, {64, 66, 1}, {1024, 1056, 2}};
	static struct run_hist hists[1];
	static struct run_span spans[1];
	static struct run_fact params[2], machine[7], tool[2], context[2], before[2], after[2];
	static struct run_case create_cases[3], nice_cases[1];
	static struct run_table tables[2];
	static struct run run;

	fork_metrics[0] = (struct run_metric){STR("wall"), RUN_UNIT_NS, fork_ns, 6};
	twin_metrics[0] = (struct run_metric){STR("wall"), RUN_UNIT_NS, twin_ns, 6};
	nice_metrics[0] = (struct run_metric){STR("share2"), RUN_UNIT_PPM, share2, 6};
	nice_metrics[1] = (struct run_metric){STR("share1"), RUN_UNIT_PPM, share1, 6};
	hists[0] = (struct run_hist){STR("latency"), RUN_UNIT_NS, buckets, 3};
	spans[0] = (struct run_span){STR("lane \"1\""), STR("running"), 5, 9};
	params[0] = int_fact("pinned", 1);
	params[1] = int_fact("batch", 200);
	create_cases[0] = (struct run_case){.name = STR("fork"), .params = {params, 2}, .metrics = fork_metrics, .n_metrics = 1,
		.hists = hists, .n_hists = 1, .spans = spans, .n_spans = 1};
	create_cases[1] = (struct run_case){.name = STR("aa"), .twin = STR("fork"), .metrics = twin_metrics, .n_metrics = 1};
	create_cases[2] = (struct run_case){.name = STR("spawn-true"), .status = RUN_SKIPPED, .cause = STR("no /bin/true"),
		.remedy = STR("install coreutils")};
	nice_cases[0] = (struct run_case){.name = STR("0-0"), .metrics = nice_metrics, .n_metrics = 2};
	before[0] = int_fact("steal_ns", 0);
	before[1] = int_fact("loadavg_milli", 120);
	after[0] = int_fact("steal_ns", RUN_NULL);
	after[1] = int_fact("loadavg_milli", 130);
	tables[0] = (struct run_table){STR("create"), 1, 6, 7, {before, 2}, {after, 2}, create_cases, 3};
	tables[1] = (struct run_table){STR("nice"), 1, 6, 0, {NULL, 0}, {NULL, 0}, nice_cases, 1};
	machine[0] = text_fact("kernel_release", "6.18.44-amd64");
	machine[1] = text_fact("arch", "x86_64");
	machine[2] = int_fact("cpus_online", 2);
	machine[3] = text_fact("cpu_model", "A \"fast\" CPU\xc2\xae \\ <b>");
	machine[4] = text_fact("virt", "");
	machine[5] = int_fact("hz", RUN_NULL);
	machine[6] = text_fact("not_in_the_whitelist", "x");
	tool[0] = text_fact("version", "1");
	tool[1] = text_fact("cc", "gcc");
	context[0] = int_fact("rlimit_nice", -20);
	context[1] = text_fact("affinity", "0-1");
	run = (struct run){.nonce = STR("0123456789abcdef"), .created_utc_ms = 1790000000000, .tool = {tool, 2},
		.machine = {machine, 7}, .context = {context, 2}, .note = STR("two\nlines"), .tables = tables, .n_tables = 2};
	return &run;
}

static struct str written(struct arena *a, const struct run *r)
{
	struct buf b = buf_new(a);

	run_write(r, &b);
	assert_false(b.full);
	return buf_str(&b);
}

static void assert_fine(const struct run_result *r)
{
	if (r->error.code)
		fail_msg("%s %.*s: %.*s", r->error.code, STR_FMT(r->error.field), STR_FMT(r->error.what));
	assert_non_null(r->run);
}

static void round_trip_is_identical(void **state)
{
	struct arena a = arena;
	struct str first = written(&a, sample());
	struct run_result r = run_validate(&a, first);

	assert_fine(&r);
	assert_true(str_eq(r.canon, first));
	assert_true(str_eq(written(&a, r.run), first));
	assert_true(str_eq(r.flags, STR("")));
	(void)state;
}

static void what_is_read_is_what_was_written(void **state)
{
	struct arena a = arena;
	struct run_result r = run_validate(&a, written(&a, sample()));

	assert_fine(&r);
	const struct run_table *t = &r.run->tables[0];
	const struct run_case *c = &t->cases[0];
	assert_int_equal(r.run->created_utc_ms, 1790000000000);
	assert_true(str_eq(r.run->note, STR("two\nlines")));
	assert_int_equal(t->n_cases, 3);
	assert_true(c->metrics[0].values[1] == RUN_NULL);
	assert_int_equal(c->metrics[0].values[5], 127100);
	assert_int_equal(c->hists[0].buckets[2].hi, 1056);
	assert_true(str_eq(c->spans[0].lane, STR("lane \"1\"")));
	assert_int_equal(run_fact_get(&c->params, "batch")->num, 200);
	assert_int_equal(t->cases[2].status, RUN_SKIPPED);
	assert_true(str_eq(t->cases[2].remedy, STR("install coreutils")));
	assert_true(str_eq(t->cases[1].twin, STR("fork")));
	assert_true(run_fact_get(&t->after, "steal_ns")->num == RUN_NULL);
	assert_non_null(run_fact_get(&r.run->machine, "virt")->text.ptr);
	assert_null(run_fact_get(&r.run->machine, "absent"));
	(void)state;
}

static void every_prefix_is_refused(void **state)
{
	struct arena a = arena;
	struct str whole = written(&a, sample());

	for (ptrdiff_t n = 0; n < whole.len; n++) {
		struct arena scratch = a;
		struct run_result r = run_validate(&scratch, str_slice(whole, 0, n));
		assert_null(r.run);
		assert_true(strcmp(r.error.code, "bad_json") == 0 || (strcmp(r.error.code, "bad_utf8") == 0));
		assert_true(r.error.line == 1 && r.error.col > 0 && r.error.col <= n + 1);
	}
	(void)state;
}

/* Writes `text` with spaces and line ends between tokens. */
static struct str spread(struct arena *a, struct str text)
{
	struct buf b = buf_new(a);
	bool quoted = false;

	buf_add(&b, STR("\xef\xbb\xbf\r\n"));
	for (ptrdiff_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		quoted = c == '"' && (i == 0 || text.ptr[i - 1] != '\\') ? !quoted : quoted;
		buf_char(&b, c);
		if (!quoted && str_find_char(STR("{}[]:,"), c) >= 0)
			buf_add(&b, STR("\r\n\t "));
	}
	return buf_str(&b);
}

static void layout_and_order_do_not_change_the_id(void **state)
{
	static const char shuffled[] =
		"{\"version\":1,\"tool\":{},\"tables\":[{\"version\":1,\"seed\":7,\"probe\":\"create\",\"passes\":5,\"before\":{},"
		"\"after\":{},\"cases\":[{\"status\":\"ok\",\"metrics\":{\"wall\":{\"values\":[100,200,300,400,500],\"unit\":\"ns\"}},"
		"\"case\":\"fork\"}]}],\"quick\":false,\"note\":\"\\u00e9\",\"nonce\":\"0123456789abcdef\",\"machine\":{},"
		"\"created_utc_ms\":1790000000000,\"context\":{},\"format\":\"runq-run\"}";
	struct arena a = arena;
	struct str whole = written(&a, sample());
	struct run_result plain = run_validate(&a, whole), pretty = run_validate(&a, spread(&a, whole));

	assert_fine(&plain);
	assert_fine(&pretty);
	assert_memory_equal(plain.id, pretty.id, SHA256_BYTES);
	struct run_result other = run_validate(&a, str_of(shuffled)), sorted = run_validate(&a, other.canon);
	assert_fine(&other);
	assert_memory_equal(other.id, sorted.id, SHA256_BYTES);
	assert_true(str_eq(written(&a, other.run), other.canon));
	assert_memory_not_equal(other.id, plain.id, SHA256_BYTES);
	(void)state;
}

/* The id is a hash that any tool can compute. */
static void the_id_is_the_hash_of_prefix_and_canon(void **state)
{
	struct arena a = arena;
	struct run_result r = run_validate(&a, written(&a, sample()));
	struct buf b = buf_new(&a);
	unsigned char want[SHA256_BYTES];

	buf_add(&b, STR("runq-run/1\n"));
	buf_add(&b, r.canon);
	sha256_of(buf_str(&b), want);
	assert_memory_equal(r.id, want, SHA256_BYTES);
	(void)state;
}

static void config_id_hashes_the_whitelist_alone(void **state)
{
	struct run *r = sample();
	struct run_fact *machine = r->machine.items;
	unsigned char first[SHA256_BYTES], second[SHA256_BYTES];

	run_config_id(r, first);
	machine[6].text = STR("y");
	r->tool.n = r->context.n = 0;
	r->note = STR("other");
	run_config_id(r, second);
	assert_memory_equal(first, second, SHA256_BYTES);
	struct run_fact swap = machine[0];
	machine[0] = machine[1];
	machine[1] = swap;
	run_config_id(r, second);
	assert_memory_equal(first, second, SHA256_BYTES);
	/* An unreadable fact is as one that nobody looked for, and unlike an empty one. */
	r->machine.n = 5;
	run_config_id(r, second);
	assert_memory_equal(first, second, SHA256_BYTES);
	r->machine.n = 4;
	run_config_id(r, second);
	assert_memory_not_equal(first, second, SHA256_BYTES);
	r->machine.n = 6;
	machine[5].num = 250;
	run_config_id(r, second);
	assert_memory_not_equal(first, second, SHA256_BYTES);
	machine[5] = text_fact("hz", "250");
	run_config_id(r, first);
	assert_memory_not_equal(first, second, SHA256_BYTES);
	(void)state;
}

static void machine_keys_are_readable_and_safe(void **state)
{
	struct arena a = arena;
	struct run *r = sample();
	struct str key = run_machine_key(&a, r);

	assert_true(str_starts(key, STR("x86-6.18-2cpu-")));
	assert_int_equal(key.len, 18);
	r->machine.n = 0;
	assert_true(str_starts(run_machine_key(&a, r), STR("unknown-unknown-0cpu-")));
	r->machine = FACTS(text_fact("arch", "../AARCH 64"), text_fact("kernel_release", "7.0"), int_fact("cpus_online", 128));
	assert_true(str_starts(run_machine_key(&a, r), STR("aarch64-7.0-128cpu-")));
	r->machine = FACTS(text_fact("arch", "aarch64"), text_fact("kernel_release", "<7>"), int_fact("cpus_online", -1));
	assert_true(str_starts(run_machine_key(&a, r), STR("arm64-7-0cpu-")));
	(void)state;
}

/* What cannot be said in a record is replaced, not written. */
static void the_writer_never_writes_what_the_reader_refuses(void **state)
{
	struct arena a = arena;
	struct run *r = sample();

	r->note = STR("a\x1b]0;\xff\xe2\x80\xae");
	r->machine.items[3].text = STR("CPU\r\n");
	struct run_result read = run_validate(&a, written(&a, r));
	assert_fine(&read);
	assert_true(str_eq(read.run->note, STR("a\xef\xbf\xbd]0;\xef\xbf\xbd\xef\xbf\xbd")));
	(void)state;
}

static void writing_into_too_little_room_is_told(void **state)
{
	static unsigned char mem[1024];
	struct arena a = arena_over(mem, sizeof mem);
	struct buf b = buf_new(&a);

	run_write(sample(), &b);
	assert_true(b.full);
	(void)state;
}

static void any_lack_of_memory_is_told(void **state)
{
	struct arena a = arena;
	struct str whole = written(&a, sample());
	ptrdiff_t room = 0;

	for (; room < 65536; room += 64) {
		unsigned char *mem = ARENA_NEW(&a, unsigned char, room);
		struct arena small = arena_over(mem, room);
		struct run_result r = run_validate(&small, whole);
		if (r.run)
			break;
		assert_string_equal(r.error.code, "no_memory");
	}
	assert_true(room > 4096 && room < 65536);
	(void)state;
}

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
		{"\"unit\":\"ns\",\"values\"", "\"unit\":\"us\",\"values\"", "unknown_word", "tables[0].cases[0].metrics.wall.unit"},
		{"\"unit\":\"ns\",\"values\"", "\"unit\":\"count\",\"values\"", "wrong_unit", "tables[0].cases[0].metrics.wall.unit"},
		{"500000,500000,500000,500000,500000,500001", "530000,500000,500000,500000,500000,500001", "bad_sum", "tables[1].cases[0].metrics"},
		{"\"status\":\"ok\"", "\"status\":\"fine\"", "unknown_word", "tables[0].cases[0].status"},
		{"\"status\":\"ok\"", "\"status\":\"degraded\"", "no_cause", "tables[0].cases[0].cause"},
		{"\"cause\":\"no /bin/true\",", "", "no_cause", "tables[0].cases[2].cause"},
		{"\"status\":\"skipped\"", "\"status\":\"ok\"", "no_values", "tables[0].cases[2].metrics"},
		{"\"status\":\"skipped\"", "\"metrics\":{\"wall\":{\"unit\":\"ns\",\"values\":[90,90,90,90,90,90]}},\"status\":\"skipped\"",
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
		{"[64,66,1]", "[64,66,9007199254740991]", "bad_histogram", "tables[0].cases[0].hists.latency.buckets[1]"},
		{",5,9,\"running\"]", ",9,5,\"running\"]", "out_of_range", "tables[0].cases[0].spans[0][2]"},
		{",5,9,\"running\"]", ",5,9]", "bad_span", "tables[0].cases[0].spans[0]"},
		{",5,9,\"running\"]", ",5,9,\"on CPU\"]", "bad_name", "tables[0].cases[0].spans[0][3]"},
	};
	struct arena outer = arena;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = outer;
		struct run_result r = with(&a, cases[i].old, cases[i].new);
		if (!r.error.code || strcmp(r.error.code, cases[i].code) != 0)
			fail_msg("%s: got %s at %.*s", cases[i].new, r.error.code ? r.error.code : "accepted", STR_FMT(r.error.field));
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
	static const char *const texts[] = {"", "1", "[]", "null", "\"x\"", "{", "{}x", "\xff\xfe{\0}", "// x", "{'a':1}", "{\"a\":1,}"};
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
		{"\"wall\":{\"unit\":\"ns\",\"values\":[127000", "\"wool\":{\"unit\":\"count\",\"values\":[127000", "unknown_metric"},
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

static void status_words_match(void **state)
{
	assert_string_equal(run_status_names[RUN_OK], "ok");
	assert_string_equal(run_status_names[RUN_FAILED], "failed");
	assert_true(run_status_usable(RUN_OK) && run_status_usable(RUN_CONTENDED) && run_status_usable(RUN_DEGRADED));
	assert_false(run_status_usable(RUN_SKIPPED) || run_status_usable(RUN_REFUSED) || run_status_usable(RUN_FAILED));
	(void)state;
}

/* Random edits: whatever is accepted writes back to its canonical bytes and reads the same again. */
static void accepted_edits_are_stable(void **state)
{
	struct arena outer = arena;
	struct str whole = written(&outer, sample());
	uint64_t random = 3;
	int accepted = 0;

	for (int round = 0; round < 20000; round++) {
		struct arena a = outer;
		char *text = memcpy(ARENA_NEW(&a, char, whole.len), whole.ptr, (size_t)whole.len);
		random = random * 6364136223846793005u + 1442695040888963407u;
		text[(random >> 33) % (uint64_t)whole.len] = whole.ptr[(random >> 8 & 0xffffff) % (uint64_t)whole.len];
		struct run_result r = run_validate(&a, (struct str){text, whole.len});
		if (!r.run) {
			assert_non_null(r.error.code);
			assert_true(r.error.line == 1 && r.error.col > 0 && r.error.what.len > 0);
			continue;
		}
		accepted++;
		struct str again = written(&a, r.run);
		struct run_result second = run_validate(&a, again);
		assert_fine(&second);
		assert_true(str_eq(second.canon, again));
	}
	assert_true(accepted > 200);
	(void)state;
}

static int set_up(void **state)
{
	arena = arena_new(&block, (ptrdiff_t)1 << 30);
	(void)state;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(&block);
	(void)state;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip_is_identical),
		cmocka_unit_test(what_is_read_is_what_was_written),
		cmocka_unit_test(every_prefix_is_refused),
		cmocka_unit_test(layout_and_order_do_not_change_the_id),
		cmocka_unit_test(the_id_is_the_hash_of_prefix_and_canon),
		cmocka_unit_test(config_id_hashes_the_whitelist_alone),
		cmocka_unit_test(machine_keys_are_readable_and_safe),
		cmocka_unit_test(the_writer_never_writes_what_the_reader_refuses),
		cmocka_unit_test(writing_into_too_little_room_is_told),
		cmocka_unit_test(any_lack_of_memory_is_told),
		cmocka_unit_test(refusals_name_field_and_rule),
		cmocka_unit_test(no_records_at_all_are_bad_json),
		cmocka_unit_test(unsupported_versions_say_what_is_accepted),
		cmocka_unit_test(limits_are_exact),
		cmocka_unit_test(too_many_values_end_soon),
		cmocka_unit_test(the_unknown_is_stored_and_flagged),
		cmocka_unit_test(bounds_hold_for_the_registrys_version_only),
		cmocka_unit_test(status_words_match),
		cmocka_unit_test(accepted_edits_are_stable),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
