#include "base/arena.h"

#include <stdint.h>
#include <string.h>

struct arena arena_over(void *mem, ptrdiff_t len)
{
	return (struct arena){.at = mem, .end = (unsigned char *)mem + len};
}

void *arena_alloc(struct arena *a, ptrdiff_t size, ptrdiff_t align, ptrdiff_t count)
{
	ptrdiff_t pad = (ptrdiff_t)(-(uintptr_t)a->at & (uintptr_t)(align - 1));
	ptrdiff_t room = a->end - a->at - pad;

	if (count < 0 || room < 0 || count > room / size) {
		if (a->full)
			a->full(count < 0 || count > PTRDIFF_MAX / size ? PTRDIFF_MAX : count * size);
		return NULL;
	}
	void *p = a->at + pad;
	a->at += pad + count * size;
	return count ? memset(p, 0, (size_t)(count * size)) : p;
}

void *arena_grow(struct arena *a, void *items, ptrdiff_t n, ptrdiff_t *cap, ptrdiff_t size, ptrdiff_t align)
{
	if (n < *cap)
		return items;
	ptrdiff_t room = *cap ? *cap * 2 : 16;
	void *more = arena_alloc(a, size, align, room);
	if (more && n)
		memcpy(more, items, (size_t)(n * size));
	*cap = more ? room : *cap;
	return more;
}
