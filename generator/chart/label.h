/* Text of a chart: how wide it is in DejaVu Sans, the widest of the fonts a page may fall back to, and how it is broken or cut
 * to fit. Slices point into the text or the arena. */
#ifndef RUNQ_CHART_LABEL_H
#define RUNQ_CHART_LABEL_H

#include "base/str.h"

enum { LABEL_LINES_MAX = 8 };

int label_char_width(uint32_t c); /* in 1/2048 em */
double label_width(struct str s, double font_px); /* in px; bold text is up to a seventh wider */

struct label {
	struct str line[LABEL_LINES_MAX];
	int n;
	bool cut; /* an ellipsis stands for the rest: show the full text elsewhere */
};
/* Breaks at spaces, inside words only where one is longer than a line; the last of `lines` lines ends in an ellipsis if need be. */
struct label label_wrap(struct arena *a, struct str s, double font_px, double max_px, int lines);
/* For sentences and tooltips: one line of some eighty letters. */
struct str label_short(struct arena *a, struct str s);

#endif
