/* Claim expressions, by recursive descent with SQLite's precedences. Types keep to what SQLite and JavaScript agree
 * on: no arithmetic on truths, no division of two integers (SQLite drops the remainder, JavaScript does not), and
 * nothing but a comparison is a claim. */
#include "model/expr_parse.h"

#include <math.h>

#include "base/buf.h"
#include "model/expr_range.h"
#include "model/probe_info.h"

enum { DEPTH_MAX = 60, DIGITS_MAX = 60 };

enum type { TYPE_NUMBER, TYPE_INTEGER, TYPE_TRUTH, TYPE_TEXT, TYPE_BROKEN };

/* What a part of the expression is; `value` is NaN unless it is made of numbers alone. `range` is of a number, `truths` of a truth. */
struct part {
	enum type type;
	double value;
	ptrdiff_t from;
	struct range range;
	struct truths truths;
};

static struct part disjunction(struct parser *p);

static struct part broken(ptrdiff_t from)
{
	return (struct part){TYPE_BROKEN, (double)NAN, from, range_all(), {true, true}};
}

static bool is_number(enum type t)
{
	return t == TYPE_NUMBER || t == TYPE_INTEGER || t == TYPE_BROKEN;
}

static void want_number(struct parser *p, struct part x)
{
	if (x.type == TYPE_TEXT)
		expr_error(p, x.from, "a formatted text where a number belongs", (struct str){0},
			"format the result, not its parts");
	else if (!is_number(x.type))
		expr_error(p, x.from, "a comparison where a number belongs", (struct str){0},
			"join comparisons with AND or OR");
}

static void want_truth(struct parser *p, struct part x)
{
	if (x.type != TYPE_TRUTH && x.type != TYPE_BROKEN)
		expr_error(
			p, x.from, "a number where a comparison belongs", (struct str){0}, "compare it, as in x > 0");
}

static bool is_formatter(struct str name)
{
	static const char *const names[] = {"ns", "us", "ms", "si", "pct", "times", "num"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (expr_same_word(name, names[i]))
			return true;
	return false;
}

/* What the registry says a value can be; noise has no limit but zero. */
static struct range bounds_of(struct str key, bool noise)
{
	struct probe_key k = probe_key_parse(key);

	if (noise || !k.ok)
		return (struct range){noise ? 0 : -(double)INFINITY, (double)INFINITY};
	double scale = run_unit_scale(k.metric->unit);
	return (struct range){(double)k.metric->lo * scale, (double)k.metric->hi * scale};
}

/* med('key') and its kin. */
static struct part measure(struct parser *p, struct str name, ptrdiff_t from)
{
	if (p->token != T_TEXT) {
		expr_error(p, p->from, "a measurement is named here", (struct str){0},
			"write a key in quotes, as in med('create/fork')");
		return broken(from);
	}
	struct str key = str_slice(p->word, 1, p->word.len - 1);
	struct range range = bounds_of(key, expr_same_word(name, "noise"));
	expr_add_key(p, (struct expr_key){key, pos_at(p->at, p->text, p->from + 1)});
	expr_advance(p);
	expr_expect(p, ")", "close the parenthesis after the key");
	return (struct part){TYPE_NUMBER, (double)NAN, from, range, {0}};
}

static struct part formatted(struct parser *p, struct str name, ptrdiff_t from)
{
	want_number(p, disjunction(p));
	if (expr_same_word(name, "num") && expr_take_sign(p, ",")) {
		ptrdiff_t at = p->from;
		struct part digits = disjunction(p);
		if (p->out.ok && !(digits.type == TYPE_INTEGER && digits.value >= 1 && digits.value <= 15))
			expr_error(p, at, "no count of digits", (struct str){0}, "write an integer from 1 to 15");
	}
	expr_expect(p, ")", "close the parenthesis");
	return (struct part){TYPE_TEXT, (double)NAN, from, range_all(), {0}};
}

static struct part call(struct parser *p)
{
	struct str name = p->word;
	ptrdiff_t from = p->from;
	bool known = expr_is_measure(name) || is_formatter(name) || expr_same_word(name, "abs");

	expr_advance(p);
	if (!known) {
		const struct str names[] = {STR("abs"), STR("med"), STR("noise"), STR("times"), STR("num"), STR("pct"),
			STR("BETWEEN"), STR("AND"), STR("NOT")};
		struct str near = str_nearest(name, names, sizeof names / sizeof *names);
		struct str remedy = near.len ? str_printf(p->a, "did you mean '%.*s'?", STR_FMT(near))
					     : STR("use abs, med, lo, hi, noise");
		expr_error(p, from, "unknown word", name, str_z(p->a, remedy));
		return broken(from);
	}
	if (is_formatter(name) && !p->formatters) {
		expr_error(p, from, "a formatter in a test:", name,
			"compare the number itself; formatters belong in `shows`");
		return broken(from);
	}
	expr_expect(p, "(", "open a parenthesis after the name");
	if (expr_is_measure(name))
		return measure(p, name, from);
	if (is_formatter(name))
		return formatted(p, name, from);
	struct part x = disjunction(p);
	want_number(p, x);
	expr_expect(p, ")", "close the parenthesis");
	return (struct part){x.type, fabs(x.value), from, range_abs(x.range), {0}};
}

/* The digits are few and plain, so strtod on a copy is right and knows no locale beyond C's. */
static struct part number(struct parser *p)
{
	struct arena scratch = *p->a;
	struct part x = {.type = TYPE_INTEGER, .value = (double)NAN, .from = p->from};

	if (p->word.len > DIGITS_MAX) {
		expr_error(p, p->from, "a number too long to mean it", (struct str){0}, "keep to 15 digits");
		return broken(x.from);
	}
	for (ptrdiff_t i = 0; i < p->word.len; i++)
		if (p->word.ptr[i] < '0' || p->word.ptr[i] > '9')
			x.type = TYPE_NUMBER;
	x.value = strtod(str_z(&scratch, p->word), NULL);
	if (!isfinite(x.value) || (x.type == TYPE_INTEGER && x.value > 9007199254740992.0)) {
		expr_error(p, x.from, "a number too large", p->word, "use a larger unit");
		return broken(x.from);
	}
	x.range = range_of(x.value);
	expr_advance(p);
	return x;
}

static struct part primary(struct parser *p)
{
	ptrdiff_t from = p->from;

	if (p->depth >= DEPTH_MAX) {
		expr_error(p, from, "nested too deeply", (struct str){0}, "split the claim");
		return broken(from);
	}
	p->depth++;
	struct part x = broken(from);
	if (p->token == T_NUMBER) {
		x = number(p);
	} else if (p->token == T_WORD) {
		x = call(p);
	} else if (expr_take_sign(p, "(")) {
		x = disjunction(p);
		x.from = from;
		expr_expect(p, ")", "close the parenthesis");
	} else if (expr_take_sign(p, "-") || expr_take_sign(p, "+")) {
		bool minus = p->text.ptr[from] == '-';
		x = primary(p);
		want_number(p, x);
		x = (struct part){x.type, minus ? -x.value : x.value, from, minus ? range_negate(x.range) : x.range, {0}};
	} else if (p->token == T_TEXT) {
		expr_error(p, from, "a text by itself:", p->word, "name a measurement as in med('create/fork')");
	} else {
		expr_error(p, from, p->token == T_END ? "the expression ends early" : "not expected here:", p->word,
			"a number or a measurement belongs here");
	}
	p->depth--;
	return x;
}

static struct part product(struct parser *p)
{
	struct part x = primary(p);

	while (expr_is_sign(p, "*") || expr_is_sign(p, "/")) {
		bool divide = expr_is_sign(p, "/");
		ptrdiff_t at = p->from;
		expr_advance(p);
		struct part y = primary(p);
		want_number(p, x);
		want_number(p, y);
		if (divide && x.type == TYPE_INTEGER && y.type == TYPE_INTEGER)
			expr_error(p, at, "an integer divided by an integer loses its remainder", (struct str){0},
				"write one of them as 3.0");
		if (divide && y.value == 0)
			expr_error(p, at, "a division by zero", (struct str){0}, "divide by something else");
		bool integers = x.type == TYPE_INTEGER && y.type == TYPE_INTEGER;
		x = (struct part){integers ? TYPE_INTEGER : TYPE_NUMBER, divide ? x.value / y.value : x.value * y.value, x.from,
			divide ? range_divide(x.range, y.range) : range_multiply(x.range, y.range), {0}};
	}
	return x;
}

static struct part sum(struct parser *p)
{
	struct part x = product(p);

	while (expr_is_sign(p, "+") || expr_is_sign(p, "-")) {
		bool minus = expr_is_sign(p, "-");
		expr_advance(p);
		struct part y = product(p);
		want_number(p, x);
		want_number(p, y);
		bool integers = x.type == TYPE_INTEGER && y.type == TYPE_INTEGER;
		x = (struct part){integers ? TYPE_INTEGER : TYPE_NUMBER, minus ? x.value - y.value : x.value + y.value, x.from,
			range_add(x.range, minus ? range_negate(y.range) : y.range), {0}};
	}
	return x;
}

/* How far apart bounds are, as a factor: without limit once they reach zero. */
static double factor(double lo, double hi)
{
	if (isnan(lo) || isnan(hi))
		return -1;
	return lo > 0 ? hi / lo : hi < 0 ? lo / hi : (double)INFINITY;
}

static struct part between(struct parser *p, struct part x)
{
	struct part lo = sum(p), hi = broken(p->from);

	if (expr_is_word(p, "AND")) {
		expr_advance(p);
		hi = sum(p);
	} else {
		expr_error(p, p->from, "BETWEEN without AND", (struct str){0}, "write x BETWEEN lower AND upper");
	}
	want_number(p, x);
	want_number(p, lo);
	want_number(p, hi);
	if (lo.value > hi.value)
		expr_error(p, lo.from, "bounds in the wrong order", (struct str){0}, "put the lower one first");
	if (factor(lo.value, hi.value) > factor(p->out.lo, p->out.hi)) {
		p->out.lo = lo.value;
		p->out.hi = hi.value;
	}
	return (struct part){.type = TYPE_TRUTH, .value = (double)NAN, .from = x.from,
		.truths = truths_and(range_compare(lo.range, "<=", x.range), range_compare(x.range, "<=", hi.range))};
}

/* Comparisons do not chain: a < b < c compares a truth with a number. */
static struct part comparison(struct parser *p)
{
	static const char *const signs[] = {"<", ">", "<=", ">=", "!=", "<>", "=", "=="};
	enum { INEQUALITIES = 6 };
	struct part x = sum(p);

	if (expr_is_word(p, "BETWEEN")) {
		expr_advance(p);
		return between(p, x);
	}
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (!expr_take_sign(p, signs[i]))
			continue;
		struct part y = sum(p);
		want_number(p, x);
		want_number(p, y);
		p->out.inequality |= i < INEQUALITIES;
		return (struct part){.type = TYPE_TRUTH, .value = (double)NAN, .from = x.from,
			.truths = range_compare(x.range, signs[i], y.range)};
	}
	return x;
}

static struct part negation(struct parser *p)
{
	ptrdiff_t from = p->from;
	int nots = 0;

	for (; expr_is_word(p, "NOT"); nots++)
		expr_advance(p);
	struct part x = comparison(p);
	if (nots) {
		want_truth(p, x);
		x.from = from;
		p->out.inequality |= nots % 2;
		x.truths = nots % 2 ? truths_not(x.truths) : x.truths;
	}
	return x;
}

static struct part conjunction(struct parser *p)
{
	struct part x = negation(p);

	while (expr_is_word(p, "AND")) {
		expr_advance(p);
		struct part y = negation(p);
		want_truth(p, x);
		want_truth(p, y);
		x.type = TYPE_TRUTH;
		x.truths = truths_and(x.truths, y.truths);
	}
	return x;
}

static struct part disjunction(struct parser *p)
{
	struct part x = conjunction(p);

	while (expr_is_word(p, "OR")) {
		expr_advance(p);
		struct part y = conjunction(p);
		want_truth(p, x);
		want_truth(p, y);
		x.type = TYPE_TRUTH;
		x.truths = truths_or(x.truths, y.truths);
	}
	return x;
}

struct expr expr_parse(struct arena *a, struct diag *d, struct pos at, struct str text, bool formatters)
{
	struct parser p = {.a = a, .d = d, .at = at, .text = text, .formatters = formatters};

	p.out = (struct expr){.lo = (double)NAN, .hi = (double)NAN, .ok = true};
	expr_advance(&p);
	struct part x = disjunction(&p);
	if (p.token != T_END)
		expr_error(&p, p.from, "not expected here:", p.word, "join comparisons with AND or OR");
	if (!formatters && p.out.ok)
		want_truth(&p, x);
	p.out.can_hold = x.truths.can_hold;
	p.out.can_fail = x.truths.can_fail;
	return p.out;
}
