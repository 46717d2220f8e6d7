#include "probe/walk.h"

#include <stdio.h>

#include "model/run.h"
#include "probe/sys.h"

_Static_assert(sizeof(struct walk_node) == WALK_LINE, "a node fills its line");

enum { PAGE = 4096, CACHES_MAX = 8 };

static int64_t bytes_of(struct str text)
{
	int64_t n = sys_number(text);

	if (n == RUN_NULL || !text.len)
		return RUN_NULL;
	return text.ptr[text.len - 1] == 'M' ? n << 20 : text.ptr[text.len - 1] == 'K' ? n << 10 : n;
}

/* The size of the data cache of that level; level 0: the largest, the last. Negative if unknown. */
static int64_t cache_bytes(int cpu, int level)
{
	struct arena_block block;
	struct arena a = arena_new(&block, SYS_SCRATCH);
	int64_t found = -2;
	char path[96];

	for (int i = 0; i < CACHES_MAX; i++) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/type", cpu, i);
		struct str type = sys_text(&a, path);
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, i);
		int64_t of = sys_int(path);
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/size", cpu, i);
		int64_t bytes = bytes_of(sys_text(&a, path));
		bool data = str_eq(type, STR("Unified")) || str_eq(type, STR("Data"));
		if (data && bytes > found && (level == 0 || of == level))
			found = bytes;
	}
	arena_free(&block);
	return found;
}

bool walk_size_of(enum walk_kind kind, int cpu, struct walk_size *size)
{
	int64_t bytes = 0;

	*size = (struct walk_size){.stride = WALK_LINE};
	switch (kind) {
	case WALK_0: break;
	case WALK_16K: bytes = 16 << 10; break;
	case WALK_64K: bytes = 64 << 10; break;
	case WALK_HALF_L2: bytes = cache_bytes(cpu, 2) / 2; break;
	case WALK_L2: bytes = cache_bytes(cpu, 2); break;
	case WALK_2_L2: bytes = cache_bytes(cpu, 2) * 2; break;
	case WALK_HALF_LLC: bytes = cache_bytes(cpu, 0) / 2; break;
	case WALK_64_PAGES: *size = (struct walk_size){64, PAGE}; return true;
	case WALK_512_PAGES: *size = (struct walk_size){512, PAGE}; return true;
	}
	size->nodes = bytes / WALK_LINE;
	return bytes >= 0;
}

size_t walk_bytes(struct walk_size size)
{
	return (size_t)((size.nodes * size.stride + PAGE - 1) / PAGE * PAGE);
}

/* With one node to a page, the node's line in it varies: else all would meet in the same sets of the cache. */
static struct walk_node *node_at(char *at, struct walk_size size, int64_t i)
{
	int64_t line = size.stride > WALK_LINE ? i % (size.stride / WALK_LINE) : 0;

	return (struct walk_node *)(void *)(at + i * size.stride + line * WALK_LINE);
}

static uint64_t random_below(uint64_t *state, int64_t below)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return (*state >> 33) % (uint64_t)below;
}

struct walk_node *walk_build(char *at, struct walk_size size, uint64_t seed)
{
	if (size.nodes == 0)
		return NULL;
	for (int64_t i = 0; i < size.nodes; i++)
		*node_at(at, size, i) = (struct walk_node){.next = node_at(at, size, i)};
	/* Sattolo: swapping each with an earlier one, never itself, makes one cycle of all. */
	for (int64_t i = size.nodes - 1; i > 0; i--) {
		struct walk_node *a = node_at(at, size, i), *b = node_at(at, size, (int64_t)random_below(&seed, i));
		struct walk_node *next = a->next;
		a->next = b->next;
		b->next = next;
	}
	return node_at(at, size, 0);
}

void walk(const struct walk_node *first)
{
	const struct walk_node *at = first;

	if (!first)
		return;
	do {
		at = at->next;
		__asm__ volatile("" : "+r"(at));
	} while (at != first);
}

void walk_dirty(struct walk_node *first)
{
	struct walk_node *at = first;

	if (!first)
		return;
	do {
		at->visits++;
		at = at->next;
		__asm__ volatile("" : "+r"(at));
	} while (at != first);
}
