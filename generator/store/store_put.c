/* A validated run into run, machine, machine_fact and cell; import is idempotent by run_id. */
#include "store/internal.h"

#include <string.h>

bool store_set_local_machine(struct store *s, struct str machine_key)
{
	if (!store_enter(s))
		return false;
	sqlite3_stmt *stmt = store_stmt(s, SQL_META_PUT);
	if (stmt) {
		store_bind_text(stmt, 1, STR("local_machine"));
		store_bind_text(stmt, 2, machine_key);
	}
	bool ok = store_run_stmt(s, stmt);
	stmt = ok ? store_stmt(s, SQL_MACHINE_PUBLIC) : NULL;
	if (stmt)
		store_bind_text(stmt, 1, machine_key);
	return store_leave(s, ok && store_run_stmt(s, stmt));
}

bool store_put_label(struct store *s, struct str machine_key, struct str label, bool is_public, struct str kind)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_MACHINE_LABEL);

	if (!stmt)
		return false;
	if (!str_eq(kind, STR("measured")) && !str_eq(kind, STR("emulated")) && !str_eq(kind, STR("reported")) &&
		kind.len)
		return store_fail_text(s, "kind '%.*s' of machine '%.*s' is none; write measured, emulated or reported",
			STR_FMT(kind), STR_FMT(machine_key));
	store_bind_text(stmt, 1, machine_key);
	store_bind_text(stmt, 2, label);
	store_bind_text(stmt, 3, kind.len ? kind : STR("measured"));
	sqlite3_bind_int(stmt, 4, is_public);
	return store_run_stmt(s, stmt);
}

/* --- machine --- */

/* "Linux 6.18, 2 CPUs, x86-64", from what is known. */
static struct str default_label(struct arena *a, const struct run *r)
{
	const struct run_fact *kernel = run_fact_get(&r->machine, "kernel_release");
	const struct run_fact *cpus = run_fact_get(&r->machine, "cpus_online"),
			      *arch = run_fact_get(&r->machine, "arch");
	struct buf b = buf_new(a);
	struct str minor, patch, major = kernel ? str_cut(kernel->text, '.', &minor) : (struct str){0};

	buf_add(&b, STR("Linux"));
	if (kernel && kernel->text.len) {
		buf_char(&b, ' ');
		buf_add(&b, major);
		if (minor.len) {
			buf_char(&b, '.');
			buf_add(&b, str_cut(minor, '.', &patch));
		}
	}
	if (cpus && !cpus->text.ptr && cpus->num > 0) {
		buf_add(&b, STR(", "));
		buf_i64(&b, cpus->num);
		buf_add(&b, cpus->num == 1 ? STR(" CPU") : STR(" CPUs"));
	}
	if (arch && arch->text.len) {
		buf_add(&b, STR(", "));
		buf_add(&b, str_eq(arch->text, STR("x86_64")) ? STR("x86-64") : arch->text);
	}
	return buf_str(&b);
}

bool store_put_facts(struct store *s, struct str machine, const struct run *r, struct arena scratch)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_FACTS_CLEAR);
	bool ok = true;

	if (!stmt)
		return false;
	store_bind_text(stmt, 1, machine);
	ok = store_run_stmt(s, stmt);
	for (ptrdiff_t i = 0; ok && i < r->machine.n; i++) {
		const struct run_fact *f = &r->machine.items[i];
		stmt = store_stmt(s, SQL_FACT_PUT);
		if (!stmt)
			return false;
		store_bind_text(stmt, 1, machine);
		store_bind_text(stmt, 2, f->key);
		if (f->text.ptr)
			store_bind_text(stmt, 3, f->text);
		else if (f->num != RUN_NULL)
			sqlite3_bind_int64(stmt, 4, f->num);
		ok = store_run_stmt(s, stmt);
	}
	stmt = ok ? store_stmt(s, SQL_MACHINE_DEFAULT_LABEL) : NULL;
	if (!stmt)
		return false;
	store_bind_text(stmt, 1, machine);
	store_bind_text(stmt, 2, default_label(&scratch, r));
	return store_run_stmt(s, stmt);
}

/* The facts of a machine are those of its newest run; a student's counts only where there is no other. */
static bool refresh_facts(struct store *s, int64_t run, struct str machine, const struct run *r, struct arena scratch)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_FACTS_NEWER);

	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, run);
	enum step step = store_step(s, stmt);
	if (step == STEP_ROW)
		sqlite3_reset(stmt);
	return step == STEP_ROW || (step == STEP_DONE && store_put_facts(s, machine, r, scratch));
}

/* The key of the run's machine, which has a row afterwards. A key has four digits of the config_id: should two
 * configurations share them, the second machine gets four more, for they must never be pooled. */
static bool put_machine(struct store *s, const struct run_result *r, struct arena *a, struct str *key)
{
	*key = run_machine_key(a, r->run);
	for (int digits = 4; digits < SHA256_HEX; digits += 4) {
		sqlite3_stmt *stmt = store_stmt(s, SQL_MACHINE_SAME_CONFIG);
		if (!stmt)
			return false;
		store_bind_text(stmt, 1, *key);
		sqlite3_bind_blob(stmt, 2, r->config_id, SHA256_BYTES, SQLITE_STATIC);
		enum step step = store_step(s, stmt);
		bool other = step == STEP_ROW && !sqlite3_column_int(stmt, 0);
		sqlite3_reset(stmt);
		if (step == STEP_FAILED)
			return false;
		if (!other)
			break;
		char hex[4];
		sha256_hex(r->config_id + digits / 2, 2, hex);
		*key = str_printf(a, "%.*s%.4s", STR_FMT(*key), hex);
	}
	sqlite3_stmt *stmt = store_stmt(s, SQL_MACHINE_PUT);
	if (!stmt)
		return false;
	store_bind_text(stmt, 1, *key);
	sqlite3_bind_blob(stmt, 2, r->config_id, SHA256_BYTES, SQLITE_STATIC);
	return store_run_stmt(s, stmt);
}

/* --- run --- */

/* STORE_DUPLICATE when the run is there already; its origin may rise, and with it what its machine's facts come
 * from. */
static enum store_result find_run(struct store *s, const struct run_result *r, const char *origin, struct arena scratch)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_FIND);

	if (!stmt)
		return STORE_ERROR;
	sqlite3_bind_blob(stmt, 1, r->id, SHA256_BYTES, SQLITE_STATIC);
	enum step step = store_step(s, stmt);
	if (step != STEP_ROW)
		return step == STEP_DONE ? STORE_OK : STORE_ERROR;
	int64_t run = sqlite3_column_int64(stmt, 0);
	struct str machine = str_copy(&scratch, store_column(stmt, 1));
	sqlite3_reset(stmt);
	stmt = store_stmt(s, SQL_RUN_RAISE);
	if (!stmt)
		return STORE_ERROR;
	sqlite3_bind_int64(stmt, 1, run);
	store_bind_text(stmt, 2, str_of(origin));
	if (!store_run_stmt(s, stmt))
		return STORE_ERROR;
	if (sqlite3_changes(s->db) && !refresh_facts(s, run, machine, r->run, scratch))
		return STORE_ERROR;
	return STORE_DUPLICATE;
}

static bool add_run(struct store *s, const struct run_result *r, const char *origin, struct arena scratch)
{
	struct str machine;

	if (!put_machine(s, r, &scratch, &machine))
		return false;
	sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_PUT);
	if (!stmt)
		return false;
	sqlite3_bind_blob(stmt, 1, r->id, SHA256_BYTES, SQLITE_STATIC);
	store_bind_text(stmt, 2, machine);
	store_bind_text(stmt, 3, str_of(origin));
	sqlite3_bind_int64(stmt, 4, r->run->created_utc_ms);
	sqlite3_bind_int(stmt, 5, r->run->quick);
	store_bind_text(stmt, 6, r->flags);
	sqlite3_bind_blob(stmt, 7, r->canon.ptr, (int)r->canon.len, SQLITE_TRANSIENT);
	if (!store_run_stmt(s, stmt))
		return false;
	int64_t run = sqlite3_last_insert_rowid(s->db);
	/* Read again from the canonical bytes, whose keys are sorted: a rebuild will see those and must derive the
	 * same. */
	struct run_result canonical = run_validate(&scratch, r->canon);
	if (!canonical.run)
		return store_fail_text(
			s, "canonical bytes that do not read back: %.*s; report this", STR_FMT(canonical.error.what));
	return store_put_cells(s, SQL_CELL_PUT, run, machine, canonical.run, scratch) &&
	       refresh_facts(s, run, machine, canonical.run, scratch);
}

enum store_result store_put_run(struct store *s, const struct run_result *r, const char *origin, struct arena scratch)
{
	if (!store_enter(s))
		return s->result;
	enum store_result found = find_run(s, r, origin, scratch);
	bool ok = found == STORE_DUPLICATE || (found == STORE_OK && add_run(s, r, origin, scratch));
	return store_leave(s, ok) ? found : s->result;
}
