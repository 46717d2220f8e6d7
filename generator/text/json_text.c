/* Texts of JSON: strict UTF-8, escapes, and the characters that no record may hold. */
#include "text/json.h"

#include <string.h>

struct json_rune json_rune_at(struct str s)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = s.len ? (unsigned char)s.ptr[0] : 0xff;
	int bytes = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;

	if (!bytes || bytes > s.len)
		return (struct json_rune){0};
	uint32_t code = bytes == 1 ? first : first & (0x7fu >> bytes);
	for (int i = 1; i < bytes; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		if ((c & 0xc0) != 0x80)
			return (struct json_rune){0};
		code = code << 6 | (c & 0x3f);
	}
	if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return (struct json_rune){0};
	return (struct json_rune){code, bytes};
}

bool json_rune_allowed(uint32_t code)
{
	bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
	bool bidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);

	return !control && !bidi;
}

static int encode(char *out, uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	int bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (int i = bytes - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(unsigned char)(0x80 | (code & 0x3f));
	out[0] = (char)(unsigned char)((0xf00u >> bytes & 0xff) | code);
	return bytes;
}

/* Four hexadecimal digits, or -1. */
static int32_t hex4(struct str s)
{
	int32_t v = 0;

	if (s.len < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = s.ptr[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;
		if (digit < 0)
			return -1;
		v = v * 16 + digit;
	}
	return v;
}

struct escape {
	uint32_t code;
	int bytes; /* of the escape, from the backslash; 0 on error */
	const char *error, *what;
};

static struct escape read_unicode(struct str s)
{
	struct escape lone = {.error = "bad_string", .what = "half of a surrogate pair; write the character itself"};
	int32_t high = hex4(str_from(s, 2));

	if (high < 0)
		return (struct escape){
			.error = "bad_json", .what = "\\u needs four hexadecimal digits; write the character itself"};
	if (high < 0xd800 || high > 0xdfff)
		return (struct escape){.code = (uint32_t)high, .bytes = 6};
	int32_t low = s.len >= 12 && s.ptr[6] == '\\' && s.ptr[7] == 'u' ? hex4(str_from(s, 8)) : -1;
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return lone;
	return (struct escape){
		.code = 0x10000 + ((uint32_t)(high - 0xd800) << 10) + (uint32_t)(low - 0xdc00), .bytes = 12};
}

static struct escape read_escape(struct str s)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char c = s.len > 1 ? s.ptr[1] : '\0';

	if (c == 'u')
		return read_unicode(s);
	for (int i = 0; from[i]; i++)
		if (c == from[i])
			return (struct escape){.code = (uint32_t)to[i], .bytes = 2};
	return (struct escape){
		.error = "bad_json", .what = "unknown escape; use \\\" \\\\ \\n \\t or the character itself"};
}

/* One character, plain or escaped. */
static struct escape read_one(struct str s)
{
	if (!s.len)
		return (struct escape){.error = "bad_json",
			.what = "the text has no closing quote; the file may be cut, send it whole"};
	if ((unsigned char)s.ptr[0] < 0x20)
		return (struct escape){
			.error = "bad_json", .what = "bare control character in a text; escape it, as \\n"};
	struct escape e;
	if (s.ptr[0] == '\\') {
		e = read_escape(s);
	} else {
		struct json_rune rune = json_rune_at(s);
		e = (struct escape){.code = rune.code, .bytes = rune.bytes};
		if (!rune.bytes)
			return (struct escape){.error = "bad_utf8", .what = "not UTF-8; save the file as UTF-8"};
	}
	if (e.bytes && !e.code)
		return (struct escape){.error = "bad_string", .what = "U+0000 in a text; remove it"};
	if (e.bytes && !json_rune_allowed(e.code))
		return (struct escape){.error = "bad_text",
			.what = "control character or bidirectional override in a text; remove it"};
	return e;
}

/* An upper bound of the text's bytes: those up to the closing quote. */
static ptrdiff_t quoted_bytes(struct str in, ptrdiff_t at)
{
	ptrdiff_t i = at;

	while (i < in.len && in.ptr[i] != '"')
		i += 1 + (in.ptr[i] == '\\');
	return i - at;
}

struct json_quoted json_quoted_read(struct arena *a, struct str in, ptrdiff_t at)
{
	char *out = ARENA_NEW(a, char, quoted_bytes(in, at + 1));
	struct json_quoted r = {.text.ptr = out, .end = at + 1};

	if (!out) {
		r.code = "no_memory";
		r.what = "out of memory; use a smaller file";
		return r;
	}
	while (r.end >= in.len || in.ptr[r.end] != '"') {
		struct escape e = read_one(str_from(in, r.end));
		if (e.error) {
			r.code = e.error;
			r.what = e.what;
			return r;
		}
		r.text.len += encode(out + r.text.len, e.code);
		r.end += e.bytes;
	}
	r.end++;
	return r;
}
