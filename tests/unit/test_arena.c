#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"

static jmp_buf full_jump;
static ptrdiff_t full_wanted;

static void jump_when_full(ptrdiff_t wanted_bytes)
{
	full_wanted = wanted_bytes;
	longjmp(full_jump, 1);
}

static void gives_zeroed_aligned_memory(void **state)
{
	_Alignas(64) unsigned char mem[512];
	memset(mem, 0xa5, sizeof mem);
	struct arena a = arena_over(mem + 1, sizeof mem - 1);

	for (ptrdiff_t align = 1; align <= 64; align *= 2) {
		unsigned char *p = arena_alloc(&a, 3, align, 1);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % (uintptr_t)align, 0);
		assert_int_equal(p[0] | p[1] | p[2], 0);
		memset(p, 0xff, 3);
	}
	(void)state;
}

static void says_null_when_the_callers_memory_is_used_up(void **state)
{
	unsigned char mem[16];
	struct arena a = arena_over(mem, sizeof mem);

	assert_non_null(arena_alloc(&a, 1, 1, 16));
	assert_null(arena_alloc(&a, 1, 1, 1));
	assert_non_null(arena_alloc(&a, 1, 1, 0));
	(void)state;
}

static void refuses_negative_and_overflowing_counts(void **state)
{
	unsigned char mem[64];
	struct arena a = arena_over(mem, sizeof mem);

	assert_null(arena_alloc(&a, 8, 8, -1));
	assert_null(arena_alloc(&a, 8, 8, PTRDIFF_MAX / 4));
	assert_null(arena_alloc(&a, PTRDIFF_MAX, 1, 2));
	assert_non_null(arena_alloc(&a, 8, 8, 1));
	(void)state;
}

static void pads_no_further_than_its_end(void **state)
{
	_Alignas(64) unsigned char mem[65];
	struct arena a = arena_over(mem + 1, 2);

	assert_null(arena_alloc(&a, 1, 64, 1));
	assert_ptr_equal(a.at, mem + 1);
	(void)state;
}

static void calls_full_instead_when_there_is_one(void **state)
{
	unsigned char mem[8];
	struct arena a = arena_over(mem, sizeof mem);

	a.full = jump_when_full;
	if (!setjmp(full_jump)) {
		arena_alloc(&a, 4, 1, 3);
		fail_msg("came back from a full arena");
	}
	assert_int_equal(full_wanted, 12);
	if (!setjmp(full_jump)) {
		arena_alloc(&a, 4, 1, -1);
		fail_msg("came back from a negative count");
	}
	assert_int_equal(full_wanted, PTRDIFF_MAX);
	(void)state;
}

static void callee(struct arena scratch)
{
	memset(ARENA_NEW(&scratch, char, 100), 'x', 100);
}

static void a_copy_forgets_what_it_allocated(void **state)
{
	struct arena_block block;
	struct arena a = arena_new(&block, 1 << 20);
	unsigned char *before = a.at;

	callee(a);
	assert_ptr_equal(a.at, before);
	const char *p = ARENA_NEW(&a, char, 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(p[i], 0);
	arena_free(&block);
	assert_null(block.mem);
	arena_free(&block);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_zeroed_aligned_memory),
		cmocka_unit_test(says_null_when_the_callers_memory_is_used_up),
		cmocka_unit_test(refuses_negative_and_overflowing_counts),
		cmocka_unit_test(pads_no_further_than_its_end),
		cmocka_unit_test(calls_full_instead_when_there_is_one),
		cmocka_unit_test(a_copy_forgets_what_it_allocated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
