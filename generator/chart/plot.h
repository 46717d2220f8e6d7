/* A chart as marks, before any format: what to draw, where, in which role. A place across is a fraction of the plot's width plus
 * px, so that one layout serves every width; down it is px. Everything lives in the arena passed. */
#ifndef RUNQ_CHART_PLOT_H
#define RUNQ_CHART_PLOT_H

#include "chart/axis.h"
#include "chart/raster.h"

enum {
	PLOT_PAGE_PX = 288, /* the narrowest plot a page shows: its labels must fit */
	PLOT_WIDE_PX = 480, /* from here on marks with `wide` are shown too (30rem in the page's CSS) */
};

/* What a mark is; SVG takes its class from it, PNG its colours. FILL to CLOUD belong to a series. */
enum role {
	ROLE_FILL, /* measured: bars, and the area inside a path */
	ROLE_DOT, /* measured: points, outlined in paper */
	ROLE_STROKE, /* spread and lines */
	ROLE_BAND, /* min to max behind a line */
	ROLE_CLOUD, /* measured: points too many for markers, as runs without length */
	ROLE_HOLE, /* paper inside points and spans: series differ by more than colour */
	ROLE_CELL, /* a heatmap's cells, by their opacity; the first series' colour */
	ROLE_STATE, /* a timeline's spans; `series` is their enum chart_state, STATE_OTHER + n the look of series n */
	ROLE_TINT, /* the rest of a share */
	ROLE_SPREAD, /* the spread of a share, in paper */
	ROLE_INNER, /* spread inside a bar: lines of paper */
	ROLE_RAIL, /* along the edges of a throttled span */
	ROLE_PRED,
	ROLE_PRED_HALO,
	ROLE_REPORTED,
	ROLE_BASE,
	ROLE_GRID,
	ROLE_TICK, /* the clock's ticks: a ruler above a timeline */
	ROLE_MAX,
};

/* PAPER stands on a dark mark. */
enum ink { INK_LABEL, INK_BOLD, INK_QUIET, INK_AXIS, INK_PAPER, INK_MAX };

enum mark_kind {
	MARK_LINE, /* x1,y1 to x2,y2 */
	MARK_RECT, /* x1,y1 to x2,y2: the corners */
	MARK_POINT, /* the series' marker, or the diamond of ROLE_REPORTED, around x1,y1; y2 is its radius */
	MARK_PATH, /* a line through `points`, or for ROLE_BAND and ROLE_FILL the area inside */
	MARK_RUNS, /* many bars of one look, y2 px thick, along `runs`, dashed as style_dash says; without any, one from x1 to x2 at y1 */
	MARK_RASTER, /* `raster`'s cells in the first series' colour between the corners x1,y1 and x2,y2 */
	MARK_TEXT, /* baseline at x1,y1 */
	MARK_OPEN, /* begins a group with a tooltip, `text` */
	MARK_CLOSE,
};

struct place {
	double f, px; /* fraction of the width, and px */
};

struct point {
	double f, y;
};

/* Along a horizontal line whose middle is y; no length is a dot as wide as it is thick. */
struct run_px {
	double f1, f2, y;
};

struct mark {
	enum mark_kind kind;
	enum role role;
	enum ink ink;
	enum anchor anchor;
	int series;
	bool wide; /* only where there is room */
	bool halo; /* text that stands on marks, with paper around it */
	double opacity; /* of RUNS; 0: the role's own */
	struct place x1, x2; /* of LINE and RECT: either f or px differs, not both */
	double y1, y2;
	struct str text, title; /* title: the full text, when `text` is cut */
	const struct point *points;
	ptrdiff_t n_points;
	const struct run_px *runs;
	ptrdiff_t n_runs;
	const struct raster *raster;
	int row; /* index of the datum, -1 for furniture */
};

enum swatch {
	SWATCH_RANGE,
	SWATCH_BAR,
	SWATCH_WHISKER,
	SWATCH_UPRIGHT,
	SWATCH_REST,
	SWATCH_PRED,
	SWATCH_REPORTED,
	SWATCH_LINE,
	SWATCH_BAND,
	SWATCH_STATE, /* `series` as in ROLE_STATE */
	SWATCH_RAMP, /* a heatmap's shades, light to dark */
	SWATCH_TICK,
	SWATCH_DOT,
	SWATCH_CLOUD,
	SWATCH_NONE /* words alone */
};
struct key_item {
	enum swatch swatch;
	int series;
	struct str text;
};
enum { KEY_MAX = CHART_SERIES_MAX + CHART_STATES_MAX + 4 };

struct plot {
	struct arena *arena;
	struct mark *marks;
	ptrdiff_t n, cap;
	double height;
	double px; /* the narrowest width the labels were fitted to */
	int row; /* stamped on marks as they are added */
	struct str id; /* the chart's: names what a raster's picture is called */
	struct key_item key[KEY_MAX];
	int n_key;
};

/* Lays the chart out for widths from `px` on. */
struct plot plot_new(struct arena *a, const struct chart *c, double px);
void plot_rows(struct plot *p, const struct chart *c); /* range, bar, split */
void plot_line(struct plot *p, const struct chart *c); /* line, step, scatter */
void plot_counts(struct plot *p, const struct chart *c); /* histogram, ecdf */
void plot_heatmap(struct plot *p, const struct chart *c);
void plot_timeline(struct plot *p, const struct chart *c);

struct mark *plot_add(struct plot *p, enum mark_kind kind, enum role role, int series);
void plot_append(struct plot *p, const struct plot *layer, int series); /* the marks of another; of one series unless it is -1 */
void plot_line_mark(struct plot *p, enum role role, int series, struct place x1, double y1, struct place x2, double y2);
void plot_rect(struct plot *p, enum role role, int series, struct place x1, double y1, struct place x2, double y2);
void plot_runs(struct plot *p, enum role role, int series, double thick_px, const struct run_px *runs, ptrdiff_t n);
void plot_path(struct plot *p, enum role role, int series, const struct point *points, ptrdiff_t n);
void plot_point(struct plot *p, enum role role, int series, double f, double y, double radius);
struct mark *plot_text(struct plot *p, enum ink ink, enum anchor anchor, struct place x, double y, struct str text);
void plot_tooltip(struct plot *p, struct str text); /* until plot_tooltip_end */
void plot_tooltip_end(struct plot *p);
double plot_x_axis(struct plot *p, const struct axis *axis, double y); /* below y; returns where it ends */
void plot_key(struct plot *p, enum swatch swatch, int series, struct str text);
double plot_swatch_px(enum swatch swatch); /* width */
double plot_state_px(int state); /* thickness of a state's runs */
/* How many stripes of paper, and how thick, tell a state's spans from others as tall. */
int plot_state_stripes(int state);
#define PLOT_STRIPE_PX 1.5
/* A key item's picture, 16 px high, with its left top corner at x,y. */
void plot_swatch(struct plot *p, const struct key_item *k, double x, double y);
/* Points of ROLE_CLOUD in the shape of their series. */
void plot_cloud(struct plot *p, int series, double size_px, const struct run_px *runs, ptrdiff_t n);
enum { PLOT_FONT_PX = 13 };

/* Whether every value, shown beside this axis, is a whole number: then they are printed in full. */
bool plot_all_whole(const struct chart *c, const struct axis *axis);
/* "127 µs, 121 to 133, n = 6": a row's numbers as words. */
struct str plot_row_words(struct arena *a, const struct chart *c, const struct axis *axis, const struct chart_row *r);

#endif
