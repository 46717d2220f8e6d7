#include "base/arena.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void die_full(ptrdiff_t wanted_bytes)
{
	fprintf(stderr, "runq: out of memory: %td more bytes wanted; free some memory or use smaller input\n", wanted_bytes);
	exit(3);
}

struct arena arena_new(struct arena_block *block, ptrdiff_t reserve_bytes)
{
	void *mem = mmap(NULL, (size_t)reserve_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (mem == MAP_FAILED) {
		fprintf(stderr, "runq: cannot reserve %td bytes: %s; raise the memory limit (ulimit -v)\n", reserve_bytes,
			strerror(errno));
		exit(3);
	}
	*block = (struct arena_block){mem, reserve_bytes};
	struct arena a = arena_over(mem, reserve_bytes);
	a.full = die_full;
	return a;
}

void arena_free(struct arena_block *block)
{
	if (block->mem)
		munmap(block->mem, (size_t)block->len);
	*block = (struct arena_block){0};
}
