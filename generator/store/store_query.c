/* An author's SQL: one SELECT on the bound machine's views, with the built-in functions whose result depends on nothing
 * else, for at most a second of CPU time. */
#include "store/internal.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "store/schema.h"
#include "text/json.h"

enum { CPU_NS_MAX = 1000000000 };

static bool listed(const char *name, const char *const *names)
{
	for (; name && *names; names++)
		if (sqlite3_stricmp(name, *names) == 0)
			return true;
	return false;
}

/* Those of SQLite's functions that are the same every day and on every machine: no random, no clock, no versions. */
static const char *const functions[] = {"->", "->>", "abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "ceiling",
	"char", "coalesce", "cos", "count", "cume_dist", "degrees", "dense_rank", "exp", "first_value", "floor",
	"format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array", "json_array_length",
	"json_extract", "json_group_array", "json_object", "json_type", "json_valid", "lag", "last_value", "lead",
	"length", "like", "ln", "log", "log10", "log2", "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile",
	"nullif", "percent_rank", "pi", "pow", "power", "printf", "quote", "radians", "rank", "replace", "round",
	"row_number", "rtrim", "sign", "sin", "sqrt", "substr", "substring", "sum", "tan", "total", "trim", "trunc",
	"typeof", "unicode", "upper",
	/* ours */
	"hi", "lo", "mad", "med", "median", "ms", "noise", "note", "ns", "num", "pct", "probe_current_version",
	"probe_label", "probe_order", "quantile", "reported", "si", "sim", "times", "us", NULL};

static const char *const public_tables[] = {"kernel_weight", "json_each", "json_tree", NULL};

/* What the public views are made of. SQLite reports a common table expression like a view, so a CTE named `summary` may
 * read these too: hence none of them names a person, and `run` is not among them. */
static const char *const behind_views[] = {"cell", "machine", "machine_fact", "bound", "current", "json_each",
	"each_value", NULL};

/* Tables of ours and of SQLite's own. Where only the rows of a table are counted, SQLite gives its name without its
 * database, like that of a CTE. */
static bool is_private(const char *table)
{
	static const char *const ours[] = {"attempt", "audit", "bound", "bytecode", "cell", "cell_check", "class_cells",
		"current", "dbstat", "lab", "machine", "machine_fact", "meta", "roster", "run", "student", "submission",
		"tables_used", "token", NULL};

	return listed(table, ours) || sqlite3_strnicmp(table, "sqlite_", 7) == 0 ||
	       sqlite3_strnicmp(table, "pragma_", 7) == 0 || sqlite3_strnicmp(table, "fts", 3) == 0 ||
	       sqlite3_strnicmp(table, "rtree", 5) == 0;
}

static bool may_read(const char *table, const char *column, const char *db, const char *view)
{
	if (listed(view, schema_public_views) && listed(table, behind_views))
		return true;
	if (db)
		return listed(table, strcmp(db, "temp") == 0 ? schema_public_views : public_tables);
	return !*column && !is_private(table);
}

static int refuse(struct store *s, const char *culprit, const char *why)
{
	snprintf(s->culprit, sizeof s->culprit, "%s", culprit);
	snprintf(s->refused, sizeof s->refused, "'%s' %s", culprit, why);
	return SQLITE_DENY;
}

int store_authorize(void *ctx, int action, const char *a, const char *b, const char *db, const char *view)
{
	struct store *s = ctx;

	if (!s->guarded)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE: return SQLITE_OK;
	case SQLITE_READ:
		if (may_read(a, b, db, view))
			return SQLITE_OK;
		return refuse(s, a,
			"is not for content; use summary, all_cells, sample, bucket, span, fact, reported_cells, kernel_constant or kernel_weight");
	case SQLITE_FUNCTION:
		if (listed(b, functions))
			return SQLITE_OK;
		return refuse(s, b, "is no function for content; what it gives may differ from one build to the next");
	default: snprintf(s->refused, sizeof s->refused, "only SELECT is allowed here"); return SQLITE_DENY;
	}
}

static int64_t cpu_ns(void)
{
	struct timespec t;

	/* CPU time, not wall time: a query must not fail because the machine is busy. */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int store_tick(void *ctx)
{
	struct store *s = ctx;

	if (s->guarded && cpu_ns() > s->deadline_ns)
		s->timed_out = true;
	return s->guarded && s->timed_out;
}

static void guard(struct store *s)
{
	s->guarded = true;
	s->timed_out = false;
	s->refused[0] = s->culprit[0] = '\0';
	s->deadline_ns = cpu_ns() + CPU_NS_MAX;
}

/* --- errors --- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

/* Where a name stands in the SQL as a word of its own, or -1: SQLite gives no offset for tables and for errors at
 * run time. */
static ptrdiff_t locate(struct str sql, struct str name)
{
	for (ptrdiff_t i = 0; sql.ptr && name.len && i + name.len <= sql.len; i++) {
		bool starts = i == 0 || !is_word(sql.ptr[i - 1]);
		bool ends = i + name.len == sql.len || !is_word(sql.ptr[i + name.len]);
		if (starts && ends && sqlite3_strnicmp(sql.ptr + i, name.ptr, (int)name.len) == 0)
			return i;
	}
	return -1;
}

static bool fail_query(struct store *s, struct str sql, struct arena *a, struct store_query_error *err)
{
	struct str message = str_of(sqlite3_errmsg(s->db)), culprit = str_of(s->culprit);
	int offset = sqlite3_error_offset(s->db);

	s->guarded = false;
	if (s->refused[0])
		message = str_of(s->refused);
	else if (s->timed_out)
		message = STR("ran for more than a second; ask for fewer rows, or join on key");
	else if (str_starts(message, STR("no such table: ")))
		culprit = str_from(message, 15);
	*err = (struct store_query_error){str_copy(a, message), offset >= 0 ? offset : locate(sql, culprit)};
	return store_fail_text(s, "%.*s", STR_FMT(message));
}

static bool fail_with(
	struct store *s, struct arena *a, struct store_query_error *err, ptrdiff_t offset, const char *text)
{
	s->guarded = false;
	*err = (struct store_query_error){str_copy(a, str_of(text)), offset};
	return store_fail_text(s, "%s", text);
}

/* Only blanks, semicolons and comments may follow. */
static bool is_end(struct str tail)
{
	ptrdiff_t i = 0;

	while (i < tail.len) {
		struct str rest = str_from(tail, i);
		if (str_starts(rest, STR("--"))) {
			ptrdiff_t end = str_find_char(rest, '\n');
			i = end < 0 ? tail.len : i + end + 1;
		} else if (str_starts(rest, STR("/*"))) {
			ptrdiff_t end = str_find(str_from(rest, 2), STR("*/"));
			i = end < 0 ? tail.len : i + end + 4;
		} else if (strchr(" \t\r\n\f;", rest.ptr[0]) && rest.ptr[0]) {
			i++;
		} else {
			return false;
		}
	}
	return true;
}

/* A checked statement, from the cache if it was asked before. */
static sqlite3_stmt *prepare(struct store *s, struct str sql, struct arena *a, struct store_query_error *err)
{
	sqlite3_stmt *stmt = store_cached(s, sql, true);
	const char *tail = NULL;

	if (stmt)
		return stmt;
	if (memchr(sql.ptr ? sql.ptr : "", '\0', (size_t)sql.len)) {
		fail_with(s, a, err, 0, "a NUL byte in the SQL; remove it");
		return NULL;
	}
	if (sqlite3_prepare_v3(s->db, sql.len ? sql.ptr : "", (int)sql.len, SQLITE_PREPARE_PERSISTENT, &stmt, &tail) !=
		SQLITE_OK) {
		fail_query(s, sql, a, err);
		return NULL;
	}
	ptrdiff_t used = tail && sql.len ? tail - sql.ptr : 0;
	const char *wrong = NULL;
	if (!stmt)
		wrong = "no SQL here; write a SELECT";
	else if (sqlite3_stmt_isexplain(stmt) || !sqlite3_stmt_readonly(stmt) || !sqlite3_column_count(stmt))
		wrong = "only SELECT is allowed here";
	else if (sqlite3_bind_parameter_count(stmt))
		wrong = "parameters are not bound here; write the value";
	else if (!is_end(str_from(sql, used)))
		wrong = "one statement only; remove what follows the first";
	if (wrong) {
		fail_with(s, a, err, stmt && !is_end(str_from(sql, used)) ? used : 0, wrong);
		sqlite3_finalize(stmt);
		return NULL;
	}
	store_cache(s, sql, stmt, true);
	return stmt;
}

/* What a page may show: UTF-8 without control and bidi characters. */
static bool is_clean(struct str text)
{
	while (text.len) {
		struct json_rune c = json_rune_at(text);
		if (!c.bytes || !json_rune_allowed(c.code))
			return false;
		text = str_from(text, c.bytes);
	}
	return true;
}

bool store_query(struct store *s, struct str sql, ptrdiff_t max_rows, struct arena *a, struct grid *out,
	struct store_query_error *err)
{
	*out = (struct grid){0};
	*err = (struct store_query_error){.offset = -1};
	guard(s);
	sqlite3_stmt *stmt = prepare(s, sql, a, err);
	if (!stmt)
		return false;
	ptrdiff_t rows = store_grid(s, stmt, max_rows, a, out);
	s->guarded = false;
	if (rows == GRID_FAILED) {
		fail_query(s, sql, a, err);
		sqlite3_reset(stmt);
		return false;
	}
	for (ptrdiff_t i = 0; i < rows * out->cols; i++)
		if (!is_clean(out->text[i])) {
			char text[160];
			snprintf(text, sizeof text, "row %td, column %td is no text: a byte that is not UTF-8, or a control character",
				i / out->cols + 1, i % out->cols + 1);
			return fail_with(s, a, err, -1, text);
		}
	if (rows == GRID_TOO_LONG) {
		char text[96];
		snprintf(text, sizeof text, "more than %td rows; aggregate, or add a WHERE or LIMIT", max_rows);
		return fail_with(s, a, err, -1, text);
	}
	return true;
}

/* Parentheses must pair outside strings, or the expression would end the one around it. -1: fine, else the offset. */
static ptrdiff_t unbalanced(struct str sql)
{
	ptrdiff_t depth = 0;
	char quote = 0;

	for (ptrdiff_t i = 0; i < sql.len; i++) {
		char c = sql.ptr[i];
		if (quote) {
			quote = c == quote ? 0 : quote;
			continue;
		}
		if (c == '\'' || c == '"' || c == '`' || c == '[')
			quote = c == '[' ? ']' : c;
		depth += (c == '(') - (c == ')');
		if (depth < 0)
			return i;
	}
	return depth || quote ? sql.len : -1;
}

bool store_value(
	struct store *s, struct str expr, struct arena *a, struct str *text, double *num, struct store_query_error *err)
{
	static const char before[] = "SELECT (";
	struct buf sql = buf_new(a);
	struct grid grid;
	ptrdiff_t at = unbalanced(expr);

	*text = (struct str){0};
	*num = (double)NAN;
	if (at >= 0)
		return fail_with(s, a, err, at, "a parenthesis or quote without its partner; add or remove one");
	buf_add(&sql, STR("SELECT ("));
	buf_add(&sql, expr);
	buf_add(&sql, STR("\n)")); /* a comment in the expression ends at the line's end */
	if (!store_query(s, buf_str(&sql), 1, a, &grid, err)) {
		ptrdiff_t shift = (ptrdiff_t)sizeof before - 1;
		err->offset = err->offset < shift ? (err->offset < 0 ? -1 : 0) : err->offset - shift;
		err->offset = err->offset > expr.len ? expr.len : err->offset;
		return false;
	}
	*text = grid.text[0];
	*num = grid.num[0];
	return true;
}
