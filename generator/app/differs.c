/* Why a claim may come out otherwise: `differs: autogroup=0, kernel>=6.6: TEXT` is shown only where the machine's facts say so. */
#include <string.h>

#include "app/build.h"

struct condition {
	struct str fact, sign, value;
};

static const char *const signs[] = {">=", "!=", "=", "<"};

/* "autogroup=0" -> its parts; false if it is none. */
static bool split(struct str text, struct condition *c)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		ptrdiff_t at = str_find(text, str_of(signs[i]));
		if (at <= 0)
			continue;
		*c = (struct condition){str_slice(text, 0, at), str_of(signs[i]), str_from(text, at + str_of(signs[i]).len)};
		return c->value.len && str_find_char(c->fact, ' ') < 0 && str_find_char(c->value, ' ') < 0;
	}
	return false;
}

/* What stands before the first ": " when all of it is conditions; else nothing, and the whole is text. */
static struct str conditions_of(struct str value, struct str *text)
{
	ptrdiff_t colon = str_find(value, STR(": "));
	struct str all = str_slice(value, 0, colon < 0 ? 0 : colon), rest = all;
	struct condition c;

	*text = value;
	while (rest.len)
		if (!split(str_trim(str_cut(rest, ',', &rest)), &c))
			return (struct str){0};
	if (all.len)
		*text = str_from(value, colon + 2);
	return all;
}

static bool is_fact(struct str name)
{
	for (ptrdiff_t i = 0; run_config_keys[i]; i++)
		if (str_eq(name, str_of(run_config_keys[i])))
			return true;
	return str_eq(name, STR("kernel")) || str_eq(name, STR("kind"));
}

void differs_check(struct diag *d, const struct head *h)
{
	struct condition c;
	struct str text;

	for (ptrdiff_t i = 0; i < h->n; i++) {
		struct str rest = str_eq(h->fields[i].key, STR("differs")) ? conditions_of(h->fields[i].value, &text) : (struct str){0};
		while (rest.len)
			if (split(str_trim(str_cut(rest, ',', &rest)), &c) && !is_fact(c.fact))
				diag_error(d, h->fields[i].value_at, "no machine fact '%.*s'; write kernel, kind, or a fact of a run record such as autogroup or virt",
					STR_FMT(c.fact));
	}
}

static bool is_number(struct str s)
{
	bool ok = s.len > 0;

	for (ptrdiff_t i = 0; i < s.len; i++)
		ok = ok && ((s.ptr[i] >= '0' && s.ptr[i] <= '9') || s.ptr[i] == '.');
	return ok;
}

static int64_t leading_number(struct str s)
{
	int64_t n = 0;

	for (ptrdiff_t i = 0; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9' && n < INT64_MAX / 100; i++)
		n = n * 10 + (s.ptr[i] - '0');
	return n;
}

/* 6.6 < 6.12: part by part; a part that is missing is 0. */
static int compare_versions(struct str a, struct str b)
{
	while (a.len || b.len) {
		int64_t x = leading_number(str_cut(a, '.', &a)), y = leading_number(str_cut(b, '.', &b));
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* A reported machine has no facts but what its label says: "RHEL 10 VM, Linux 6.12, 2 CPUs"; "Linux 6.x" tells no version. */
static struct str kernel_said(struct str label)
{
	ptrdiff_t at = str_find(label, STR("Linux "));
	struct str rest = str_from(label, at < 0 ? label.len : at + 6);
	ptrdiff_t n = 0;

	while (n < rest.len && ((rest.ptr[n] >= '0' && rest.ptr[n] <= '9') || rest.ptr[n] == '.'))
		n++;
	bool whole = n && rest.ptr[n - 1] != '.';
	return whole ? str_slice(rest, 0, n) : (struct str){0};
}

/* Empty when the machine does not tell. */
static struct str fact_of(const struct machine *m, struct str name, struct arena *a)
{
	struct str rest;

	if (str_eq(name, STR("kind")))
		return m->kind;
	bool kernel = str_eq(name, STR("kernel"));
	if (kernel && !m->newest)
		return kernel_said(m->label);
	const struct run_fact *f = m->newest ? run_fact_get(&m->newest->machine, kernel ? "kernel_release" : str_z(a, name)) : NULL;
	if (!f || (!f->text.ptr && f->num == RUN_NULL))
		return (struct str){0};
	if (!f->text.ptr)
		return str_printf(a, "%lld", (long long)f->num);
	return kernel ? str_cut(f->text, '-', &rest) : f->text;
}

static bool holds(const struct condition *c, const struct machine *m, struct arena scratch)
{
	struct str fact = fact_of(m, c->fact, &scratch);
	bool equal = str_eq(fact, c->value), ordered = is_number(fact) && is_number(c->value);

	if (!fact.len)
		return false;
	if (str_eq(c->sign, STR("=")))
		return equal;
	if (str_eq(c->sign, STR("!=")))
		return !equal;
	return ordered && (compare_versions(fact, c->value) < 0) == str_eq(c->sign, STR("<"));
}

/* Whether this `differs` speaks of the machine. Text without conditions is a guess, and not made where nothing was measured. */
static bool applies(struct str value, const struct machine *m, bool measured, struct str *text, struct arena scratch)
{
	struct str rest = conditions_of(value, text);
	struct condition c;
	bool all = rest.len || measured;

	while (all && rest.len)
		all = split(str_trim(str_cut(rest, ',', &rest)), &c) && holds(&c, m, scratch);
	return all;
}

struct str differs_text(const struct head *h, const struct machine *m, enum verdict verdict, struct arena *a, struct arena scratch)
{
	struct buf out = buf_new(a);
	struct str text;

	for (ptrdiff_t i = 0; i < h->n && verdict != VERDICT_HOLDS; i++)
		if (str_eq(h->fields[i].key, STR("differs")) &&
			applies(h->fields[i].value, m, verdict != VERDICT_UNMEASURED, &text, scratch))
			buf_printf(&out, "%s%.*s", out.len ? " " : "", STR_FMT(text));
	return buf_str(&out);
}
