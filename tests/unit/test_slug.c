/* Anchors: what is dropped, kept, lowered, composed, and how equal ones are told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "text/slug.h"

static struct arena_block block;
static struct slug_table table;
static struct arena arena;

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 1 << 28);
	table = (struct slug_table){.arena = &arena};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

static void assert_slug(const char *text, const char *want)
{
	struct str got = slug_make(&table, str_of(text));

	if (!str_eq(got, str_of(want)))
		fail_msg("\"%s\": got \"%.*s\", want \"%s\"", text, STR_FMT(got), want);
}

static void test_letters(void **state)
{
	(void)state;
	assert_slug("Nice", "nice");
	assert_slug("  What is a `timeslice`?  ", "what-is-a-timeslice");
	assert_slug("snake_case and kebab-case", "snake_case-and-kebab-case");
	assert_slug("a & b", "a--b");
	assert_slug("\xe8\xb0\x83\xe5\xba\xa6 \xf0\x9f\x9a\x80", "\xe8\xb0\x83\xe5\xba\xa6-");
	assert_slug("\xc3\x85ngstr\xc3\x96m", "\xc3\xa5ngstr\xc3\xb6m");
	assert_slug("\xd0\x9f\xd0\xa0\xd0\x98 \xce\x91\xce\xa9", "\xd0\xbf\xd1\x80\xd0\xb8-\xce\xb1\xcf\x89");
	assert_slug("\xc5\xb9\xc4\xbd\xc5\x81", "\xc5\xba\xc4\xbe\xc5\x82");
	assert_slug("\xe2\x80\x9cx\xe2\x80\x9d\xe2\x80\xa6\xc2\xab\xc3\x97\xc2\xbb", "x");
	assert_slug("a\xc2\xa0z", "a-z");
}

static void test_composed(void **state)
{
	(void)state;
	assert_slug("cafe\xcc\x81", "caf\xc3\xa9");
	assert_slug("Caf\xc3\xa9", "caf\xc3\xa9-1");
	assert_slug("A\xcc\x8a", "\xc3\xa5");
	assert_slug("q\xcc\x81", "q\xcc\x81");
}

static void test_unique(void **state)
{
	(void)state;
	assert_slug("Setup", "setup");
	assert_slug("Setup", "setup-1");
	assert_slug("Setup 1", "setup-1-1");
	assert_slug("Setup", "setup-2");
	assert_slug("", "section");
	assert_slug("!?", "section-1");
	assert_true(slug_take(&table, STR("mine")));
	assert_false(slug_take(&table, STR("mine")));
	assert_false(slug_take(&table, STR("")));
	assert_slug("Mine", "mine-1");
	assert_true(slug_take(&table, STR("gap")));
	assert_true(slug_take(&table, STR("gap-2")));
	assert_slug("gap", "gap-1");
	assert_slug("gap", "gap-3");
}

static void test_many(void **state)
{
	(void)state;
	enum { MANY = 50000 };

	for (int i = 0; i < MANY; i++)
		slug_make(&table, STR("Same"));
	assert_int_equal(table.taken.n, MANY);
	struct str last = str_printf(&arena, "same-%d", MANY - 1);
	assert_false(slug_take(&table, last));
	assert_true(slug_take(&table, str_printf(&arena, "same-%d", MANY)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_letters), TEST(test_composed), TEST(test_unique), TEST(test_many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
