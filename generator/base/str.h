/* Slices: bytes with a length, not terminated, not owned. Freestanding. Copies live in the arena passed. */
#ifndef RUNQ_BASE_STR_H
#define RUNQ_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct str {
	const char *ptr;
	ptrdiff_t len;
};

#define STR(literal) ((struct str){("" literal), (ptrdiff_t)sizeof(literal) - 1})
/* For printf's "%.*s": lengths beyond INT_MAX are cut. */
#define STR_FMT(s) ((s).len > 0x7fffffff ? 0x7fffffff : (int)(s).len), ((s).ptr ? (s).ptr : "")

struct str str_of(const char *z);	/* a slice of a terminated string; NULL gives the empty slice */
struct str str_slice(struct str s, ptrdiff_t from, ptrdiff_t to);	/* clamped to the slice */
struct str str_from(struct str s, ptrdiff_t from);
struct str str_trim(struct str s);	/* without spaces, tabs, CR and LF at both ends */
struct str str_copy(struct arena *a, struct str s);
const char *str_z(struct arena *a, struct str s);	/* terminated copy, for the OS border */

bool str_eq(struct str a, struct str b);
int str_cmp(struct str a, struct str b);	/* bytewise: <0, 0, >0 */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
ptrdiff_t str_find(struct str s, struct str what);	/* offset, or -1 */
ptrdiff_t str_find_char(struct str s, char c);
uint64_t str_hash(struct str s);	/* FNV-1a, 64 bit */

/* The part before `sep`; *rest becomes what follows it (empty, with ptr NULL, when sep was not found). */
struct str str_cut(struct str s, char sep, struct str *rest);
/* The next line without its end (LF, CRLF or CR); *rest becomes what follows. */
struct str str_line(struct str s, struct str *rest);

/* Decimal integer, whole slice, optional minus; false when it is none or does not fit. */
bool str_int(struct str s, int64_t *out);

/* Levenshtein distance for "did you mean", capped at 99; the nearest of n names within a third of its length (at least 1), or empty. */
struct str str_nearest(struct str s, const struct str *names, ptrdiff_t n);

#endif
