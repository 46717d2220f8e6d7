/* What the store's tests share: a scratch folder, run records made from a few words, and one-line questions. */
#ifndef RUNQ_TESTS_STORE_FIXTURE_H
#define RUNQ_TESTS_STORE_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "store/store.h"

struct fixture {
	struct arena_block block;
	struct arena a;
	char folder[64], db[96];
	int nonce;
};

static int fixture_open(void **state)
{
	static struct fixture f;

	f = (struct fixture){0};
	f.a = arena_new(&f.block, (ptrdiff_t)1 << 28);
	snprintf(f.folder, sizeof f.folder, "%s", "tests/tmp/store-XXXXXX");
	if (!file_make_dirs("tests/tmp") || !mkdtemp(f.folder))
		return -1;
	snprintf(f.db, sizeof f.db, "%s/a/course.db", f.folder);
	*state = &f;
	return 0;
}

static int fixture_close(void **state)
{
	struct fixture *f = *state;
	char path[128];
	static const char *const files[] = {"a/course.db", "a/course.db-journal", "a/other.db", "a", NULL};

	for (int i = 0; files[i]; i++) {
		snprintf(path, sizeof path, "%s/%s", f->folder, files[i]);
		if (unlink(path) != 0)
			rmdir(path);
	}
	rmdir(f->folder);
	arena_free(&f->block);
	return 0;
}

/* A run of one table. `cases` is the text of the array; 0 for what does not matter. */
struct sketch {
	const char *probe, *cases, *kernel;
	int version, passes, cpus;
	int64_t created_ms;
	bool quick;
};

static inline struct run_result sketch_run(struct fixture *f, struct sketch s)
{
	struct str json = str_printf(&f->a,
		"{\"format\":\"runq-run\",\"version\":1,\"nonce\":\"%016x\",\"created_utc_ms\":%lld,\"quick\":%s,"
		"\"tool\":{\"version\":\"1\"},\"machine\":{\"kernel_release\":\"%s\",\"cpus_online\":%d,\"arch\":\"x86_"
		"64\",\"hz\":250},"
		"\"context\":{},\"note\":\"\",\"tables\":[{\"probe\":\"%s\",\"version\":%d,\"passes\":%d,\"seed\":1,"
		"\"before\":{},\"after\":{},\"cases\":%s}]}",
		++f->nonce, (long long)(s.created_ms ? s.created_ms : 1700000000000), s.quick ? "true" : "false",
		s.kernel ? s.kernel : "6.18.4", s.cpus ? s.cpus : 2, s.probe ? s.probe : "create",
		s.version ? s.version : 1, s.passes ? s.passes : 5, s.cases);
	struct run_result r = run_validate(&f->a, json);

	if (!r.run)
		fail_msg("fixture: %.*s: %.*s", STR_FMT(r.error.field), STR_FMT(r.error.what));
	return r;
}

/* fork takes `ns`, ns + 10, … in five passes. */
static inline const char *fork_case(struct fixture *f, int ns)
{
	return str_z(&f->a,
		str_printf(&f->a,
			"[{\"case\":\"fork\",\"status\":\"ok\",\"params\":{},\"metrics\":{\"wall\":{\"unit\":\"ns\","
			"\"values\":[%d,%d,%d,%d,%d]}}}]",
			ns, ns + 10, ns + 20, ns + 30, ns + 40));
}

static inline struct str hex_of(struct fixture *f, const struct run_result *r)
{
	char *hex = ARENA_NEW(&f->a, char, SHA256_HEX);

	sha256_hex(r->id, SHA256_BYTES, hex);
	return (struct str){hex, SHA256_HEX};
}

static inline struct store *open_store(struct fixture *f, enum store_mode mode)
{
	enum store_result result;
	struct str why;
	struct store *s = store_open(&f->a, f->db, mode, &result, &why);

	if (!s)
		fail_msg("open: %.*s", STR_FMT(why));
	return s;
}

static inline void put(struct fixture *f, struct store *s, const struct run_result *r, const char *origin)
{
	enum store_result result = store_put_run(s, r, origin, f->a);

	if (result != STORE_OK)
		fail_msg("put: %d: %.*s", (int)result, STR_FMT(store_error(s)));
}

static inline void bind_ok(struct store *s, const char *machine)
{
	if (!store_bind(s, str_of(machine)))
		fail_msg("bind: %.*s", STR_FMT(store_error(s)));
}

/* The text of an author's expression; "NULL" or "error: …". */
static inline const char *ask(struct fixture *f, struct store *s, const char *expr)
{
	struct store_query_error err;
	struct str text;
	double num;

	if (!store_value(s, str_of(expr), &f->a, &text, &num, &err))
		return str_z(&f->a, str_printf(&f->a, "error at %td: %.*s", err.offset, STR_FMT(err.text)));
	return text.ptr ? str_z(&f->a, text) : "NULL";
}

static inline double ask_num(struct fixture *f, struct store *s, const char *expr)
{
	struct store_query_error err;
	struct str text;
	double num;

	if (!store_value(s, str_of(expr), &f->a, &text, &num, &err))
		fail_msg("%s: %.*s", expr, STR_FMT(err.text));
	return num;
}

/* All cells of a query of ours, "|" between columns and newlines between rows. */
static inline const char *rows(struct fixture *f, struct store *s, const char *sql)
{
	struct buf b = buf_new(&f->a);
	struct grid g;

	if (!store_rows(s, sql, NULL, 0, &f->a, &g))
		fail_msg("%s: %.*s", sql, STR_FMT(store_error(s)));
	for (ptrdiff_t i = 0; i < g.rows * g.cols; i++) {
		buf_add(&b, g.text[i].ptr ? g.text[i] : STR("NULL"));
		buf_char(&b, (i + 1) % g.cols ? '|' : '\n');
	}
	buf_char(&b, '\0');
	return b.ptr;
}

#endif
