/* What the files of store/ share. Nothing outside includes this. */
#ifndef RUNQ_STORE_INTERNAL_H
#define RUNQ_STORE_INTERNAL_H

#include <sqlite3.h>

#include "base/buf.h"
#include "store/sql.h"
#include "store/store.h"

enum { STORE_CACHED = 96, STORE_ERROR_BYTES = 4096 };

/* What med() and its kin know about a key of the bound machine. Absent numbers are NaN. */
struct known_key {
	struct str key, where; /* where: "probe/case" */
	int64_t run;
	double median, min, max, noise; /* noise: as a fraction */
	double *values; /* one per pass, NaN where the pass failed */
	ptrdiff_t n_values;
};

struct noted {
	int64_t run;
	struct str where; /* "probe/case" of the first value noted; empty once others differ in the case */
	bool several_probes;
};

/* A statement by its text; `guarded`: it passed the authorizer. */
struct cached {
	uint64_t hash;
	char *text; /* malloc'd */
	struct str sql;
	bool guarded;
	sqlite3_stmt *stmt;
};

struct store {
	sqlite3 *db;
	enum store_mode mode;
	char error[STORE_ERROR_BYTES];
	ptrdiff_t error_len;
	enum store_result result; /* of the last failure */
	int depth, own_depth; /* of store_enter; own_depth: the one that began the transaction, or 0 */

	sqlite3_stmt *stmts[SQL_MAX];
	struct cached cached[STORE_CACHED]; /* of store_rows, store_exec, store_query */
	int next_cached;

	/* `scratch` is for SQL functions, passed by value: a verb may hold something there only while it runs no
	 * author's SQL. What is bound lives until the next store_bind, notes until they are taken. */
	struct arena_block scratch_block, bound_block, notes_block;
	struct arena scratch, bound_start, notes_start, notes_arena;

	struct str machine; /* bound */
	struct known_key *keys; /* open addressing; n_slots is a power of two, or 0 */
	ptrdiff_t n_slots;
	int pass;
	struct noted *notes;
	ptrdiff_t n_notes, cap_notes;

	char reason[1024]; /* of the last refused submission */

	bool guarded; /* an author's SQL is being prepared or run */
	int64_t deadline_ns; /* of CPU time, while guarded */
	bool timed_out;
	char refused[256], culprit[128]; /* what the authorizer refused, and the word it stumbled on; "" if nothing */
};

/* --- store_stmt.c --- */
/* Keeps the text for store_error, with SQLite's own message and the SQL (NULL: none). Returns false. */
bool store_fail(struct store *s, const char *sql);
bool store_fail_text(struct store *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A statement of the table, ready to be bound; NULL after store_fail. Not for nesting the same id. */
sqlite3_stmt *store_stmt(struct store *s, enum sql id);
/* Any other SQL of ours, prepared once. */
sqlite3_stmt *store_stmt_text(struct store *s, const char *sql);
/* The cache behind it: NULL when the text was not asked before (no failure); store_cache hands over the statement. */
sqlite3_stmt *store_cached(struct store *s, struct str sql, bool guarded);
void store_cache(struct store *s, struct str sql, sqlite3_stmt *stmt, bool guarded);
enum step { STEP_FAILED, STEP_ROW, STEP_DONE };
/* On DONE and FAILED the statement is reset. */
enum step store_step(struct store *s, sqlite3_stmt *stmt);
bool store_run_stmt(struct store *s, sqlite3_stmt *stmt); /* steps to the end */
bool store_script(struct store *s, const char *sql); /* several statements without parameters */
void store_bind_text(sqlite3_stmt *stmt, int at, struct str text); /* copied; the empty slice is '' */
void store_bind_text_or_null(sqlite3_stmt *stmt, int at, struct str text); /* the empty slice is NULL */
struct str store_column(sqlite3_stmt *stmt, int column); /* valid until the next step */

/* A savepoint (or a transaction, outside of one) around a verb. leave() commits when `ok`, else rolls back, and
 * returns whether all is well. */
bool store_enter(struct store *s);
bool store_leave(struct store *s, bool ok);

/* --- store_func.c --- */
bool store_add_functions(struct store *s);
bool store_add_aggregates(struct store *s);
bool store_add_each(struct store *s); /* store_each.c */
void store_note_value(struct store *s, int64_t run, struct str where);

/* --- store_bind.c --- */
const struct known_key *store_known_key(const struct store *s, struct str key);

/* --- store_query.c --- */
int store_authorize(void *ctx, int action, const char *a, const char *b, const char *db, const char *view);
int store_tick(void *ctx);

/* --- store_rows.c --- */
bool store_id_of_hex(struct str hex, unsigned char id[SHA256_BYTES]); /* 64 digits */
enum { GRID_FAILED = -1, GRID_TOO_LONG = -2 };
/* The statement's rows into `out`, and their number; a failed statement is left for sqlite3_errmsg and the caller's
 * reset. */
ptrdiff_t store_grid(struct store *s, sqlite3_stmt *stmt, ptrdiff_t max_rows, struct arena *a, struct grid *out);

/* --- store_put.c, store_cell.c --- */
/* Cells of a run into the table behind `put` (SQL_CELL_PUT or SQL_CHECK_PUT), facts of its machine. */
bool store_put_cells(
	struct store *s, enum sql put, int64_t run, struct str machine, const struct run *r, struct arena scratch);
bool store_put_facts(struct store *s, struct str machine, const struct run *r, struct arena scratch);

/* --- store_reference.c --- */
bool store_add_reported(struct store *s); /* the SQL function */
/* Like store_put_cells, for all reported figures; what does not read back is an error in `d`, or of the store without one. */
bool store_put_reference_cells(struct store *s, enum sql put, struct diag *d, struct arena scratch);

#endif
