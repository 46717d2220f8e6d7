#include "chart/sheet.h"

#include <math.h>

#include "chart/chart.h"

/* The key in rows above the plot, at negative y. Returns its height. */
static double lay_key(struct plot *key, const struct plot *plot, double wide_px)
{
	double x = 0, y = 0, row_px = 22;

	for (int pass = 0; pass < 2; pass++) {
		double rows = y / row_px + 1;
		x = 0;
		y = pass ? -8 - rows * row_px : 0;
		for (int i = 0; i < plot->n_key; i++) {
			const struct key_item *k = &plot->key[i];
			struct label l = label_wrap(key->arena, k->text, PLOT_FONT_PX, wide_px - 37, 1);
			double lead = plot_swatch_px(k->swatch) + 7, wide = lead + label_width(l.line[0], PLOT_FONT_PX);
			if (x > 0 && x + wide > wide_px) {
				x = 0;
				y += row_px;
			}
			if (pass) {
				plot_swatch(key, k, x, y);
				plot_text(key, INK_LABEL, ANCHOR_START, (struct place){0, x + lead}, y + 12.5, l.line[0]);
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
		y += lay_key(&s.key, &s.plot, SHEET_INNER_PX);
	s.plot_y = y;
	y += ceil(s.plot.height);
	s.machine_y = y + 22;
	y += s.machine.n ? 8 + s.machine.n * SHEET_LINE_PX : 0;
	s.height = y + CHART_FILE_MARGIN_PX - 4;
	return s;
}

/* What the rows say but for the first sentence, which tells the reader of a screen what the others see. */
static struct str numbers_of(struct arena *a, const struct chart *c)
{
	struct str alt = chart_alt(a, c);
	ptrdiff_t first = str_find(alt, STR(". "));

	return str_trim(first < 0 ? alt : str_from(alt, first + 2));
}

/* As many of the sentences as fit whole; of the first, what fits. */
static struct label whole_sentences(struct arena *a, struct str text, double wide_px, int lines)
{
	struct label best = label_wrap(a, text, CARD_TEXT_PX, wide_px, lines);

	while (best.cut) {
		ptrdiff_t end = text.len - 1;
		while (end > 1 && !str_starts(str_from(text, end - 1), STR(". ")))
			end--;
		if (end <= 1)
			break;
		text = str_slice(text, 0, end);
		best = label_wrap(a, text, CARD_TEXT_PX, wide_px, lines);
	}
	return best;
}

/* Lays plot and key out at the largest scale that fits into `room_px`; false if none does. */
static bool fit_plot(struct card *s, struct arena *a, const struct chart *c, double room_px)
{
	static const double scales[] = {2.2, 2, 1.8, 1.6, 1.4, 1.2, 1.05};
	struct arena before = *a;

	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
		double wide_px = (CARD_WIDE_PX - 2 * CARD_MARGIN_PX) / scales[i];
		if (wide_px < PLOT_WIDE_PX)
			continue;
		*a = before;
		s->scale = scales[i];
		s->plot = plot_new(a, c, wide_px);
		s->key = (struct plot){.arena = a, .row = -1};
		double key_px = s->plot.n_key ? lay_key(&s->key, &s->plot, wide_px) : 0, high_px = (key_px + s->plot.height) * s->scale;
		s->plot_y = fmax(0, (room_px - high_px) / 2) + key_px * s->scale;
		if (high_px <= room_px)
			return true;
	}
	return false;
}

/* Rows are dropped from the end: one row of a labelled chart, else the last panel. */
static bool drop_rows(struct chart *c)
{
	ptrdiff_t n = c->n - 1;

	while (n > 0 && !chart_is_labelled(c->kind) && c->rows[n - 1].panel_at == c->rows[c->n - 1].panel_at)
		n--;
	if (n < 1)
		return false;
	c->n = n;
	while (c->n_missing && c->missing[c->n_missing - 1].before > n)
		c->n_missing--;
	return true;
}

struct card card_new(struct arena *a, const struct chart *c, struct str site)
{
	struct card s = {.foot_y = CARD_HIGH_PX - 36};
	struct chart shown = *c;
	double half = (CARD_WIDE_PX - 2 * CARD_MARGIN_PX) / 2.0 - 20, wide = 2 * half + 40;
	struct str numbers = c->n ? numbers_of(a, c) : (struct str){0};

	s.title = label_wrap(a, c->title, CARD_TITLE_PX * 1.15, wide, 2);
	s.machine = label_wrap(a, c->machine, CARD_FOOT_PX, half, 1);
	s.site = label_wrap(a, site, CARD_FOOT_PX * 1.15, half, 1);
	int lines = chart_is_labelled(c->kind) ? 1 : 2; /* rows carry their numbers */
	s.numbers = whole_sentences(a, numbers, wide, lines);
	s.numbers.n = numbers.len ? s.numbers.n : 0;
	s.title_y = 36 + CARD_TITLE_PX;
	s.numbers_y = s.foot_y - 44 - (s.numbers.n - 1) * CARD_TEXT_LINE_PX;
	double top = 36 + s.title.n * CARD_TITLE_LINE_PX + 22, room_px = s.numbers_y - CARD_TEXT_PX - 18 - top;
	struct arena before = *a;
	while (!fit_plot(&s, a, &shown, room_px) && drop_rows(&shown))
		*a = before;
	s.rows = shown.n;
	if (s.rows < c->n) {
		struct str few = str_printf(a, "%td of %td rows. %.*s", s.rows, c->n, STR_FMT(numbers));
		s.numbers = whole_sentences(a, few, wide, s.numbers.n);
	}
	s.plot_y += top;
	return s;
}
