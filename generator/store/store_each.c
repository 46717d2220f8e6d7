/* each_value(vals, run, probe, case_id): a table-valued function that unpacks a cell's `vals`, one row for each pass with a value. It
 * stands behind the view `sample`, where a page's million values pass: SQLite's json_each with note() and probe_label() for each
 * takes several times as long. Reading a value notes the run, once a cell; label and place in the registry are looked up once a
 * cell, when they are asked for. */
#include "store/internal.h"

#include <stdlib.h>

#include "model/probe_info.h"

enum { COLUMN_PASS, COLUMN_VALUE, COLUMN_LABEL, COLUMN_ORD, COLUMN_VALS, COLUMN_RUN, COLUMN_PROBE, COLUMN_CASE };
enum { ARGS = 4, EXACT_DIGITS = 15 };

struct table {
	sqlite3_vtab base;
	struct store *s;
};

struct cursor {
	sqlite3_vtab_cursor base;
	sqlite3_value *args[ARGS]; /* copies; NULL before the first filter */
	const char *at; /* behind the value under way; the text ends in NUL */
	sqlite3_int64 pass;
	double value;
	bool whole, noted, end;
	const char *label; /* of the registry; NULL while unknown */
	int ord; /* -1 while unknown */
};

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
	(void)argc;
	(void)argv;
	(void)error;
	int rc = sqlite3_declare_vtab(db, "CREATE TABLE each_value(pass INTEGER, value REAL, label TEXT, ord INTEGER,"
					  " vals HIDDEN, run HIDDEN, probe HIDDEN, case_id HIDDEN)");
	struct table *t = rc == SQLITE_OK ? sqlite3_malloc64(sizeof *t) : NULL;

	if (rc == SQLITE_OK && !t)
		rc = SQLITE_NOMEM;
	if (t) {
		*t = (struct table){.s = aux};
		sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	}
	*out = t ? &t->base : NULL;
	return rc;
}

static int disconnect(sqlite3_vtab *t)
{
	sqlite3_free(t);
	return SQLITE_OK;
}

/* All four arguments, each as `hidden column = expression`; without them there is nothing to unpack. */
static int best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	int found = 0;

	(void)t;
	for (int i = 0; i < info->nConstraint; i++) {
		int arg = info->aConstraint[i].iColumn - COLUMN_VALS;
		if (arg < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ || !info->aConstraint[i].usable)
			continue;
		info->aConstraintUsage[i].argvIndex = arg + 1;
		info->aConstraintUsage[i].omit = 1;
		found |= 1 << arg;
	}
	info->estimatedCost = 1000;
	info->estimatedRows = 1000;
	return found == (1 << ARGS) - 1 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *t, sqlite3_vtab_cursor **out)
{
	struct cursor *c = sqlite3_malloc64(sizeof *c);

	(void)t;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct cursor){.end = true};
	*out = &c->base;
	return SQLITE_OK;
}

static void forget(struct cursor *c)
{
	for (int i = 0; i < ARGS; i++) {
		sqlite3_value_free(c->args[i]);
		c->args[i] = NULL;
	}
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	forget(c);
	sqlite3_free(c);
	return SQLITE_OK;
}

/* A number at `s`: digits and a point, as store_put writes them, or whatever else JSON allows. */
static const char *read_number(struct cursor *c, const char *s)
{
	const char *from = s;
	bool minus = *s == '-';
	int64_t digits = 0, divisor = 1;
	int n = 0;

	s += minus;
	c->whole = true;
	for (; (*s >= '0' && *s <= '9') || (*s == '.' && c->whole); s++) {
		if (*s == '.') {
			c->whole = false;
		} else if (++n <= EXACT_DIGITS) {
			digits = digits * 10 + (*s - '0');
			divisor *= c->whole ? 1 : 10;
		}
	}
	if (n <= EXACT_DIGITS && *s != 'e' && *s != 'E') {
		/* Both are exact in a double: one division rounds rightly. */
		c->value = (double)(minus ? -digits : digits) / (double)divisor;
		return s;
	}
	char *end;
	c->value = strtod(from, &end);
	c->whole = c->whole && *s != 'e' && *s != 'E';
	return end > from ? end : s;
}

/* To the next value that is a number; JSON stands between brackets, separated by commas and perhaps blanks. */
static int next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	for (;;) {
		while (*c->at == ' ' || *c->at == ',' || *c->at == '[')
			c->at++;
		c->end = *c->at != '-' && (*c->at < '0' || *c->at > '9') && *c->at != 'n';
		if (c->end)
			return SQLITE_OK;
		c->pass++;
		if (*c->at != 'n')
			break;
		while (*c->at >= 'a' && *c->at <= 'z')
			c->at++;
	}
	c->at = read_number(c, c->at);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int plan, const char *name, int argc, sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;

	(void)plan;
	(void)name;
	forget(c);
	for (int i = 0; i < argc && i < ARGS; i++)
		if (!(c->args[i] = sqlite3_value_dup(argv[i])))
			return SQLITE_NOMEM;
	c->pass = 0;
	c->noted = false;
	c->label = NULL;
	c->ord = -1;
	c->at = (const char *)sqlite3_value_text(c->args[0]);
	c->at = c->at ? c->at : "";
	return next(base);
}

static int eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->end;
}

static struct str arg_text(const struct cursor *c, int column)
{
	sqlite3_value *v = c->args[column - COLUMN_VALS];

	return (struct str){(const char *)sqlite3_value_text(v), sqlite3_value_bytes(v)};
}

static const char *label_of(struct str probe, struct str kase)
{
	const struct probe_info *p = probe_info_find(probe);
	const struct case_info *info = p ? probe_case_find(p, kase) : NULL;

	return info ? info->label : kase.ptr;
}

static void note_once(struct cursor *c)
{
	struct store *s = ((struct table *)c->base.pVtab)->s;
	struct arena scratch = s->scratch;
	struct str probe = arg_text(c, COLUMN_PROBE), kase = arg_text(c, COLUMN_CASE);

	store_note_value(s, sqlite3_value_int64(c->args[COLUMN_RUN - COLUMN_VALS]),
		str_printf(&scratch, "%.*s/%.*s", STR_FMT(probe), STR_FMT(kase)));
	c->noted = true;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int n)
{
	struct cursor *c = (struct cursor *)base;

	switch (n) {
	case COLUMN_PASS: sqlite3_result_int64(ctx, c->pass); break;
	case COLUMN_VALUE:
		if (!c->noted)
			note_once(c);
		if (c->whole)
			sqlite3_result_int64(ctx, (sqlite3_int64)c->value);
		else
			sqlite3_result_double(ctx, c->value);
		break;
	case COLUMN_LABEL:
		if (!c->label)
			c->label = label_of(arg_text(c, COLUMN_PROBE), arg_text(c, COLUMN_CASE));
		sqlite3_result_text(ctx, c->label, -1, SQLITE_STATIC);
		break;
	case COLUMN_ORD:
		if (c->ord < 0)
			c->ord = probe_order(arg_text(c, COLUMN_PROBE), arg_text(c, COLUMN_CASE));
		sqlite3_result_int(ctx, c->ord);
		break;
	default: sqlite3_result_value(ctx, c->args[n - COLUMN_VALS]); break;
	}
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	*id = ((struct cursor *)base)->pass;
	return SQLITE_OK;
}

bool store_add_each(struct store *s)
{
	/* Without xCreate it is eponymous: there is nothing to create. */
	static const sqlite3_module module = {.xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect,
		.xOpen = open_cursor, .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = eof, .xColumn = column,
		.xRowid = row_id};

	return sqlite3_create_module(s->db, "each_value", &module, s) == SQLITE_OK || store_fail(s, "each_value");
}
