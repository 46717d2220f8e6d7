#include "model/series.h"

#include <math.h>

#include "base/buf.h"

const char *const chart_kind_names[CHART_KIND_MAX] = {"range", "bar", "line", "split"};
_Static_assert(CHART_KIND_MAX == 4, "name the new kind and give it columns");

/* Geometry subtracts and divides; within these nothing overflows or vanishes. */
static const double largest = 1e100, smallest = 1e-100;

enum need { NEED_NO, NEED_MAY, NEED_MUST };

struct column {
	struct str name;
	size_t offset; /* of the field in a chart_row */
	bool is_text;
	enum need need[CHART_KIND_MAX]; /* range, bar, line, split */
};

#define COLUMN(name, field, text, ...)                                                                                 \
	{                                                                                                              \
		{"" name, sizeof(name) - 1}, offsetof(struct chart_row, field), text,                                  \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
static const struct column columns[] = {
	COLUMN("label", label, true, NEED_MUST, NEED_MUST, NEED_NO, NEED_MUST),
	COLUMN("x", x, false, NEED_NO, NEED_NO, NEED_MUST, NEED_NO),
	COLUMN("median", value, false, NEED_MUST, NEED_NO, NEED_NO, NEED_NO),
	COLUMN("value", value, false, NEED_NO, NEED_MUST, NEED_NO, NEED_NO),
	COLUMN("y", value, false, NEED_NO, NEED_NO, NEED_MUST, NEED_NO),
	COLUMN("measured", value, false, NEED_NO, NEED_NO, NEED_NO, NEED_MUST),
	COLUMN("predicted", predicted, false, NEED_MAY, NEED_MAY, NEED_NO, NEED_MUST),
	COLUMN("min", min, false, NEED_MUST, NEED_MAY, NEED_MAY, NEED_MAY),
	COLUMN("max", max, false, NEED_MUST, NEED_MAY, NEED_MAY, NEED_MAY),
	COLUMN("reported", reported, false, NEED_MAY, NEED_MAY, NEED_NO, NEED_MAY),
	COLUMN("n", n, false, NEED_MAY, NEED_MAY, NEED_MAY, NEED_MAY),
	COLUMN("series", series, true, NEED_MAY, NEED_MAY, NEED_MAY, NEED_MAY),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* What filling needs at every step; `of` maps a column to its place in the grid, -1 if absent. */
struct fill {
	struct chart *c;
	const struct grid *g;
	struct arena *a;
	struct diag *d;
	struct pos at;
	ptrdiff_t of[COLUMNS];
};

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

static struct str column_list(struct arena *a, enum chart_kind kind, enum need need)
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
	struct str must = column_list(f->a, kind, NEED_MUST), may = column_list(f->a, kind, NEED_MAY);
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
		while (i < COLUMNS && !(columns[i].need[f->c->kind] != NEED_NO && str_eq(columns[i].name, name)))
			i++;
		if (i == COLUMNS)
			return fail_columns(f, "unknown", name);
		if (f->of[i] >= 0)
			return fail_columns(f, "two columns for the", name);
		f->of[i] = col;
	}
	for (int i = 0; i < COLUMNS; i++)
		if (columns[i].need[f->c->kind] == NEED_MUST && f->of[i] < 0)
			return fail_columns(f, "no", columns[i].name);
	return true;
}

static bool is_scaled(const struct column *k)
{
	return !str_eq(k->name, STR("n"));
}

static bool check_number(struct fill *f, const struct column *k, ptrdiff_t row, double v)
{
	bool is_x = str_eq(k->name, STR("x"));
	bool is_log = is_scaled(k) && (is_x ? f->c->x_scale : f->c->scale) == CHART_LOG;

	if (isinf(v) || fabs(v) > largest) {
		diag_error(f->d, f->at,
			"row %td: %.*s is infinite or beyond 1e100; check the query for a division by something near "
			"zero",
			row + 1, STR_FMT(k->name));
		return false;
	}
	if (is_log && v < smallest) {
		diag_error(f->d, f->at,
			"row %td: %.*s is %g, and a log scale needs values above zero; use scale: linear or leave the "
			"row out",
			row + 1, STR_FMT(k->name), v);
		return false;
	}
	return true;
}

static bool fill_cell(struct fill *f, struct chart_row *r, int i, ptrdiff_t row)
{
	const struct column *k = &columns[i];
	char *field = (char *)r + k->offset;
	ptrdiff_t cell = row * f->g->cols + f->of[i];
	struct str text = {0};

	if (f->of[i] >= 0)
		text = f->g->text[cell];

	if (k->is_text) {
		text = clean_text(f->a, text);
		memcpy(field, &text, sizeof text);
		return true;
	}
	double v = f->of[i] < 0 ? (double)NAN : f->g->num[cell];
	if (isnan(v) && text.ptr) {
		struct str shown = short_text(f->a, text, 40);
		diag_error(f->d, f->at, "row %td: %.*s is '%.*s', not a number; select a number there or cast it",
			row + 1, STR_FMT(k->name), STR_FMT(shown));
		return false;
	}
	if (!isnan(v) && !check_number(f, k, row, v))
		return false;
	if (fabs(v) < smallest)
		v = 0;
	memcpy(field, &v, sizeof v);
	return true;
}

/* The index of the row's series; -1 when there are too many. */
static int series_index(struct chart *c, struct str name)
{
	for (ptrdiff_t i = 0; i < c->n_series; i++)
		if (str_eq(c->series[i], name))
			return (int)i;
	if (c->n_series == CHART_SERIES_MAX)
		return -1;
	c->series[c->n_series] = name;
	return (int)c->n_series++;
}

static bool check_row(struct fill *f, const struct chart_row *r, ptrdiff_t row)
{
	if (r->min > r->max) {
		diag_error(f->d, f->at, "row %td: min %g is above max %g; swap the columns", row + 1, r->min, r->max);
		return false;
	}
	if (f->c->kind != CHART_LINE && !r->label.len) {
		diag_error(f->d, f->at, "row %td has no label; select a text for it", row + 1);
		return false;
	}
	if (r->series_at < 0) {
		diag_error(f->d, f->at, "more than %d series; show fewer in one chart", CHART_SERIES_MAX);
		return false;
	}
	return true;
}

static bool check_shape(struct fill *f)
{
	ptrdiff_t most = f->c->kind == CHART_LINE ? CHART_ROWS_MAX : CHART_LABELS_MAX;
	bool is_bar = f->c->kind == CHART_BAR || f->c->kind == CHART_SPLIT;

	if (is_bar && f->c->scale == CHART_LOG) {
		diag_error(f->d, f->at,
			"a %s chart has a zero to start from and a log scale has none; use kind: range or scale: "
			"linear",
			chart_kind_names[f->c->kind]);
		return false;
	}
	if (f->g->rows > most) {
		diag_error(f->d, f->at, "%td rows, and a %s chart shows at most %td; aggregate them or add a LIMIT",
			f->g->rows, chart_kind_names[f->c->kind], most);
		return false;
	}
	return true;
}

bool chart_fill(struct chart *c, const struct grid *g, struct arena *a, struct diag *d, struct pos at)
{
	struct fill f = {.c = c, .g = g, .a = a, .d = d, .at = at};

	c->n = c->n_series = c->n_missing = 0;
	if (!map_columns(&f) || !check_shape(&f))
		return false;
	c->rows = ARENA_NEW(a, struct chart_row, g->rows);
	c->missing = ARENA_NEW(a, struct chart_missing, c->kind == CHART_LINE ? 0 : g->rows);
	c->series = ARENA_NEW(a, struct str, CHART_SERIES_MAX);
	for (ptrdiff_t row = 0; row < g->rows; row++) {
		struct chart_row r = {.x = (double)NAN, .value = (double)NAN, .min = (double)NAN, .max = (double)NAN};
		r.predicted = r.reported = r.n = (double)NAN;
		for (int i = 0; i < COLUMNS; i++)
			if (columns[i].need[c->kind] != NEED_NO && !fill_cell(&f, &r, i, row))
				return false;
		r.series_at = series_index(c, r.series);
		if (!check_row(&f, &r, row))
			return false;
		if (!isnan(r.value) && !(c->kind == CHART_LINE && isnan(r.x)))
			c->rows[c->n++] = r;
		else if (c->kind != CHART_LINE)
			c->missing[c->n_missing++] = (struct chart_missing){r.label, r.series, c->n};
	}
	return true;
}

bool chart_has_spread(const struct chart *c)
{
	for (ptrdiff_t i = 0; i < c->n; i++)
		if (!isnan(c->rows[i].min) && !isnan(c->rows[i].max))
			return true;
	return false;
}

struct chart chart_copy(struct arena *a, const struct chart *c)
{
	struct chart copy = *c;
	struct str *const texts[] = {&copy.id, &copy.title, &copy.subtitle, &copy.unit, &copy.x_unit, &copy.machine};

	for (size_t i = 0; i < sizeof texts / sizeof(struct str *); i++)
		*texts[i] = str_copy(a, *texts[i]);
	copy.rows = ARENA_NEW(a, struct chart_row, c->n);
	copy.missing = ARENA_NEW(a, struct chart_missing, c->n_missing);
	copy.series = ARENA_NEW(a, struct str, c->n_series);
	for (ptrdiff_t i = 0; i < c->n; i++) {
		copy.rows[i] = c->rows[i];
		copy.rows[i].label = str_copy(a, c->rows[i].label);
		copy.rows[i].series = str_copy(a, c->rows[i].series);
	}
	for (ptrdiff_t i = 0; i < c->n_missing; i++) {
		copy.missing[i] = c->missing[i];
		copy.missing[i].label = str_copy(a, c->missing[i].label);
		copy.missing[i].series = str_copy(a, c->missing[i].series);
	}
	for (ptrdiff_t i = 0; i < c->n_series; i++)
		copy.series[i] = str_copy(a, c->series[i]);
	return copy;
}
