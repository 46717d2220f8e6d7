/* Growing text in an arena. Invariants: ptr is never NULL when len > 0; bytes are only appended; a buffer on an
 * arena over the caller's memory sets `full` and stops growing when that is used up. Freestanding, but for
 * buf_printf. The text lives as long as the arena. */
#ifndef RUNQ_BASE_BUF_H
#define RUNQ_BASE_BUF_H

#include <stdarg.h>

#include "base/str.h"

struct buf {
	struct arena *arena;
	char *ptr;
	ptrdiff_t len, cap;
	bool full;
};

struct buf buf_new(struct arena *a);
void buf_add(struct buf *b, struct str s);
void buf_char(struct buf *b, char c);
void buf_i64(struct buf *b, int64_t v);	/* decimal */
struct str buf_str(const struct buf *b);

void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
struct str str_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
