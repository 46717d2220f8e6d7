/* PNG charts by their pixels, and the table of text widths by FreeType. Both need the package fonts-dejavu-core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>

#include "base/buf.h"
#include "chart/label.h"
#include "chart_png_case.h"

static struct arena_block block;
static struct arena arena;

/* Every bar, point and predicted line of the layout has its colour at its place. */
static void shares(void **state)
{
	struct arena a = arena;
	struct chart c = load(&a, "tests/cases/chart/nice.tsv");
	struct sheet s = sheet_new(&a, &c);
	gdImagePtr im = draw(&a, &c);
	int bars = 0, lines = 0;

	(void)state;
	assert_int_equal(gdImageSX(im), 2 * CHART_FILE_PX);
	assert_int_equal(gdImageSY(im), 2 * (int)s.height);
	assert_true(is(im, 3, 3, STYLE_PAPER));
	for (ptrdiff_t i = 0; i < s.plot.n; i++) {
		const struct mark *m = &s.plot.marks[i];
		double left = CHART_FILE_MARGIN_PX + m->x1.f * SHEET_INNER_PX,
		       right = CHART_FILE_MARGIN_PX + m->x2.f * SHEET_INNER_PX;
		double y = s.plot_y + (m->y1 + m->y2) / 2;
		if (m->role == ROLE_FILL) {
			assert_true(is(im, left + 2, y, 0x0f5c91));
			assert_true(is(im, right - 20, y, 0x0f5c91));
			bars++;
		} else if (m->role == ROLE_TINT) {
			assert_true(is(im, right - 4, y, 0xc3d7e5));
		} else if (m->role == ROLE_PRED) {
			assert_true(is(im, left, s.plot_y + m->y2 - 1, 0x1b1f23));
			lines++;
		}
	}
	assert_int_equal(bars, c.n);
	assert_int_equal(lines, c.n);
	assert_true(count_dark(im, 20, s.title_y - 14, 300, s.title_y) > 500);
	assert_true(count_dark(im, 0, 0, 18, s.height) == 0); /* nothing in the margins */
	assert_true(count_dark(im, 703, 0, 720, s.height) == 0);
	gdImageDestroy(im);
}

static void lines(void **state)
{
	struct arena a = arena;
	struct chart c = load(&a, "tests/cases/chart/sweep.tsv");
	struct sheet s = sheet_new(&a, &c);
	gdImagePtr im = draw(&a, &c);
	int points = 0;

	(void)state;
	for (ptrdiff_t i = 0; i < s.plot.n; i++) {
		const struct mark *m = &s.plot.marks[i];
		static const int rgb[] = {0x0f5c91, 0xc7742b};
		if (m->role != ROLE_DOT || m->row < 3)
			continue; /* the first ones lie on each other */
		assert_true(is(im, CHART_FILE_MARGIN_PX + m->x1.f * SHEET_INNER_PX, s.plot_y + m->y1, rgb[m->series]));
		points++;
	}
	assert_true(points >= 4);
	gdImageDestroy(im);
}

static void odd_charts(void **state)
{
	static const char *const paths[] = {"tests/cases/chart/hostile.tsv", "tests/cases/chart/dense.tsv",
		"tests/cases/chart/series.tsv", "tests/cases/chart/ecdfs.tsv", "tests/cases/chart/words.tsv",
		"tests/cases/chart/cpus.tsv", "tests/cases/chart/machines.tsv", "tests/cases/chart/step.tsv"};
	struct chart empty = {.kind = CHART_LINE, .title = STR("bad \xff\xfe & &amp; text"), .id = STR("e")};

	(void)state;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct arena a = arena;
		struct chart c = load(&a, paths[i]);
		gdImageDestroy(draw(&a, &c));
	}
	struct arena a = arena;
	gdImageDestroy(draw(&a, &empty));
	struct chart tall = load(&a, "tests/cases/chart/creation.tsv");
	struct chart_row *rows = ARENA_NEW(&a, struct chart_row, CHART_LABELS_MAX);
	for (int i = 0; i < CHART_LABELS_MAX; i++)
		rows[i] = tall.rows[i % tall.n];
	tall.rows = rows;
	tall.n = CHART_LABELS_MAX;
	gdImagePtr im = draw(&a, &tall);
	assert_true(gdImageSY(im) > 2 * 37 * CHART_LABELS_MAX);
	gdImageDestroy(im);
}

/* The width FreeType gives a character: what ten more of it add, without kerning. */
static double measured(uint32_t c)
{
	char text[64], utf8[4] = {0};
	gdFTStringExtra extra = {.flags = gdFTEX_DISABLE_KERNING};
	int narrow[8], wide[8];
	char *font = (char *)(uintptr_t) "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

	if (c < 0x80)
		utf8[0] = (char)c;
	else if (c < 0x800)
		utf8[0] = (char)(0xc0 | c >> 6), utf8[1] = (char)(0x80 | (c & 0x3f));
	else
		utf8[0] = (char)(0xe0 | c >> 12), utf8[1] = (char)(0x80 | (c >> 6 & 0x3f)),
		utf8[2] = (char)(0x80 | (c & 0x3f));
	const char *one = c == '&' ? "&amp;" : utf8;
	assert_null(gdImageStringFTEx(NULL, narrow, 0, font, 192, 0, 0, 0, (char *)(uintptr_t) "||", &extra));
	snprintf(text, sizeof text, "|%s%s%s%s%s%s%s%s|", one, one, one, one, one, one, one, one);
	assert_null(gdImageStringFTEx(NULL, wide, 0, font, 192, 0, 0, 0, text, &extra));
	return (wide[2] - wide[0] - (narrow[2] - narrow[0])) / 8.0 *
	       8; /* 192 points are 256 px: an eighth of the font's units */
}

static void widths(void **state)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {{0x20, 0x7e}, {0xa1, 0x17f}, {0x386, 0x38a}, {0x391, 0x3a1}, {0x400, 0x45f}, {0x2013, 0x2026}};

	(void)state;
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		for (uint32_t c = ranges[i].first; c <= ranges[i].last; c++)
			if (c != 0xad && fabs(measured(c) - label_char_width(c)) > 8)
				fail_msg("U+%04X is %g wide and the table says %d", (unsigned)c, measured(c),
					label_char_width(c));
}

static void wrapping(void **state)
{
	struct arena a = arena;
	struct label l = label_wrap(&a, STR("one two three"), 13, label_width(STR("one two"), 13) + 1, 2);

	(void)state;
	assert_int_equal(l.n, 2);
	assert_string_equal(str_z(&a, l.line[0]), "one two");
	assert_string_equal(str_z(&a, l.line[1]), "three");
	assert_false(l.cut);
	l = label_wrap(&a, STR("one two three four five six"), 13, 60, 2);
	assert_true(l.cut && str_ends(l.line[1], STR("\xe2\x80\xa6")) && label_width(l.line[1], 13) <= 60);
	l = label_wrap(&a, STR("unbreakableword"), 13, 40, 8);
	assert_true(l.n > 2 && !l.cut);
	l = label_wrap(&a, STR(""), 13, 40, 2);
	assert_int_equal(l.n, 1);
	l = label_wrap(&a, STR("WW"), 13, 5, 3); /* not even one letter fits */
	assert_true(l.n == 1 && l.cut);
}

/* A picture is drawn when the page that asked for it is gone: the copy may point nowhere into it. */
static void copies_share_nothing(void **state)
{
	static const char *const names[] = {"missing", "series", "creation"};
	struct arena kept = arena;
	unsigned char *page = ARENA_NEW(&kept, unsigned char, 1 << 20);

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct arena a = kept, once = arena_over(page, 1 << 20);
		struct diag d = diag_new(&a);
		struct chart c = load(&once, str_z(&a, str_printf(&a, "tests/cases/chart/%s.tsv", names[i])));
		struct str before = chart_png(&a, &c, &d);
		struct chart copy = chart_copy(&a, &c);
		memset(page, 'x', 1 << 20);
		assert_true(str_eq(before, chart_png(&a, &copy, &d)));
	}
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new(&block, 64 << 20);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&block);
	return 0;
}

struct drawer {
	pthread_t thread;
	pthread_barrier_t *start;
	struct arena arena;
	struct chart chart;
	struct str png;
};

static void *draw_one(void *arg)
{
	struct drawer *w = arg;
	struct diag d = diag_new(&w->arena);

	pthread_barrier_wait(w->start);
	w->png = chart_png(&w->arena, &w->chart, &d);
	return NULL;
}

/* Threads that draw their first text at once draw what one thread does; the leak checker sees a second font cache. */
static void threads_agree(void **state)
{
	enum { N = 4 };
	struct drawer w[N];
	struct arena_block blocks[N];
	pthread_barrier_t start;

	(void)state;
	assert_int_equal(pthread_barrier_init(&start, NULL, N), 0);
	assert_true(chart_png_begin());
	for (int i = 0; i < N; i++) {
		w[i] = (struct drawer){.start = &start, .arena = arena_new(&blocks[i], 64 << 20)};
		w[i].chart = load(&w[i].arena, "tests/cases/chart/nice.tsv");
		assert_int_equal(pthread_create(&w[i].thread, NULL, draw_one, &w[i]), 0);
	}
	for (int i = 0; i < N; i++)
		assert_int_equal(pthread_join(w[i].thread, NULL), 0);
	chart_png_end();
	for (int i = 0; i < N; i++) {
		assert_true(w[i].png.len > 0);
		assert_true(str_eq(w[i].png, w[0].png));
	}
	for (int i = 0; i < N; i++)
		arena_free(&blocks[i]);
	pthread_barrier_destroy(&start);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_agree), /* first, while gd has no font cache */
		cmocka_unit_test(shares),
		cmocka_unit_test(lines),
		cmocka_unit_test(odd_charts),
		cmocka_unit_test(widths),
		cmocka_unit_test(wrapping),
		cmocka_unit_test(copies_share_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
