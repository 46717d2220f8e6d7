/* Reported figures and constants: from a file's rows to cells, and the SQL function that finds them. */
#include "store/reference.h"

#include <math.h>
#include <string.h>

#include "store/internal.h"
#include "text/json.h"

static const char each_sql[] = "SELECT id, canon, machine, run_id FROM main.run WHERE origin = 'reported' ORDER BY id";

static void id_of(struct str bytes, unsigned char id[SHA256_BYTES])
{
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, STR("runq-reference/1\n"));
	sha256_add(&h, bytes);
	sha256_end(&h, id);
}

/* --- cells --- */

struct target {
	struct store *s;
	enum sql put;
	int64_t run;
	const struct reference *r;
};

static void add_field(struct buf *b, const char *name, struct str value)
{
	buf_add(b, b->len > 1 ? STR(",\"") : STR("\""));
	buf_add(b, str_of(name));
	buf_add(b, STR("\":"));
	json_write_text(b, value);
}

static void bind_number(sqlite3_stmt *stmt, int at, struct reference_number v, enum run_unit unit)
{
	if (v.given)
		sqlite3_bind_double(stmt, at, reference_natural(v, unit));
}

/* Columns that all have; the rest is NULL. n is 0 where the report does not say it. */
static sqlite3_stmt *cell(const struct target *t, struct str probe, struct str kase, struct str metric, struct str key)
{
	sqlite3_stmt *stmt = store_stmt(t->s, t->put);

	if (!stmt)
		return NULL;
	sqlite3_bind_int64(stmt, 1, t->run);
	store_bind_text(stmt, 2, t->r->machine);
	store_bind_text(stmt, 3, probe);
	store_bind_text(stmt, 5, kase);
	store_bind_text(stmt, 6, metric);
	store_bind_text(stmt, 7, key);
	store_bind_text(stmt, 10, STR("ok"));
	sqlite3_bind_int(stmt, 14, 0);
	return stmt;
}

static bool put_row(const struct target *t, const struct reference_row *row, struct arena scratch)
{
	struct probe_key k = probe_key_parse(row->key);
	struct buf params = buf_new(&scratch);
	sqlite3_stmt *stmt;

	if (!row->key.len)
		return true;
	stmt = cell(t, str_of(k.probe->name), str_of(k.kase->name), str_of(k.metric->name), row->key);
	if (!stmt)
		return false;
	buf_char(&params, '{');
	add_field(&params, "label", row->label);
	add_field(&params, "source", t->r->source);
	buf_char(&params, '}');
	store_bind_text(stmt, 8, buf_str(&params));
	store_bind_text(stmt, 9, reference_unit_name(row->unit));
	sqlite3_bind_int64(stmt, 14, row->n);
	bind_number(stmt, 15, row->min, row->unit);
	bind_number(stmt, 16, row->median, row->unit);
	bind_number(stmt, 17, row->max, row->unit);
	return store_run_stmt(t->s, stmt);
}

/* The versions are part of the key: a constant may have had several values. */
static bool put_constant(const struct target *t, const struct reference_constant *c, struct arena scratch)
{
	struct buf params = buf_new(&scratch);
	struct str key = str_printf(&scratch, "constant/%.*s:%.*s", STR_FMT(c->name), STR_FMT(c->kernel));
	sqlite3_stmt *stmt = cell(t, STR("constant"), c->name, c->kernel, key);

	if (!stmt)
		return false;
	buf_char(&params, '{');
	add_field(&params, "file", c->file);
	add_field(&params, "note", c->note);
	buf_char(&params, '}');
	store_bind_text(stmt, 8, buf_str(&params));
	store_bind_text(stmt, 9, reference_unit_name(c->unit));
	bind_number(stmt, 16, c->value, c->unit);
	return store_run_stmt(t->s, stmt);
}

static bool put_cells(const struct target *t, struct arena scratch)
{
	for (ptrdiff_t i = 0; i < t->r->n_rows; i++)
		if (!put_row(t, &t->r->rows[i], scratch))
			return false;
	for (ptrdiff_t i = 0; i < t->r->n_constants; i++)
		if (!put_constant(t, &t->r->constants[i], scratch))
			return false;
	return true;
}

/* --- runs --- */

struct stored {
	int64_t run;
	struct str canon, machine;
	unsigned char id[SHA256_BYTES];
};

static bool list(struct store *s, struct arena *a, struct stored **out, ptrdiff_t *n)
{
	sqlite3_stmt *stmt = store_stmt_text(s, each_sql);
	enum step step = STEP_FAILED;
	ptrdiff_t cap = 0;

	*out = NULL;
	*n = 0;
	while (stmt && (step = store_step(s, stmt)) == STEP_ROW) {
		ARENA_GROW(a, *out, *n, cap);
		struct stored *r = &(*out)[(*n)++];
		*r = (struct stored){.run = sqlite3_column_int64(stmt, 0), .canon = str_copy(a, store_column(stmt, 1))};
		r->machine = str_copy(a, store_column(stmt, 2));
		struct str id = store_column(stmt, 3);
		if (id.len == SHA256_BYTES)
			memcpy(r->id, id.ptr, SHA256_BYTES);
	}
	return step == STEP_DONE;
}

static struct reference read_again(struct arena *a, const struct stored *r)
{
	struct diag quiet = diag_new(a);

	return reference_read(a, &quiet, (struct pos){STR("stored"), 1, 1}, r->canon);
}

static bool with_run(struct store *s, const char *sql, int64_t run)
{
	sqlite3_stmt *stmt = store_stmt_text(s, sql);

	if (stmt)
		sqlite3_bind_int64(stmt, 1, run);
	return store_run_stmt(s, stmt);
}

static bool forget(struct store *s, int64_t run)
{
	return with_run(s, "DELETE FROM main.cell WHERE run = ?1", run) && with_run(s, "DELETE FROM main.run WHERE id = ?1", run);
}

/* STORE_DUPLICATE when these bytes are here; else what they replace is gone. */
static enum store_result make_room(struct store *s, const struct reference *r, const unsigned char *id, struct arena scratch)
{
	struct stored *all;
	ptrdiff_t n;

	if (!list(s, &scratch, &all, &n))
		return STORE_ERROR;
	for (ptrdiff_t i = 0; i < n; i++)
		if (memcmp(all[i].id, id, SHA256_BYTES) == 0)
			return STORE_DUPLICATE;
	for (ptrdiff_t i = 0; i < n; i++) {
		struct arena a = scratch;
		if (str_eq(all[i].machine, r->machine) && str_eq(read_again(&a, &all[i]).source, r->source) && !forget(s, all[i].run))
			return STORE_ERROR;
	}
	return STORE_OK;
}

static bool put_machine(struct store *s, struct str key)
{
	struct grid g;
	struct arena scratch = s->scratch;

	if (!store_rows(s, "SELECT 1 FROM main.run WHERE machine = ?1 AND origin <> 'reported' LIMIT 1", &key, 1, &scratch, &g))
		return false;
	if (g.rows)
		return store_fail_text(s, "machine '%.*s' was measured; give what others report of one a key of its own", STR_FMT(key));
	return store_exec(s, "INSERT INTO main.machine(key, label, kind) VALUES (?1, ?1, 'reported') ON CONFLICT DO NOTHING", &key, 1);
}

static bool add(struct store *s, const struct reference *r, struct str bytes, const unsigned char *id, struct arena scratch)
{
	sqlite3_stmt *stmt = put_machine(s, r->machine) ? store_stmt(s, SQL_RUN_PUT) : NULL;

	if (!stmt)
		return false;
	sqlite3_bind_blob(stmt, 1, id, SHA256_BYTES, SQLITE_TRANSIENT);
	store_bind_text(stmt, 2, r->machine);
	store_bind_text(stmt, 3, STR("reported"));
	sqlite3_bind_int64(stmt, 4, 0); /* when they were measured is rarely said */
	sqlite3_bind_int(stmt, 5, 0);
	store_bind_text(stmt, 6, STR(""));
	sqlite3_bind_blob(stmt, 7, bytes.ptr, (int)bytes.len, SQLITE_TRANSIENT);
	if (!store_run_stmt(s, stmt))
		return false;
	struct target t = {s, SQL_CELL_PUT, sqlite3_last_insert_rowid(s->db), r};
	return put_cells(&t, scratch);
}

/* A file whose rows name no machine still needs one to belong to. */
static struct reference placed(const struct reference *r)
{
	struct reference out = *r;

	if (!out.machine.len)
		out.machine = out.source;
	return out;
}

enum store_result store_put_reference(struct store *s, const struct reference *r, struct str bytes, struct arena scratch)
{
	unsigned char id[SHA256_BYTES];
	struct reference at = placed(r);

	id_of(bytes, id);
	if (!store_enter(s))
		return s->result;
	enum store_result found = make_room(s, &at, id, scratch);
	bool ok = found == STORE_DUPLICATE || (found == STORE_OK && add(s, &at, bytes, id, scratch));
	return store_leave(s, ok) ? found : s->result;
}

bool store_keep_references(struct store *s, const struct str *bytes, ptrdiff_t n, struct arena scratch)
{
	unsigned char(*ids)[SHA256_BYTES] = arena_alloc(&scratch, SHA256_BYTES, 1, n);
	struct stored *all;
	ptrdiff_t n_all;

	for (ptrdiff_t i = 0; i < n; i++)
		id_of(bytes[i], ids[i]);
	if (!store_enter(s))
		return false;
	bool ok = list(s, &scratch, &all, &n_all);
	for (ptrdiff_t i = 0; ok && i < n_all; i++) {
		ptrdiff_t k = 0;
		while (k < n && memcmp(ids[k], all[i].id, SHA256_BYTES) != 0)
			k++;
		ok = k < n || forget(s, all[i].run);
	}
	return store_leave(s, ok);
}

bool store_put_known(struct store *s, struct str machine, const struct str *names, const struct str *values, ptrdiff_t n)
{
	bool ok = store_enter(s);

	for (ptrdiff_t i = 0; ok && i < n; i++) {
		struct str params[] = {machine, names[i], values[i]};
		ok = store_exec(s, "INSERT INTO main.machine_fact(machine, name, value) VALUES (?1, ?2, ?3) ON CONFLICT(machine, name)"
			" DO UPDATE SET value = ?3 WHERE value IS NOT ?3", params, 3);
	}
	return store_leave(s, ok);
}

static int by_place(const void *a, const void *b)
{
	const struct reference *x = &((const struct store_reference *)a)->reference, *y = &((const struct store_reference *)b)->reference;
	int order = str_cmp(x->source, y->source);

	return order ? order : str_cmp(x->machine, y->machine);
}

bool store_references(struct store *s, struct arena *a, struct store_reference **out, ptrdiff_t *n)
{
	struct stored *all;

	if (!list(s, a, &all, n))
		return false;
	*out = ARENA_NEW(a, struct store_reference, *n);
	for (ptrdiff_t i = 0; i < *n; i++)
		(*out)[i] = (struct store_reference){all[i].run, read_again(a, &all[i])};
	if (*n)
		qsort(*out, (size_t)*n, sizeof **out, by_place);
	return true;
}

/* --- derived again --- */

bool store_put_reference_cells(struct store *s, enum sql put, struct diag *d, struct arena scratch)
{
	struct stored *all;
	ptrdiff_t n;

	if (!list(s, &scratch, &all, &n))
		return false;
	for (ptrdiff_t i = 0; i < n; i++) {
		struct arena a = scratch;
		struct reference r = read_again(&a, &all[i]);
		unsigned char id[SHA256_BYTES];
		r = placed(&r);
		struct target t = {s, put, all[i].run, &r};
		id_of(all[i].canon, id);
		if (r.ok && memcmp(id, all[i].id, sizeof id) == 0) {
			if (!put_cells(&t, a))
				return false;
			continue;
		}
		if (!d)
			return store_fail_text(s, "the reported figures of %.*s do not read back; import data/reference again",
				STR_FMT(all[i].machine));
		diag_error(d, (struct pos){0}, "the reported figures of %.*s do not read back, or have another id; import data/reference again",
			STR_FMT(all[i].machine));
	}
	return true;
}

/* --- SQL: reported('key'[, 'source or machine']) --- */

static struct str text_of(sqlite3_value *v)
{
	const void *p = sqlite3_value_text(v);

	return (struct str){p, p ? sqlite3_value_bytes(v) : 0};
}

/* Prepared and stepped as ours: what it reads is not for content. */
static void give_reported(struct store *s, sqlite3_context *ctx, struct str key, struct str source)
{
	bool guarded = s->guarded;

	s->guarded = false;
	sqlite3_stmt *stmt = store_stmt(s, SQL_REPORTED_FIND);
	if (stmt) {
		store_bind_text(stmt, 1, key);
		store_bind_text(stmt, 2, source);
	}
	enum step step = stmt ? store_step(s, stmt) : STEP_FAILED;
	if (step == STEP_ROW) {
		struct arena scratch = s->scratch;
		int64_t run = sqlite3_column_int64(stmt, 0);
		struct str where = str_copy(&scratch, store_column(stmt, 1));
		double median = sqlite3_column_double(stmt, 2);
		step = store_step(s, stmt);
		if (step == STEP_ROW) {
			sqlite3_reset(stmt);
			sqlite3_result_error(ctx, "several sources report it; name one: reported('key', 'source or machine')", -1);
		} else {
			store_note_value(s, run, where);
			sqlite3_result_double(ctx, median);
		}
	} else if (step == STEP_FAILED) {
		sqlite3_result_error(ctx, "the reported figures cannot be read; run `runq db verify`", -1);
	}
	s->guarded = guarded;
}

static void reported(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct store *s = sqlite3_user_data(ctx);
	struct arena scratch = s->scratch;
	struct str key = text_of(v[0]), rest;
	struct probe_key k = probe_key_parse(key);

	if (sqlite3_value_type(v[0]) == SQLITE_NULL)
		return;
	if (!k.ok) {
		struct str near = probe_key_nearest(&scratch, key), shown = str_slice(key, 0, 100);
		struct str text = str_printf(&scratch, "unknown measurement '%.*s'; %s%.*s", STR_FMT(shown),
			near.len ? "did you mean " : "`runq probe list` shows all", STR_FMT(near));
		snprintf(s->culprit, sizeof s->culprit, "%.*s", STR_FMT(shown));
		sqlite3_result_error(ctx, text.ptr, (int)text.len);
		return;
	}
	key = k.metric == k.probe->metrics ? str_cut(key, ':', &rest) : key;
	give_reported(s, ctx, key, n > 1 ? text_of(v[1]) : STR(""));
}

bool store_add_reported(struct store *s)
{
	for (int args = 1; args <= 2; args++)
		if (sqlite3_create_function_v2(s->db, "reported", args, SQLITE_UTF8, s, reported, NULL, NULL, NULL) != SQLITE_OK)
			return store_fail(s, "reported");
	return true;
}
