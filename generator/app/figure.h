/* Inside figures: what a chart block's head says, and the query it stands for. */
#ifndef RUNQ_APP_FIGURE_H
#define RUNQ_APP_FIGURE_H

#include "app/build.h"

/* Kind, scales and units of a chart block. False after an error at the field. */
bool figure_head(struct view *v, const struct page_block *b, struct chart *c);
/* The block's SQL: its body or, for `key: probe/case[:metric] …`, the distribution (histogram, ecdf) or the spans (timeline) of these
 * keys: several become series, or panels of a timeline. Empty after an error. Lives in the view's arena. */
struct str figure_query(struct view *v, const struct page_block *b, enum chart_kind kind);

/* A query's rows as a file (RFC 4180; a text that a spreadsheet would take for a formula gets an apostrophe), and as columns, rows
 * and more of a context. */
struct str figure_csv(struct arena *a, const struct grid *g);
void figure_grid(struct tobj *o, const struct grid *g, struct arena *a);

#endif
