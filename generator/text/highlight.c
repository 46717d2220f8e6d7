/* One scanner with a table per language: enough for colour, never wrong about the text itself. */
#include "text/highlight.h"

struct language {
	const char *name;
	const char *comment; /* begins a comment to the end of the line, or NULL */
	const char *quotes;
	const char *keywords; /* each between spaces */
	bool block_comment; /* C's */
	bool triple; /* three quotes enclose text over lines */
	bool backslash; /* escapes the next character in strings */
	bool lines; /* strings may contain line ends */
	bool any_case;
};

/* clang-format off */
static const struct language languages[] = {
	{"c", "//", "\"'",
		" auto break case char const continue default do double else enum extern float for goto if inline int long "
		"register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
		"bool true false NULL int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ssize_t ptrdiff_t "
		"pid_t _Atomic _Bool _Static_assert _Thread_local #include #define #undef #if #ifdef #ifndef #else #elif #endif "
		"#error #pragma ",
		.block_comment = true, .backslash = true},
	{"csharp", "//", "\"'",
		" abstract as async await base bool break byte case catch char class const continue decimal default delegate do "
		"double else enum event explicit extern false finally fixed float for foreach get if implicit in int interface "
		"internal is lock long namespace new null object operator out override params private protected public readonly "
		"record ref return sealed set short static string struct switch this throw true try typeof uint ulong unsafe "
		"ushort using var virtual void volatile while yield ",
		.block_comment = true, .backslash = true},
	{"python", "#", "\"'",
		" False None True and as assert async await break class continue def del elif else except finally for from "
		"global if import in is lambda nonlocal not or pass raise return try while with yield ",
		.triple = true, .backslash = true},
	{"sh", "#", "\"'",
		" if then elif else fi for in do done while until case esac function return exit local export readonly set unset "
		"shift trap break continue ",
		.backslash = true, .lines = true},
	{"sql", "--", "'\"",
		" select from where group by having order limit offset as and or not in is null like between case when then else "
		"end join left inner outer cross on using union all distinct insert into values update set delete create table "
		"view index temp with recursive over partition rows desc asc exists cast primary key default check unique "
		"references begin commit rollback pragma ",
		.block_comment = true, .lines = true, .any_case = true},
	{"json", NULL, "\"", " true false null ", .backslash = true},
	{"make", "#", "", " ifeq ifneq ifdef ifndef else endif define endef include override export ", .backslash = true},
};
/* clang-format on */

const struct str highlight_languages[] = {{"c", 1}, {"sh", 2}, {"console", 7}, {"python", 6}, {"csharp", 6},
	{"text", 4}, {"sql", 3}, {"json", 4}, {"make", 4}, {NULL, 0}};

bool highlight_knows(struct str language)
{
	for (const struct str *l = highlight_languages; l->ptr; l++)
		if (str_eq(*l, language))
			return true;
	return false;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static ptrdiff_t line_end(struct str s, ptrdiff_t at)
{
	while (at < s.len && s.ptr[at] != '\n')
		at++;
	return at;
}

static bool has(struct str s, ptrdiff_t at, const char *what)
{
	return what && str_starts(str_from(s, at), str_of(what));
}

/* The end of a comment beginning at `at`, or `at`. In languages with # as the sign it must begin a word, so that
 * $# and colours like a#b stay text. */
static ptrdiff_t comment_end(const struct language *l, struct str s, ptrdiff_t at)
{
	if (l->block_comment && has(s, at, "/*")) {
		ptrdiff_t close = str_find(str_from(s, at + 2), STR("*/"));
		return close < 0 ? s.len : at + 2 + close + 2;
	}
	if (!has(s, at, l->comment))
		return at;
	bool starts =
		!at || s.ptr[at - 1] == ' ' || s.ptr[at - 1] == '\t' || s.ptr[at - 1] == '\n' || s.ptr[at - 1] == ';';
	return starts || l->comment[0] != '#' || l->triple ? line_end(s, at) : at;
}

static ptrdiff_t string_end(const struct language *l, struct str s, ptrdiff_t at)
{
	char quote = s.ptr[at];
	char three[4] = {quote, quote, quote, '\0'};

	if (l->triple && has(s, at, three)) {
		ptrdiff_t close = str_find(str_from(s, at + 3), str_of(three));
		return close < 0 ? s.len : at + 3 + close + 3;
	}
	bool escapes = l->backslash && !(l->lines && quote == '\'');
	ptrdiff_t i = at + 1;
	for (; i < s.len && s.ptr[i] != quote && (l->lines || s.ptr[i] != '\n'); i++)
		if (escapes && s.ptr[i] == '\\' && i + 1 < s.len && s.ptr[i + 1] != '\n')
			i++;
	return i < s.len && s.ptr[i] == quote ? i + 1 : i;
}

static bool is_keyword(const struct language *l, struct str word)
{
	char fold = l->any_case ? 0x20 : 0;

	for (const char *k = l->keywords + 1; *k; k++) {
		ptrdiff_t i = 0;
		while (i < word.len &&
			k[i] == (char)(word.ptr[i] | (word.ptr[i] >= 'A' && word.ptr[i] <= 'Z' ? fold : 0)))
			i++;
		if (i == word.len && k[i] == ' ')
			return true;
		while (*k != ' ')
			k++;
	}
	return false;
}

static ptrdiff_t word_end(struct str s, ptrdiff_t at)
{
	ptrdiff_t i = at + 1;

	while (i < s.len && (is_word(s.ptr[i]) || (is_digit(s.ptr[at]) && s.ptr[i] == '.')))
		i++;
	return i;
}

static void span(struct html_out *w, const char *cls, struct str text)
{
	if (text.len)
		html_leaf(w, "span", cls, text);
}

/* What begins at `at`: its end, and its class or NULL. */
static ptrdiff_t token(const struct language *l, struct str s, ptrdiff_t at, const char **cls)
{
	char c = s.ptr[at];
	bool sign = c == '#' || c == '.'; /* belongs to the word after it: #include is one, x.default none */
	ptrdiff_t end = comment_end(l, s, at);

	*cls = "c";
	if (end > at)
		return end;
	*cls = "s";
	for (const char *q = l->quotes; *q; q++)
		if (*q == c)
			return string_end(l, s, at);
	*cls = NULL;
	if (!is_word(c) && !sign)
		return at + 1;
	end = word_end(s, at);
	if (is_digit(c))
		*cls = "n";
	else if (is_keyword(l, str_slice(s, at, end)))
		*cls = "k";
	return end;
}

static void write_code(struct html_out *w, const struct language *l, struct str s)
{
	ptrdiff_t plain = 0;

	for (ptrdiff_t at = 0; at < s.len;) {
		const char *cls;
		ptrdiff_t end = token(l, s, at, &cls);
		if (cls) {
			html_text(w, str_slice(s, plain, at));
			span(w, cls, str_slice(s, at, end));
			plain = end;
		}
		at = end;
	}
	html_text(w, str_from(s, plain));
}

/* Typed lines begin with the prompt that begins the block ("# " for root, else "$ "); a backslash at the end continues
 * them. All else was printed. */
static void write_console(struct html_out *w, struct str s)
{
	struct str prompt = str_starts(s, STR("# ")) ? STR("# ") : STR("$ ");

	while (s.len) {
		ptrdiff_t n = 0;
		bool typed = str_starts(s, prompt);
		if (typed) {
			span(w, "p", prompt);
			s = str_from(s, 2);
			n = line_end(s, 0);
			while (n && n < s.len && s.ptr[n - 1] == '\\')
				n = line_end(s, n + 1);
		} else {
			n = line_end(s, 0);
			while (n + 1 < s.len && !str_starts(str_from(s, n + 1), prompt))
				n = line_end(s, n + 1);
		}
		span(w, typed ? "in" : "out", str_slice(s, 0, n));
		if (n < s.len)
			html_text(w, STR("\n"));
		s = str_from(s, n + 1);
	}
}

void highlight_write(struct html_out *w, struct str language, struct str code)
{
	if (str_eq(language, STR("console"))) {
		write_console(w, code);
		return;
	}
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
		if (str_eq(language, str_of(languages[i].name))) {
			write_code(w, &languages[i], code);
			return;
		}
	}
	html_text(w, code);
}
