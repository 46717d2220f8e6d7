/* Arenas. Results live in the arena you pass; nothing is freed singly.
 *
 * Pass `struct arena *perm` for results and `struct arena scratch` by value for temporaries: a callee's copy forgets
 * what it allocated on every return path. Memory comes zeroed. Freestanding, but for arena_new and arena_free. */
#ifndef RUNQ_BASE_ARENA_H
#define RUNQ_BASE_ARENA_H

#include <stddef.h>

/* `full` is called when a request does not fit and must not return; NULL (memory of the caller's) makes
 * arena_alloc return NULL instead. */
struct arena {
	unsigned char *at, *end;
	void (*full)(ptrdiff_t wanted_bytes);
};

/* An arena over `len` bytes of the caller's memory; it reports exhaustion by returning NULL. */
struct arena arena_over(void *mem, ptrdiff_t len);

/* `count` zeroed objects of `size` bytes, aligned to `align` (a power of two). count < 0 or overflow counts as full. */
void *arena_alloc(struct arena *a, ptrdiff_t size, ptrdiff_t align, ptrdiff_t count);

#define ARENA_NEW(arena, type, count) ((type *)arena_alloc((arena), sizeof(type), _Alignof(type), (count)))

/* Room for one more in an array of `n` items that has room for `cap`: the array itself, or a copy with doubled room. */
void *arena_grow(struct arena *a, void *items, ptrdiff_t n, ptrdiff_t *cap, ptrdiff_t size, ptrdiff_t align);

#define ARENA_GROW(arena, items, n, cap) \
	((items) = arena_grow((arena), (items), (n), &(cap), sizeof *(items), _Alignof(max_align_t)))

/* Reserves address space (pages are taken as they are touched). When it is used up the program says so and exits 3:
 * the one out-of-memory policy. */
struct arena_block {
	void *mem;
	ptrdiff_t len;
};
struct arena arena_new(struct arena_block *block, ptrdiff_t reserve_bytes);
void arena_free(struct arena_block *block);

#endif
