/* Reading what others reported: cells of CSV to rows with exact numbers. */
#include "model/reference.h"

#include <math.h>

#include "base/strmap.h"
#include "model/format.h"
#include "text/csv.h"

enum { DIGITS_MAX = 15 }; /* so many decimal digits pass through a double unchanged */
enum { SOURCE, MACHINE, KIND, LABEL, UNIT, MIN, MEDIAN, MAX, COUNT, KEY, NOTE, COLUMNS };
enum { C_NAME, C_UNIT, C_VALUE, C_KERNEL, C_FILE, C_NOTE, C_COLUMNS };

const char *const reference_kind_names[REFERENCE_KIND_MAX] = {"measured", "derived", "documented"};
static const char *const figure_header[COLUMNS] = {
	"source", "machine", "kind", "label", "unit", "min", "median", "max", "n", "key", "note"};
static const char *const constant_header[C_COLUMNS] = {"name", "unit", "value", "kernel", "file", "note"};

struct reading {
	struct arena *a;
	struct diag *d;
	struct csv csv;
	struct reference *out;
	struct str_map keys;
	bool ok;
};

static bool has_header(const struct csv *t, const char *const *names, ptrdiff_t n)
{
	bool same = t->cols == n;

	for (ptrdiff_t i = 0; same && i < n; i++)
		same = str_eq(t->cells[i].text, str_of(names[i]));
	return same;
}

static void wrong(struct reading *r, const struct csv_cell *cell, const char *what)
{
	diag_error(r->d, cell->at, "'%.*s' cannot stand here; %s", STR_FMT(cell->text), what);
	r->ok = false;
}

/* Digits with at most one point and a minus in front. */
static struct reference_number number(struct reading *r, const struct csv_cell *cell)
{
	struct reference_number v = {.given = cell->text.len > 0};
	struct str s = cell->text;
	bool minus = s.len && s.ptr[0] == '-', point = false, good = true;
	int digits = 0;

	for (ptrdiff_t i = minus; good && i < s.len; i++) {
		if (s.ptr[i] == '.' && !point && i > minus && i + 1 < s.len) {
			point = true;
			continue;
		}
		good = s.ptr[i] >= '0' && s.ptr[i] <= '9' && ++digits <= DIGITS_MAX;
		v.digits = good ? v.digits * 10 + (s.ptr[i] - '0') : 0;
		v.decimals += point;
	}
	if (v.given && (!good || !digits))
		wrong(r, cell, "write a plain decimal number of at most 15 digits in the unit, or nothing");
	v.digits = minus ? -v.digits : v.digits;
	return v;
}

/* The index of a cell among names; -1 with an error. */
static int choice(struct reading *r, const struct csv_cell *cell, const char *const *names, int n, const char *say)
{
	for (int i = 0; i < n; i++)
		if (str_eq(cell->text, str_of(names[i])))
			return i;
	wrong(r, cell, say);
	return -1;
}

static enum run_unit unit_of(struct reading *r, const struct csv_cell *cell)
{
	int i = choice(r, cell, run_unit_names, RUN_UNIT_MAX, "write ns, count, bytes, ppm or milli");

	return i < 0 ? RUN_UNIT_COUNT : (enum run_unit)i;
}

static bool is_name(struct str s)
{
	bool good = s.len > 0 && s.len <= 60 && s.ptr[0] >= 'a' && s.ptr[0] <= 'z';

	for (ptrdiff_t i = 0; good && i < s.len; i++) {
		char c = s.ptr[i];
		good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || (c == '.' && i + 1 < s.len);
	}
	return good;
}

/* One source and machine in a file, so that it can be replaced as a whole. */
static void place(struct reading *r, const struct csv_cell *source, const struct csv_cell *machine)
{
	struct reference *out = r->out;

	if (!is_name(source->text) || str_eq(source->text, STR(REFERENCE_CONSTANTS)))
		wrong(r, source, "name the source in lower case letters, digits and dashes");
	else if (out->source.len && !str_eq(out->source, source->text))
		wrong(r, source, "a file has one source; put the rows of another into a file of their own");
	out->source = out->source.len ? out->source : source->text;
	if (machine->text.len && !is_name(machine->text))
		wrong(r, machine, "name the machine in lower case letters, digits, dashes and points");
	else if (machine->text.len && out->machine.len && !str_eq(out->machine, machine->text))
		wrong(r, machine, "a file has one machine; put the rows of another into a file of their own");
	out->machine = out->machine.len ? out->machine : machine->text;
}

static void check_key(struct reading *r, struct reference_row *row, const struct csv_cell *cell)
{
	struct probe_key k = probe_key_parse(cell->text);

	if (!k.ok) {
		struct str near = probe_key_nearest(r->a, cell->text);
		diag_error(r->d, cell->at, "unknown measurement '%.*s'; %s%.*s", STR_FMT(cell->text),
			near.len ? "did you mean " : "`runq probe list` shows all", STR_FMT(near));
		r->ok = false;
		return;
	}
	row->key = k.metric == k.probe->metrics ? str_printf(r->a, "%s/%s", k.probe->name, k.kase->name)
						: str_printf(r->a, "%s/%s:%s", k.probe->name, k.kase->name, k.metric->name);
	if (k.metric->unit != row->unit)
		wrong(r, cell, str_z(r->a, str_printf(r->a, "its values are in %s, convert the row", run_unit_names[k.metric->unit])));
	else if (!row->median.given || !row->on_machine)
		wrong(r, cell, "a row with a key needs a machine and a median");
	else if (!str_map_put(&r->keys, r->a, row->key, 0))
		wrong(r, cell, "the key occurs twice in this file; keep one");
}

static bool above(struct reference_number a, struct reference_number b)
{
	return a.given && b.given && reference_natural(a, RUN_UNIT_COUNT) > reference_natural(b, RUN_UNIT_COUNT);
}

static void read_row(struct reading *r, const struct csv_cell *c)
{
	struct reference_row *row = &r->out->rows[r->out->n_rows++];
	int kind = choice(r, &c[KIND], reference_kind_names, REFERENCE_KIND_MAX, "write measured, derived or documented");

	place(r, &c[SOURCE], &c[MACHINE]);
	*row = (struct reference_row){.kind = kind < 0 ? REFERENCE_MEASURED : (enum reference_kind)kind, .at = c->at};
	row->on_machine = c[MACHINE].text.len > 0;
	row->label = c[LABEL].text;
	row->note = c[NOTE].text;
	row->unit = unit_of(r, &c[UNIT]);
	row->min = number(r, &c[MIN]);
	row->median = number(r, &c[MEDIAN]);
	row->max = number(r, &c[MAX]);
	if (!row->label.len)
		wrong(r, &c[LABEL], "say what the figure is");
	if (above(row->min, row->median) || above(row->median, row->max) || above(row->min, row->max))
		wrong(r, &c[MEDIAN], "it lies outside min and max");
	if (!row->min.given && !row->median.given && !row->max.given && !row->note.len)
		wrong(r, &c[MEDIAN], "give a number, or a note that says why there is none");
	if (c[COUNT].text.len && (!str_int(c[COUNT].text, &row->n) || row->n < 1))
		wrong(r, &c[COUNT], "write the number of passes, or nothing");
	if (c[KEY].text.len)
		check_key(r, row, &c[KEY]);
}

static void read_constant(struct reading *r, const struct csv_cell *c)
{
	struct reference_constant *k = &r->out->constants[r->out->n_constants++];

	*k = (struct reference_constant){.name = c[C_NAME].text, .kernel = c[C_KERNEL].text, .file = c[C_FILE].text,
		.note = c[C_NOTE].text, .at = c->at};
	k->unit = unit_of(r, &c[C_UNIT]);
	k->value = number(r, &c[C_VALUE]);
	if (!k->name.len || !k->kernel.len || !k->file.len || !k->value.given)
		wrong(r, &c[C_NAME], "a constant needs a name, a value, the kernels it holds for and a file");
	else if (!str_map_put(&r->keys, r->a, str_printf(r->a, "%.*s in %.*s", STR_FMT(k->name), STR_FMT(k->kernel)), 0))
		wrong(r, &c[C_NAME], "it occurs twice for these kernels; keep one");
}

struct reference reference_read(struct arena *a, struct diag *d, struct pos start, struct str text)
{
	struct reference out = {0};
	struct reading r = {.a = a, .d = d, .csv = csv_parse(a, d, start, text), .out = &out, .ok = true};

	if (!r.csv.ok)
		return out;
	out.is_constants = has_header(&r.csv, constant_header, C_COLUMNS);
	if (!out.is_constants && !has_header(&r.csv, figure_header, COLUMNS)) {
		diag_error(d, r.csv.cells[0].at, "unknown header; write source,machine,kind,label,unit,min,median,max,n,key,note or "
			"name,unit,value,kernel,file,note");
		return out;
	}
	if (r.csv.rows < 2) {
		diag_error(d, r.csv.cells[0].at, "a header and no row; add a figure or remove the file");
		return out;
	}
	out.rows = ARENA_NEW(a, struct reference_row, r.csv.rows);
	out.constants = ARENA_NEW(a, struct reference_constant, r.csv.rows);
	if (out.is_constants)
		out.source = out.machine = STR(REFERENCE_CONSTANTS);
	for (ptrdiff_t i = 1; i < r.csv.rows; i++) {
		const struct csv_cell *cells = r.csv.cells + i * r.csv.cols;
		if (out.is_constants)
			read_constant(&r, cells);
		else
			read_row(&r, cells);
	}
	out.ok = r.ok;
	return out;
}

double reference_natural(struct reference_number v, enum run_unit unit)
{
	/* Both are whole numbers that a double holds exactly, so that one division rounds rightly. */
	double divisor = rint(1 / run_unit_scale(unit));

	for (int i = 0; i < v.decimals; i++)
		divisor *= 10;
	return v.given ? (double)v.digits / divisor : (double)NAN;
}

struct str reference_unit_name(enum run_unit unit)
{
	if (unit == RUN_UNIT_PPM)
		return STR("fraction");
	return unit == RUN_UNIT_MILLI ? STR("ratio") : str_of(run_unit_names[unit]);
}

/* How many places the point moves to the left, and the unit then. */
static int places(struct reference_number v, enum run_unit unit, const char **shown)
{
	static const struct {
		double from;
		int places;
		const char *shown;
	} times[] = {{1e9, 9, "s"}, {1e6, 6, "ms"}, {1e3, 3, "\xc2\xb5s"}, {0, 0, "ns"}};
	double ns = fabs(reference_natural(v, unit));
	int i = 0;

	*shown = unit == RUN_UNIT_PPM ? "%" : unit == RUN_UNIT_BYTES ? "bytes" : "";
	if (unit != RUN_UNIT_NS)
		return unit == RUN_UNIT_PPM ? 4 : unit == RUN_UNIT_MILLI ? 3 : 0;
	while (ns < times[i].from)
		i++;
	*shown = times[i].shown;
	return times[i].places;
}

struct str reference_text(struct arena *a, struct reference_number v, enum run_unit unit)
{
	const char *shown;
	int decimals = v.decimals + (v.given ? places(v, unit, &shown) : 0);
	int64_t digits = v.digits < 0 ? -v.digits : v.digits, power = 1;
	struct buf b = buf_new(a);

	if (!v.given)
		return STR("");
	while (decimals > 0 && digits % 10 == 0) {
		digits /= 10;
		decimals--;
	}
	for (int i = 0; i < decimals && i < 18; i++)
		power *= 10;
	if (v.digits < 0)
		buf_add(&b, STR(FORMAT_MINUS));
	struct str whole = str_printf(a, "%lld", (long long)(digits / power));
	for (ptrdiff_t i = 0; i < whole.len; i++) {
		if (i && (whole.len - i) % 3 == 0 && whole.len > 4)
			buf_add(&b, STR(FORMAT_THIN));
		buf_char(&b, whole.ptr[i]);
	}
	if (decimals)
		buf_printf(&b, ".%0*lld", decimals, (long long)(digits % power));
	if (*shown)
		buf_printf(&b, "%s%s", FORMAT_NBSP, shown);
	return buf_str(&b);
}
