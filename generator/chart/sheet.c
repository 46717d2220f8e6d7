#include "chart/sheet.h"

#include <math.h>

/* The key in rows above the plot, at negative y. Returns its height. */
static double lay_key(struct sheet *s)
{
	double x = 0, y = 0, row_px = 22;

	for (int pass = 0; pass < 2; pass++) {
		double rows = y / row_px + 1;
		x = 0;
		y = pass ? -8 - rows * row_px : 0;
		for (int i = 0; i < s->plot.n_key; i++) {
			const struct key_item *k = &s->plot.key[i];
			struct label l = label_wrap(s->key.arena, k->text, PLOT_FONT_PX, SHEET_INNER_PX - 37, 1);
			double lead = plot_swatch_px(k->swatch) + 7, wide = lead + label_width(l.line[0], PLOT_FONT_PX);
			if (x > 0 && x + wide > SHEET_INNER_PX) {
				x = 0;
				y += row_px;
			}
			if (pass) {
				plot_swatch(&s->key, k, x, y);
				plot_text(&s->key, INK_LABEL, ANCHOR_START, (struct place){0, x + lead}, y + 12.5,
					l.line[0]);
			}
			x += wide + 20;
		}
		if (pass)
			return rows * row_px + 8;
	}
	return 0;
}

struct sheet sheet_new(struct arena *a, const struct chart *c)
{
	struct sheet s = {.plot = plot_new(a, c, SHEET_INNER_PX), .key = {.arena = a, .row = -1}};
	double y = CHART_FILE_MARGIN_PX;

	/* Bold is wider than the regular face the widths are of. */
	s.title = label_wrap(a, c->title, SHEET_TITLE_PX * 1.15, SHEET_INNER_PX, 4);
	s.subtitle = label_wrap(a, c->subtitle, PLOT_FONT_PX, SHEET_INNER_PX, 5);
	s.machine = label_wrap(a, c->machine, AXIS_FONT_PX10 / 10.0, SHEET_INNER_PX, 2);
	s.title.n = c->title.len ? s.title.n : 0;
	s.subtitle.n = c->subtitle.len ? s.subtitle.n : 0;
	s.machine.n = c->machine.len ? s.machine.n : 0;
	s.title_y = y + 15;
	y += s.title.n * SHEET_TITLE_LINE_PX;
	s.subtitle_y = y + 14;
	y += s.subtitle.n * SHEET_LINE_PX + 14;
	if (s.plot.n_key)
		y += lay_key(&s);
	s.plot_y = y;
	y += ceil(s.plot.height);
	s.machine_y = y + 22;
	y += s.machine.n ? 8 + s.machine.n * SHEET_LINE_PX : 0;
	s.height = y + CHART_FILE_MARGIN_PX - 4;
	return s;
}
