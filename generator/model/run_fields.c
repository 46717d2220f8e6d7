/* Reading the fields of a record: types, lengths, ranges, names. Each refusal names field, rule and remedy. */
#include "model/run_read.h"

const char *const run_flag_names[] = {"unknown_probe", "unknown_case", "unknown_metric", "few_passes", "bad_clock"};
_Static_assert(sizeof run_flag_names / sizeof *run_flag_names == RUN_FLAG_MAX, "a name for each flag");

struct str run_join(struct arena *a, const struct str *parts, ptrdiff_t n)
{
	struct buf b = buf_new(a);

	for (ptrdiff_t i = 0; i < n; i++)
		buf_add(&b, parts[i]);
	return buf_str(&b);
}

struct str run_int_text(struct arena *a, int64_t v)
{
	struct buf b = buf_new(a);

	buf_i64(&b, v);
	return buf_str(&b);
}

bool run_refuse(struct run_reader *r, const struct json *v, struct str key, const char *code, struct str what)
{
	if (r->error.code)
		return false;
	r->error = (struct run_error){.code = code, .field = json_path(r->arena, v, key), .what = what};
	json_place(r->in, v->offset, &r->error.line, &r->error.col);
	return false;
}

bool run_refuse_memory(struct run_reader *r)
{
	if (!r->error.code)
		r->error = (struct run_error){.code = "no_memory", .what = STR("out of memory; use a smaller file")};
	return false;
}

bool run_keys_known(struct run_reader *r, const struct json *object, const char *const *keys)
{
	enum { KEYS_MAX = 16 };
	struct str known[KEYS_MAX];
	ptrdiff_t n = 0;

	for (; n < KEYS_MAX && keys[n]; n++)
		known[n] = str_of(keys[n]);
	for (const struct json *v = object->first; v; v = v->next) {
		ptrdiff_t i = 0;
		while (i < n && !str_eq(v->key, known[i]))
			i++;
		if (i < n)
			continue;
		struct str near = str_nearest(v->key, known, n);
		struct str what = near.len ? RUN_JOIN(r->arena, STR("unknown key; did you mean \""), near, STR("\"?"))
					   : STR("unknown key; remove it, or put it among machine or context");
		return run_refuse(r, v, STR(""), "unknown_key", what);
	}
	return true;
}

bool run_read_kind(struct run_reader *r, const struct json *v, enum json_kind kind)
{
	if (v->kind == kind)
		return true;
	struct str what = RUN_JOIN(r->arena, json_kind_name(kind), STR(" belongs here, not "), json_kind_name(v->kind),
		STR("; write it as runq-probe does"));
	return run_refuse(r, v, STR(""), "wrong_type", what);
}

const struct json *run_field_if(struct run_reader *r, const struct json *object, struct str key, enum json_kind kind)
{
	const struct json *v = r->error.code ? NULL : json_get(object, key);

	return v && run_read_kind(r, v, kind) ? v : NULL;
}

const struct json *run_field(struct run_reader *r, const struct json *object, struct str key, enum json_kind kind)
{
	const struct json *v = run_field_if(r, object, key, kind);

	if (!v)
		run_refuse(r, object, key, "missing_key", STR("the key is missing; add it, as runq-probe writes it"));
	return v;
}

bool run_read_int(struct run_reader *r, const struct json *v, int64_t lo, int64_t hi, int64_t *out)
{
	if (!v || !run_read_kind(r, v, JSON_INT))
		return false;
	*out = v->num;
	if (v->num >= lo && v->num <= hi)
		return true;
	struct str what =
		RUN_JOIN(r->arena, run_int_text(r->arena, v->num), STR(" is not within "), run_int_text(r->arena, lo),
			STR(" to "), run_int_text(r->arena, hi), STR("; write a value within, in the unit given"));
	return run_refuse(r, v, STR(""), "out_of_range", what);
}

bool run_read_text(struct run_reader *r, const struct json *v, ptrdiff_t bytes_max, struct str *out)
{
	if (!v || !run_read_kind(r, v, JSON_TEXT))
		return false;
	*out = v->text;
	if (v->text.len <= bytes_max)
		return true;
	struct str what = RUN_JOIN(r->arena, run_int_text(r->arena, v->text.len), STR(" bytes are too long; keep to "),
		run_int_text(r->arena, bytes_max));
	return run_refuse(r, v, STR(""), "too_long", what);
}

bool run_name_ok(struct run_reader *r, const struct json *v, struct str name, char joint)
{
	bool ok = name.len > 0 && name.len <= RUN_NAME_BYTES_MAX && name.ptr[0] != joint;

	for (ptrdiff_t i = 0; ok && i < name.len; i++) {
		char c = name.ptr[i];
		ok = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == joint;
	}
	if (ok)
		return true;
	struct str what = RUN_JOIN(
		r->arena, STR("not a name; use at most 64 lower case letters, digits and "), (struct str){&joint, 1});
	return run_refuse(r, v, STR(""), "bad_name", what);
}

int run_read_word(struct run_reader *r, const struct json *v, const char *const *names, int n)
{
	struct buf known = buf_new(r->arena);

	if (!v || !run_read_kind(r, v, JSON_TEXT))
		return -1;
	for (int i = 0; i < n; i++) {
		if (str_eq(v->text, str_of(names[i])))
			return i;
		buf_add(&known, i ? STR(", ") : STR("unknown word; use one of "));
		buf_add(&known, str_of(names[i]));
	}
	run_refuse(r, v, STR(""), "unknown_word", buf_str(&known));
	return -1;
}

static bool read_fact(struct run_reader *r, const struct json *v, bool integers_only, struct run_fact *f)
{
	f->key = v->key;
	f->num = v->kind == JSON_INT ? v->num : RUN_NULL;
	if (!run_name_ok(r, v, v->key, '_'))
		return false;
	if (v->kind == JSON_INT || v->kind == JSON_NULL)
		return true;
	if (v->kind == JSON_TEXT && !integers_only)
		return run_read_text(r, v, RUN_TEXT_BYTES_MAX, &f->text);
	return run_refuse(r, v, STR(""), "wrong_type",
		integers_only ? STR("an integer or null belongs here; write yes as 1 and no as 0")
			      : STR("a text, an integer or null belongs here; write yes as 1 and no as 0"));
}

bool run_read_facts(struct run_reader *r, const struct json *v, bool integers_only, struct run_facts *out)
{
	if (!v)
		return false;
	if (v->n > RUN_FACTS_MAX)
		return run_refuse(
			r, v, STR(""), "too_many", STR("more than 64 facts; leave out those that do not matter"));
	out->items = ARENA_NEW(r->arena, struct run_fact, v->n);
	if (!out->items)
		return run_refuse_memory(r);
	for (const struct json *fact = v->first; fact; fact = fact->next)
		if (!read_fact(r, fact, integers_only, &out->items[out->n++]))
			return false;
	return true;
}
