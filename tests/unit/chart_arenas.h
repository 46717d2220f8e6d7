/* The two arenas that charts' tests share: one for what is drawn from, one for what is drawn. */
#ifndef RUNQ_TESTS_CHART_ARENAS_H
#define RUNQ_TESTS_CHART_ARENAS_H

#include "base/arena.h"

static struct arena_block block, out_block;
static struct arena arena, out_arena;

static inline int arenas_setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 512 << 20);
	out_arena = arena_new(&out_block, 64 << 20);
	return 0;
}

static inline int arenas_teardown(void **state)
{
	(void)state;
	arena_free(&block);
	arena_free(&out_block);
	return 0;
}

#endif
