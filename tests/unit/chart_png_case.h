/* Pictures of the charts of tests/cases/chart, and what colour is where. */
#ifndef RUNQ_TESTS_CHART_PNG_CASE_H
#define RUNQ_TESTS_CHART_PNG_CASE_H

#include <gd.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "chart/sheet.h"
#include "chart_case.h"

static inline struct chart load(struct arena *a, const char *path)
{
	struct diag d = diag_new(a);
	struct chart c;
	struct file_text text = file_read(a, path, 1 << 20);

	assert_int_equal(text.err, 0);
	assert_true(case_chart(a, text.text, &c, &d));
	return c;
}

static inline gdImagePtr draw(struct arena *a, const struct chart *c)
{
	struct diag d = diag_new(a);
	struct str png = chart_png(a, c, &d);

	if (!png.len)
		fail_msg("no PNG: %s", d.items ? str_z(a, d.items->text) : "and no reason");
	gdImagePtr im = gdImageCreateFromPngPtr((int)png.len, (void *)(uintptr_t)png.ptr);
	assert_non_null(im);
	return im;
}

/* Whether a pixel, given in px of the sheet, is within 6 of a colour in each channel. */
static inline bool is(gdImagePtr im, double x, double y, int rgb)
{
	int c = gdImageGetTrueColorPixel(im, (int)(x * 2), (int)(y * 2));

	return abs(gdTrueColorGetRed(c) - (rgb >> 16 & 255)) <= 6 &&
	       abs(gdTrueColorGetGreen(c) - (rgb >> 8 & 255)) <= 6 && abs(gdTrueColorGetBlue(c) - (rgb & 255)) <= 6;
}

static inline int count_dark(gdImagePtr im, double x1, double y1, double x2, double y2)
{
	int n = 0;

	for (int y = (int)(y1 * 2); y < (int)(y2 * 2); y++)
		for (int x = (int)(x1 * 2); x < (int)(x2 * 2); x++)
			n += gdTrueColorGetGreen(gdImageGetTrueColorPixel(im, x, y)) < 0x60;
	return n;
}

/* The colour a mark leaves at a point, mixed with the paper by its opacity. */
static inline int mixed(int ink, double share)
{
	int out = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		int paper = STYLE_PAPER >> shift & 255, i = ink >> shift & 255;
		out |= (int)lrint(paper + (i - paper) * share) << shift;
	}
	return out;
}

#endif
