#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/diag.h"

static unsigned char mem[1 << 16];

static const char *printed(struct arena *a, const struct diag *d)
{
	char *text = ARENA_NEW(a, char, 4096);
	FILE *f = fmemopen(text, 4095, "w");

	assert_int_equal(diag_print(d, f, *a), d->errors);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void prints_in_source_order_once(void **state)
{
	struct arena a = arena_over(mem, sizeof mem);
	struct diag d = diag_new(&a);

	diag_error(&d, ((struct pos){STR("b.md"), 2, 1}), "second");
	diag_warn(&d, ((struct pos){STR("a.md"), 10, 3}), "late %d", 10);
	diag_error(&d, ((struct pos){STR("a.md"), 9, 3}), "early");
	diag_error(&d, ((struct pos){STR("a.md"), 9, 3}), "early");
	diag_add(&d, DIAG_NOTE, ((struct pos){STR("a.md"), 9, 2}), "a note");
	diag_error(&d, ((struct pos){STR("a.md"), 0, 0}), "the file");
	diag_error(&d, ((struct pos){0}), "anywhere");
	assert_int_equal(d.errors, 5);
	assert_int_equal(d.warnings, 1);
	assert_string_equal(printed(&a, &d), "error: anywhere\n"
					     "a.md: error: the file\n"
					     "a.md:9:2: note: a note\n"
					     "a.md:9:3: error: early\n"
					     "a.md:10:3: warning: late 10\n"
					     "b.md:2:1: error: second\n");
	(void)state;
}

static void nothing_prints_nothing(void **state)
{
	struct arena a = arena_over(mem, sizeof mem);
	struct diag d = diag_new(&a);

	assert_string_equal(printed(&a, &d), "");
	(void)state;
}

/* What a terminal would obey, or show in another order, is spelled out; other text is as it is. */
static void control_characters_are_spelled(void **state)
{
	struct arena a = arena_over(mem, sizeof mem);
	struct diag d = diag_new(&a);

	diag_error(&d, ((struct pos){STR("a\nb"), 1, 1}), "%s",
		"\x1b[31m \xc2\x9b \xe2\x80\xae \xe2\x81\xa6 \xff\xc0\xaf \xe2\x82 \xc2\xb5s \xe8\xb0\x83 \xf0\x9f\x9a\x80");
	assert_string_equal(printed(&a, &d),
		"a\\x0Ab:1:1: error: \\x1B[31m \\xC2\\x9B \\xE2\\x80\\xAE \\xE2\\x81\\xA6 \\xFF\\xC0\\xAF \\xE2\\x82 "
		"\xc2\xb5s \xe8\xb0\x83 \xf0\x9f\x9a\x80\n");
	(void)state;
}

static void long_texts_are_whole(void **state)
{
	struct arena a = arena_over(mem, sizeof mem);
	struct diag d = diag_new(&a);

	diag_error(&d, ((struct pos){0}), "%01000d", 7);
	assert_int_equal(d.items->text.len, 1000);
	(void)state;
}

static void places_of_offsets(void **state)
{
	static const struct {
		const char *text;
		int offset, line, col;
	} cases[] = {
		{"abc", 0, 1, 1},
		{"abc", 2, 1, 3},
		{"abc", 3, 1, 4},
		{"abc", 99, 1, 100},
		{"a\nb", 1, 1, 2},
		{"a\nb", 2, 2, 1},
		{"a\r\nb", 3, 2, 1},
		{"a\rb", 2, 2, 1},
		{"a\r\rb", 3, 3, 1},
		{"\n\n\nx", 3, 4, 1},
		{"a\n\r\nb", 4, 3, 1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pos at = pos_at((struct pos){STR("f"), 1, 1}, str_of(cases[i].text), cases[i].offset);
		assert_int_equal(at.line, cases[i].line);
		assert_int_equal(at.col, cases[i].col);
	}
	/* Within a text that begins in the middle of a file. */
	struct pos at = pos_at((struct pos){STR("f"), 7, 5}, STR("ab\ncd"), 1);
	assert_true(at.line == 7 && at.col == 6);
	at = pos_at((struct pos){STR("f"), 7, 5}, STR("ab\ncd"), 4);
	assert_true(at.line == 8 && at.col == 2);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_in_source_order_once),
		cmocka_unit_test(nothing_prints_nothing),
		cmocka_unit_test(control_characters_are_spelled),
		cmocka_unit_test(long_texts_are_whole),
		cmocka_unit_test(places_of_offsets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
