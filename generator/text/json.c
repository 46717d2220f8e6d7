/* The reader: recursive descent, its depth bounded by the limits. */
#include "text/json.h"

struct reader {
	struct arena *arena;
	struct str in;
	ptrdiff_t at, values;
	struct json_limits limits;
	struct json_error error;
};

static const char cut_short[] = "the text ends early; the file may be cut, send it whole";

void json_place(struct str text, ptrdiff_t offset, int *line, int *col)
{
	ptrdiff_t start = 0;

	*line = 1;
	for (ptrdiff_t i = 0; i < offset && i < text.len; i++)
		if (text.ptr[i] == '\n') {
			++*line;
			start = i + 1;
		}
	*col = (int)(offset - start + 1);
}

/* `key` is the untrusted part of messages: short, and whole characters only. */
static void add_key(struct buf *b, struct str key)
{
	enum { SHOWN = 64 };
	ptrdiff_t n = key.len < SHOWN ? key.len : SHOWN;

	while (n < key.len && n && ((unsigned char)key.ptr[n] & 0xc0) == 0x80)
		n--;
	if (b->len)
		buf_char(b, '.');
	buf_add(b, str_slice(key, 0, n));
	if (n < key.len)
		buf_add(b, STR("..."));
}

static void add_path(struct buf *b, const struct json *v)
{
	if (!v || !v->parent)
		return;
	add_path(b, v->parent);
	if (v->parent->kind == JSON_OBJECT) {
		add_key(b, v->key);
		return;
	}
	buf_char(b, '[');
	buf_i64(b, v->index);
	buf_char(b, ']');
}

struct str json_path(struct arena *a, const struct json *v, struct str key)
{
	struct buf b = buf_new(a);

	add_path(&b, v);
	if (key.len)
		add_key(&b, key);
	return buf_str(&b);
}

struct str json_kind_name(enum json_kind kind)
{
	switch (kind) {
	case JSON_NULL: return STR("null");
	case JSON_BOOL: return STR("true or false");
	case JSON_INT: return STR("an integer");
	case JSON_TEXT: return STR("a text");
	case JSON_ARRAY: return STR("an array");
	case JSON_OBJECT: return STR("an object");
	}
	return STR("");
}

const struct json *json_get(const struct json *object, struct str key)
{
	const struct json *v = object->kind == JSON_OBJECT ? object->first : NULL;

	while (v && !str_eq(v->key, key))
		v = v->next;
	return v;
}

static bool fail(struct reader *r, const struct json *v, ptrdiff_t offset, const char *code, const char *what)
{
	r->error = (struct json_error){.code = code, .field = json_path(r->arena, v, STR("")), .what = str_of(what)};
	json_place(r->in, offset, &r->error.line, &r->error.col);
	return false;
}

static int peek(const struct reader *r)
{
	return r->at < r->in.len ? (unsigned char)r->in.ptr[r->at] : -1;
}

static void skip_blanks(struct reader *r)
{
	for (int c = peek(r); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek(r))
		r->at++;
}

static bool take(struct reader *r, int c)
{
	skip_blanks(r);
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

static bool take_word(struct reader *r, struct str word)
{
	if (!str_starts(str_from(r->in, r->at), word))
		return false;
	r->at += word.len;
	return true;
}

static ptrdiff_t take_digits(struct reader *r)
{
	ptrdiff_t from = r->at;

	while (peek(r) >= '0' && peek(r) <= '9')
		r->at++;
	return r->at - from;
}

/* The grammar of numbers is JSON's, so that a fraction is called a fraction and 01 a mistake. */
static bool read_number(struct reader *r, struct json *v)
{
	static const char bad[] = "not a number of JSON; write an integer, such as 12";
	static const char wanted[] = "not an integer within +-(2^53 - 1); write an integer in the unit given, or null";
	ptrdiff_t from = r->at;
	bool minus = take_word(r, STR("-")), real = false;

	if (take_word(r, STR("Infinity")))
		return fail(r, v, from, "number", wanted);
	bool zero = peek(r) == '0';
	ptrdiff_t digits = take_digits(r);
	if (!digits || (zero && digits > 1))
		return fail(r, v, from, "bad_json", bad);
	struct str whole = str_slice(r->in, from, r->at);
	if (take_word(r, STR("."))) {
		real = true;
		if (!take_digits(r))
			return fail(r, v, from, "bad_json", bad);
	}
	if (take_word(r, STR("e")) || take_word(r, STR("E"))) {
		real = true;
		if (!take_word(r, STR("-")))
			take_word(r, STR("+"));
		if (!take_digits(r))
			return fail(r, v, from, "bad_json", bad);
	}
	v->kind = JSON_INT;
	if (real || (minus && zero) || !str_int(whole, &v->num) || v->num > JSON_INT_MAX || v->num < -JSON_INT_MAX)
		return fail(r, v, from, "number", wanted);
	return true;
}

static bool read_quoted(struct reader *r, const struct json *v, struct str *out)
{
	struct json_quoted q = json_quoted_read(r->arena, r->in, r->at);

	if (q.code)
		return fail(r, v, q.end, q.code, q.what);
	*out = q.text;
	r->at = q.end;
	return true;
}

static bool read_value(struct reader *r, struct json *v, int depth);

static struct json *new_child(struct reader *r, struct json *parent)
{
	struct json *v = NULL;

	if (++r->values > r->limits.values) {
		fail(r, parent, r->at, "too_many", "too many values; send fewer tables at a time");
		return NULL;
	}
	v = ARENA_NEW(r->arena, struct json, 1);
	if (!v) {
		fail(r, parent, r->at, "no_memory", "out of memory; use a smaller file");
		return NULL;
	}
	v->parent = parent;
	v->index = parent ? parent->n++ : 0;
	return v;
}

static bool read_member(struct reader *r, struct json *parent, struct json *v)
{
	skip_blanks(r);
	if (peek(r) != '"')
		return fail(r, parent, r->at, "bad_json",
			peek(r) < 0 ? cut_short
				    : "a key in double quotes belongs here; quote it, or remove the comma before");
	if (!read_quoted(r, parent, &v->key))
		return false;
	if (!take(r, ':'))
		return fail(r, v, r->at, "bad_json", peek(r) < 0 ? cut_short : "a colon belongs after the key; add it");
	return true;
}

/* Merges two lists sorted by key; of equal keys the earlier comes first. */
static struct json *merge(struct json *a, struct json *b)
{
	struct json *first = NULL, **end = &first;

	while (a && b) {
		struct json **least = str_cmp(a->key, b->key) <= 0 ? &a : &b;
		*end = *least;
		end = &(*end)->next;
		*least = *end;
	}
	*end = a ? a : b;
	return first;
}

/* n log n, because an object may hold as many keys as the limits allow. */
static struct json *sort(struct json *list, ptrdiff_t n)
{
	struct json *middle = list;

	if (n < 2)
		return list;
	for (ptrdiff_t i = 1; i < n / 2; i++)
		middle = middle->next;
	struct json *right = middle->next;
	middle->next = NULL;
	list = sort(list, n / 2);
	return merge(list, sort(right, n - n / 2));
}

static bool sort_keys(struct reader *r, struct json *v)
{
	v->first = sort(v->first, v->n);
	for (const struct json *m = v->first; m && m->next; m = m->next)
		if (str_eq(m->key, m->next->key))
			return fail(r, m->next, m->next->offset, "duplicate_key",
				"the key is there twice; keep one of the two");
	return true;
}

static bool read_children(struct reader *r, struct json *v, int depth)
{
	int close = v->kind == JSON_OBJECT ? '}' : ']';
	struct json **end = &v->first;

	r->at++;
	if (depth > r->limits.depth)
		return fail(r, v, v->offset, "too_deep", "nested too deeply; this is no record of runq");
	if (take(r, close))
		return true;
	do {
		struct json *child = new_child(r, v);
		if (!child || (v->kind == JSON_OBJECT && !read_member(r, v, child)) || !read_value(r, child, depth))
			return false;
		*end = child;
		end = &child->next;
	} while (take(r, ','));
	if (!take(r, close))
		return fail(r, v, r->at, "bad_json",
			peek(r) < 0		 ? cut_short
			: v->kind == JSON_OBJECT ? "a comma or } belongs here; add it"
						 : "a comma or ] belongs here; add it");
	return v->kind == JSON_ARRAY || sort_keys(r, v);
}

/* `depth`: how many containers are open around v. */
static bool read_value(struct reader *r, struct json *v, int depth)
{
	skip_blanks(r);
	v->offset = r->at;
	int c = peek(r);
	if (c == '{' || c == '[') {
		v->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
		return read_children(r, v, depth + 1);
	}
	if (c == '"') {
		v->kind = JSON_TEXT;
		return read_quoted(r, v, &v->text);
	}
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(r, v);
	if (take_word(r, STR("NaN")) || take_word(r, STR("Infinity")))
		return fail(r, v, v->offset, "number", "not an integer; write null for a value that is missing");
	v->kind = JSON_NULL;
	if (take_word(r, STR("null")))
		return true;
	v->kind = JSON_BOOL;
	v->yes = take_word(r, STR("true"));
	if (v->yes || take_word(r, STR("false")))
		return true;
	return fail(r, v, r->at, "bad_json",
		c < 0 ? cut_short : "a value of JSON belongs here; send the file as runq-probe wrote it");
}

struct json_result json_read(struct arena *a, struct str text, struct json_limits limits)
{
	struct reader r = {.arena = a, .in = text, .limits = limits};
	struct json *root = NULL;

	if (text.len > limits.bytes)
		fail(&r, NULL, 0, "too_large", "the file is too large; send fewer tables at a time");
	else if ((root = new_child(&r, NULL)) && read_value(&r, root, 0)) {
		skip_blanks(&r);
		if (r.at < text.len)
			fail(&r, NULL, r.at, "bad_json", "text after the value; remove it");
	}
	return (struct json_result){r.error.code ? NULL : root, r.error};
}
