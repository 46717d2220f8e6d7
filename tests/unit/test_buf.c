#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"

#define assert_buf(b, z) assert_true(str_eq(buf_str(b), str_of(z)))

static void grows_in_place_and_elsewhere(void **state)
{
	static unsigned char mem[4096];
	struct arena a = arena_over(mem, sizeof mem);
	struct buf one = buf_new(&a), other = buf_new(&a);

	for (int i = 0; i < 300; i++) {
		buf_char(&one, (char)('a' + i % 26));
		if (i % 100 == 0)
			buf_add(&other, STR("-"));
	}
	assert_int_equal(one.len, 300);
	for (int i = 0; i < 300; i++)
		assert_int_equal(one.ptr[i], 'a' + i % 26);
	assert_buf(&other, "---");
	assert_false(one.full);
	(void)state;
}

static void stops_when_full(void **state)
{
	unsigned char mem[200];
	struct arena a = arena_over(mem, sizeof mem);
	struct buf b = buf_new(&a);

	for (int i = 0; i < 1000; i++)
		buf_char(&b, 'x');
	assert_true(b.full);
	ptrdiff_t len = b.len;
	assert_true(len >= 128 && len <= 200);
	buf_add(&b, STR("more"));
	assert_int_equal(b.len, len);
	(void)state;
}

static void adding_nothing_is_fine(void **state)
{
	struct arena none = {0};
	struct buf b = buf_new(&none);

	buf_add(&b, (struct str){0});
	assert_false(b.full);
	assert_int_equal(buf_str(&b).len, 0);
	(void)state;
}

static void writes_integers(void **state)
{
	static unsigned char mem[1024];
	struct arena a = arena_over(mem, sizeof mem);
	struct buf b = buf_new(&a);
	static const int64_t values[] = {0, 7, -7, 10, INT64_MAX, INT64_MIN};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		buf_i64(&b, values[i]);
		buf_char(&b, ' ');
	}
	assert_buf(&b, "0 7 -7 10 9223372036854775807 -9223372036854775808 ");
	(void)state;
}

static void prints_short_and_long(void **state)
{
	static unsigned char mem[8192];
	struct arena a = arena_over(mem, sizeof mem);
	struct buf b = buf_new(&a);

	buf_printf(&b, "%d-%s", 12, "x");
	assert_buf(&b, "12-x");
	struct str wide = str_printf(&a, "%0300d", 5);
	assert_int_equal(wide.len, 300);
	assert_int_equal(wide.ptr[299], '5');
	assert_int_equal(str_printf(&a, "%0255d", 5).len, 255);
	assert_int_equal(str_printf(&a, "%0256d", 5).len, 256);
	(void)state;
}

static void prints_until_full(void **state)
{
	unsigned char mem[300];
	struct arena a = arena_over(mem, sizeof mem);
	struct buf b = buf_new(&a);

	buf_printf(&b, "%0400d", 5);
	assert_true(b.full);
	assert_int_equal(b.len, 0);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_in_place_and_elsewhere),
		cmocka_unit_test(stops_when_full),
		cmocka_unit_test(adding_nothing_is_fine),
		cmocka_unit_test(writes_integers),
		cmocka_unit_test(prints_short_and_long),
		cmocka_unit_test(prints_until_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
