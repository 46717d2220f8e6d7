#include "base/buf.h"

#include <stdio.h>

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	char small[256];
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(small, sizeof small, fmt, ap);
	if (n >= 0 && n < (int)sizeof small) {
		buf_add(b, (struct str){small, n});
	} else if (n >= 0) {
		char *p = ARENA_NEW(b->arena, char, n + 1);
		if (p) {
			vsnprintf(p, (size_t)n + 1, fmt, again);
			buf_add(b, (struct str){p, n});
		} else {
			b->full = true;
		}
	}
	va_end(again);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

struct str str_printf(struct arena *a, const char *fmt, ...)
{
	struct buf b = buf_new(a);
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	return buf_str(&b);
}
