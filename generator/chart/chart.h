/* Charts: rows to scales, ticks and marks (pure geometry), then to SVG, or through gd to PNG. Same input, same bytes. */
#ifndef RUNQ_CHART_CHART_H
#define RUNQ_CHART_CHART_H

#include "model/series.h"
#include "text/html.h"

/* For a page: <ul class="key"> where the marks need one, then <svg class="plot" role="img" aria-labelledby="alt-ID" width="100%" height="…">,
 * x in per cent, y in px, no viewBox but around a line's path; colours by CSS class. Readable from 288 to 1,300 px of width. Without
 * an id the alt text is written as aria-label. `scratch` must be another arena than the one `w` grows in. */
void chart_svg(const struct chart *c, struct html_out *w, struct arena scratch);
/* What the rows say, in sentences, for screen readers and the data's caption. */
struct str chart_alt(struct arena *a, const struct chart *c);
/* A file of its own, 720 px wide, with title, subtitle and a <style> for light and dark. */
struct str chart_svg_file(struct arena *a, const struct chart *c);
/* The same chart as PNG bytes, 1,440 x … px (720 at 2x), light, drawn with gd; text by FreeType in DejaVu Sans. Empty if the font is missing
 * (with a diagnostic: which package). */
struct str chart_png(struct arena *a, const struct chart *c, struct diag *d);
/* For a link shared elsewhere: 1,200 x 630 px with the title, the chart, its numbers in words, the machine and the site's title. A
 * chart too tall leaves its last rows or panels out and says so. */
struct str chart_card_png(struct arena *a, const struct chart *c, struct str site, struct diag *d);
/* Around calls of both from several threads: gd makes its font cache at the first text drawn, and two threads that are first
 * at once would each make one. False when there is no memory for it: draw in one thread then. */
bool chart_png_begin(void);
void chart_png_end(void);
/* A strip of the raw passes for run pages: one dot a value between lo and hi, 100 % wide, 18 px high. */
void chart_strip(struct html_out *w, const double *values, ptrdiff_t n, double lo, double hi);

#endif
