/* Results as grids; SQL of app/ and cli/, with text parameters. */
#include "store/internal.h"

#include <math.h>

struct row {
	struct row *next;
	struct str *text;
	double *num;
};

/* Whole numbers lose the ".0" that SQLite gives a REAL: what is printed is what a person would write. */
static struct str cell_text(sqlite3_stmt *stmt, int column, struct arena *a)
{
	struct str s = store_column(stmt, column);

	if (sqlite3_column_type(stmt, column) == SQLITE_FLOAT && str_ends(s, STR(".0")))
		s.len -= 2;
	s = str_copy(a, s);
	if (!s.ptr)
		s.ptr = "";
	return s;
}

static struct row *take_row(sqlite3_stmt *stmt, ptrdiff_t cols, struct arena *a)
{
	struct row *r = ARENA_NEW(a, struct row, 1);

	r->text = ARENA_NEW(a, struct str, cols);
	r->num = ARENA_NEW(a, double, cols);
	for (int i = 0; i < cols; i++) {
		int type = sqlite3_column_type(stmt, i);
		r->num[i] =
			type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_column_double(stmt, i) : (double)NAN;
		if (type != SQLITE_NULL)
			r->text[i] = cell_text(stmt, i, a);
	}
	return r;
}

ptrdiff_t store_grid(struct store *s, sqlite3_stmt *stmt, ptrdiff_t max_rows, struct arena *a, struct grid *out)
{
	ptrdiff_t cols = sqlite3_column_count(stmt), n = 0;
	struct row *first = NULL, **last = &first;
	int code;

	(void)s;
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW && n < max_rows) {
		*last = take_row(stmt, cols, a);
		last = &(*last)->next;
		n++;
	}
	if (code != SQLITE_DONE) {
		/* The message and its code must outlive the reset. */
		if (code == SQLITE_ROW)
			sqlite3_reset(stmt);
		return code == SQLITE_ROW ? GRID_TOO_LONG : GRID_FAILED;
	}
	out->cols = cols;
	out->rows = n;
	out->names = ARENA_NEW(a, struct str, cols);
	out->text = ARENA_NEW(a, struct str, n * cols);
	out->num = ARENA_NEW(a, double, n *cols);
	for (int i = 0; i < cols; i++)
		out->names[i] = str_copy(a, str_of(sqlite3_column_name(stmt, i)));
	n = 0;
	for (const struct row *r = first; r; r = r->next, n++)
		for (ptrdiff_t i = 0; i < cols; i++) {
			out->text[n * cols + i] = r->text[i];
			out->num[n * cols + i] = r->num[i];
		}
	sqlite3_reset(stmt);
	return n;
}

static sqlite3_stmt *with_params(struct store *s, const char *sql, const struct str *params, int n_params)
{
	sqlite3_stmt *stmt = store_stmt_text(s, sql);

	for (int i = 0; stmt && i < n_params; i++)
		store_bind_text(stmt, i + 1, params[i]);
	return stmt;
}

bool store_rows(
	struct store *s, const char *sql, const struct str *params, int n_params, struct arena *a, struct grid *out)
{
	sqlite3_stmt *stmt = with_params(s, sql, params, n_params);

	*out = (struct grid){0};
	if (!stmt)
		return false;
	if (store_grid(s, stmt, PTRDIFF_MAX, a, out) != GRID_FAILED)
		return true;
	store_fail(s, sql);
	sqlite3_reset(stmt);
	return false;
}

bool store_exec(struct store *s, const char *sql, const struct str *params, int n_params)
{
	return store_run_stmt(s, with_params(s, sql, params, n_params));
}

/* The lowest or highest id that begins with the digits. */
static bool id_bound(struct str hex, unsigned char fill, unsigned char id[SHA256_BYTES])
{
	for (ptrdiff_t i = 0; i < SHA256_HEX; i++) {
		char c = i < hex.len ? hex.ptr[i] : '\0';
		int digit = i >= hex.len			     ? fill
			    : c >= '0' && c <= '9'		     ? c - '0'
			    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
								     : -1;
		if (digit < 0)
			return false;
		id[i / 2] = (unsigned char)(i % 2 ? id[i / 2] | digit : digit << 4);
	}
	return true;
}

bool store_id_of_hex(struct str hex, unsigned char id[SHA256_BYTES])
{
	return hex.len == SHA256_HEX && id_bound(hex, 0, id);
}

bool store_run_of(struct store *s, struct str id_hex, struct arena *a, struct str *machine, struct str *origin)
{
	unsigned char id[SHA256_BYTES];
	sqlite3_stmt *stmt = store_id_of_hex(id_hex, id) ? store_stmt(s, SQL_RUN_FIND) : NULL;

	if (!stmt)
		return store_fail_text(s, "'%.*s' is no run id; give its 64 hex digits", STR_FMT(id_hex));
	sqlite3_bind_blob(stmt, 1, id, sizeof id, SQLITE_TRANSIENT);
	enum step step = store_step(s, stmt);
	if (step == STEP_DONE)
		return store_fail_text(s, "no run '%.*s'; `runq runs list` shows them", STR_FMT(id_hex));
	if (step == STEP_FAILED)
		return false;
	*machine = str_copy(a, store_column(stmt, 1));
	*origin = str_copy(a, store_column(stmt, 2));
	sqlite3_reset(stmt);
	return true;
}

bool store_canon(struct store *s, struct str id_hex_prefix, struct arena *a, struct str *canon, struct str *full_id_hex)
{
	enum { DIGITS_MIN = 7 };
	unsigned char low[SHA256_BYTES], high[SHA256_BYTES];
	struct str hex = id_hex_prefix;

	if (hex.len < DIGITS_MIN || hex.len > SHA256_HEX || !id_bound(hex, 0, low) || !id_bound(hex, 15, high))
		return store_fail_text(s, "'%.*s' is no run id; give 7 to 64 of its hex digits", STR_FMT(hex));
	sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_CANON);
	if (!stmt)
		return false;
	sqlite3_bind_blob(stmt, 1, low, sizeof low, SQLITE_TRANSIENT);
	sqlite3_bind_blob(stmt, 2, high, sizeof high, SQLITE_TRANSIENT);
	enum step step = store_step(s, stmt);
	if (step == STEP_DONE)
		return store_fail_text(s, "no run '%.*s'; `runq runs list` shows them", STR_FMT(hex));
	if (step == STEP_FAILED)
		return false;
	*canon = str_copy(a, store_column(stmt, 0));
	*full_id_hex = str_copy(a, store_column(stmt, 1));
	step = store_step(s, stmt);
	sqlite3_reset(stmt);
	return step == STEP_DONE ||
	       (step == STEP_ROW &&
		       store_fail_text(s, "several runs begin with '%.*s'; give more digits", STR_FMT(hex)));
}
