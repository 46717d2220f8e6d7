/* Tokens of claim expressions, and the keys inside any SQL. */
#include "model/expr_parse.h"

#include <math.h>

#include "base/buf.h"
#include "model/probe_info.h"

void expr_error(struct parser *p, ptrdiff_t offset, const char *what, struct str subject, const char *remedy)
{
	if (p->out.ok)
		diag_error(p->d, pos_at(p->at, p->text, offset), "%s%s%.*s%s; %s", what, subject.len ? " '" : "",
			STR_FMT(subject), subject.len ? "'" : "", remedy);
	p->out.ok = false;
	p->i = p->text.len;
	p->token = T_END;
	p->word = (struct str){0};
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char byte_at(const struct parser *p, ptrdiff_t i)
{
	return i < p->text.len ? p->text.ptr[i] : '\0';
}

/* 12, 1.5, 2e3: what SQLite and JavaScript both read; 0x10, 1_000, .5 and 5. are not. */
static ptrdiff_t number_end(const struct parser *p, ptrdiff_t i)
{
	while (is_digit(byte_at(p, i)))
		i++;
	if (byte_at(p, i) == '.' && is_digit(byte_at(p, i + 1)))
		for (i++; is_digit(byte_at(p, i));)
			i++;
	if ((byte_at(p, i) | 0x20) == 'e') {
		ptrdiff_t exponent = i + 1 + (byte_at(p, i + 1) == '-' || byte_at(p, i + 1) == '+');
		if (is_digit(byte_at(p, exponent)))
			for (i = exponent; is_digit(byte_at(p, i));)
				i++;
	}
	return i;
}

static ptrdiff_t text_end(const struct parser *p, ptrdiff_t i)
{
	for (i++; i < p->text.len; i++)
		if (p->text.ptr[i] == '\'')
			return i + 1;
	return -1;
}

static ptrdiff_t sign_length(const struct parser *p, ptrdiff_t i)
{
	static const char *const signs[] = {
		"<=", ">=", "<>", "!=", "==", "<", ">", "=", "+", "-", "*", "/", "(", ")", ","};
	struct str rest = str_from(p->text, i);

	for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
		if (str_starts(rest, str_of(signs[s])))
			return str_of(signs[s]).len;
	return 0;
}

void expr_advance(struct parser *p)
{
	while (p->i < p->text.len && str_find_char(STR(" \t\r\n"), p->text.ptr[p->i]) >= 0)
		p->i++;
	ptrdiff_t from = p->i, end = from;
	char c = byte_at(p, from);

	p->from = from;
	if (from >= p->text.len) {
		p->token = T_END;
	} else if (is_digit(c)) {
		p->token = T_NUMBER;
		end = number_end(p, from);
	} else if (is_letter(c)) {
		p->token = T_WORD;
		while (is_letter(byte_at(p, end)) || is_digit(byte_at(p, end)))
			end++;
	} else if (c == '\'') {
		p->token = T_TEXT;
		end = text_end(p, from);
	} else {
		p->token = T_SIGN;
		end = from + sign_length(p, from);
	}
	if (p->token == T_SIGN && (end == from || str_starts(str_from(p->text, from), STR("--")))) {
		expr_error(p, from, "no part of a claim", str_slice(p->text, from, from + 1),
			"use numbers, + - * / ( ), comparisons, AND, OR, NOT");
		return;
	}
	if (end < 0) {
		expr_error(p, from, "a quote without its partner", (struct str){0}, "end the key with '");
		return;
	}
	if (p->token == T_NUMBER && (is_letter(byte_at(p, end)) || byte_at(p, end) == '.')) {
		expr_error(p, from, "no number", str_slice(p->text, from, end + 1), "write it like 12, 0.5 or 2e3");
		return;
	}
	p->word = str_slice(p->text, from, end);
	p->i = end;
}

bool expr_same_word(struct str a, const char *b)
{
	struct str word = str_of(b);

	for (ptrdiff_t i = 0; i < a.len && i < word.len; i++)
		if ((a.ptr[i] | 0x20) != (word.ptr[i] | 0x20))
			return false;
	return a.len == word.len;
}

bool expr_is_word(const struct parser *p, const char *word)
{
	return p->token == T_WORD && expr_same_word(p->word, word);
}

bool expr_is_sign(const struct parser *p, const char *sign)
{
	return p->token == T_SIGN && str_eq(p->word, str_of(sign));
}

bool expr_take_sign(struct parser *p, const char *sign)
{
	if (!expr_is_sign(p, sign))
		return false;
	expr_advance(p);
	return true;
}

void expr_expect(struct parser *p, const char *sign, const char *remedy)
{
	if (!expr_take_sign(p, sign))
		expr_error(p, p->from, p->token == T_END ? "the expression ends early" : "not expected here:", p->word,
			remedy);
}

/* --- keys --- */

bool expr_is_measure(struct str name)
{
	return expr_same_word(name, "med") || expr_same_word(name, "lo") || expr_same_word(name, "hi") ||
	       expr_same_word(name, "noise");
}

void expr_add_key(struct parser *p, struct expr_key key)
{
	struct expr *e = &p->out;

	if (e->n_keys == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 4;
		struct expr_key *more = ARENA_NEW(p->a, struct expr_key, p->cap);
		for (ptrdiff_t i = 0; i < e->n_keys; i++)
			more[i] = e->keys[i];
		e->keys = more;
	}
	e->keys[e->n_keys++] = key;
	if (probe_key_parse(key.key).ok)
		return;
	struct str near = probe_key_nearest(p->a, key.key);
	if (near.len)
		diag_error(p->d, key.at, "unknown measurement '%.*s'; did you mean '%.*s'?", STR_FMT(key.key),
			STR_FMT(near));
	else
		diag_error(p->d, key.at, "unknown measurement '%.*s'; `runq probe list` shows all", STR_FMT(key.key));
	e->ok = false;
}

/* After the first `end` at or behind `from`, or the end of all. */
static ptrdiff_t skip_to(struct str sql, ptrdiff_t from, struct str end)
{
	ptrdiff_t n = str_find(str_from(sql, from), end);

	return n < 0 ? sql.len : from + n + end.len;
}

/* The byte after a text, a name in quotes or a comment that begins at `i`; `i` if none does. */
static ptrdiff_t skip_quoted(struct str sql, ptrdiff_t i)
{
	struct str rest = str_from(sql, i);

	if (str_starts(rest, STR("--")))
		return skip_to(sql, i, STR("\n"));
	if (str_starts(rest, STR("/*")))
		return skip_to(sql, i + 2, STR("*/"));
	if (rest.ptr[0] == '[')
		return skip_to(sql, i + 1, STR("]"));
	return str_find_char(STR("'\"`"), rest.ptr[0]) < 0 ? i : skip_to(sql, i + 1, str_slice(rest, 0, 1));
}

static ptrdiff_t skip_blanks(struct str s, ptrdiff_t i)
{
	while (i < s.len && str_find_char(STR(" \t\r\n"), s.ptr[i]) >= 0)
		i++;
	return i;
}

/* `i` is after a name of a measure: adds the key of ('key'), if one follows. */
static void key_in_call(struct parser *p, ptrdiff_t i)
{
	i = skip_blanks(p->text, i);
	if (byte_at(p, i) != '(')
		return;
	i = skip_blanks(p->text, i + 1);
	ptrdiff_t end = byte_at(p, i) == '\'' ? text_end(p, i) : -1;
	if (end > 0 && byte_at(p, skip_blanks(p->text, end)) == ')')
		expr_add_key(p, (struct expr_key){str_slice(p->text, i + 1, end - 1), pos_at(p->at, p->text, i + 1)});
}

struct expr expr_keys_in_sql(struct arena *a, struct diag *d, struct pos at, struct str sql)
{
	struct parser p = {.a = a, .d = d, .at = at, .text = sql};

	p.out = (struct expr){.lo = (double)NAN, .hi = (double)NAN, .ok = true};
	for (ptrdiff_t i = 0; i < sql.len;) {
		ptrdiff_t from = i, after = skip_quoted(sql, i);
		if (after > i) {
			i = after;
			continue;
		}
		while (is_letter(byte_at(&p, i)) || is_digit(byte_at(&p, i)))
			i++;
		if (i == from)
			i++;
		else if (expr_is_measure(str_slice(sql, from, i)))
			key_in_call(&p, i);
	}
	return p.out;
}
