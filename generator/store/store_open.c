/* Opening: limits and switches of a connection, migration, the functions and views it is given. */
#include "store/internal.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "store/schema.h"

enum {
	BUSY_MS = 5000,
	HEAP_BYTES_MAX = 256 * 1024 * 1024,
	SCRATCH_BYTES = 1 << 28,
	TICK_OPS = 1000,
};

/* From SQLite's own advice for hostile input, raised where our SQL needs more. */
static const struct {
	int id, value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, 2000000},
	{SQLITE_LIMIT_SQL_LENGTH, 100000},
	{SQLITE_LIMIT_COLUMN, 100},
	{SQLITE_LIMIT_EXPR_DEPTH, 200},
	{SQLITE_LIMIT_COMPOUND_SELECT, 50},
	{SQLITE_LIMIT_VDBE_OP, 25000},
	{SQLITE_LIMIT_FUNCTION_ARG, 16},
	{SQLITE_LIMIT_ATTACHED, 0},
	{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
	{SQLITE_LIMIT_VARIABLE_NUMBER, 64},
	{SQLITE_LIMIT_TRIGGER_DEPTH, 10},
	{SQLITE_LIMIT_WORKER_THREADS, 0},
};

/* DEFENSIVE keeps SQL from writing the schema or shadow tables; DQS off turns a misspelt "column" into an error. */
static const struct {
	int id, value;
} switches[] = {
	{SQLITE_DBCONFIG_DEFENSIVE, 1},
	{SQLITE_DBCONFIG_DQS_DML, 0},
	{SQLITE_DBCONFIG_DQS_DDL, 0},
	{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
	{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
	{SQLITE_DBCONFIG_ENABLE_FKEY, 1},
	{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
};

static bool configure(struct store *s)
{
	bool ok = true;

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		sqlite3_limit(s->db, limits[i].id, limits[i].value);
		ok = ok && sqlite3_limit(s->db, limits[i].id, -1) == limits[i].value;
	}
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		int now = -1;
		ok = sqlite3_db_config(s->db, switches[i].id, switches[i].value, &now) == SQLITE_OK &&
		     now == switches[i].value && ok;
	}
	sqlite3_hard_heap_limit64(HEAP_BYTES_MAX);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	sqlite3_extended_result_codes(s->db, 1);
	if (!ok)
		return store_fail_text(
			s, "SQLite %s does not take our limits; install SQLite 3.40 or newer", sqlite3_libversion());
	/* 16 MiB of pages: a page's charts read a database of a million values once, not once each. */
	return store_script(s, "PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON;"
			       " PRAGMA cache_size = -16384");
}

static bool pragma_int(struct store *s, const char *sql, int64_t *value)
{
	sqlite3_stmt *stmt = store_stmt_text(s, sql);

	if (!stmt || store_step(s, stmt) != STEP_ROW)
		return false;
	*value = sqlite3_column_int64(stmt, 0);
	sqlite3_reset(stmt);
	return true;
}

/* Rollback journal, so that a reader needs no write access and the database is one file; a database under
 * `serve --accept` stays in WAL mode. */
static bool set_durability(struct store *s)
{
	int64_t synchronous = 0, foreign_keys = 0;
	sqlite3_stmt *stmt = store_stmt_text(s, "PRAGMA main.journal_mode");
	bool ok = stmt && store_step(s, stmt) == STEP_ROW;
	bool wal = ok && str_eq(store_column(stmt, 0), STR("wal"));

	if (stmt)
		sqlite3_reset(stmt);
	ok = ok && (wal || store_script(s, "PRAGMA main.journal_mode = DELETE"));
	ok = ok && store_script(s, "PRAGMA main.synchronous = FULL");
	ok = ok && pragma_int(s, "PRAGMA main.synchronous", &synchronous) &&
	     pragma_int(s, "PRAGMA foreign_keys", &foreign_keys);
	if (ok && (synchronous != 2 || foreign_keys != 1))
		return store_fail_text(
			s, "SQLite refused synchronous or foreign_keys; it was built without them: use Debian's");
	return ok;
}

/* One step in one exclusive transaction; the versions are read inside, because another process may have migrated
 * meanwhile. */
static bool migrate_step(struct store *s, int64_t *version)
{
	if (!store_script(s, "BEGIN EXCLUSIVE"))
		return false;
	bool ok = pragma_int(s, "PRAGMA main.user_version", version);
	if (ok && *version < SCHEMA_VERSION) {
		ok = store_script(s, schema_steps[*version]);
		/* PRAGMA takes no parameters; both numbers are ours. */
		struct arena scratch = s->scratch;
		struct str set = str_printf(&scratch, "PRAGMA main.application_id = %d; PRAGMA main.user_version = %d",
			SCHEMA_APPLICATION_ID, (int)*version + 1);
		ok = ok && store_script(s, str_z(&scratch, set));
		*version += ok;
	}
	if (!ok || !store_script(s, "COMMIT")) {
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		return false;
	}
	return true;
}

/* Whose file this is, and of which version. */
static bool check_schema(struct store *s, int64_t *version)
{
	int64_t application = 0, objects = 0;

	if (!pragma_int(s, "PRAGMA main.application_id", &application) ||
		!pragma_int(s, "PRAGMA main.user_version", version) ||
		!pragma_int(s, "SELECT count(*) FROM main.sqlite_schema", &objects))
		return false;
	bool fresh = application == 0 && *version == 0 && objects == 0;
	if (application != SCHEMA_APPLICATION_ID && !fresh)
		return store_fail_text(s, "this SQLite file belongs to another program; name another file with --db");
	if (*version < 0 || (*version == 0 && objects > 0))
		return store_fail_text(s, "its schema version is %d, which no runq writes; restore it from a backup, or move it away and "
			"import the run files of data/ again", (int)*version);
	if (*version > SCHEMA_VERSION) {
		store_fail_text(s,
			"its schema %d is newer than this runq's %d; use the runq that wrote it, or a newer one",
			(int)*version, SCHEMA_VERSION);
		s->result = STORE_NEWER;
		return false;
	}
	if (s->mode == STORE_READ && fresh)
		return store_fail_text(s, "it holds no database yet; import a run first: `runq import FILE`");
	if (s->mode == STORE_READ && *version < SCHEMA_VERSION)
		return store_fail_text(s, "its schema %d is older than this runq's %d; run `runq db migrate`",
			(int)*version, SCHEMA_VERSION);
	return true;
}

static bool set_up(struct store *s)
{
	int64_t version = 0;

	if (!configure(s) || !check_schema(s, &version))
		return false;
	if (s->mode == STORE_WRITE && !set_durability(s))
		return false;
	while (version < SCHEMA_VERSION)
		if (!migrate_step(s, &version))
			return false;
	if (!store_add_functions(s) || !store_add_aggregates(s) || !store_add_each(s) || !store_add_reported(s))
		return false;
	for (const char *const *sql = schema_temp; *sql; sql++)
		if (!store_script(s, *sql))
			return false;
	/* A table-valued function declares its columns at its first use, which the authorizer would take for a change. */
	if (!store_script(s, "SELECT 1 FROM json_each('[]'), json_tree('[]'), each_value('', 0, '', '')"))
		return false;
	/* Installed last and for good: changing the authorizer would make every statement be prepared again. */
	sqlite3_set_authorizer(s->db, store_authorize, s);
	sqlite3_progress_handler(s->db, TICK_OPS, store_tick, s);
	return true;
}

static bool make_folder_of(struct store *s, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct arena scratch = s->scratch;

	if (!slash || slash == path)
		return true;
	const char *folder = str_z(&scratch, (struct str){path, slash - path});
	return file_make_dirs(folder) ||
	       store_fail_text(s, "folder '%s' cannot be made: %s; check its permissions", folder, strerror(errno));
}

static bool open_file(struct store *s, const char *path)
{
	int flags = s->mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
	struct stat st;

	if (s->mode == STORE_WRITE && !make_folder_of(s, path))
		return false;
	if (s->mode == STORE_READ && stat(path, &st) != 0)
		return store_fail_text(s,
			"cannot be read: %s; import a run first (`runq import FILE`), or name it with --db",
			strerror(errno));
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return store_fail_text(s, "is no regular file; name another with --db");
	if (sqlite3_open_v2(path, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL) == SQLITE_OK)
		return true;
	return s->db ? store_fail(s, NULL) : store_fail_text(s, "SQLite found no memory; free some");
}

struct store *store_open(
	struct arena *a, const char *path, enum store_mode mode, enum store_result *result, struct str *why)
{
	struct store *s = ARENA_NEW(a, struct store, 1);

	s->mode = mode;
	s->pass = -1;
	s->scratch = arena_new(&s->scratch_block, SCRATCH_BYTES);
	s->bound_start = arena_new(&s->bound_block, SCRATCH_BYTES);
	s->notes_start = s->notes_arena = arena_new(&s->notes_block, SCRATCH_BYTES);
	*result = STORE_OK;
	*why = (struct str){0};
	if (open_file(s, path) && set_up(s))
		return s;
	*result = s->result;
	*why = str_copy(a, store_error(s));
	store_close(s);
	return NULL;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (int i = 0; i < SQL_MAX; i++)
		sqlite3_finalize(s->stmts[i]);
	for (int i = 0; i < STORE_CACHED; i++) {
		sqlite3_finalize(s->cached[i].stmt);
		free(s->cached[i].text);
	}
	sqlite3_close_v2(s->db);
	s->db = NULL;
	arena_free(&s->scratch_block);
	arena_free(&s->bound_block);
	arena_free(&s->notes_block);
}
