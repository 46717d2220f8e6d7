/* Anchors from headings. Lower case and composition cover Latin, Greek and Cyrillic; other scripts have no case and
 * are kept as written. */
#include "text/slug.h"

#include "base/buf.h"

static uint32_t decode(struct str s, ptrdiff_t *at)
{
	unsigned char c = (unsigned char)s.ptr[(*at)++];
	int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
	uint32_t cp = more == 3 ? c & 7u : more == 2 ? c & 15u : more == 1 ? c & 31u : c;

	for (; more && *at < s.len; more--)
		cp = cp << 6 | ((unsigned char)s.ptr[(*at)++] & 63u);
	return cp;
}

static void encode(struct buf *b, uint32_t cp)
{
	if (cp < 0x80) {
		buf_char(b, (char)cp);
		return;
	}
	int more = cp < 0x800 ? 1 : cp < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
	buf_char(b, (char)(lead[more] | cp >> (6 * more)));
	while (more--)
		buf_char(b, (char)(0x80 | (cp >> (6 * more) & 63)));
}

static uint32_t lower(uint32_t c)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3a9) ||
		(c >= 0x410 && c <= 0x42f))
		return c + 32;
	if (c >= 0x400 && c <= 0x40f)
		return c + 80;
	/* Latin Extended-A: pairs, upper case even, but odd in two stretches. */
	if (c == 0x178)
		return 0xff;
	if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e))
		return c + (c & 1);
	if (c >= 0x100 && c <= 0x177 && c != 0x130 && c != 0x131 && c != 0x138)
		return c | 1;
	return c;
}

/* Letter, combining mark, composed letter: the lower-case pairs of Latin-1 and Latin Extended-A (Unicode NFC). */
static uint32_t compose(uint32_t base, uint32_t mark)
{
	static const struct {
		uint16_t mark;
		const char *bases;
		uint16_t composed[12];
	} marks[] = {
		{0x300, "aeiou", {0xe0, 0xe8, 0xec, 0xf2, 0xf9}},
		{0x301, "aeiouycnsz", {0xe1, 0xe9, 0xed, 0xf3, 0xfa, 0xfd, 0x107, 0x144, 0x15b, 0x17a}},
		{0x302, "aeioucghjswy",
			{0xe2, 0xea, 0xee, 0xf4, 0xfb, 0x109, 0x11d, 0x125, 0x135, 0x15d, 0x175, 0x177}},
		{0x303, "anoiu", {0xe3, 0xf1, 0xf5, 0x129, 0x169}},
		{0x304, "aeiou", {0x101, 0x113, 0x12b, 0x14d, 0x16b}},
		{0x306, "aegiou", {0x103, 0x115, 0x11f, 0x12d, 0x14f, 0x16d}},
		{0x308, "aeiouy", {0xe4, 0xeb, 0xef, 0xf6, 0xfc, 0xff}},
		{0x30a, "au", {0xe5, 0x16f}},
		{0x30b, "ou", {0x151, 0x171}},
		{0x30c, "cdenrstz", {0x10d, 0x10f, 0x11b, 0x148, 0x159, 0x161, 0x165, 0x17e}},
		{0x327, "cgklnrst", {0xe7, 0x123, 0x137, 0x13c, 0x146, 0x157, 0x15f, 0x163}},
		{0x328, "aeiu", {0x105, 0x119, 0x12f, 0x173}},
	};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		for (int k = 0; marks[i].mark == mark && marks[i].bases[k]; k++)
			if ((uint32_t)marks[i].bases[k] == base)
				return marks[i].composed[k];
	return 0;
}

static bool is_between(uint32_t c, uint32_t from, uint32_t to)
{
	return c >= from && c <= to;
}

/* Punctuation, symbols and invisible characters, by block. */
static bool is_dropped(uint32_t c)
{
	if (c < 0x80)
		return !is_between(c, 'a', 'z') && !is_between(c, '0', '9') && c != '-' && c != '_';
	if (c < 0x100)
		return c < 0xc0 ? c != 0xaa && c != 0xb5 && c != 0xba : c == 0xd7 || c == 0xf7;
	return is_between(c, 0x2000, 0x206f) || is_between(c, 0x20a0, 0x20cf) || is_between(c, 0x2190, 0x2bff) ||
	       is_between(c, 0x2e00, 0x2e7f) || is_between(c, 0x3000, 0x3004) || is_between(c, 0x3008, 0x3020) ||
	       is_between(c, 0xe000, 0xf8ff) || is_between(c, 0xfe00, 0xfe6f) || is_between(c, 0xff00, 0xff0f) ||
	       is_between(c, 0xff1a, 0xff20) || is_between(c, 0xfff0, 0xffff) || c >= 0x1f000;
}

static bool is_space(uint32_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == 0xa0 || is_between(c, 0x2000, 0x200a) || c == 0x202f ||
	       c == 0x3000;
}

static struct str base_slug(struct arena *a, struct str text)
{
	struct buf b = buf_new(a);
	uint32_t held = 0; /* a letter that a combining mark may yet change */

	text = str_trim(text);
	for (ptrdiff_t at = 0; at < text.len;) {
		uint32_t c = lower(decode(text, &at));
		uint32_t both = held ? compose(held, c) : 0;
		if (both) {
			held = both;
			continue;
		}
		if (held)
			encode(&b, held);
		held = is_space(c) ? '-' : is_dropped(c) ? 0 : c;
	}
	if (held)
		encode(&b, held);
	return b.len ? buf_str(&b) : STR("section");
}

bool slug_take(struct slug_table *t, struct str slug)
{
	return slug.len && str_map_put(&t->taken, t->arena, slug, 0);
}

static struct str numbered(struct arena *a, struct str base, int64_t n)
{
	struct buf b = buf_new(a);

	buf_add(&b, base);
	buf_char(&b, '-');
	buf_i64(&b, n);
	return buf_str(&b);
}

/* The first free suffix, found by galloping: suffixes are given in order, so that those in use are one stretch from 1, but
 * for gaps, which only cost a smaller number. */
static struct str with_suffix(struct slug_table *t, struct str base)
{
	int64_t low = 0, step = 1;

	for (;;) {
		struct arena scratch = *t->arena;
		if (str_map_get(&t->taken, numbered(&scratch, base, low + step)) >= 0) {
			low += step;
			step *= 2;
		} else if (step > 1) {
			step = 1;
		} else {
			return numbered(t->arena, base, low + step);
		}
	}
}

struct str slug_make(struct slug_table *t, struct str text)
{
	struct str slug = base_slug(t->arena, text);

	if (slug_take(t, slug))
		return slug;
	slug = with_suffix(t, slug);
	slug_take(t, slug);
	return slug;
}
