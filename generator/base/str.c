#include "base/str.h"

#include <string.h>

struct str str_of(const char *z)
{
	struct str s = {z, 0};

	while (z && z[s.len])
		s.len++;
	return s;
}

struct str str_slice(struct str s, ptrdiff_t from, ptrdiff_t to)
{
	from = from < 0 ? 0 : from > s.len ? s.len : from;
	to = to < from ? from : to > s.len ? s.len : to;
	return (struct str){s.ptr ? s.ptr + from : NULL, to - from};
}

struct str str_from(struct str s, ptrdiff_t from)
{
	return str_slice(s, from, s.len);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct str str_trim(struct str s)
{
	while (s.len && is_blank(s.ptr[0]))
		s = str_from(s, 1);
	while (s.len && is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

struct str str_copy(struct arena *a, struct str s)
{
	char *p = ARENA_NEW(a, char, s.len);

	if (!p)
		return (struct str){0};
	if (s.len)
		memcpy(p, s.ptr, (size_t)s.len);
	return (struct str){p, s.len};
}

const char *str_z(struct arena *a, struct str s)
{
	char *p = ARENA_NEW(a, char, s.len + 1);

	if (p && s.len)
		memcpy(p, s.ptr, (size_t)s.len);
	return p;
}

bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, (size_t)a.len) == 0);
}

int str_cmp(struct str a, struct str b)
{
	ptrdiff_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.ptr, b.ptr, (size_t)n) : 0;

	return c ? c : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(struct str s, struct str prefix)
{
	return s.len >= prefix.len && str_eq(str_slice(s, 0, prefix.len), prefix);
}

bool str_ends(struct str s, struct str suffix)
{
	return s.len >= suffix.len && str_eq(str_from(s, s.len - suffix.len), suffix);
}

ptrdiff_t str_find(struct str s, struct str what)
{
	for (ptrdiff_t i = 0; i + what.len <= s.len; i++)
		if (str_eq((struct str){s.ptr + i, what.len}, what))
			return i;
	return -1;
}

ptrdiff_t str_find_char(struct str s, char c)
{
	for (ptrdiff_t i = 0; i < s.len; i++)
		if (s.ptr[i] == c)
			return i;
	return -1;
}

uint64_t str_hash(struct str s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (ptrdiff_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.ptr[i]) * 0x100000001b3u;
	return h;
}

struct str str_cut(struct str s, char sep, struct str *rest)
{
	ptrdiff_t at = str_find_char(s, sep);

	if (at < 0) {
		*rest = (struct str){0};
		return s;
	}
	*rest = str_from(s, at + 1);
	return str_slice(s, 0, at);
}

struct str str_line(struct str s, struct str *rest)
{
	ptrdiff_t n = 0;

	while (n < s.len && s.ptr[n] != '\n' && s.ptr[n] != '\r')
		n++;
	ptrdiff_t next = n + (n < s.len);
	if (next < s.len && s.ptr[n] == '\r' && s.ptr[next] == '\n')
		next++;
	*rest = str_from(s, next);
	return str_slice(s, 0, n);
}

bool str_int(struct str s, int64_t *out)
{
	bool minus = s.len && s.ptr[0] == '-';
	uint64_t limit = (uint64_t)INT64_MAX + minus, v = 0;

	s = str_from(s, minus);
	if (!s.len)
		return false;
	for (ptrdiff_t i = 0; i < s.len; i++) {
		unsigned digit = (unsigned)(unsigned char)s.ptr[i] - '0';
		if (digit > 9 || v > (limit - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*out = minus ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

static int distance(struct str a, struct str b)
{
	enum { MAX = 64 };
	int row[MAX + 1] = {0};

	if (a.len > MAX || b.len > MAX)
		return 99;
	for (int j = 0; j <= b.len; j++)
		row[j] = j;
	for (int i = 1; i <= a.len; i++) {
		int diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= b.len; j++) {
			int swap = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
			int gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			diagonal = row[j];
			row[j] = swap < gap ? swap : gap;
		}
	}
	return row[b.len];
}

struct str str_nearest(struct str s, const struct str *names, ptrdiff_t n)
{
	struct str best = {0};
	int best_distance = 99;

	for (ptrdiff_t i = 0; i < n; i++) {
		int d = distance(s, names[i]);
		int near = (int)(names[i].len / 3 > 1 ? names[i].len / 3 : 1);
		if (d <= near && d < best_distance) {
			best = names[i];
			best_distance = d;
		}
	}
	return best;
}
