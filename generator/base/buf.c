#include "base/buf.h"

#include <string.h>

struct buf buf_new(struct arena *a)
{
	return (struct buf){.arena = a};
}

/* Doubles the room; in place when the text is the arena's last object. */
static bool grow(struct buf *b, ptrdiff_t need)
{
	ptrdiff_t cap = b->cap ? b->cap * 2 : 128;

	while (cap < need)
		cap *= 2;
	bool last = b->ptr && (unsigned char *)b->ptr + b->cap == b->arena->at;
	if (last && arena_alloc(b->arena, 1, 1, cap - b->cap)) {
		b->cap = cap;
		return true;
	}
	char *p = last ? NULL : ARENA_NEW(b->arena, char, cap);
	if (!p)
		return false;
	if (b->ptr)
		memcpy(p, b->ptr, (size_t)b->len);
	b->ptr = p;
	b->cap = cap;
	return true;
}

void buf_add(struct buf *b, struct str s)
{
	if (!s.len || b->full)
		return;
	if (b->len + s.len > b->cap && !grow(b, b->len + s.len)) {
		b->full = true;
		return;
	}
	memcpy(b->ptr + b->len, s.ptr, (size_t)s.len);
	b->len += s.len;
}

void buf_char(struct buf *b, char c)
{
	buf_add(b, (struct str){&c, 1});
}

void buf_i64(struct buf *b, int64_t v)
{
	char digits[20];
	ptrdiff_t n = sizeof digits;
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	do
		digits[--n] = (char)('0' + u % 10);
	while (u /= 10);
	if (v < 0)
		buf_char(b, '-');
	buf_add(b, (struct str){digits + n, (ptrdiff_t)sizeof digits - n});
}

struct str buf_str(const struct buf *b)
{
	return (struct str){b->ptr, b->len};
}
