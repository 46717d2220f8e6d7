/* A chart as a file of its own: the page's plot at a fixed width, with what the page says around it. */
#include "chart/chart.h"

#include "chart/sheet.h"
#include "chart/style.h"
#include "chart/svg.h"

static void write_lines(struct html_out *w, const struct label *l, const char *cls, double x, double y, double leading)
{
	for (int i = 0; i < l->n; i++) {
		html_open(w, "text");
		if (cls)
			html_attr(w, "class", str_of(cls));
		html_attr_fmt(w, "x", "%.0f", x);
		html_attr_fmt(w, "y", "%.0f", y + i * leading);
		html_text(w, l->line[i]);
		html_close(w, "text");
	}
}

struct str chart_svg_file(struct arena *a, const struct chart *c)
{
	struct buf out = buf_new(a);
	struct html_out w = html_out_new(&out);
	struct sheet s = sheet_new(a, c);

	html_open(&w, "svg");
	html_attr(&w, "xmlns", STR("http://www.w3.org/2000/svg"));
	html_attr_fmt(&w, "width", "%d", CHART_FILE_PX);
	html_attr_fmt(&w, "height", "%.0f", s.height);
	html_attr_fmt(&w, "viewBox", "0 0 %d %.0f", CHART_FILE_PX, s.height);
	html_attr(&w, "role", STR("img"));
	html_leaf(&w, "title", NULL, c->title);
	html_leaf(&w, "desc", NULL, chart_alt(a, c));
	html_leaf(&w, "style", NULL, str_of(style_sheet()));
	html_open(&w, "rect");
	html_attr(&w, "class", STR("paper"));
	html_attr(&w, "width", STR("100%"));
	html_attr(&w, "height", STR("100%"));
	html_void(&w);
	write_lines(&w, &s.title, "title", CHART_FILE_MARGIN_PX, s.title_y, SHEET_TITLE_LINE_PX);
	write_lines(&w, &s.subtitle, "q", CHART_FILE_MARGIN_PX, s.subtitle_y, SHEET_LINE_PX);
	write_lines(&w, &s.machine, "ax", CHART_FILE_MARGIN_PX, s.machine_y, SHEET_LINE_PX);
	html_open(&w, "svg");
	html_attr_fmt(&w, "x", "%d", CHART_FILE_MARGIN_PX);
	html_attr_fmt(&w, "y", "%.0f", s.plot_y);
	html_attr_fmt(&w, "width", "%d", SHEET_INNER_PX);
	html_attr_fmt(&w, "height", "%.0f", s.plot.height);
	html_attr(&w, "overflow", STR("visible"));
	svg_marks(&w, &s.plot, true);
	svg_marks(&w, &s.key, true);
	html_close(&w, "svg");
	html_close(&w, "svg");
	return buf_str(&out);
}
