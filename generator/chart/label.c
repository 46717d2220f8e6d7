#include "chart/label.h"

#include "base/buf.h"
#include "model/series.h"

/* Zero-width characters take no room but pile up; a line holds no more than this many code points. */
enum { LINE_CHARS_MAX = 160 };

#define ELLIPSIS "\xe2\x80\xa6"

double label_width(struct str s, double font_px)
{
	int64_t sum = 0;

	while (s.len)
		sum += label_char_width(series_next_char(&s));
	return (double)sum * font_px / 2048;
}

/* Bytes of `s` that fit, whole characters only. */
static ptrdiff_t fitting(struct str s, double font_px, double max_px)
{
	double limit = max_px * 2048 / font_px, sum = 0;
	struct str rest = s;

	for (int i = 0; rest.len && i < LINE_CHARS_MAX; i++) {
		struct str before = rest;
		sum += label_char_width(series_next_char(&rest));
		if (sum > limit)
			return before.ptr - s.ptr;
	}
	return rest.len ? rest.ptr - s.ptr : s.len;
}

static struct str cut_line(struct arena *a, struct str s, double font_px, double max_px)
{
	ptrdiff_t n = fitting(s, font_px, max_px - label_width(STR(ELLIPSIS), font_px));
	struct buf b = buf_new(a);

	buf_add(&b, str_trim(str_slice(s, 0, n)));
	buf_add(&b, STR(ELLIPSIS));
	return buf_str(&b);
}

/* Where to break a text of which `n` bytes fit: after the last space among them, or after `n` within a long word. */
static ptrdiff_t break_at(struct str s, ptrdiff_t n)
{
	for (ptrdiff_t i = n; i > 0; i--)
		if (s.ptr[i] == ' ')
			return i;
	return n;
}

struct label label_wrap(struct arena *a, struct str s, double font_px, double max_px, int lines)
{
	struct label l = {0};

	lines = lines > LABEL_LINES_MAX ? LABEL_LINES_MAX : lines;
	s = str_trim(s);
	while (l.n < lines) {
		ptrdiff_t n = fitting(s, font_px, max_px);
		if (n == s.len) {
			l.line[l.n++] = s;
			return l;
		}
		if (l.n == lines - 1 || n == 0) {
			l.line[l.n++] = cut_line(a, s, font_px, max_px);
			l.cut = true;
			return l;
		}
		n = break_at(s, n);
		l.line[l.n++] = str_trim(str_slice(s, 0, n));
		s = str_trim(str_from(s, n));
	}
	return l;
}

struct str label_short(struct arena *a, struct str s)
{
	return label_wrap(a, s, 2, 80, 1).line[0];
}
