/* Charts as PNG through libgd: the text, the sheet and the card. */
#include "chart/chart.h"

#include <math.h>
#include <unistd.h>

#include "chart/gd_canvas.h"
#include "chart/sheet.h"

static const char *const font_regular = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
static const char *const font_bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";

enum {
	DENSITY = 2, /* device pixels per px */
	SMOOTH_MAX_PX = 1600, /* taller sheets would take too much memory at the larger size */
};
static const double points_per_px = 0.75; /* gd counts in points at 96 dpi */
static const double halo_px = 3;

/* gd reads entities in text, so an ampersand must be one; it knows no code points beyond U+FFFF, which become boxes; broken bytes
 * become question marks. */
static const char *gd_text(struct arena *a, struct str s)
{
	struct buf b = buf_new(a);

	while (s.len) {
		const char *from = s.ptr;
		uint32_t c = series_next_char(&s);
		if (c == '&')
			buf_add(&b, STR("&amp;"));
		else if (c == 0xfffd || c < 0x20)
			buf_char(&b, '?');
		else if (c > 0xffff)
			buf_add(&b, STR("\xe2\x96\xa1"));
		else
			buf_add(&b, (struct str){from, s.ptr - from});
	}
	return str_z(a, buf_str(&b));
}

bool canvas_text(struct canvas k, struct str text, struct gd_font f, double x, double y, enum anchor anchor)
{
	const char *z = gd_text(&k.scratch, text);
	char *font = (char *)(uintptr_t)(f.bold && access(font_bold, R_OK) == 0 ? font_bold : font_regular);
	double points = f.px * points_per_px * k.scale;
	int box[8] = {0};

	if (anchor != ANCHOR_START && gdImageStringFT(NULL, box, 0, font, points, 0, 0, 0, (char *)(uintptr_t)z))
		return false;
	int wide = box[2] - box[0];
	int left = (int)lrint(x * k.scale) - (anchor == ANCHOR_END ? wide : anchor == ANCHOR_MIDDLE ? wide / 2 : 0);
	return !gdImageStringFT(k.im, box, f.rgb, font, points, 0, left, (int)lrint(y * k.scale), (char *)(uintptr_t)z);
}

/* Paper around a text: the text itself, in paper, at twelve places around its own. */
static bool draw_halo(const struct canvas *k, struct str text, struct gd_font font, double x, double y, enum anchor anchor)
{
	static const struct xy around[] = {{1, 0}, {.87, .5}, {.5, .87}, {0, 1}, {-.5, .87}, {-.87, .5}, {-1, 0}, {-.87, -.5},
		{-.5, -.87}, {0, -1}, {.5, -.87}, {.87, -.5}};
	bool ok = true;

	font.rgb = STYLE_PAPER;
	for (size_t i = 0; i < sizeof around / sizeof *around; i++)
		ok = canvas_text(*k, text, font, x + around[i].x * halo_px, y + around[i].y * halo_px, anchor) && ok;
	return ok;
}

bool canvas_texts(const struct canvas *k, const struct plot *p)
{
	bool ok = true;

	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct mark *m = &p->marks[i];
		struct gd_font font = {m->ink == INK_AXIS ? AXIS_FONT_PX10 / 10.0 : PLOT_FONT_PX, style_ink(m->ink), m->ink == INK_BOLD};
		double x = k->x + m->x1.f * k->wide + m->x1.px, y = k->y + m->y1;
		if (m->kind != MARK_TEXT || !m->text.len)
			continue;
		ok = (!m->halo || draw_halo(k, m->text, font, x, y, m->anchor)) && ok;
		ok = canvas_text(*k, m->text, font, x, y, m->anchor) && ok;
	}
	return ok;
}

bool canvas_lines(const struct canvas *k, const struct label *l, struct gd_font font, double x, double y, double leading)
{
	bool ok = true;

	for (int i = 0; i < l->n; i++)
		ok = canvas_text(*k, l->line[i], font, x, y + i * leading, ANCHOR_START) && ok;
	return ok;
}

const char *canvas_font(bool bold)
{
	return bold ? font_bold : font_regular;
}

bool canvas_has_font(struct diag *d)
{
	if (access(font_regular, R_OK) == 0)
		return true;
	diag_warn(d, (struct pos){0}, "no PNG charts: %s cannot be read; install the package fonts-dejavu-core", font_regular);
	return false;
}

struct str canvas_png(struct arena *a, gdImagePtr im, bool ok, struct str id, struct diag *d)
{
	int len = 0;
	void *bytes = im && ok ? gdImagePngPtrEx(im, &len, 6) : NULL;
	struct str png = bytes ? str_copy(a, (struct str){bytes, len}) : (struct str){0};

	if (!bytes)
		diag_warn(d, (struct pos){0},
			"no PNG for chart %.*s: libgd could not draw it; free some memory, or reinstall "
			"fonts-dejavu-core",
			STR_FMT(id));
	gdFree(bytes);
	if (im)
		gdImageDestroy(im);
	return png;
}

/* NULL when gd is out of memory. */
static gdImagePtr draw_sheet(const struct sheet *s, struct arena scratch, bool *ok)
{
	int smooth = s->height > SMOOTH_MAX_PX ? 1 : 2;
	int width = CHART_FILE_PX * DENSITY, height = (int)ceil(s->height) * DENSITY;
	struct canvas k = {canvas_paper(width * smooth, height * smooth), DENSITY * smooth, CHART_FILE_MARGIN_PX, s->plot_y,
		SHEET_INNER_PX, scratch};
	struct gd_font title = {SHEET_TITLE_PX, style_ink(INK_BOLD), true}, quiet = {PLOT_FONT_PX, style_ink(INK_QUIET), false},
		       axis = {AXIS_FONT_PX10 / 10.0, style_ink(INK_AXIS), false};

	if (!k.im)
		return NULL;
	canvas_shapes(&k, &s->plot);
	canvas_shapes(&k, &s->key);
	if (smooth > 1 && !(k.im = canvas_halve(k.im)))
		return NULL;
	k.scale = DENSITY;
	*ok = canvas_lines(&k, &s->title, title, CHART_FILE_MARGIN_PX, s->title_y, SHEET_TITLE_LINE_PX);
	*ok = canvas_lines(&k, &s->subtitle, quiet, CHART_FILE_MARGIN_PX, s->subtitle_y, SHEET_LINE_PX) && *ok;
	*ok = canvas_lines(&k, &s->machine, axis, CHART_FILE_MARGIN_PX, s->machine_y, SHEET_LINE_PX) && *ok;
	*ok = canvas_texts(&k, &s->plot) && *ok;
	*ok = canvas_texts(&k, &s->key) && *ok;
	return k.im;
}

struct str chart_png(struct arena *a, const struct chart *c, struct diag *d)
{
	bool ok = false;

	if (!canvas_has_font(d))
		return (struct str){0};
	struct sheet s = sheet_new(a, c);
	gdImagePtr im = draw_sheet(&s, *a, &ok);
	return canvas_png(a, im, ok, c->id, d);
}

/* NULL when gd is out of memory. */
static gdImagePtr draw_card(const struct card *s, struct arena scratch, bool *ok)
{
	struct canvas k = {canvas_paper(2 * CARD_WIDE_PX, 2 * CARD_HIGH_PX), 2 * s->scale, CARD_MARGIN_PX / s->scale,
		s->plot_y / s->scale, s->plot.px, scratch};
	struct gd_font title = {CARD_TITLE_PX, style_ink(INK_BOLD), true}, words = {CARD_TEXT_PX, style_ink(INK_LABEL), false},
		       foot = {CARD_FOOT_PX, style_ink(INK_QUIET), false}, site = {CARD_FOOT_PX, style_ink(INK_BOLD), true};

	if (!k.im)
		return NULL;
	canvas_shapes(&k, &s->plot);
	canvas_shapes(&k, &s->key);
	if (!(k.im = canvas_halve(k.im)))
		return NULL;
	k.scale = s->scale;
	*ok = canvas_texts(&k, &s->plot);
	*ok = canvas_texts(&k, &s->key) && *ok;
	k.scale = 1;
	*ok = canvas_lines(&k, &s->title, title, CARD_MARGIN_PX, s->title_y, CARD_TITLE_LINE_PX) && *ok;
	*ok = canvas_lines(&k, &s->numbers, words, CARD_MARGIN_PX, s->numbers_y, CARD_TEXT_LINE_PX) && *ok;
	*ok = canvas_lines(&k, &s->machine, foot, CARD_MARGIN_PX, s->foot_y, 0) && *ok;
	if (s->site.n)
		*ok = canvas_text(k, s->site.line[0], site, CARD_WIDE_PX - CARD_MARGIN_PX, s->foot_y, ANCHOR_END) && *ok;
	return k.im;
}

struct str chart_card_png(struct arena *a, const struct chart *c, struct str site, struct diag *d)
{
	bool ok = false;

	if (!canvas_has_font(d))
		return (struct str){0};
	struct card s = card_new(a, c, site);
	gdImagePtr im = draw_card(&s, *a, &ok);
	return canvas_png(a, im, ok, c->id, d);
}

bool chart_png_begin(void)
{
	return gdFontCacheSetup() == 0;
}

void chart_png_end(void)
{
	gdFontCacheShutdown();
}
