/* SQL functions of the rooms above: one text in, a number or a text out. */
#include "store/internal.h"

#include <math.h>
#include <string.h>

struct answering {
	struct store *s;
	struct store_answer (*call)(void *ctx, struct str arg, struct arena *scratch);
	void *ctx;
};

static void answer(sqlite3_context *c, int n, sqlite3_value **v)
{
	const struct answering *f = sqlite3_user_data(c);
	struct arena scratch = f->s->scratch;
	const void *p = sqlite3_value_text(v[0]);

	(void)n;
	if (!p)
		return;
	struct str arg = {p, sqlite3_value_bytes(v[0])};
	struct store_answer r = f->call(f->ctx, arg, &scratch);
	if (r.error.len) {
		snprintf(f->s->culprit, sizeof f->s->culprit, "%.*s", STR_FMT(arg));
		sqlite3_result_error(c, r.error.ptr, (int)r.error.len);
	} else if (r.text.len) {
		sqlite3_result_text(c, r.text.ptr, (int)r.text.len, SQLITE_TRANSIENT);
	} else if (!isnan(r.num)) {
		sqlite3_result_double(c, r.num);
	}
}

bool store_add_answer(struct store *s, const char *name,
	struct store_answer (*call)(void *ctx, struct str arg, struct arena *scratch), void *ctx)
{
	struct answering *f = sqlite3_malloc64(sizeof *f);

	if (!f)
		return store_fail_text(s, "out of memory; close other programs");
	*f = (struct answering){s, call, ctx};
	if (sqlite3_create_function_v2(
		    s->db, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, f, answer, NULL, NULL, sqlite3_free) != SQLITE_OK)
		return store_fail(s, name);
	return true;
}
