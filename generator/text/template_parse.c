/* From text to a tree of operations, by recursive descent over the sections. */
#include "text/template_ops.h"

enum { SECTION_DEPTH = 32 };

struct parser {
	struct arena *arena;
	struct diag *diag;
	struct str text;
	ptrdiff_t at; /* the next byte to read */
	struct str open, close; /* the delimiters */
	ptrdiff_t counted; /* `place` is the position of this offset */
	struct pos place;
	bool ok;
};

struct tag {
	char sigil; /* one of # ^ / > & ! = {, or 0 */
	struct str name;
	struct pos at;
	ptrdiff_t from, to; /* in the text, with the delimiters */
};

/* Offsets only grow, so that each byte is counted once. */
static struct pos place_of(struct parser *p, ptrdiff_t offset)
{
	struct str passed = str_slice(p->text, p->counted, offset);

	p->place = pos_at(p->place, passed, passed.len);
	p->counted = offset;
	return p->place;
}

static bool is_sigil(char c)
{
	return str_find_char(STR("#^/>&!={"), c) >= 0;
}

/* The next tag; false at the end of the text. */
static bool find_tag(struct parser *p, struct tag *t)
{
	ptrdiff_t skip = str_find(str_from(p->text, p->at), p->open);

	if (skip < 0)
		return false;
	*t = (struct tag){.from = p->at + skip};
	t->at = place_of(p, t->from);
	ptrdiff_t from = t->from + p->open.len;
	if (from < p->text.len && is_sigil(p->text.ptr[from]))
		t->sigil = p->text.ptr[from++];
	struct buf end = buf_new(p->arena);
	if (t->sigil == '{' || t->sigil == '=')
		buf_char(&end, t->sigil == '{' ? '}' : '=');
	buf_add(&end, p->close);
	ptrdiff_t n = str_find(str_from(p->text, from), buf_str(&end));
	if (n < 0) {
		diag_error(p->diag, t->at, "the tag is never closed; add '%.*s'", STR_FMT(buf_str(&end)));
		p->ok = false;
		return false;
	}
	t->name = str_trim(str_slice(p->text, from, from + n));
	t->to = from + n + end.len;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether nothing else is on the tag's lines; if so the tag takes them whole, with the line end. */
static void take_line(const struct parser *p, struct tag *t)
{
	struct str s = p->text;
	ptrdiff_t from = t->from, to = t->to;

	while (from > 0 && is_blank(s.ptr[from - 1]))
		from--;
	while (to < s.len && is_blank(s.ptr[to]))
		to++;
	if (from > 0 && s.ptr[from - 1] != '\n')
		return;
	if (to < s.len && s.ptr[to] != '\n' && !(s.ptr[to] == '\r' && to + 1 < s.len && s.ptr[to + 1] == '\n'))
		return;
	t->from = from;
	t->to = to == s.len ? to : to + 1 + (s.ptr[to] == '\r');
}

static struct op **add_op(struct parser *p, struct op **end, enum op_kind kind, struct str text, struct pos at)
{
	struct op *op = ARENA_NEW(p->arena, struct op, 1);

	*op = (struct op){.kind = kind, .text = text, .at = at};
	*end = op;
	return &op->next;
}

static bool check_name(struct parser *p, const struct tag *t)
{
	struct str name = t->name;
	bool ok = name.len > 0 && (name.len == 1 || (name.ptr[0] != '.' && name.ptr[name.len - 1] != '.'));

	for (ptrdiff_t i = 0; ok && i < name.len; i++) {
		char c = name.ptr[i];
		ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		     c == '-' || c == '.' || (c == '/' && t->sigil == '>');
	}
	if (!ok) {
		diag_error(p->diag, t->at,
			"'%.*s' is no name; use letters, digits, '_' and '-', with '.' between names", STR_FMT(name));
		p->ok = false;
	}
	return ok;
}

static void set_delimiters(struct parser *p, const struct tag *t)
{
	ptrdiff_t n = 0;

	while (n < t->name.len && !is_blank(t->name.ptr[n]))
		n++;
	struct str open = str_slice(t->name, 0, n), close = str_trim(str_from(t->name, n));
	bool ok = open.len && close.len && str_find_char(open, '=') < 0 && str_find_char(close, '=') < 0 &&
		  str_find_char(close, ' ') < 0;
	if (!ok) {
		diag_error(p->diag, t->at, "no delimiters: '%.*s'; write two, as in {{=<%% %%>=}}", STR_FMT(t->name));
		p->ok = false;
		return;
	}
	p->open = open;
	p->close = close;
}

static void check_close(struct parser *p, const struct tag *t, const struct tag *section)
{
	if (section && str_eq(t->name, section->name))
		return;
	if (section)
		diag_error(p->diag, t->at, "{{/%.*s}} closes {{%c%.*s}} of line %d; close the inner section first",
			STR_FMT(t->name), section->sigil, STR_FMT(section->name), section->at.line);
	else
		diag_error(p->diag, t->at, "{{/%.*s}} closes a section that is not open; remove it or open the section",
			STR_FMT(t->name));
	p->ok = false;
}

static struct op *parse_block(struct parser *p, const struct tag *section, int depth);

static struct op **add_section(struct parser *p, struct op **end, const struct tag *t, int depth)
{
	struct op **next = add_op(p, end, t->sigil == '#' ? OP_SECTION : OP_INVERTED, t->name, t->at);
	struct op *op = *end;

	if (depth == SECTION_DEPTH) {
		diag_error(p->diag, t->at, "sections nest deeper than %d; move a part into a partial", SECTION_DEPTH);
		p->ok = false;
		p->at = p->text.len;
		return next;
	}
	op->first = parse_block(p, t, depth + 1);
	return next;
}

static struct op **add_tag(struct parser *p, struct op **end, const struct tag *t, int depth)
{
	if (!check_name(p, t))
		return end;
	switch (t->sigil) {
	case '#':
	case '^': return add_section(p, end, t, depth);
	case '>': return add_op(p, end, OP_PARTIAL, t->name, t->at);
	case '&':
	case '{': return add_op(p, end, OP_MARKUP, t->name, t->at);
	default: return add_op(p, end, OP_ESCAPED, t->name, t->at);
	}
}

/* Up to the tag that closes `section`, or to the end of the text when that is NULL. */
static struct op *parse_block(struct parser *p, const struct tag *section, int depth)
{
	struct op *first = NULL, **end = &first;
	struct tag t;

	while (find_tag(p, &t)) {
		if (t.sigil && t.sigil != '&' && t.sigil != '{')
			take_line(p, &t);
		struct str before = str_slice(p->text, p->at, t.from);
		if (before.len)
			end = add_op(p, end, OP_LITERAL, before, (struct pos){0});
		p->at = t.to;
		if (t.sigil == '/') {
			check_close(p, &t, section);
			if (section)
				return first;
		} else if (t.sigil == '=') {
			set_delimiters(p, &t);
		} else if (t.sigil != '!') {
			end = add_tag(p, end, &t, depth);
		}
	}
	if (section && p->ok) {
		diag_error(p->diag, section->at, "the section is never closed; add {{/%.*s}}", STR_FMT(section->name));
		p->ok = false;
	}
	if (p->at < p->text.len)
		add_op(p, end, OP_LITERAL, str_from(p->text, p->at), (struct pos){0});
	p->at = p->text.len;
	return first;
}

struct op *template_parse(struct arena *a, struct diag *d, struct pos start, struct str text, bool *ok)
{
	struct parser p = {
		.arena = a, .diag = d, .text = text, .open = STR("{{"), .close = STR("}}"), .place = start, .ok = true};
	struct op *ops = parse_block(&p, NULL, 0);

	*ok = p.ok;
	return ops;
}
