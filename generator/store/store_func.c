/* SQL functions: what the bound machine measured, numbers for people, the registry, provenance. */
#include "store/internal.h"

#include <math.h>
#include <string.h>

#include "model/format.h"
#include "model/probe_info.h"

enum { KEY_SHOWN_BYTES_MAX = 100 };

static struct store *store_of(sqlite3_context *ctx)
{
	return sqlite3_user_data(ctx);
}

static struct str text_of(sqlite3_value *v)
{
	const void *p = sqlite3_value_text(v);

	return (struct str){p, p ? sqlite3_value_bytes(v) : 0};
}

static void give_text(sqlite3_context *ctx, struct str s)
{
	sqlite3_result_text(ctx, s.len ? s.ptr : "", (int)s.len, SQLITE_TRANSIENT);
}

static void give_number(sqlite3_context *ctx, double v)
{
	if (isnan(v))
		sqlite3_result_null(ctx);
	else
		sqlite3_result_double(ctx, v);
}

static void give_error(sqlite3_context *ctx, struct str s)
{
	sqlite3_result_error(ctx, s.ptr, (int)s.len);
}

/* --- provenance --- */

void store_note_value(struct store *s, int64_t run, struct str where)
{
	struct str probe, rest;

	for (ptrdiff_t i = s->n_notes; i-- > 0;) {
		struct noted *n = &s->notes[i];
		if (n->run != run)
			continue;
		if (str_eq(n->where, where) || n->several_probes)
			return;
		probe = str_cut(n->where, '/', &rest);
		n->several_probes = !str_eq(probe, str_cut(where, '/', &rest));
		n->where = n->several_probes ? STR("") : probe;
		return;
	}
	if (s->n_notes == s->cap_notes) {
		ptrdiff_t cap = s->cap_notes ? 2 * s->cap_notes : 16;
		struct noted *more = ARENA_NEW(&s->notes_arena, struct noted, cap);
		if (s->n_notes)
			memcpy(more, s->notes, (size_t)s->n_notes * sizeof *more);
		s->notes = more;
		s->cap_notes = cap;
	}
	s->notes[s->n_notes++] = (struct noted){.run = run, .where = str_copy(&s->notes_arena, where)};
}

/* note(run, 'probe/case', x) is x, and x's run is remembered. */
static void note(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	if (sqlite3_value_type(v[2]) != SQLITE_NULL)
		store_note_value(store_of(ctx), sqlite3_value_int64(v[0]), text_of(v[1]));
	sqlite3_result_value(ctx, v[2]);
}

/* --- what was measured --- */

static const struct known_key *find_key(sqlite3_context *ctx, struct str key)
{
	struct store *s = store_of(ctx);
	struct arena scratch = s->scratch;
	const struct known_key *k = store_known_key(s, key);

	if (k)
		return k;
	if (!probe_key_parse(key).ok) {
		key = str_slice(key, 0, KEY_SHOWN_BYTES_MAX); /* it may have been computed */
		snprintf(s->culprit, sizeof s->culprit, "%.*s", STR_FMT(key));
		struct str near = probe_key_nearest(&scratch, key);
		give_error(
			ctx, near.len ? str_printf(&scratch, "unknown measurement '%.*s'; did you mean '%.*s'?",
						STR_FMT(key), STR_FMT(near))
				      : str_printf(&scratch, "unknown measurement '%.*s'; `runq probe list` shows all",
						STR_FMT(key)));
	}
	return NULL;
}

/* Value `pass` of a key; a key without values per pass (reported) has only `whole`. */
static double at_pass(const struct store *s, const struct known_key *k, double whole)
{
	if (s->pass < 0 || !k->n_values)
		return whole;
	return s->pass < k->n_values ? k->values[s->pass] : (double)NAN;
}

enum wanted { WANT_MED, WANT_LO, WANT_HI, WANT_NOISE };

static void measured(sqlite3_context *ctx, sqlite3_value *v, enum wanted wanted)
{
	struct store *s = store_of(ctx);
	const struct known_key *k = NULL;
	double x = (double)NAN;

	if (sqlite3_value_type(v) != SQLITE_NULL)
		k = find_key(ctx, text_of(v));
	if (!k)
		return; /* NULL, or the error that find_key gave */
	switch (wanted) {
	case WANT_MED: x = at_pass(s, k, k->median); break;
	case WANT_LO: x = at_pass(s, k, k->min); break;
	case WANT_HI: x = at_pass(s, k, k->max); break;
	case WANT_NOISE: x = k->noise * at_pass(s, k, k->median); break;
	}
	if (!isnan(x))
		store_note_value(s, k->run, k->where);
	give_number(ctx, x);
}

static void med(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	measured(ctx, v[0], WANT_MED);
}

static void lo(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	measured(ctx, v[0], WANT_LO);
}

static void hi(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	measured(ctx, v[0], WANT_HI);
}

static void noise(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	measured(ctx, v[0], WANT_NOISE);
}

/* --- numbers for people --- */

/* False when the argument is NULL (so is the result) or no number (an error). */
static bool number_of(sqlite3_context *ctx, sqlite3_value *v, double *x)
{
	int type = sqlite3_value_type(v);

	if (type == SQLITE_NULL)
		return false;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		give_error(ctx, STR("a number is wanted here, not text; give the measurement itself, as in "
				    "us(med('create/fork'))"));
		return false;
	}
	*x = sqlite3_value_double(v);
	return true;
}

/* ns(x), us(x), ms(x): nanoseconds in one named unit. */
static void in_unit(sqlite3_context *ctx, sqlite3_value *v, double divisor, struct str shown)
{
	struct arena scratch = store_of(ctx)->scratch;
	double x;

	if (number_of(ctx, v, &x))
		give_text(ctx, format_unit(&scratch, x, STR("ns"), divisor, shown));
}

static void ns(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	in_unit(ctx, v[0], 1, STR("ns"));
}

static void us(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	in_unit(ctx, v[0], 1e3, STR("\xc2\xb5s"));
}

static void ms(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	in_unit(ctx, v[0], 1e6, STR("ms"));
}

static void si(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct arena scratch = store_of(ctx)->scratch;
	double x;

	(void)n;
	if (number_of(ctx, v[0], &x))
		give_text(ctx, format_si(&scratch, x, STR("ns")));
}

static void pct(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct arena scratch = store_of(ctx)->scratch;
	double x;

	(void)n;
	if (number_of(ctx, v[0], &x))
		give_text(ctx, format_si(&scratch, x, STR("fraction")));
}

/* A factor: two digits say enough, and no fewer than its whole part has. */
static void times(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct arena scratch = store_of(ctx)->scratch;
	double x;

	(void)n;
	if (number_of(ctx, v[0], &x))
		give_text(ctx, fabs(x) < 99.5 ? format_num(&scratch, x, 2) : format_num(&scratch, x, 3));
}

static void num(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	struct arena scratch = store_of(ctx)->scratch;
	double x, digits = 3;

	if (n == 2 && !number_of(ctx, v[1], &digits))
		return;
	if (digits < 1 || digits > 15) {
		give_error(ctx, STR("num(x, digits) takes 1 to 15 significant digits"));
		return;
	}
	if (number_of(ctx, v[0], &x))
		give_text(ctx, format_num(&scratch, x, (int)digits));
}

/* --- the registry --- */

static void probe_label(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	const struct probe_info *p = probe_info_find(text_of(v[0]));
	const struct case_info *c = p ? probe_case_find(p, text_of(v[1])) : NULL;

	(void)n;
	give_text(ctx, c ? str_of(c->label) : text_of(v[1]));
}

static void probe_place(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	(void)n;
	sqlite3_result_int(ctx, probe_order(text_of(v[0]), text_of(v[1])));
}

static void probe_current_version(sqlite3_context *ctx, int n, sqlite3_value **v)
{
	const struct probe_info *p = probe_info_find(text_of(v[0]));

	(void)n;
	if (p)
		sqlite3_result_int(ctx, p->version);
}

bool store_add_functions(struct store *s)
{
	enum { PURE = SQLITE_DETERMINISTIC };
	static const struct {
		const char *name;
		int args, flags;
		void (*call)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {
		/* Not deterministic: they have an effect, or depend on the pass and the bound machine. */
		{"note", 3, 0, note},
		{"med", 1, 0, med},
		{"lo", 1, 0, lo},
		{"hi", 1, 0, hi},
		{"noise", 1, 0, noise},
		{"ns", 1, PURE, ns},
		{"us", 1, PURE, us},
		{"ms", 1, PURE, ms},
		{"si", 1, PURE, si},
		{"pct", 1, PURE, pct},
		{"times", 1, PURE, times},
		{"num", 1, PURE, num},
		{"num", 2, PURE, num},
		{"probe_label", 2, PURE, probe_label},
		{"probe_order", 2, PURE, probe_place},
		{"probe_current_version", 1, PURE, probe_current_version},
	};

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (sqlite3_create_function_v2(s->db, functions[i].name, functions[i].args,
			    SQLITE_UTF8 | functions[i].flags, s, functions[i].call, NULL, NULL, NULL) != SQLITE_OK)
			return store_fail(s, functions[i].name);
	return true;
}
