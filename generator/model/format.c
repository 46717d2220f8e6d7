#include "model/format.h"

#include <math.h>

enum { NUMBER_MAX = 64 };

/* Beyond these a number is written with an exponent: nobody reads sixteen digits. */
static const double plain_max = 1e15, plain_min = 1e-9;

/* Copies a printf number with its minus sign and thousands set for reading. */
static struct str typeset(struct arena *a, const char *number)
{
	struct buf b = buf_new(a);
	struct str s = str_of(number);
	ptrdiff_t whole = 0;
	bool zero = true;

	for (ptrdiff_t i = 0; i < s.len; i++)
		zero = zero && (s.ptr[i] == '-' || s.ptr[i] == '0' || s.ptr[i] == '.');
	if (s.len && s.ptr[0] == '-') {
		if (!zero)
			buf_add(&b, STR(FORMAT_MINUS));
		s = str_from(s, 1);
	}
	while (whole < s.len && s.ptr[whole] >= '0' && s.ptr[whole] <= '9')
		whole++;
	for (ptrdiff_t i = 0; i < whole; i++) {
		if (whole > 4 && i && (whole - i) % 3 == 0)
			buf_add(&b, STR(FORMAT_THIN));
		buf_char(&b, s.ptr[i]);
	}
	buf_add(&b, str_from(s, whole));
	return buf_str(&b);
}

static struct str not_finite(double v)
{
	return isnan(v) ? STR("\xe2\x80\x93") : v > 0 ? STR("\xe2\x88\x9e") : STR(FORMAT_MINUS "\xe2\x88\x9e");
}

/* "1.23 × 10^-12" in plain text, for what no sensible unit brings into range. */
static struct str with_exponent(struct arena *a, double v, int digits)
{
	char text[NUMBER_MAX], *e;

	snprintf(text, sizeof text, "%.*e", digits - 1, v);
	e = strchr(text, 'e');
	if (!e)
		return typeset(a, text);
	long exponent = strtol(e + 1, NULL, 10);
	*e = '\0';
	struct str mantissa = typeset(a, text);
	return str_printf(a, "%.*s" FORMAT_NBSP "\xc3\x97" FORMAT_NBSP "10^%s%ld", STR_FMT(mantissa),
		exponent < 0 ? FORMAT_MINUS : "", exponent < 0 ? -exponent : exponent);
}

static bool is_whole(double v)
{
	return v == rint(v) && fabs(v) < plain_max;
}

struct str format_num(struct arena *a, double v, int digits)
{
	char text[NUMBER_MAX];

	if (!isfinite(v))
		return not_finite(v);
	if (v == 0)
		return STR("0");
	if (digits < 1 && is_whole(v))
		return format_fixed(a, v, 0);
	digits = digits < 1 ? 3 : digits > 15 ? 15 : digits;
	if (fabs(v) >= plain_max || fabs(v) < plain_min)
		return with_exponent(a, v, digits);
	/* Rounding first settles the exponent: 999.6 with three digits is 1000, which has one decimal fewer. */
	snprintf(text, sizeof text, "%.*e", digits - 1, v);
	const char *e = strchr(text, 'e');
	long decimals = digits - 1 - (e ? strtol(e + 1, NULL, 10) : 0);
	double rounded = decimals < 0 ? strtod(text, NULL) : v;
	snprintf(text, sizeof text, "%.*f", decimals < 0 ? 0 : (int)decimals, rounded);
	return typeset(a, text);
}

struct str format_fixed(struct arena *a, double v, int decimals)
{
	char text[NUMBER_MAX];

	if (!isfinite(v))
		return not_finite(v);
	if (fabs(v) >= plain_max)
		return with_exponent(a, v, 3);
	snprintf(text, sizeof text, "%.*f", decimals < 0 ? 0 : decimals > 15 ? 15 : decimals, v);
	return typeset(a, text);
}

struct prefix {
	double divisor;
	struct str shown;
};

static const struct prefix times[] = {
	{1, {"ns", 2}},
	{1e3, {"\xc2\xb5s", 3}},
	{1e6, {"ms", 2}},
	{1e9, {"s", 1}},
};
static const struct prefix sizes[] = {
	{1, {"bytes", 5}},
	{1024, {"KiB", 3}},
	{1048576, {"MiB", 3}},
	{1073741824, {"GiB", 3}},
	{1099511627776, {"TiB", 3}},
};
static const struct prefix rates[] = {
	{1, {"Hz", 2}},
	{1e3, {"kHz", 3}},
	{1e6, {"MHz", 3}},
	{1e9, {"GHz", 3}},
};

/* The largest prefix that leaves at least 1 after rounding to three digits. */
static struct format_scale pick(const struct prefix *p, ptrdiff_t n, double magnitude, double per_unit)
{
	double base = fabs(magnitude) * per_unit;
	ptrdiff_t best = 0;

	for (ptrdiff_t i = 1; i < n; i++)
		if (base >= p[i].divisor * 0.9995)
			best = i;
	return (struct format_scale){p[best].divisor / per_unit, p[best].shown};
}

/* Nanoseconds in one of a time unit; 0 for anything else. */
static double time_unit_ns(struct str unit)
{
	if (str_eq(unit, STR("ns")))
		return 1;
	if (str_eq(unit, STR("us")) || str_eq(unit, STR("\xc2\xb5s")))
		return 1e3;
	if (str_eq(unit, STR("ms")))
		return 1e6;
	return str_eq(unit, STR("s")) ? 1e9 : 0;
}

static bool is_bare(struct str unit)
{
	return !unit.len || str_eq(unit, STR("count")) || str_eq(unit, STR("milli"));
}

/* The one table of units: what a single value is divided by, and what it is called. */
static struct format_scale scale_of_one(double magnitude, struct str unit)
{
	double ns = time_unit_ns(unit);

	if (ns > 0)
		return pick(times, sizeof times / sizeof *times, magnitude, ns);
	if (str_eq(unit, STR("bytes")))
		return pick(sizes, sizeof sizes / sizeof *sizes, magnitude, 1);
	if (str_eq(unit, STR("Hz")))
		return pick(rates, sizeof rates / sizeof *rates, magnitude, 1);
	if (str_eq(unit, STR("fraction")) || str_eq(unit, STR("ppm")))
		return (struct format_scale){0.01, STR("%")};
	if (str_eq(unit, STR("percent")))
		return (struct format_scale){1, STR("%")};
	if (str_eq(unit, STR("ratio")))
		return (struct format_scale){1, STR("\xc3\x97")};
	return (struct format_scale){1, is_bare(unit) ? STR("") : unit};
}

struct format_scale format_scale_of(double magnitude, struct str unit)
{
	if (is_bare(unit) && fabs(magnitude) >= 1e6)
		return (struct format_scale){1e6, STR("million")};
	if (is_bare(unit) && fabs(magnitude) >= 1e5)
		return (struct format_scale){1e3, STR("thousand")};
	return scale_of_one(magnitude, unit);
}

struct str format_unit(struct arena *a, double v, struct str unit, double divisor, struct str shown)
{
	double q = divisor != 0 ? v / divisor : v;
	/* Counts and words such as "turns" count things: 5 001 of them are not 5 000. */
	bool measured = time_unit_ns(unit) > 0 || str_eq(unit, STR("fraction")) || str_eq(unit, STR("ppm")) ||
			str_eq(unit, STR("ratio")) || str_eq(unit, STR("milli")) || divisor != 1;
	struct str number = format_num(a, q, measured ? 3 : 0);

	if (!shown.len)
		return number;
	return str_printf(a, "%.*s" FORMAT_NBSP "%.*s", STR_FMT(number), STR_FMT(shown));
}

struct str format_si(struct arena *a, double v, struct str unit)
{
	struct format_scale s = scale_of_one(isfinite(v) ? v : 0, unit);

	return format_unit(a, v, unit, s.divisor, s.shown);
}
