/* Reads and checks "key: value" heads. A head is small, so that look-ups scan. */
#include "text/head.h"

#include "base/buf.h"
#include "text/json.h"

/* A line of the text being read: its bytes and where they begin. */
struct line {
	struct str s;
	ptrdiff_t at;
	int number;
};

struct reader {
	struct arena *arena;
	struct diag *diag;
	struct pos start;
	struct str text;
	ptrdiff_t at; /* the next line's first byte */
	int number; /* the next line's number */
	ptrdiff_t cap;
	struct buf joined; /* the last value, once it is continued */
	struct head head;
};

static bool next_line(struct reader *r, struct line *out)
{
	struct str rest;

	if (r->at >= r->text.len)
		return false;
	out->s = str_line(str_from(r->text, r->at), &rest);
	out->at = r->at;
	out->number = r->number++;
	r->at = r->text.len - rest.len;
	return true;
}

/* Position of byte `i` of a line; only the text's first line begins at a column other than 1. */
static struct pos at_byte(const struct reader *r, const struct line *l, ptrdiff_t i)
{
	struct pos p = {r->start.path, l->number, (int)i + 1};

	if (l->number == r->start.line)
		p.col += r->start.col - 1;
	return p;
}

static bool is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static void fail(struct reader *r, const struct line *l, ptrdiff_t i, const char *text)
{
	diag_error(r->diag, at_byte(r, l, i), "%s", text);
	r->head.ok = false;
}

static void add_field(struct reader *r, struct head_field f)
{
	struct head *h = &r->head;

	if (h->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 8;
		struct head_field *more = ARENA_NEW(r->arena, struct head_field, r->cap);
		for (ptrdiff_t i = 0; i < h->n; i++)
			more[i] = h->fields[i];
		h->fields = more;
	}
	h->fields[h->n++] = f;
	r->joined = buf_new(r->arena);
}

static void read_field(struct reader *r, const struct line *l)
{
	struct str s = l->s;
	ptrdiff_t key = 0;

	while (key < s.len && is_key_char(s.ptr[key]))
		key++;
	if (key == 0 || key == s.len || s.ptr[key] != ':') {
		struct str shown = str_trim(str_slice(s, 0, 40));
		diag_error(r->diag, at_byte(r, l, key),
			"`%.*s` is no head line; write `key: value`, or a blank line before the text", STR_FMT(shown));
		r->head.ok = false;
		return;
	}
	struct str value = str_trim(str_from(s, key + 1));
	ptrdiff_t value_from = value.len ? value.ptr - s.ptr : s.len;
	add_field(r, (struct head_field){str_slice(s, 0, key), value, at_byte(r, l, 0), at_byte(r, l, value_from)});
}

/* Joins an indented line to the last value by one space. The joined text is new; the value's place stays. */
static void read_continuation(struct reader *r, const struct line *l)
{
	struct head *h = &r->head;
	struct str more = str_trim(l->s);

	if (!h->n) {
		fail(r, l, 0, "an indented line continues a value, but no value precedes it; remove the indentation");
		return;
	}
	if (l->s.ptr[0] == '\t') {
		fail(r, l, 0, "a tab begins this line; continue a value with spaces");
		return;
	}
	struct head_field *f = &h->fields[h->n - 1];
	if (!f->value.len) {
		f->value = more;
		f->value_at = at_byte(r, l, more.ptr - l->s.ptr);
		return;
	}
	if (!r->joined.len)
		buf_add(&r->joined, f->value);
	buf_char(&r->joined, ' ');
	buf_add(&r->joined, more);
	f->value = buf_str(&r->joined);
}

static bool is_fence(struct str line)
{
	return str_starts(line, STR("---")) && str_trim(line).len == 3;
}

/* UTF-16 has no way through the rest of the program, and its errors would be riddles. */
static bool is_utf16(struct str text)
{
	return str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff"));
}

static bool open_fence(struct reader *r)
{
	struct line l = {{0}, 0, r->number};
	struct reader before = *r;

	if (next_line(r, &l) && is_fence(l.s))
		return true;
	*r = before;
	fail(r, &l, 0, "the page has no head; begin it with a line `---`, `key: value` lines and another `---`");
	return false;
}

bool head_text_ok(struct diag *d, struct pos start, struct str text)
{
	for (ptrdiff_t i = 0; i < text.len;) {
		struct json_rune c = json_rune_at(str_from(text, i));
		if (!c.bytes) {
			diag_error(d, pos_at(start, text, i), "byte 0x%02X is not UTF-8; save the file as UTF-8", (unsigned char)text.ptr[i]);
			return false;
		}
		if (c.code != '\r' && !json_rune_allowed(c.code)) {
			diag_error(d, pos_at(start, text, i), "control character U+%04X; remove it", (unsigned)c.code);
			return false;
		}
		i += c.bytes;
	}
	return true;
}

struct head head_parse(struct arena *a, struct diag *d, struct pos start, struct str text, bool fenced)
{
	struct reader r = {
		.arena = a, .diag = d, .start = start, .text = text, .number = start.line, .head = {.ok = true}};
	struct line l = {{0}, 0, start.line};
	bool ended = !fenced;

	if (is_utf16(text)) {
		fail(&r, &l, 0, "the file is UTF-16; save it as UTF-8");
		r.head.body_at = start;
		return r.head;
	}
	if (str_starts(text, STR("\xef\xbb\xbf"))) {
		r.at = 3;
		r.start.col -= 3;
	}
	if (fenced && !open_fence(&r)) {
		r.head.body_at = start;
		return r.head;
	}
	struct reader first = r;
	while (next_line(&r, &l)) {
		bool blank = !str_trim(l.s).len;
		ended = fenced ? is_fence(l.s) : blank;
		if (ended)
			break;
		if (blank)
			continue;
		if (l.s.ptr[0] == ' ' || l.s.ptr[0] == '\t')
			read_continuation(&r, &l);
		else
			read_field(&r, &l);
	}
	if (fenced && !ended) {
		first.head = (struct head){0};
		diag_error(d, start, "the head's `---` is not closed; add a line `---` after the last key");
		r = first;
	}
	r.head.body = r.at;
	r.head.body_at = (struct pos){start.path, r.number, r.number == start.line ? start.col + (int)r.at : 1};
	return r.head;
}

static ptrdiff_t count_keys(const struct head_key *keys)
{
	ptrdiff_t n = 0;

	while (keys[n].name)
		n++;
	return n;
}

static void report_unknown(struct diag *d, const struct head_field *f, const char *what, const struct head_key *keys)
{
	enum { MAX = 32 };
	struct str names[MAX];
	ptrdiff_t n = 0;

	for (; n < MAX && keys[n].name; n++)
		names[n] = str_of(keys[n].name);
	struct str near = str_nearest(f->key, names, n);
	if (near.len) {
		diag_error(d, f->key_at, "a %s has no key `%.*s`; did you mean `%.*s`?", what, STR_FMT(f->key),
			STR_FMT(near));
		return;
	}
	struct buf all = buf_new(d->arena);
	for (ptrdiff_t i = 0; i < n; i++) {
		buf_add(&all, i ? STR(" ") : STR(""));
		buf_add(&all, names[i]);
	}
	diag_error(d, f->key_at, "a %s has no key `%.*s`; its keys are: %.*s", what, STR_FMT(f->key),
		STR_FMT(buf_str(&all)));
}

static bool check_field(
	struct diag *d, const struct head *h, ptrdiff_t at, const char *what, const struct head_key *keys)
{
	const struct head_field *f = &h->fields[at];
	ptrdiff_t k = 0;

	while (keys[k].name && !str_eq(f->key, str_of(keys[k].name)))
		k++;
	if (!keys[k].name) {
		report_unknown(d, f, what, keys);
		return false;
	}
	if (keys[k].required && !f->value.len) {
		diag_error(d, f->value_at, "key `%.*s` has no value; write one after the colon", STR_FMT(f->key));
		return false;
	}
	for (ptrdiff_t i = 0; i < at && !keys[k].repeats; i++) {
		if (!str_eq(h->fields[i].key, f->key))
			continue;
		diag_error(d, f->key_at, "key `%.*s` is here twice, first in line %d; keep one", STR_FMT(f->key),
			h->fields[i].key_at.line);
		return false;
	}
	return true;
}

bool head_check(struct diag *d, const struct head *h, struct pos start, const char *what, const struct head_key *keys)
{
	bool ok = true;

	for (ptrdiff_t i = 0; i < h->n; i++)
		ok &= check_field(d, h, i, what, keys);
	for (ptrdiff_t k = 0; k < count_keys(keys); k++) {
		if (!keys[k].required || head_get(h, keys[k].name))
			continue;
		diag_error(d, start, "the %s lacks `%s:`; add it to the head", what, keys[k].name);
		ok = false;
	}
	return ok;
}

const struct head_field *head_get(const struct head *h, const char *key)
{
	struct str name = str_of(key);

	for (ptrdiff_t i = 0; i < h->n; i++)
		if (str_eq(h->fields[i].key, name))
			return &h->fields[i];
	return NULL;
}

struct str head_value(const struct head *h, const char *key)
{
	const struct head_field *f = head_get(h, key);

	return f ? f->value : (struct str){0};
}
