/* Statements: prepared once, stepped and reported in one place; transactions and savepoints. */
#include "store/internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct str store_error(const struct store *s)
{
	return (struct str){s->error, s->error_len};
}

enum store_result store_last(const struct store *s)
{
	return s->result;
}

bool store_fail_text(struct store *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(s->error, sizeof s->error, fmt, ap);
	va_end(ap);
	s->error_len = n < 0 ? 0 : n < (int)sizeof s->error ? n : (int)sizeof s->error - 1;
	s->result = STORE_ERROR;
	return false;
}

/* What to do about the errors that are the environment's; NULL for ours. */
static const char *remedy_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return "another program holds it; repeat when it is done";
	case SQLITE_FULL: return "free space on that file system and repeat";
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
	case SQLITE_AUTH: return "check the permissions of the file and its folder";
	case SQLITE_IOERR: return "check the disk and its free space, and repeat";
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB: return "restore it from a backup, or move it away and import the run files of data/ again";
	case SQLITE_NOMEM: return "free some memory and repeat";
	default: return NULL;
	}
}

bool store_fail(struct store *s, const char *sql)
{
	int code = sqlite3_extended_errcode(s->db);
	const char *remedy = remedy_of(code), *message = sqlite3_errmsg(s->db);

	if (remedy)
		store_fail_text(s, "%s; %s", message, remedy);
	else
		store_fail_text(s, "%s%s%s", message, sql ? "; in the SQL: " : "", sql ? sql : "");
	if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
		s->result = STORE_BUSY;
	return false;
}

static sqlite3_stmt *prepare(struct store *s, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
		store_fail(s, sql);
	return stmt;
}

static sqlite3_stmt *ready(sqlite3_stmt *stmt)
{
	if (stmt) {
		sqlite3_reset(stmt);
		sqlite3_clear_bindings(stmt);
	}
	return stmt;
}

sqlite3_stmt *store_stmt(struct store *s, enum sql id)
{
	if (!s->stmts[id])
		s->stmts[id] = prepare(s, sql_texts[id]);
	return ready(s->stmts[id]);
}

sqlite3_stmt *store_cached(struct store *s, struct str sql, bool guarded)
{
	uint64_t hash = str_hash(sql);

	for (int i = 0; i < STORE_CACHED; i++) {
		const struct cached *c = &s->cached[i];
		if (c->stmt && c->hash == hash && c->guarded == guarded && str_eq(c->sql, sql))
			return ready(c->stmt);
	}
	return NULL;
}

/* The oldest makes room. */
void store_cache(struct store *s, struct str sql, sqlite3_stmt *stmt, bool guarded)
{
	struct cached *c = &s->cached[s->next_cached];
	char *copy = malloc((size_t)sql.len + 1);

	sqlite3_finalize(c->stmt);
	free(c->text);
	*c = (struct cached){.stmt = stmt, .text = copy, .guarded = guarded};
	s->next_cached = (s->next_cached + 1) % STORE_CACHED;
	if (!copy)
		return; /* kept for closing, never found again */
	memcpy(copy, sql.ptr, (size_t)sql.len);
	c->sql = (struct str){copy, sql.len};
	c->hash = str_hash(sql);
}

sqlite3_stmt *store_stmt_text(struct store *s, const char *sql)
{
	sqlite3_stmt *stmt = store_cached(s, str_of(sql), false);

	if (stmt)
		return stmt;
	stmt = prepare(s, sql);
	if (stmt)
		store_cache(s, str_of(sql), stmt, false);
	return stmt;
}

enum step store_step(struct store *s, sqlite3_stmt *stmt)
{
	int code = sqlite3_step(stmt);

	if (code == SQLITE_ROW)
		return STEP_ROW;
	if (code != SQLITE_DONE)
		store_fail(s, sqlite3_sql(stmt));
	sqlite3_reset(stmt);
	return code == SQLITE_DONE ? STEP_DONE : STEP_FAILED;
}

bool store_run_stmt(struct store *s, sqlite3_stmt *stmt)
{
	enum step step = stmt ? STEP_ROW : STEP_FAILED;

	while (step == STEP_ROW)
		step = store_step(s, stmt);
	return step == STEP_DONE;
}

bool store_script(struct store *s, const char *sql)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, sql);
}

void store_bind_text(sqlite3_stmt *stmt, int at, struct str text)
{
	sqlite3_bind_text(stmt, at, text.len ? text.ptr : "", (int)text.len, SQLITE_TRANSIENT);
}

void store_bind_text_or_null(sqlite3_stmt *stmt, int at, struct str text)
{
	if (text.len)
		store_bind_text(stmt, at, text);
	else
		sqlite3_bind_null(stmt, at);
}

struct str store_column(sqlite3_stmt *stmt, int column)
{
	bool blob = sqlite3_column_type(stmt, column) == SQLITE_BLOB;
	const void *p = blob ? sqlite3_column_blob(stmt, column) : sqlite3_column_text(stmt, column);

	return (struct str){p, sqlite3_column_bytes(stmt, column)};
}

bool store_begin(struct store *s)
{
	return store_run_stmt(s, store_stmt(s, s->mode == STORE_READ ? SQL_BEGIN_READ : SQL_BEGIN_WRITE));
}

bool store_commit(struct store *s)
{
	return store_run_stmt(s, store_stmt(s, SQL_COMMIT));
}

/* Keeps the error that led here. SQLite may have rolled back by itself (full disk): then there is nothing to do. */
static void undo(struct store *s, enum sql id)
{
	sqlite3_stmt *stmt = sqlite3_get_autocommit(s->db) ? NULL : store_stmt(s, id);

	if (!stmt)
		return;
	sqlite3_step(stmt);
	sqlite3_reset(stmt);
}

void store_rollback(struct store *s)
{
	undo(s, SQL_ROLLBACK);
}

bool store_enter(struct store *s)
{
	bool outermost = sqlite3_get_autocommit(s->db);
	bool ok = outermost ? store_begin(s) : store_run_stmt(s, store_stmt(s, SQL_SAVEPOINT));

	if (ok) {
		s->depth++;
		if (outermost)
			s->own_depth = s->depth;
	}
	return ok;
}

bool store_leave(struct store *s, bool ok)
{
	bool own = s->own_depth == s->depth--;

	if (own)
		s->own_depth = 0;
	if (ok && store_run_stmt(s, store_stmt(s, own ? SQL_COMMIT : SQL_RELEASE)))
		return true;
	undo(s, own ? SQL_ROLLBACK : SQL_ROLLBACK_TO);
	if (!own)
		undo(s, SQL_RELEASE);
	return false;
}
