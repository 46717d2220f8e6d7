/* Binding: the machine whose numbers a page shows, its current runs and the keys that med() looks up. */
#include "store/internal.h"

#include <math.h>
#include <string.h>

#include "model/probe_info.h"

static struct known_key *slot_of(const struct store *s, struct str key)
{
	ptrdiff_t mask = s->n_slots - 1;
	ptrdiff_t i = (ptrdiff_t)(str_hash(key) & (uint64_t)mask);

	while (s->keys[i].key.len && !str_eq(s->keys[i].key, key))
		i = (i + 1) & mask;
	return &s->keys[i];
}

/* The probe's first metric may be named or left out; it is filed without. */
const struct known_key *store_known_key(const struct store *s, struct str key)
{
	const struct known_key *k = s->n_slots && key.len ? slot_of(s, key) : NULL;
	struct str rest;

	if (k && k->key.len)
		return k;
	struct probe_key parsed = probe_key_parse(key);
	if (!s->n_slots || !parsed.ok || parsed.metric != parsed.probe->metrics)
		return NULL;
	k = slot_of(s, str_cut(key, ':', &rest));
	return k->key.len ? k : NULL;
}

/* A decimal number as store_put writes it, and the comma behind it: no exponent, at most 15 digits, so that both parts are exact and
 * one division rounds rightly. */
static double take_decimal(struct str s, ptrdiff_t *at)
{
	ptrdiff_t i = *at;
	bool minus = i < s.len && s.ptr[i] == '-', fraction = false;
	int64_t digits = 0, divisor = 1;

	for (i += minus; i < s.len && s.ptr[i] != ','; i++) {
		if (s.ptr[i] == '.') {
			fraction = true;
			continue;
		}
		digits = digits * 10 + (s.ptr[i] - '0');
		divisor = fraction ? divisor * 10 : divisor;
	}
	*at = i + 1;
	return (double)(minus ? -digits : digits) / (double)divisor;
}

/* "[1,null,2.5]" */
static ptrdiff_t parse_values(struct arena *a, struct str json, double **values)
{
	struct str list = str_slice(json, 1, json.len - 1);
	ptrdiff_t n = 1, at = 0;

	*values = NULL;
	if (!list.len)
		return 0;
	for (ptrdiff_t i = 0; i < list.len; i++)
		n += list.ptr[i] == ',';
	*values = ARENA_NEW(a, double, n);
	for (ptrdiff_t i = 0; i < n; i++) {
		bool null = at < list.len && list.ptr[at] == 'n';
		at += null ? 5 : 0; /* "null," */
		(*values)[i] = null ? (double)NAN : take_decimal(list, &at);
	}
	return n;
}

static double number_at(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(stmt, column);
}

static bool load_keys(struct store *s, struct arena *a)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_KEY_COUNT);
	enum step step = STEP_FAILED;

	if (!stmt || store_step(s, stmt) != STEP_ROW)
		return false;
	ptrdiff_t wanted = 2 * sqlite3_column_int64(stmt, 0) + 1, slots = 1;
	sqlite3_reset(stmt);
	while (slots < wanted)
		slots *= 2;
	s->keys = ARENA_NEW(a, struct known_key, slots);
	s->n_slots = slots;
	stmt = store_stmt(s, SQL_KEY_EACH);
	while (stmt && (step = store_step(s, stmt)) == STEP_ROW) {
		struct str key = str_copy(a, store_column(stmt, 0));
		struct known_key *k = slot_of(s, key);
		*k = (struct known_key){
			.key = key,
			.where = str_copy(a, store_column(stmt, 1)),
			.run = sqlite3_column_int64(stmt, 2),
			.median = number_at(stmt, 3),
			.min = number_at(stmt, 4),
			.max = number_at(stmt, 5),
			.noise = number_at(stmt, 6),
		};
		k->n_values = parse_values(a, store_column(stmt, 7), &k->values);
	}
	return step == STEP_DONE;
}

/* The default: the local machine, else the first public one with runs, else none (an empty course has no machine). */
static bool choose(struct store *s, struct str wanted, struct arena *a, struct str *key)
{
	static const enum sql ways[] = {SQL_META_GET, SQL_MACHINE_FIRST};

	*key = (struct str){0};
	for (int i = 0; i < 2 && !wanted.len && !key->len; i++) {
		sqlite3_stmt *stmt = store_stmt(s, ways[i]);
		if (stmt && ways[i] == SQL_META_GET)
			store_bind_text(stmt, 1, STR("local_machine"));
		enum step step = stmt ? store_step(s, stmt) : STEP_FAILED;
		if (step == STEP_FAILED)
			return false;
		if (step == STEP_ROW) {
			*key = str_copy(a, store_column(stmt, 0));
			sqlite3_reset(stmt);
		}
	}
	if (!wanted.len)
		return true;
	sqlite3_stmt *stmt = store_stmt(s, SQL_MACHINE_GET);
	if (!stmt)
		return false;
	store_bind_text(stmt, 1, wanted);
	enum step step = store_step(s, stmt);
	if (step == STEP_ROW)
		sqlite3_reset(stmt);
	*key = str_copy(a, wanted);
	return step == STEP_ROW ||
	       (step == STEP_DONE &&
		       store_fail_text(
			       s, "no machine '%.*s' in the database; `runq runs list` shows them", STR_FMT(wanted)));
}

static void unbind(struct store *s)
{
	s->machine = (struct str){0};
	s->keys = NULL;
	s->n_slots = 0;
	s->pass = -1;
}

static bool clear(struct store *s)
{
	return store_run_stmt(s, store_stmt(s, SQL_BOUND_CLEAR)) && store_run_stmt(s, store_stmt(s, SQL_CURRENT_CLEAR));
}

static bool put_bound(struct store *s, struct str key)
{
	sqlite3_stmt *stmt = store_stmt(s, SQL_BOUND_PUT);

	if (stmt)
		store_bind_text(stmt, 1, key);
	return stmt && store_run_stmt(s, stmt);
}

bool store_bind(struct store *s, struct str machine_key)
{
	struct arena scratch = s->scratch;
	struct str wanted = str_copy(&scratch, machine_key); /* it may be our own store_machine() */
	struct arena a = s->bound_start;
	struct str key;

	unbind(s);
	bool chosen = choose(s, wanted, &a, &key);
	if (!clear(s) || !chosen || (key.len && !put_bound(s, key)))
		return false;
	if (!store_run_stmt(s, store_stmt(s, SQL_CURRENT_PUT)) || !load_keys(s, &a))
		return false;
	s->machine = key;
	return true;
}

bool store_bind_run(struct store *s, int64_t run)
{
	struct arena a = s->bound_start;
	sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_MACHINE);

	unbind(s);
	if (!stmt)
		return false;
	sqlite3_bind_int64(stmt, 1, run);
	enum step step = store_step(s, stmt);
	if (step != STEP_ROW)
		return step == STEP_DONE && store_fail_text(s, "no run %lld in the database; `runq runs list` shows them", (long long)run);
	struct str key = str_copy(&a, store_column(stmt, 0));
	sqlite3_reset(stmt);
	if (!clear(s) || !put_bound(s, key))
		return false;
	stmt = store_stmt(s, SQL_CURRENT_PUT_RUN);
	if (stmt)
		sqlite3_bind_int64(stmt, 1, run);
	if (!stmt || !store_run_stmt(s, stmt) || !load_keys(s, &a))
		return false;
	s->machine = key;
	return true;
}

struct str store_machine(const struct store *s)
{
	return s->machine;
}

void store_set_pass(struct store *s, int pass)
{
	s->pass = pass < 0 ? -1 : pass;
}

ptrdiff_t store_key_passes(const struct store *s, struct str key)
{
	const struct known_key *k = store_known_key(s, key);

	return k ? k->n_values : 0;
}

static int by_run(const void *a, const void *b)
{
	int64_t x = ((const struct noted *)a)->run, y = ((const struct noted *)b)->run;

	return (x > y) - (x < y);
}

ptrdiff_t store_notes_take(struct store *s, struct arena *a, struct store_note **notes)
{
	ptrdiff_t n = 0;

	*notes = ARENA_NEW(a, struct store_note, s->n_notes);
	if (s->n_notes)
		qsort(s->notes, (size_t)s->n_notes, sizeof *s->notes, by_run);
	for (ptrdiff_t i = 0; i < s->n_notes; i++) {
		sqlite3_stmt *stmt = store_stmt(s, SQL_RUN_NOTE);
		if (!stmt)
			break;
		sqlite3_bind_int64(stmt, 1, s->notes[i].run);
		if (store_step(s, stmt) != STEP_ROW)
			continue; /* deleted meanwhile */
		struct store_note *out = &(*notes)[n++];
		struct str kase, probe = str_cut(s->notes[i].where, '/', &kase);
		out->run = s->notes[i].run;
		out->id_hex = str_copy(a, store_column(stmt, 0));
		out->created_ms = sqlite3_column_int64(stmt, 1);
		out->quick = sqlite3_column_int(stmt, 2);
		out->probe = str_copy(a, probe);
		out->case_id = str_copy(a, kase);
		sqlite3_reset(stmt);
	}
	s->notes = NULL;
	s->n_notes = s->cap_notes = 0;
	s->notes_arena = s->notes_start;
	return n;
}
