#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/format.h"

/* '_' stands for the no-break space, '~' for the narrow one, '-' for minus. */
static const char *plain(struct arena *a, struct str s)
{
	struct buf b = buf_new(a);

	while (s.len) {
		if (str_starts(s, STR(FORMAT_NBSP)))
			buf_char(&b, '_'), s = str_from(s, 2);
		else if (str_starts(s, STR(FORMAT_THIN)))
			buf_char(&b, '~'), s = str_from(s, 3);
		else if (str_starts(s, STR(FORMAT_MINUS)))
			buf_char(&b, '-'), s = str_from(s, 3);
		else
			buf_char(&b, s.ptr[0]), s = str_from(s, 1);
	}
	return str_z(a, buf_str(&b));
}

static void numbers(void **state)
{
	static const struct {
		double v;
		int digits;
		const char *want;
	} cases[] = {
		{2, 3, "2.00"},
		{12734, 3, "12~700"},
		{12734, 0, "12~734"},
		{1024, 0, "1024"},
		{1024, 3, "1020"},
		{0.5, 0, "0.500"},
		{999.6, 3, "1000"},
		{99.96, 3, "100"},
		{9.996, 3, "10.0"},
		{0, 3, "0"},
		{-0.0, 3, "0"},
		{-3.14159, 3, "-3.14"},
		{1234567, 0, "1~234~567"},
		{9999, 0, "9999"},
		{10000, 0, "10~000"},
		{5.9, 2, "5.9"},
		{0.00123, 3, "0.00123"},
		{1.5e-12, 3, "1.50_×_10^-12"},
		{1e300, 3, "1.00_×_10^300"},
		{127, 20, "127.000000000000"},
		{(double)INFINITY, 3, "∞"},
		{-(double)INFINITY, 3, "-∞"},
		{(double)NAN, 3, "–"},
	};
	struct arena *a = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(plain(a, format_num(a, cases[i].v, cases[i].digits)), cases[i].want);
	assert_string_equal(plain(a, format_fixed(a, -0.004, 2)), "0.00");
	assert_string_equal(plain(a, format_fixed(a, 49.926, 2)), "49.93");
	assert_string_equal(plain(a, format_fixed(a, -12345.67, 1)), "-12~345.7");
	assert_string_equal(plain(a, format_fixed(a, (double)NAN, 1)), "–");
}

static void units(void **state)
{
	static const struct {
		double v;
		const char *unit, *want;
	} cases[] = {
		{127000, "ns", "127_µs"},
		{15800, "ns", "15.8_µs"},
		{999.6, "ns", "1.00_µs"},
		{999.4, "ns", "999_ns"},
		{4e6, "ns", "4.00_ms"},
		{272e6, "ns", "272_ms"},
		{5e9, "ns", "5.00_s"},
		{0, "ns", "0_ns"},
		{-1500, "ns", "-1.50_µs"},
		{4, "ms", "4.00_ms"},
		{4000, "ms", "4.00_s"},
		{0.25, "fraction", "25.0_%"},
		{1, "fraction", "100_%"},
		{0.753, "ppm", "75.3_%"},
		{2, "milli", "2.00"},
		{4096, "bytes", "4.00_KiB"},
		{48, "bytes", "48_bytes"},
		{5.9, "ratio", "5.90_×"},
		{5001, "count", "5001"},
		{50012, "count", "50~012"},
		{50012, "turns", "50~012_turns"},
		{2.5, "turns", "2.50_turns"},
		{2.4e9, "Hz", "2.40_GHz"},
		{7, "", "7"},
		{(double)NAN, "ns", "–_ns"},
	};
	struct arena *a = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(plain(a, format_si(a, cases[i].v, str_of(cases[i].unit))), cases[i].want);
	assert_string_equal(plain(a, format_unit(a, 15800, STR("ns"), 1, STR("ns"))), "15~800_ns");
	assert_string_equal(plain(a, format_unit(a, 127000, STR("ns"), 1000, STR("µs"))), "127_µs");
	assert_string_equal(plain(a, format_unit(a, 12, STR("count"), 1, STR(""))), "12");
}

static void scales(void **state)
{
	struct arena *a = *state;
	struct format_scale s = format_scale_of(272e6, STR("ns"));

	assert_true(s.divisor == 1e6);
	assert_string_equal(str_z(a, s.shown), "ms");
	s = format_scale_of(0.9, STR("fraction"));
	assert_string_equal(str_z(a, s.shown), "%");
	assert_true(s.divisor == 0.01);
	s = format_scale_of(3e6, STR("count"));
	assert_true(s.divisor == 1e6);
	assert_string_equal(str_z(a, s.shown), "million");
	assert_int_equal(format_scale_of(9999, STR("")).shown.len, 0);
}

static struct arena_block block;

static int setup(void **state)
{
	static struct arena arena;

	arena = arena_new(&block, 16 << 20);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(units),
		cmocka_unit_test(scales),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
