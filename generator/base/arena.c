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
