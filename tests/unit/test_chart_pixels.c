/* Marks of every kind, heatmaps as pictures and cards, by their pixels. Needs the package fonts-dejavu-core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "chart_png_case.h"

static struct arena_block block;
static struct arena arena;

/* A run's place in px of the sheet. */
static void middle_of(const struct sheet *s, const struct run_px *r, double *x, double *y)
{
	*x = CHART_FILE_MARGIN_PX + (r->f1 + r->f2) / 2 * SHEET_INNER_PX;
	*y = s->plot_y + r->y;
}

/* How many of the plot's runs in a role have their colour in the middle; `runs` counts all. */
static int runs_drawn(const char *path, enum role role, int *runs)
{
	struct arena a = arena;
	struct chart c = load(&a, path);
	struct sheet s = sheet_new(&a, &c);
	gdImagePtr im = draw(&a, &c);
	int drawn = 0;

	*runs = 0;
	for (ptrdiff_t i = 0; i < s.plot.n; i++) {
		const struct mark *m = &s.plot.marks[i];
		int ink = style_look(m->role, m->series).fill;
		for (ptrdiff_t k = 0; m->kind == MARK_RUNS && m->role == role && k < m->n_runs; k++) {
			double x, y;
			middle_of(&s, &m->runs[k], &x, &y);
			drawn += is(im, x, y, mixed(ink, m->opacity > 0 ? m->opacity : 1));
			++*runs;
		}
	}
	gdImageDestroy(im);
	return drawn;
}

static void cells_spans_and_clouds(void **state)
{
	int n;

	(void)state;
	assert_true(runs_drawn("tests/cases/chart/heatmap.tsv", ROLE_CELL, &n) > 0.6 * n && n >= 4); /* numbers stand on some */
	assert_true(runs_drawn("tests/cases/chart/timeline.tsv", ROLE_STATE, &n) > 0.5 * n && n >= 4); /* stripes and names, too */
	assert_true(runs_drawn("tests/cases/chart/cloud.tsv", ROLE_CLOUD, &n) > 0.6 * n && n >= 100); /* some lie on others */
}

/* The area below a line. */
static void areas(void **state)
{
	struct arena a = arena;
	struct chart c = load(&a, "tests/cases/chart/histogram.tsv");
	struct chart_row *rows = ARENA_NEW(&a, struct chart_row, 150);
	for (int i = 0; i < 150; i++) { /* more buckets than bars */
		rows[i] = c.rows[0];
		rows[i].x = i * 1e6;
		rows[i].x2 = (i + 1) * 1e6;
		rows[i].count = 100 + i % 5 * 40;
	}
	c.rows = rows;
	c.n = 150;
	struct sheet s = sheet_new(&a, &c);
	gdImagePtr im = draw(&a, &c);
	int inside = 0, above = 0, areas = 0;

	(void)state;
	for (ptrdiff_t i = 0; i < s.plot.n; i++) {
		const struct mark *m = &s.plot.marks[i];
		double foot = 0;
		if (m->kind != MARK_PATH || m->role != ROLE_FILL)
			continue;
		areas++;
		for (ptrdiff_t k = 0; k < m->n_points; k++)
			foot = fmax(foot, m->points[k].y);
		for (ptrdiff_t k = 1; k < m->n_points; k++) {
			const struct point *p = &m->points[k - 1], *q = &m->points[k];
			double x = CHART_FILE_MARGIN_PX + (p->f + q->f) / 2 * SHEET_INNER_PX;
			if (p->y != q->y || q->f - p->f < 0.004 || foot - q->y < 8)
				continue;
			inside += is(im, x, s.plot_y + (q->y + foot) / 2, 0x0f5c91);
			above += !is(im, x, s.plot_y + q->y - 3, 0x0f5c91);
		}
	}
	assert_true(areas > 0 && inside > 3 && above > 3);
	gdImageDestroy(im);
}

/* Each pixel of a heatmap's picture is its cell's grey, and the sheet shows the cells where they belong. */
static void rasters(void **state)
{
	struct arena a = arena;
	struct chart c = load(&a, "tests/cases/chart/raster.tsv");
	struct sheet s = sheet_new(&a, &c);
	const struct mark *m = s.plot.marks;

	(void)state;
	while (m < s.plot.marks + s.plot.n && m->kind != MARK_RASTER)
		m++;
	assert_true(m < s.plot.marks + s.plot.n);
	const struct raster *r = m->raster;
	struct str png = chart_raster_png(&a, r);
	gdImagePtr cells = gdImageCreateFromPngPtr((int)png.len, (void *)(uintptr_t)png.ptr), im = draw(&a, &c);
	assert_non_null(cells);
	assert_int_equal(gdImageSX(cells), r->nx);
	assert_int_equal(gdImageSY(cells), r->ny);
	assert_false(gdImageTrueColor(cells));
	double wide = (m->x2.f - m->x1.f) * SHEET_INNER_PX / r->nx, high = (m->y2 - m->y1) / r->ny;
	for (int y = 0; y < r->ny; y++)
		for (int x = 0; x < r->nx; x++) {
			float v = r->cells[y * r->nx + x];
			int grey = gdTrueColorGetRed(gdImageGetTrueColorPixel(cells, x, y));
			int wanted = isnan(v) ? 0 : (int)lrint(255 * (RASTER_FLOOR + (1 - RASTER_FLOOR) * (double)v));
			assert_true(abs(grey - wanted) <= 4 && (grey == 0) == isnan(v));
			if (wide < 3 || high < 3)
				continue;
			assert_true(is(im, CHART_FILE_MARGIN_PX + m->x1.f * SHEET_INNER_PX + (x + 0.5) * wide,
				s.plot_y + m->y1 + (y + 0.5) * high, mixed(0x0f5c91, grey / 255.0)));
		}
	gdImageDestroy(cells);
	gdImageDestroy(im);
}

/* A million cells are a picture as well, in at most 33 shades. */
static void large_raster(void **state)
{
	enum { SIDE = 1000 };
	struct arena a = arena;
	float *cells = ARENA_NEW(&a, float, (ptrdiff_t)SIDE *SIDE);
	struct raster r = {SIDE, SIDE, cells};

	(void)state;
	for (ptrdiff_t i = 0; i < (ptrdiff_t)SIDE * SIDE; i++)
		cells[i] = i % 7 == 0 ? NAN : (float)((i * 7919) % 1000) / 999;
	struct str png = chart_raster_png(&a, &r);
	gdImagePtr im = gdImageCreateFromPngPtr((int)png.len, (void *)(uintptr_t)png.ptr);
	assert_non_null(im);
	assert_int_equal(gdImageSX(im), SIDE);
	assert_true(gdImageColorsTotal(im) <= RASTER_SHADES + 1);
	assert_int_equal(gdImageRed(im, gdImageGetPixel(im, 0, 0)), 0);
	gdImageDestroy(im);
}

/* A card has its size, its words and the chart's marks inside its margins, whatever the chart. */
static void cards(void **state)
{
	static const char *const names[] = {"nice", "creation", "sweep", "dense", "hostile", "panels", "raster", "timeline", "histogram"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct arena a = arena;
		struct diag d = diag_new(&a);
		struct chart c = load(&a, str_z(&a, str_printf(&a, "tests/cases/chart/%s.tsv", names[i])));
		struct card s = card_new(&a, &c, STR("A site"));
		struct str png = chart_card_png(&a, &c, STR("A site"), &d);
		gdImagePtr im = gdImageCreateFromPngPtr((int)png.len, (void *)(uintptr_t)png.ptr);
		assert_non_null(im);
		assert_int_equal(gdImageSX(im), CARD_WIDE_PX);
		assert_int_equal(gdImageSY(im), CARD_HIGH_PX);
		if (!(s.plot_y + s.plot.height * s.scale < s.numbers_y - CARD_TEXT_PX + 1))
			fail_msg("%s: the plot reaches into the numbers", names[i]);
		assert_true(s.rows > 0 && s.rows <= c.n);
		/* Halves of px, because `is` and `count_dark` count in px of a sheet at 2x. */
		assert_true(count_dark(im, 20, (s.title_y - 30) / 2, 550, s.title_y / 2) > 300);
		assert_true(count_dark(im, 20, (s.numbers_y - 20) / 2, 550, s.numbers_y / 2) > 200);
		assert_true(count_dark(im, 400, (s.foot_y - 18) / 2, 580, s.foot_y / 2) > 100);
		assert_int_equal(count_dark(im, 0, 0, 18, CARD_HIGH_PX / 2.0), 0);
		assert_int_equal(count_dark(im, 581, 0, CARD_WIDE_PX / 2.0, CARD_HIGH_PX / 2.0), 0);
		assert_true(count_dark(im, 20, (s.plot_y - 4) / 2, 580, (s.numbers_y - 40) / 2) > 100);
		gdImageDestroy(im);
	}
}

static void tall_cards(void **state)
{
	struct arena a = arena;
	struct chart tall = load(&a, "tests/cases/chart/creation.tsv");
	struct chart_row *rows = ARENA_NEW(&a, struct chart_row, CHART_LABELS_MAX);

	(void)state;
	for (int i = 0; i < CHART_LABELS_MAX; i++)
		rows[i] = tall.rows[i % tall.n];
	tall.rows = rows;
	tall.n = CHART_LABELS_MAX;
	struct card s = card_new(&a, &tall, STR("A site"));
	assert_true(s.rows >= 4 && s.rows < CHART_LABELS_MAX);
	assert_true(str_find(s.numbers.line[0], STR(" of 100 rows. ")) > 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_spans_and_clouds),
		cmocka_unit_test(areas),
		cmocka_unit_test(rasters),
		cmocka_unit_test(large_raster),
		cmocka_unit_test(cards),
		cmocka_unit_test(tall_cards),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
