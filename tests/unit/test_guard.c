/* The guard process: its record may lie in memory that the guard itself shares, and then only the opener may write it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "probe/guard.h"

/* A guard that wrote its own 0 over the number its opener had just stored made one run in ninety wait for ever. */
static void test_guard_in_shared_memory(void **state)
{
	FILE *file = tmpfile();
	struct guard *g;

	(void)state;
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), sizeof *g), 0);
	g = mmap(NULL, sizeof *g, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	assert_ptr_not_equal(g, MAP_FAILED);
	alarm(30);
	for (int i = 0; i < 50; i++) {
		assert_true(guard_open(g));
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
		assert_true(g->pid > 0);
		guard_close(g);
	}
	alarm(0);
	munmap(g, sizeof *g);
	assert_int_equal(fclose(file), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guard_in_shared_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
