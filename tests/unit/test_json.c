#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Its names of kinds are ours too. */
#define JSON_NULL JANSSON_NULL
#define JSON_ARRAY JANSSON_ARRAY
#define JSON_OBJECT JANSSON_OBJECT
#include <jansson.h>
#undef JSON_NULL
#undef JSON_ARRAY
#undef JSON_OBJECT

#include "text/json.h"

static const struct json_limits limits = {.bytes = 1 << 20, .values = 1000, .depth = 16};

static struct arena_block block;
static struct arena arena;

static struct json_result read_text(struct arena *a, const char *text)
{
	return json_read(a, str_of(text), limits);
}

static const char *written(struct arena *a, const char *text)
{
	struct json_result r = read_text(a, text);
	struct buf b = buf_new(a);

	if (!r.root)
		return r.error.code;
	json_write(&b, r.root);
	return str_z(a, buf_str(&b));
}

static void keeps_values_and_sorts_keys(void **state)
{
	static const struct {
		const char *text, *canon;
	} cases[] = {
		{"{}", "{}"},
		{" [ ] ", "[]"},
		{"\r\n{\"b\" : 1,\t\"a\":[true,false,null]}\r\n", "{\"a\":[true,false,null],\"b\":1}"},
		{"{\"b\":1,\"a\":2,\"aa\":3,\"\":4,\"B\":5}", "{\"\":4,\"B\":5,\"a\":2,\"aa\":3,\"b\":1}"},
		{"{\"\xc3\xa9\":1,\"z\":2}", "{\"z\":2,\"\xc3\xa9\":1}"},
		{"\"\\u0041\\/\\\"\\\\\\n\\t\"", "\"A/\\\"\\\\\\n\\t\""},
		{"\"\\u00e9\\u20AC\\ud83d\\uDE00\"", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
		{"9007199254740991", "9007199254740991"},
		{"-9007199254740991", "-9007199254740991"},
		{"0", "0"},
		{"\"\"", "\"\""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(written(&arena, cases[i].text), cases[i].canon);
		assert_string_equal(written(&arena, cases[i].canon), cases[i].canon);
	}
	(void)state;
}

static void texts_that_must_survive_do(void **state)
{
	/* Zero width, decomposed, emoji, right to left, line separator, markup: data, never changed. */
	static const char *const texts[] = {"\"a\xe2\x80\x8b!\"", "\"e\xcc\x81\"", "\"\xf0\x9f\x90\xa7\"",
		"\"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85\"", "\"\xe2\x80\xa8\"", "\"<script>{{7*7}}</script>]]>\"",
		"\"\xef\xbf\xbf\""};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_string_equal(written(&arena, texts[i]), texts[i]);
	(void)state;
}

static void refuses_with_code_and_place(void **state)
{
	static const struct {
		const char *text, *code, *field;
		int line, col;
	} cases[] = {
		{"", "bad_json", "", 1, 1},
		{" \n ", "bad_json", "", 2, 2},
		{"{} x", "bad_json", "", 1, 4},
		{"{}{}", "bad_json", "", 1, 3},
		{"\xef\xbb\xbf{}", "bad_json", "", 1, 1},
		{"\xff\xfe{", "bad_json", "", 1, 1},
		{"{\n \"a\": 1,\n}", "bad_json", "", 3, 1},
		{"[1,]", "bad_json", "[1]", 1, 4},
		{"[1 2]", "bad_json", "", 1, 4},
		{"[,1]", "bad_json", "[0]", 1, 2},
		{"{\"a\" 1}", "bad_json", "a", 1, 6},
		{"{'a':1}", "bad_json", "", 1, 2},
		{"{a:1}", "bad_json", "", 1, 2},
		{"// c\n{}", "bad_json", "", 1, 1},
		{"[1]/**/", "bad_json", "", 1, 4},
		{"[tru]", "bad_json", "[0]", 1, 2},
		{"[True]", "bad_json", "[0]", 1, 2},
		{"[01]", "bad_json", "[0]", 1, 2},
		{"[-]", "bad_json", "[0]", 1, 2},
		{"[+1]", "bad_json", "[0]", 1, 2},
		{"[.5]", "bad_json", "[0]", 1, 2},
		{"[1.]", "bad_json", "[0]", 1, 2},
		{"[1e]", "bad_json", "[0]", 1, 2},
		{"[0x10]", "bad_json", "", 1, 3},
		{"[\"a\nb\"]", "bad_json", "[0]", 1, 4},
		{"[\"\\x\"]", "bad_json", "[0]", 1, 3},
		{"[\"\\u12g4\"]", "bad_json", "[0]", 1, 3},
		{"[\"abc", "bad_json", "[0]", 1, 6},
		{"[\"abc\\", "bad_json", "[0]", 1, 6},
		{"[\"\\u0000\"]", "bad_string", "[0]", 1, 3},
		{"[\"\\ud800\"]", "bad_string", "[0]", 1, 3},
		{"[\"\\udc00\\ud800\"]", "bad_string", "[0]", 1, 3},
		{"[\"\\ud800\\u0041\"]", "bad_string", "[0]", 1, 3},
		{"[\"\xff\"]", "bad_utf8", "[0]", 1, 3},
		{"[\"\xc0\xaf\"]", "bad_utf8", "[0]", 1, 3},
		{"[\"\xed\xa0\x80\"]", "bad_utf8", "[0]", 1, 3},
		{"[\"\xf4\x90\x80\x80\"]", "bad_utf8", "[0]", 1, 3},
		{"[\"ab\xe2\x82\"]", "bad_utf8", "[0]", 1, 5},
		{"[\"\\u0001\"]", "bad_text", "[0]", 1, 3},
		{"[\"\\r\"]", "bad_text", "[0]", 1, 3},
		{"[\"\x7f\"]", "bad_text", "[0]", 1, 3},
		{"[\"\\u0085\"]", "bad_text", "[0]", 1, 3},
		{"[\"\\u202e\"]", "bad_text", "[0]", 1, 3},
		{"[\"\xe2\x80\xae\"]", "bad_text", "[0]", 1, 3},
		{"[\"\xe2\x81\xa6\"]", "bad_text", "[0]", 1, 3},
		{"{\"a\\u202e\":1}", "bad_text", "", 1, 4},
		{"[NaN]", "number", "[0]", 1, 2},
		{"[Infinity]", "number", "[0]", 1, 2},
		{"[-Infinity]", "number", "[0]", 1, 2},
		{"{\"v\":[1,1.0]}", "number", "v[1]", 1, 9},
		{"[1e3]", "number", "[0]", 1, 2},
		{"[1e999]", "number", "[0]", 1, 2},
		{"[-1e999]", "number", "[0]", 1, 2},
		{"[1e-999]", "number", "[0]", 1, 2},
		{"[-0]", "number", "[0]", 1, 2},
		{"[9007199254740992]", "number", "[0]", 1, 2},
		{"[-9007199254740992]", "number", "[0]", 1, 2},
		{"[9223372036854775808]", "number", "[0]", 1, 2},
		{"[99999999999999999999999999]", "number", "[0]", 1, 2},
		{"{\"a\":1,\"a\":1}", "duplicate_key", "a", 1, 12},
		{"{\"x\":[{\"b\":1,\"a\":0,\"\\u0062\":2}]}", "duplicate_key", "x[0].b", 1, 29},
		{"[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", "too_deep", "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]",
			1, 17},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct json_result r = read_text(&arena, cases[i].text);
		if (r.root || strcmp(r.error.code, cases[i].code) != 0 ||
			!str_eq(r.error.field, str_of(cases[i].field)) || r.error.line != cases[i].line ||
			r.error.col != cases[i].col)
			fail_msg("%s: got %s %.*s %d:%d", cases[i].text, r.root ? "accepted" : r.error.code,
				STR_FMT(r.error.field), r.error.line, r.error.col);
		assert_true(str_find(r.error.what, STR("; ")) > 0);
	}
	(void)state;
}

static struct str repeated(struct arena *a, const char *text, int times)
{
	struct buf b = buf_new(a);

	while (times--)
		buf_add(&b, str_of(text));
	return buf_str(&b);
}

static void limits_hold(void **state)
{
	struct arena a = arena;

	assert_non_null(read_text(&a, "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]").root);
	assert_string_equal(json_read(&a, repeated(&a, "[", 100000), limits).error.code, "too_deep");
	struct buf b = buf_new(&a);
	buf_char(&b, '[');
	buf_add(&b, repeated(&a, "0,", 998));
	buf_add(&b, STR("0]"));
	assert_non_null(json_read(&a, buf_str(&b), limits).root);
	b.len--;
	buf_add(&b, STR(",0]"));
	assert_string_equal(json_read(&a, buf_str(&b), limits).error.code, "too_many");
	assert_string_equal(json_read(&a, repeated(&a, " ", (1 << 20) + 1), limits).error.code, "too_large");
	(void)state;
}

/* As many keys as a record may have values, in the worst orders: found out without comparing each with each. */
static void many_keys_stay_cheap(void **state)
{
	static const struct json_limits wide = {.bytes = 1 << 21, .values = 64000, .depth = 16};
	struct arena a = arena;
	struct buf b = buf_new(&a);
	struct timespec t0, t1;

	for (int i = 0; i < 63990; i++)
		buf_printf(&b, "%c\"k%d\":0", i ? ',' : '{', i * 7919 % 63990);
	buf_add(&b, STR(",\"k5\":1}"));
	clock_gettime(CLOCK_MONOTONIC, &t0);
	struct json_result r = json_read(&a, buf_str(&b), wide);
	clock_gettime(CLOCK_MONOTONIC, &t1);
	assert_string_equal(r.error.code, "duplicate_key");
	assert_true(str_eq(r.error.field, STR("k5")));
	assert_true((double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) * 1e-9 < 1);
	(void)state;
}

static void paths_cut_long_keys_between_characters(void **state)
{
	struct arena a = arena;
	struct buf b = buf_new(&a);

	buf_add(&b, STR("{\"x"));
	buf_add(&b, repeated(&a, "\xc3\xa9", 60));
	buf_add(&b, STR("\":1.5}"));
	struct json_result r = json_read(&a, buf_str(&b), limits);
	struct str want = repeated(&a, "\xc3\xa9", 31);
	assert_true(str_eq(str_slice(r.error.field, 1, 63), want));
	assert_true(str_eq(str_from(r.error.field, 63), STR("...")));
	(void)state;
}

/* What cannot be read is not written. */
static void the_writer_replaces_what_the_reader_refuses(void **state)
{
	static const char bad[] = "a\x01\xff\xe2\x80\xae\r\x7f\0b\n\t\"\\";
	struct arena a = arena;
	struct buf b = buf_new(&a);

	json_write_text(&b, (struct str){bad, sizeof bad - 1});
	struct json_result r = json_read(&a, buf_str(&b), limits);
	assert_non_null(r.root);
#define FFFD "\xef\xbf\xbd"
	assert_true(str_eq(r.root->text, STR("a" FFFD FFFD FFFD FFFD FFFD FFFD "b\n\t\"\\")));
	(void)state;
}

static void finds_fields(void **state)
{
	struct json_result r = read_text(&arena, "{\"a\":{\"b\":[10,20]},\"t\":true}");
	const struct json *b = json_get(json_get(r.root, STR("a")), STR("b"));

	assert_int_equal(b->n, 2);
	assert_int_equal(b->first->next->num, 20);
	assert_true(str_eq(json_path(&arena, b->first->next, STR("")), STR("a.b[1]")));
	assert_true(str_eq(json_path(&arena, r.root, STR("new")), STR("new")));
	assert_true(json_get(r.root, STR("t"))->yes);
	assert_null(json_get(r.root, STR("b")));
	assert_null(json_get(b, STR("a")));
	(void)state;
}

/* Every shrinking arena ends in no_memory or in the answer. */
static void survives_any_lack_of_memory(void **state)
{
	static unsigned char mem[4096];
	static const char text[] = "{\"b\":[1,2,{\"a\":\"text\\n\"}],\"a\":\"x\",\"c\":[[],{}]}";
	int refused = 0;

	for (ptrdiff_t room = 0; room < (ptrdiff_t)sizeof mem; room += 8) {
		struct arena small = arena_over(mem, room);
		struct json_result r = read_text(&small, text);
		if (!r.root)
			assert_string_equal(r.error.code, "no_memory");
		refused += !r.root;
	}
	assert_true(refused > 10 && refused < 500);
	(void)state;
}

/* Codes by which we refuse what JSON allows. */
static bool stricter_than_json(const char *code)
{
	return strcmp(code, "number") == 0 || strcmp(code, "bad_text") == 0 || strcmp(code, "too_deep") == 0 ||
	       strcmp(code, "too_many") == 0;
}

static void compare_with_jansson(struct arena a, struct str text)
{
	json_error_t error;
	json_t *theirs = json_loadb(text.ptr, (size_t)text.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	struct json_result ours = json_read(&a, text, limits);

	if (ours.root) {
		struct buf b = buf_new(&a);
		json_write(&b, ours.root);
		json_t *again = json_loadb(b.ptr, (size_t)b.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
		if (!theirs || !json_equal(theirs, again))
			fail_msg("read otherwise than jansson: %.*s", STR_FMT(text));
		json_decref(again);
		struct json_result second = json_read(&a, buf_str(&b), limits);
		assert_non_null(second.root);
		struct buf c = buf_new(&a);
		json_write(&c, second.root);
		assert_true(str_eq(buf_str(&b), buf_str(&c)));
	} else if (theirs && !stricter_than_json(ours.error.code)) {
		fail_msg("refused (%s) what jansson accepts: %.*s", ours.error.code, STR_FMT(text));
	}
	json_decref(theirs);
}

/* One to three random edits of a text that has everything, most of them to structural characters. */
static void agrees_with_jansson(void **state)
{
	static const char seed[] =
		"{\"a\":[0,-12,345,null,true,false],\"b\\n\":{\"\\u00e9\\ud83d\\ude00\":\"x\\\\y\xc3\xa9\"},"
		"\"c\":\"\",\"d\":[[],{}, 1.5e3 ],\"e\" : \"\xf0\x9f\x90\xa7\"}";
	static const char edits[] = "{}[]:,\"\\-+.eE0123456789truefalsn \n\tud8c\x80\xc3\xff\x01/'NaI";
	uint64_t random = 1;

	for (int round = 0; round < 60000; round++) {
		struct arena a = arena;
		char *text = memcpy(ARENA_NEW(&a, char, sizeof seed), seed, sizeof seed);
		ptrdiff_t len = sizeof seed - 1;
		for (int edit = 0; edit <= round % 3; edit++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			ptrdiff_t at = (ptrdiff_t)(random >> 33) % len;
			int how = (int)(random >> 20 & 3);
			if (how == 0) {
				memmove(text + at, text + at + 1, (size_t)(len - at - 1));
				len--;
			} else {
				text[at] = how == 1 ? seed[(random >> 8) % (sizeof seed - 1)]
						    : edits[(random >> 8) % (sizeof edits - 1)];
			}
		}
		compare_with_jansson(a, (struct str){text, len});
	}
	compare_with_jansson(arena, str_of(seed));
	(void)state;
}

static void agrees_with_jansson_on_integers(void **state)
{
	static const char seed[] = "{\"a\":[0,-12,345,null],\"b\":{\"\\u00e9\":\"x\"},\"c\":[[],{}]}";
	uint64_t random = 7;
	int accepted = 0;

	for (int round = 0; round < 40000; round++) {
		struct arena a = arena;
		char *text = memcpy(ARENA_NEW(&a, char, sizeof seed), seed, sizeof seed);
		random = random * 6364136223846793005u + 1442695040888963407u;
		text[(random >> 33) % (sizeof seed - 1)] = seed[(random >> 8 & 0xffff) % (sizeof seed - 1)];
		struct str edited = {text, sizeof seed - 1};
		compare_with_jansson(a, edited);
		accepted += json_read(&a, edited, limits).root != NULL;
	}
	/* A comparison in which nothing is accepted would show little. */
	assert_true(accepted > 1000);
	(void)state;
}

static int set_up(void **state)
{
	arena = arena_new(&block, (ptrdiff_t)1 << 28);
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
		cmocka_unit_test(keeps_values_and_sorts_keys),
		cmocka_unit_test(texts_that_must_survive_do),
		cmocka_unit_test(refuses_with_code_and_place),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(many_keys_stay_cheap),
		cmocka_unit_test(paths_cut_long_keys_between_characters),
		cmocka_unit_test(the_writer_replaces_what_the_reader_refuses),
		cmocka_unit_test(finds_fields),
		cmocka_unit_test(survives_any_lack_of_memory),
		cmocka_unit_test(agrees_with_jansson),
		cmocka_unit_test(agrees_with_jansson_on_integers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
