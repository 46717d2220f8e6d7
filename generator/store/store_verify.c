/* What is derived can be derived again: rebuilding cells and facts from the runs, and checking that they agree. */
#include "store/internal.h"

#include <string.h>

/* Each run with its record read again. `each` returns false to stop. */
typedef bool visit(
	struct store *s, int64_t run, struct str machine, const struct run_result *r, void *ctx, struct arena scratch);

struct stored {
	int64_t run;
	struct str canon, machine, hex;
	unsigned char id[SHA256_BYTES];
};

static struct stored stored_row(sqlite3_stmt *stmt, struct arena *a)
{
	struct stored r = {.run = sqlite3_column_int64(stmt, 0)};
	struct str id = store_column(stmt, 2);

	r.canon = str_copy(a, store_column(stmt, 1));
	if (id.len == SHA256_BYTES)
		memcpy(r.id, id.ptr, SHA256_BYTES);
	r.machine = str_copy(a, store_column(stmt, 3));
	r.hex = str_copy(a, store_column(stmt, 4));
	return r;
}

/* A run that cannot be read again is an error in `d`, or, without `d`, of the store. */
static bool broken(struct store *s, const struct stored *row, const struct run_result *r, struct diag *d)
{
	struct str what = r->run ? STR("its id is not that of its record") : r->error.what;

	if (!d)
		return store_fail_text(
			s, "run %.12s: %.*s; restore the database from a backup", row->hex.ptr, STR_FMT(what));
	diag_error(d, (struct pos){.path = str_printf(d->arena, "run %.12s", row->hex.ptr)},
		"%.*s; restore the database from a backup", STR_FMT(what));
	return true;
}

static bool each_run(struct store *s, struct diag *d, visit *each, void *ctx, struct arena scratch)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_EACH);
	enum step step = STEP_FAILED;
	bool ok = true;

	while (ok && stmt && (step = store_step(s, stmt)) == STEP_ROW) {
		struct arena a = scratch;
		struct stored row = stored_row(stmt, &a);
		struct run_result r = run_validate(&a, row.canon);
		if (!r.run || memcmp(r.id, row.id, SHA256_BYTES) != 0)
			ok = broken(s, &row, &r, d);
		else
			ok = each(s, row.run, row.machine, &r, ctx, a);
	}
	if (stmt && !ok)
		sqlite3_reset(stmt);
	return ok && step == STEP_DONE;
}

/* In ascending order of rank, so that the facts that stay are the newest run's. */
static bool put_derived(
	struct store *s, int64_t run, struct str machine, const struct run_result *r, void *ctx, struct arena scratch)
{
	(void)ctx;
	return store_put_cells(s, SQL_CELL_PUT, run, machine, r->run, scratch) &&
	       store_put_facts(s, machine, r->run, scratch);
}

bool store_rebuild(struct store *s, struct arena scratch)
{
	if (!store_enter(s))
		return false;
	bool ok = store_run_stmt(s, store_stmt(s, SQL_CELL_CLEAR)) && each_run(s, NULL, put_derived, NULL, scratch) &&
		  store_put_reference_cells(s, SQL_CELL_PUT, NULL, scratch);
	return store_leave(s, ok);
}

static bool put_check(
	struct store *s, int64_t run, struct str machine, const struct run_result *r, void *ctx, struct arena scratch)
{
	(void)ctx;
	return store_put_cells(s, SQL_CHECK_PUT, run, machine, r->run, scratch);
}

/* Rows of a check that should give none, or one "ok". */
static bool report(struct store *s, struct diag *d, enum sql check, const char *what)
{
	sqlite3_stmt *stmt = store_stmt(s, check);
	enum step step = STEP_FAILED;

	while (stmt && (step = store_step(s, stmt)) == STEP_ROW) {
		struct str text = store_column(stmt, 0);
		if (!str_eq(text, STR("ok")))
			diag_error(d, (struct pos){0}, "%s%.*s%s", what, STR_FMT(text),
				check == SQL_CHECK_DIFF ? " are not those of its record; run `runq db rebuild`"
							: "; restore the database from a backup");
	}
	return step == STEP_DONE;
}

bool store_verify(struct store *s, struct diag *d, struct arena scratch)
{
	int before = d->errors;

	if (!report(s, d, SQL_INTEGRITY, "integrity: ") ||
		!report(s, d, SQL_FOREIGN_KEYS, "a row of nothing in table "))
		return false;
	if (d->errors > before)
		return false;
	if (!store_script(s, "DROP TABLE IF EXISTS temp.cell_check; CREATE TEMP TABLE cell_check AS SELECT * FROM "
			     "main.cell WHERE 0"))
		return false;
	bool ok = each_run(s, d, put_check, NULL, scratch) && store_put_reference_cells(s, SQL_CHECK_PUT, d, scratch) &&
		  report(s, d, SQL_CHECK_DIFF, "cells of run ");
	ok = store_script(s, "DROP TABLE temp.cell_check") && ok;
	return ok && d->errors == before;
}
