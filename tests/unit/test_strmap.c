#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/strmap.h"

static void finds_what_was_put_and_nothing_else(void **state)
{
	enum { NAMES = 3000 };
	struct arena_block block;
	struct arena a = arena_new(&block, 1 << 24);
	struct str_map m = {0};

	assert_int_equal(str_map_get(&m, STR("0")), -1);
	for (int i = 0; i < NAMES; i++)
		assert_true(str_map_put(&m, &a, str_printf(&a, "%d", i), i));
	for (int i = 0; i < NAMES; i++)
		assert_int_equal(str_map_get(&m, str_printf(&a, "%d", i)), i);
	assert_int_equal(str_map_get(&m, STR("3000")), -1);
	assert_int_equal(str_map_get(&m, STR("00")), -1);
	assert_int_equal(m.n, NAMES);
	arena_free(&block);
	(void)state;
}

static void the_first_value_stays(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, 1 << 16);
	struct str_map m = {0};

	assert_true(str_map_put(&m, &a, STR("a"), 1));
	assert_false(str_map_put(&m, &a, STR("a"), 2));
	assert_int_equal(str_map_get(&m, STR("a")), 1);
	assert_int_equal(m.n, 1);
	arena_free(&block);
	(void)state;
}

static void the_empty_name_is_a_name(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, 1 << 16);
	struct str_map m = {0};

	assert_true(str_map_put(&m, &a, (struct str){0}, 7));
	assert_false(str_map_put(&m, &a, STR(""), 8));
	assert_int_equal(str_map_get(&m, STR("")), 7);
	arena_free(&block);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_put_and_nothing_else),
		cmocka_unit_test(the_first_value_stays),
		cmocka_unit_test(the_empty_name_is_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
