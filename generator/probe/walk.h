/* Walks over memory in an order that no prefetcher guesses: a cycle of nodes, one to a cache line (or one to a page), each
 * naming the next. The memory is the caller's. */
#ifndef RUNQ_PROBE_WALK_H
#define RUNQ_PROBE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WALK_LINE = 64 };

enum walk_kind {
	WALK_0,
	WALK_16K,
	WALK_64K,
	WALK_HALF_L2,
	WALK_L2,
	WALK_2_L2,
	WALK_HALF_LLC,
	WALK_64_PAGES, /* one line in each: the same bytes as 4 KiB, many more translations */
	WALK_512_PAGES,
};

struct walk_size {
	int64_t nodes, stride;
};

struct walk_node {
	struct walk_node *next;
	uint64_t visits;
	unsigned char rest[WALK_LINE - sizeof(void *) - sizeof(uint64_t)];
};

/* By the caches of this CPU; false if the kernel does not tell them. */
bool walk_size_of(enum walk_kind kind, int cpu, struct walk_size *size);
size_t walk_bytes(struct walk_size size); /* whole pages; 0 for no nodes */
/* One random cycle through all nodes; `seed` decides it. NULL for no nodes. `at` begins a page or a line. */
struct walk_node *walk_build(char *at, struct walk_size size, uint64_t seed);
void walk(const struct walk_node *first); /* once around; NULL does nothing */
void walk_dirty(struct walk_node *first); /* once around, writing to each node */

#endif
