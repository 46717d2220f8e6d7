#include "chart/style.h"

static const char *const fill_class[] = {"s1", "s2", "s3", "s4", "s5"};
static const char *const dot_class[] = {"s1 dot", "s2 dot", "s3 dot", "s4 dot", "s5 dot"};
static const char *const stroke_class[] = {"l1", "l2", "l3", "l4", "l5"};
static const char *const run_class[] = {"c1", "c2", "c3", "c4", "c5"};
/* Round, square, and the same with a hole; stripes in a timeline's spans have no ends of their own. */
static const char *const cloud_class[] = {"c1 cl", "c2 cs", "c3 cl", "c4 cs", "c5 cl"};
static const char *const hole_class[] = {"knock", "knock", "knock cl", "knock cs", "knock"};
static const char *const state_class[] = {"st0", "c2 st1", "base", "c4 st3", "base st1", "base"};
static const int state_light[] = {0x1b1f23, 0xc7742b, 0x80858a, 0x6f1428, 0x80858a, 0x80858a};
static const int series_light[] = {0x0f5c91, 0xc7742b, 0x56988c, 0x6f1428, 0x6c6c6c};
_Static_assert(sizeof fill_class / sizeof *fill_class == CHART_SERIES_MAX, "one class for each series");

static int known(int series)
{
	return series >= 0 && series < CHART_SERIES_MAX ? series : CHART_SERIES_MAX - 1;
}

struct dash style_dash(enum role role, int series)
{
	if (role == ROLE_STATE && (series == STATE_READY || series == STATE_IDLE))
		return (struct dash){2, 1.5};
	if (role == ROLE_STATE && series == STATE_THROTTLED)
		return (struct dash){1.5, 3};
	return (struct dash){0, 0};
}

const char *style_class(enum role role, int series)
{
	switch (role) {
	case ROLE_FILL:
	case ROLE_BAND: return fill_class[known(series)];
	case ROLE_DOT: return dot_class[known(series)];
	case ROLE_STROKE: return stroke_class[known(series)];
	case ROLE_INNER: return "l0 knock";
	case ROLE_CLOUD: return cloud_class[known(series)];
	case ROLE_HOLE: return hole_class[known(series)];
	case ROLE_CELL: return run_class[0];
	case ROLE_STATE:
		return series < STATE_OTHER ? state_class[series] : run_class[known(series - STATE_OTHER)];
	case ROLE_TICK: return "base";
	case ROLE_RAIL: return run_class[3];
	case ROLE_TINT: return "sh2";
	case ROLE_SPREAD: return "spread";
	case ROLE_PRED: return "pred";
	case ROLE_PRED_HALO: return "pred-h";
	case ROLE_REPORTED: return "rep-m";
	case ROLE_BASE: return "base";
	case ROLE_GRID: return "grid";
	case ROLE_MAX: break;
	}
	return "";
}

const char *style_text_class(enum ink ink, enum anchor anchor, bool wide)
{
	static const char *const names[INK_MAX][3][2] = {
		[INK_LABEL] = {{NULL, "w"}, {"m", "m w"}, {"e", "e w"}},
		[INK_BOLD] = {{"b", "b w"}, {"b m", "b m w"}, {"b e", "b e w"}},
		[INK_QUIET] = {{"q", "q w"}, {"q m", "q m w"}, {"q e", "q e w"}},
		[INK_AXIS] = {{"ax", "ax w"}, {"ax m", "ax m w"}, {"ax e", "ax e w"}},
		[INK_PAPER] = {{"p", "p w"}, {"p m", "p m w"}, {"p e", "p e w"}},
	};

	return names[ink][anchor][wide];
}

const char *style_sheet(void)
{
	return ".paper,.spread{fill:#fcfcfa}svg{font:400 13px/1 \"Segoe UI\",-apple-system,Roboto,\"Noto "
	       "Sans\",\"DejaVu Sans\",Arial,sans-serif;"
	       "fill:#1b1f23;font-variant-numeric:lining-nums "
	       "tabular-nums}.title{font-size:17px;font-weight:600}.b{font-weight:600}"
	       ".q,.ax{fill:#52585e}.ax{font-size:12.5px}.e{text-anchor:end}.m{text-anchor:middle}"
	       ".grid{stroke:#d9d9d2}.base{stroke:#80858a}"
	       ".s1{fill:#0f5c91}.s2{fill:#c7742b}.s3{fill:#56988c}.s4{fill:#6f1428}.s5{fill:#6c6c6c}"
	       "svg svg{overflow:visible}.l0,.l1,.l2,.l3,.l4,.l5{fill:none;stroke-width:2;stroke:#0f5c91}.l2{stroke:#c7742b}.l3{stroke:#56988c}.l4{"
	       "stroke:#6f1428}.l5{stroke:#6c6c6c}"
	       ".c1{stroke:#0f5c91}.c2{stroke:#c7742b}.c3{stroke:#56988c}.c4{stroke:#6f1428}.c5{stroke:#6c6c6c}"
	       ".cl{stroke-linecap:round}.cs{stroke-linecap:square}.knock{stroke:#fcfcfa}.p{fill:#fcfcfa}"
	       ".halo{paint-order:stroke;stroke:#fcfcfa;stroke-width:6px;stroke-linejoin:round}"
	       ".st0{stroke:#1b1f23}.st1{stroke-dasharray:2 1.5}.st3{stroke-dasharray:1.5 3}"
	       ".sh2{fill:#c3d7e5;stroke:#0f5c91;stroke-width:1}.pred,.pred-h{fill:none;stroke:#1b1f23;stroke-width:2}"
	       ".pred-h{stroke:#fcfcfa;stroke-width:6}.rep-m{fill:#fcfcfa;stroke:#52585e;stroke-width:1.6}.dot{stroke:#"
	       "fcfcfa;stroke-width:1.5}"
	       "@media "
	       "(prefers-color-scheme:dark){.paper,.spread,.rep-m{fill:#14181b}svg{fill:#e7e5df}.q,.ax{fill:#a9aeb3}"
	       ".grid{stroke:#343b41}.base{stroke:#7b838a}.s1{fill:#6db0e2}.s2{fill:#f0a95a}.s3{fill:#85e3d3}.s4{fill:#"
	       "bd4d4d}.s5{fill:#8f9192}"
	       ".l1,.c1,.sh2{stroke:#6db0e2}.l2,.c2{stroke:#f0a95a}.l3,.c3{stroke:#85e3d3}.l4,.c4{stroke:#bd4d4d}"
	       ".l5,.c5{stroke:#8f9192}.sh2{fill:#24435a}.p{fill:#14181b}.halo,.knock{stroke:#14181b}.st0{stroke:#b4b8ba}"
	       ".pred{stroke:#e7e5df}.pred-h,.dot{stroke:#14181b}.rep-m{stroke:#a9aeb3}}";
}

struct look style_look(enum role role, int series)
{
	int colour = series_light[known(series)];

	switch (role) {
	case ROLE_FILL: return (struct look){colour, -1, 0, 1};
	case ROLE_BAND: return (struct look){colour, -1, 0, 0.18};
	case ROLE_DOT: return (struct look){colour, STYLE_PAPER, 1.5, 1};
	case ROLE_STROKE: return (struct look){-1, colour, 2, 1};
	case ROLE_INNER: return (struct look){-1, STYLE_PAPER, 2, 1};
	case ROLE_CLOUD: return (struct look){colour, -1, 0, 1};
	case ROLE_HOLE: return (struct look){STYLE_PAPER, -1, 0, 1};
	case ROLE_CELL: return (struct look){series_light[0], -1, 0, 1};
	case ROLE_STATE:
		return (struct look){series < STATE_OTHER ? state_light[series]
							  : series_light[known(series - STATE_OTHER)],
			-1, 0, 1};
	case ROLE_RAIL: return (struct look){state_light[STATE_THROTTLED], -1, 0, 1};
	case ROLE_TICK: return (struct look){-1, 0x80858a, 1, 1};
	case ROLE_TINT: return (struct look){0xc3d7e5, series_light[0], 1, 1};
	case ROLE_SPREAD: return (struct look){STYLE_PAPER, -1, 0, 1};
	case ROLE_PRED: return (struct look){-1, 0x1b1f23, 2, 1};
	case ROLE_PRED_HALO: return (struct look){-1, STYLE_PAPER, 6, 1};
	case ROLE_REPORTED: return (struct look){STYLE_PAPER, 0x52585e, 1.6, 1};
	case ROLE_BASE: return (struct look){-1, 0x80858a, 1, 1};
	case ROLE_GRID: return (struct look){-1, 0xd9d9d2, 1, 1};
	case ROLE_MAX: break;
	}
	return (struct look){-1, -1, 0, 1};
}

int style_ink(enum ink ink)
{
	return ink == INK_PAPER ? STYLE_PAPER : ink == INK_QUIET || ink == INK_AXIS ? 0x52585e : 0x1b1f23;
}

int style_marker(enum role role, int series, double radius, struct xy out[4])
{
	double r = radius, s = radius * 0.88, w = radius * 1.12;

	if (role == ROLE_REPORTED || known(series) == 3) {
		struct xy diamond[] = {{0, -r * 1.2}, {r * 1.2, 0}, {0, r * 1.2}, {-r * 1.2, 0}};
		memcpy(out, diamond, sizeof diamond);
		return 4;
	}
	if (known(series) == 1) {
		struct xy square[] = {{-s, -s}, {s, -s}, {s, s}, {-s, s}};
		memcpy(out, square, sizeof square);
		return 4;
	}
	if (known(series) == 2 || known(series) == 4) {
		double up = known(series) == 2 ? 1 : -1;
		struct xy triangle[] = {{0, -w * up}, {w, s * up}, {-w, s * up}};
		memcpy(out, triangle, sizeof triangle);
		return 3;
	}
	return 0;
}
