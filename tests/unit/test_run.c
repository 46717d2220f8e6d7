#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "run_sample.h"

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
	static const char shuffled[] = "{\"version\":1,\"tool\":{},\"tables\":[{\"version\":1,\"seed\":7,\"probe\":"
				       "\"create\",\"passes\":5,\"before\":{},"
				       "\"after\":{},\"cases\":[{\"status\":\"ok\",\"metrics\":{\"wall\":{\"values\":["
				       "100,200,300,400,500],\"unit\":\"ns\"}},"
				       "\"case\":\"fork\"}]}],\"quick\":false,\"note\":\"\\u00e9\",\"nonce\":"
				       "\"0123456789abcdef\",\"machine\":{},"
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
	r->machine = FACTS(
		text_fact("arch", "../AARCH 64"), text_fact("kernel_release", "7.0"), int_fact("cpus_online", 128));
	assert_true(str_starts(run_machine_key(&a, r), STR("aarch64-7.0-128cpu-")));
	r->machine =
		FACTS(text_fact("arch", "aarch64"), text_fact("kernel_release", "<7>"), int_fact("cpus_online", -1));
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
		cmocka_unit_test(status_words_match),
		cmocka_unit_test(accepted_edits_are_stable),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
