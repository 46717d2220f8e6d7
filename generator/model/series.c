#include "model/series.h"

#include <math.h>

#include "base/buf.h"
#include "model/series_fill.h"

const char *const chart_kind_names[CHART_KIND_MAX] = {
	"range", "bar", "line", "step", "scatter", "histogram", "ecdf", "heatmap", "timeline", "split"};
_Static_assert(CHART_KIND_MAX == 10, "name the new kind and give it columns");

/* Geometry subtracts and divides; within these nothing overflows or vanishes. */
static const double largest = 1e100, smallest = 1e-100;

/* What a column holds, and whether a scale applies: the chart's, or that of x. */
enum cells { TEXT, NUMBER, VALUE, X, EITHER };

struct column {
	struct str name;
	size_t offset; /* of the field in a chart_row */
	enum cells cells;
	bool datum; /* where it must be: a row with NULL in it is no row */
	const char *need; /* a letter a kind, in their order: M must, o may, . unknown there */
};

#define COLUMN(name, field, cells, datum, need)                                                                        \
	{                                                                                                              \
		{"" name, sizeof(name) - 1}, offsetof(struct chart_row, field), cells, datum, need                     \
	}
/* clang-format off */
static const struct column columns[] = {
	/*                                          range bar line step scatter histogram ecdf heatmap timeline split */
	COLUMN("label", label, TEXT, false,         "MM.......M"),
	COLUMN("lane", label, TEXT, false,          "........M."),
	COLUMN("x", x, X, true,                     "..MMM....."),
	COLUMN("x", x, EITHER, true,                ".......M.."),
	COLUMN("y", y, EITHER, true,                ".......M.."),
	COLUMN("lo", x, VALUE, true,                ".....M...."),
	COLUMN("hi", x2, VALUE, true,               ".....M...."),
	COLUMN("t0", x, NUMBER, true,               "........M."),
	COLUMN("t1", x2, NUMBER, true,              "........M."),
	COLUMN("median", value, VALUE, true,        "M........."),
	COLUMN("value", value, VALUE, true,         ".M....MM.."),
	COLUMN("y", value, VALUE, true,             "..MMM....."),
	COLUMN("measured", value, VALUE, true,      ".........M"),
	COLUMN("count", count, NUMBER, true,        ".....Mo..."),
	COLUMN("state", state, TEXT, false,         "........M."),
	COLUMN("predicted", predicted, VALUE, false, "oo.......M"),
	COLUMN("min", min, VALUE, false,            "Moooo....o"),
	COLUMN("max", max, VALUE, false,            "Moooo....o"),
	COLUMN("reported", reported, VALUE, false,  "oo.......o"),
	COLUMN("source", source, TEXT, false,       "oo.......o"),
	COLUMN("n", n, NUMBER, false,               "oooooooooo"),
	COLUMN("series", series, TEXT, false,       "ooooooo.oo"),
	COLUMN("panel", panel, TEXT, false,         "oooooooooo"),
};
/* clang-format on */
enum { COLUMNS = sizeof columns / sizeof *columns };
_Static_assert((int)COLUMNS <= (int)SERIES_COLUMNS_MAX, "room for the column's place");

uint32_t series_next_char(struct str *rest)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)rest->ptr;
	int more = p[0] < 0x80		   ? 0
		   : (p[0] & 0xe0) == 0xc0 ? 1
		   : (p[0] & 0xf0) == 0xe0 ? 2
		   : (p[0] & 0xf8) == 0xf0 ? 3
					   : -1;
	uint32_t c = more <= 0 ? p[0] : p[0] & (0x3fu >> more);

	for (int i = 1; i <= more; i++) {
		if (i >= rest->len || (p[i] & 0xc0) != 0x80) {
			more = -1;
			break;
		}
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (more < 0 || c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
		*rest = str_from(*rest, 1);
		return 0xfffd;
	}
	*rest = str_from(*rest, more + 1);
	return c;
}

static struct str clean_text(struct arena *a, struct str s)
{
	struct buf b = buf_new(a);

	for (struct str rest = s; rest.len;) {
		const char *from = rest.ptr;
		uint32_t c = series_next_char(&rest);
		if (c == 0xfffd || (c & 0xfffe) == 0xfffe)
			buf_add(&b, STR("\xef\xbf\xbd"));
		else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
			buf_char(&b, ' ');
		else
			buf_add(&b, (struct str){from, rest.ptr - from});
	}
	return str_trim(buf_str(&b));
}

/* For messages: at most `most` bytes, whole characters. */
static struct str short_text(struct arena *a, struct str s, ptrdiff_t most)
{
	s = clean_text(a, s);
	if (s.len <= most)
		return s;
	while (most > 0 && ((unsigned char)s.ptr[most] & 0xc0) == 0x80)
		most--;
	return str_slice(s, 0, most);
}

static struct str column_list(struct arena *a, enum chart_kind kind, char need)
{
	struct buf b = buf_new(a);

	for (int i = 0; i < COLUMNS; i++)
		if (columns[i].need[kind] == need)
			buf_printf(&b, "%s%.*s", b.len ? ", " : "", STR_FMT(columns[i].name));
	return buf_str(&b);
}

static bool fail_columns(struct fill *f, const char *what, struct str name)
{
	enum chart_kind kind = f->c->kind;
	struct str must = column_list(f->a, kind, 'M'), may = column_list(f->a, kind, 'o');
	struct str shown = short_text(f->a, name, 80);

	diag_error(f->d, f->at, "%s column '%.*s' in a %s chart; select %.*s and, if wanted, %.*s", what,
		STR_FMT(shown), chart_kind_names[kind], STR_FMT(must), STR_FMT(may));
	return false;
}

static bool map_columns(struct fill *f)
{
	for (int i = 0; i < COLUMNS; i++)
		f->of[i] = -1;
	for (ptrdiff_t col = 0; col < f->g->cols; col++) {
		struct str name = f->g->names[col];
		int i = 0;
		while (i < COLUMNS && !(columns[i].need[f->c->kind] != '.' && str_eq(columns[i].name, name)))
			i++;
		if (i == COLUMNS)
			return fail_columns(f, "unknown", name);
		if (f->of[i] >= 0)
			return fail_columns(f, "two columns for the", name);
		f->of[i] = col;
	}
	for (int i = 0; i < COLUMNS; i++)
		if (columns[i].need[f->c->kind] == 'M' && f->of[i] < 0)
			return fail_columns(f, "no", columns[i].name);
	return true;
}

static bool check_number(struct fill *f, const struct column *k, ptrdiff_t row, double v)
{
	enum chart_scale scale = k->cells == X ? f->c->x_scale : k->cells == VALUE ? f->c->scale : CHART_LINEAR;

	if (isinf(v) || fabs(v) > largest) {
		diag_error(f->d, f->at,
			"row %td: %.*s is infinite or beyond 1e100; check the query for a division by something near "
			"zero",
			row + 1, STR_FMT(k->name));
		return false;
	}
	if (scale == CHART_LOG && v < smallest) {
		diag_error(f->d, f->at,
			"row %td: %.*s is %g, and a log scale needs values above zero; use %s: linear or leave the "
			"row out",
			row + 1, STR_FMT(k->name), v, k->cells == X ? "x-scale" : "scale");
		return false;
	}
	return true;
}

/* Index of a name in a list, where it is added at the end; -1 when the list has `most` already. */
static int name_index(struct fill *f, struct chart_names *list, struct str name, ptrdiff_t most)
{
	for (ptrdiff_t i = 0; i < list->n; i++)
		if (str_eq(list->at[i], name))
			return (int)i;
	if (list->n == most)
		return -1;
	if (!list->at)
		list->at = ARENA_NEW(f->a, struct str, most);
	list->at[list->n] = name;
	return (int)list->n++;
}

static bool fill_number(struct fill *f, const struct column *k, struct str text, double v, ptrdiff_t row, double *field)
{
	if (isnan(v) && text.ptr) {
		struct str shown = short_text(f->a, text, 40);
		diag_error(f->d, f->at, "row %td: %.*s is '%.*s', not a number; select a number there or cast it",
			row + 1, STR_FMT(k->name), STR_FMT(shown));
		return false;
	}
	if (!isnan(v) && !check_number(f, k, row, v))
		return false;
	*field = fabs(v) < smallest ? 0 : v;
	return true;
}

/* A heatmap's x or y: the number, or the place of its word. */
static bool fill_either(struct fill *f, const struct column *k, struct str text, double v, ptrdiff_t row, double *field)
{
	bool is_y = str_eq(k->name, STR("y"));

	if (!(is_y ? f->y_words : f->x_words))
		return fill_number(f, k, text, v, row, field);
	*field = (double)NAN;
	if (!text.ptr)
		return true;
	int at = name_index(f, is_y ? &f->c->y_names : &f->c->x_names, clean_text(f->a, text), CHART_NAMES_MAX);
	if (at < 0) {
		diag_error(f->d, f->at, "more than %d different words in %.*s; show fewer, or numbers", CHART_NAMES_MAX,
			STR_FMT(k->name));
		return false;
	}
	*field = at;
	return true;
}

static bool fill_cell(struct fill *f, struct chart_row *r, int i, ptrdiff_t row)
{
	const struct column *k = &columns[i];
	char *field = (char *)r + k->offset;
	ptrdiff_t cell = row * f->g->cols + f->of[i];
	struct str text = f->g->text[cell];

	if (k->cells == TEXT) {
		text = clean_text(f->a, text);
		memcpy(field, &text, sizeof text);
		return true;
	}
	if (k->cells == EITHER)
		return fill_either(f, k, text, f->g->num[cell], row, (double *)(void *)field);
	return fill_number(f, k, text, f->g->num[cell], row, (double *)(void *)field);
}

/* Whether a column holds words: then its numbers are words too. */
static bool has_words(const struct fill *f, const char *name)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (columns[i].cells != EITHER || f->of[i] < 0 || !str_eq(columns[i].name, str_of(name)))
			continue;
		for (ptrdiff_t row = 0; row < f->g->rows; row++) {
			ptrdiff_t cell = row * f->g->cols + f->of[i];
			if (f->g->text[cell].ptr && isnan(f->g->num[cell]))
				return true;
		}
	}
	return false;
}

/* The row's places in the lists of series, panels and states. */
static bool find_places(struct fill *f, struct chart_row *r)
{
	struct chart_names series = {f->c->series, f->c->n_series};

	r->series_at = name_index(f, &series, r->series, CHART_SERIES_MAX);
	f->c->n_series = series.n;
	if (r->series_at < 0) {
		diag_error(f->d, f->at, "more than %d series; show fewer in one chart, or give each a panel",
			CHART_SERIES_MAX);
		return false;
	}
	r->panel_at = name_index(f, &f->c->panels, r->panel, CHART_PANELS_MAX);
	if (r->panel_at < 0) {
		diag_error(f->d, f->at, "more than %d panels; make two charts of them", CHART_PANELS_MAX);
		return false;
	}
	if (f->c->kind == CHART_TIMELINE)
		r->state_at = name_index(f, &f->c->states, r->state, CHART_STATES_MAX);
	if (r->state_at < 0) {
		diag_error(f->d, f->at, "more than %d states; join some of them in the query", CHART_STATES_MAX);
		return false;
	}
	return true;
}

static bool is_datum(const struct fill *f, const struct chart_row *r)
{
	for (int i = 0; i < COLUMNS; i++) {
		double v;
		if (!columns[i].datum || f->of[i] < 0)
			continue;
		memcpy(&v, (const char *)r + columns[i].offset, sizeof v);
		if (isnan(v))
			return false;
	}
	return true;
}

static bool fill_rows(struct fill *f)
{
	struct chart *c = f->c;
	const double none = (double)NAN;

	for (ptrdiff_t row = 0; row < f->g->rows; row++) {
		struct chart_row r = {.x = none, .x2 = none, .y = none, .value = none, .min = none, .max = none};
		r.predicted = r.reported = r.n = none;
		r.count = 1;
		for (int i = 0; i < COLUMNS; i++)
			if (f->of[i] >= 0 && !fill_cell(f, &r, i, row))
				return false;
		if (!find_places(f, &r) || !series_check_row(f, &r, row))
			return false;
		if (is_datum(f, &r))
			c->rows[c->n++] = r;
		else if (chart_is_labelled(c->kind))
			c->missing[c->n_missing++] = (struct chart_missing){r.label, r.series, c->n};
	}
	return true;
}

bool chart_fill(struct chart *c, const struct grid *g, struct arena *a, struct diag *d, struct pos at)
{
	struct fill f = {.c = c, .g = g, .a = a, .d = d, .at = at};
	bool labelled = chart_is_labelled(c->kind);

	c->n = c->n_series = c->n_missing = 0;
	c->panels = c->states = c->x_names = c->y_names = (struct chart_names){0};
	if (!map_columns(&f) || !series_check_shape(&f))
		return false;
	f.x_words = has_words(&f, "x");
	f.y_words = has_words(&f, "y");
	c->rows = ARENA_NEW(a, struct chart_row, g->rows);
	c->missing = ARENA_NEW(a, struct chart_missing, labelled ? g->rows : 0);
	c->series = ARENA_NEW(a, struct str, CHART_SERIES_MAX);
	return fill_rows(&f) && series_check_rows(&f);
}

bool chart_has_spread(const struct chart *c)
{
	for (ptrdiff_t i = 0; i < c->n; i++)
		if (!isnan(c->rows[i].min) && !isnan(c->rows[i].max))
			return true;
	return false;
}

static void copy_names(struct arena *a, struct chart_names *list)
{
	struct str *at = ARENA_NEW(a, struct str, list->n);

	for (ptrdiff_t i = 0; i < list->n; i++)
		at[i] = str_copy(a, list->at[i]);
	list->at = at;
}

struct chart chart_copy(struct arena *a, const struct chart *c)
{
	struct chart copy = *c;
	struct chart_names series = {c->series, c->n_series};
	struct str *const texts[] = {
		&copy.id, &copy.title, &copy.subtitle, &copy.unit, &copy.x_unit, &copy.y_unit, &copy.machine};

	for (size_t i = 0; i < sizeof texts / sizeof(struct str *); i++)
		*texts[i] = str_copy(a, *texts[i]);
	copy.rows = ARENA_NEW(a, struct chart_row, c->n);
	copy.missing = ARENA_NEW(a, struct chart_missing, c->n_missing);
	for (ptrdiff_t i = 0; i < c->n; i++) {
		struct chart_row *r = &copy.rows[i];
		*r = c->rows[i];
		r->label = str_copy(a, r->label);
		r->series = str_copy(a, r->series);
		r->source = str_copy(a, r->source);
		r->state = str_copy(a, r->state);
		r->panel = str_copy(a, r->panel);
	}
	for (ptrdiff_t i = 0; i < c->n_missing; i++) {
		copy.missing[i] = c->missing[i];
		copy.missing[i].label = str_copy(a, c->missing[i].label);
		copy.missing[i].series = str_copy(a, c->missing[i].series);
	}
	copy_names(a, &series);
	copy.series = series.at;
	copy_names(a, &copy.panels);
	copy_names(a, &copy.states);
	copy_names(a, &copy.x_names);
	copy_names(a, &copy.y_names);
	return copy;
}
