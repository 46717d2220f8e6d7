/* Prepares a page for cmark: checks the bytes, marks what cmark must not read its own way, and moves the definitions
 * of footnotes behind the text, keeping for each line its place in the author's file. */
#include "text/markdown_int.h"

#include <string.h>

/* Bytes of the valid UTF-8 sequence at `p` (Unicode 15, table 3-7), or 0. */
static int sequence(const unsigned char *p, ptrdiff_t left)
{
	int n = p[0] < 0x80		      ? 1
		: p[0] >= 0xc2 && p[0] < 0xe0 ? 2
		: p[0] >= 0xe0 && p[0] < 0xf0 ? 3
		: p[0] >= 0xf0 && p[0] < 0xf5 ? 4
					      : 0;

	if (!n || n > left)
		return 0;
	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool outside = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
	return overlong || outside ? 0 : n;
}

static void report_byte(struct md_source *s, struct str text, ptrdiff_t at, int *reports)
{
	unsigned char c = (unsigned char)text.ptr[at];

	if (++*reports > MD_REPORTS)
		return;
	struct pos p = pos_at(s->start, text, at);
	if (c >= 0x80)
		diag_error(s->diag, p, "byte 0x%02X is not UTF-8; save the file as UTF-8", c);
	else
		diag_warn(s->diag, p, "control byte 0x%02X is shown as U+FFFD; remove it", c);
}

/* Characters that show nothing: zero-width, byte order mark, and those that turn the direction of writing. */
static void warn_invisible(struct md_source *s, struct str text, ptrdiff_t at, int *reports)
{
	const unsigned char *p = (const unsigned char *)text.ptr + at;
	unsigned cp = (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
	bool hidden = (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x202a && cp <= 0x202e) ||
		      (cp >= 0x2060 && cp <= 0x2069) || cp == 0xfeff;

	if (hidden && ++*reports <= MD_REPORTS)
		diag_warn(s->diag, pos_at(s->start, text, at), "invisible character U+%04X; remove it", cp);
}

/* Line ends become LF; what is not text becomes MARK_BAD, byte for byte, so that columns hold. */
static struct str clean_copy(struct md_source *s, struct str text)
{
	char *out = ARENA_NEW(s->arena, char, text.len + 1);
	ptrdiff_t n = 0;
	int reports = 0;

	for (ptrdiff_t i = 0; i < text.len;) {
		ptrdiff_t plain = i;
		while (plain < text.len &&
			((text.ptr[plain] >= 0x20 && text.ptr[plain] < 0x7f) || text.ptr[plain] == '\n'))
			plain++;
		memcpy(out + n, text.ptr + i, (size_t)(plain - i));
		n += plain - i;
		i = plain;
		if (i == text.len)
			break;
		unsigned char c = (unsigned char)text.ptr[i];
		if (c == '\r') {
			i += i + 1 < text.len && text.ptr[i + 1] == '\n';
			out[n++] = '\n';
			i++;
			continue;
		}
		int len = c == '\t'		  ? 1
			  : c < 0x20 || c == 0x7f ? 0
						  : sequence((const unsigned char *)text.ptr + i, text.len - i);
		if (!len) {
			report_byte(s, text, i, &reports);
			out[n++] = MARK_BAD;
			i++;
		}
		if (len == 3)
			warn_invisible(s, text, i, &reports);
		for (; len; len--)
			out[n++] = text.ptr[i++];
	}
	return (struct str){out, n};
}

static bool is_label_char(char c)
{
	return c != ' ' && c != '\t' && c != '\n' && c != '[' && c != ']' && c != '^' && c != '\\' &&
	       (unsigned char)c >= 0x20;
}

/* The length of `[^label]` at the beginning of a line's rest, or 0. */
static ptrdiff_t reference(struct str s)
{
	enum { LABEL_MAX = 64 };
	ptrdiff_t n = 2;

	if (s.len < 4 || s.ptr[0] != '[' || s.ptr[1] != '^')
		return 0;
	while (n < s.len && n < LABEL_MAX && is_label_char(s.ptr[n]))
		n++;
	return n > 2 && n < s.len && s.ptr[n] == ']' ? n + 1 : 0;
}

/* Copies a line, marking `\|` and `[^label]`; a backslash hides the character after it. */
static void mark_line(char *out, struct str line)
{
	memcpy(out, line.ptr, (size_t)line.len);
	for (ptrdiff_t i = 0; i < line.len; i++) {
		if (line.ptr[i] == '\\') {
			if (i + 1 < line.len && line.ptr[i + 1] == '|')
				out[i] = out[i + 1] = MARK_PIPE;
			i++;
		} else if (line.ptr[i] == '[') {
			ptrdiff_t n = reference(str_from(line, i));
			if (n) {
				out[i] = MARK_OPEN;
				out[i + n - 1] = MARK_CLOSE;
				i += n - 1;
			}
		}
	}
}

/* The next line of clean text, without its LF. */
static struct str next_line(struct str s, struct str *rest)
{
	const char *end = s.len ? memchr(s.ptr, '\n', (size_t)s.len) : NULL;
	ptrdiff_t n = end ? end - s.ptr : s.len;

	*rest = str_from(s, n + (end != NULL));
	return str_slice(s, 0, n);
}

/* What of a page's lines is code or a comment, where no footnote can be defined. */
struct skipper {
	char fence;
	ptrdiff_t ticks;
	bool comment;
};

static bool skips(struct skipper *k, struct str line)
{
	ptrdiff_t i = 0, n = 0;

	while (i < 3 && i < line.len && line.ptr[i] == ' ')
		i++;
	struct str s = str_from(line, i);
	if (k->comment) {
		k->comment = str_find(line, STR("-->")) < 0;
		return true;
	}
	while (n < s.len && (s.ptr[0] == '`' || s.ptr[0] == '~') && s.ptr[n] == s.ptr[0])
		n++;
	if (k->fence) {
		if (n >= k->ticks && s.ptr[0] == k->fence && !str_trim(str_from(s, n)).len)
			k->fence = 0;
		return true;
	}
	if (n >= 3 && (s.ptr[0] == '~' || str_find_char(str_from(s, n), '`') < 0)) {
		k->fence = s.ptr[0];
		k->ticks = n;
		return true;
	}
	k->comment = str_starts(s, STR("<!--")) && str_find(s, STR("-->")) < 0;
	return k->comment;
}

static ptrdiff_t definition(struct str line)
{
	ptrdiff_t n = reference(line);

	return n && n < line.len && line.ptr[n] == ':' ? n + 1 : 0;
}

/* Whether a line goes on with a footnote: indented, or the lazy continuation of its paragraph. */
static bool continues(struct str line, bool after_blank)
{
	if (!line.len || definition(line))
		return false;
	if (line.ptr[0] == '\t' || str_starts(line, STR("  ")))
		return true;
	return !after_blank && !strchr("#>`~|-*+<:=", line.ptr[0]);
}

static struct md_line *add_line(struct md_source *s, char *text, struct md_line l, struct str line, ptrdiff_t *at)
{
	struct md_line *out = &s->lines[s->n_lines++];

	l.at = *at;
	*out = l;
	mark_line(text + *at, line);
	*at += line.len;
	text[(*at)++] = '\n';
	return out;
}

static void begin_note(struct md_source *s, struct str line, ptrdiff_t clean_line, struct pos at)
{
	struct md_note note = {
		.label = str_slice(line, 2, definition(line) - 2), .at = at, .from = clean_line, .n_lines = 1};

	s->notes = md_push(s->arena, s->notes, &s->n_notes, sizeof note);
	s->notes[s->n_notes - 1] = note;
}

static void warn_space(struct md_source *s, struct str line, struct pos at)
{
	ptrdiff_t n = 0;

	while (n < line.len && line.ptr[n] == '#')
		n++;
	if (n && n <= 6 && str_starts(str_from(line, n), STR("\xc2\xa0"))) {
		at.col += (int)n;
		diag_warn(s->diag, at,
			"a non-breaking space follows `#`, so that this is no heading; type a plain space");
	}
}

/* The text without the footnotes: their lines are left empty. */
static void lay_text(struct md_source *s, char *text, ptrdiff_t *at)
{
	struct skipper skipper = {0};
	struct str rest = s->clean;
	bool in_note = false, blank = true;

	for (ptrdiff_t i = 0; rest.len; i++) {
		ptrdiff_t clean = s->clean.len - rest.len;
		struct str line = next_line(rest, &rest);
		bool empty = !str_trim(line).len;
		struct md_line l = {0, clean, s->start.line + (int)i, i ? 1 : s->start.col};
		struct pos p = {s->start.path, l.line, l.col};
		bool goes_on = in_note && (empty || continues(line, blank));
		bool begins = !goes_on && !skips(&skipper, line) && definition(line) > 0;
		in_note = goes_on || begins;
		if (begins)
			begin_note(s, line, i, p);
		if (goes_on && !empty)
			s->notes[s->n_notes - 1].n_lines = i + 1 - s->notes[s->n_notes - 1].from;
		if (!in_note)
			warn_space(s, line, p);
		add_line(s, text, l, in_note ? (struct str){line.ptr, 0} : line, at);
		blank = empty;
	}
}

static ptrdiff_t indent_of(struct str line)
{
	ptrdiff_t n = 0;

	while (n < 4 && n < line.len && line.ptr[n] == ' ')
		n++;
	return !n && line.len && line.ptr[0] == '\t' ? 1 : n;
}

static void lay_notes(struct md_source *s, char *text, ptrdiff_t *at)
{
	ptrdiff_t clean_lines = s->n_lines;

	for (ptrdiff_t i = 0; i < s->n_notes; i++) {
		const struct md_note *note = &s->notes[i];
		struct md_line here = s->lines[note->from];
		static const char mark[] = {MARK_NOTES};
		add_line(s, text, here, (struct str){"", 0}, at);
		add_line(s, text, here, (struct str){mark, 1}, at);
		add_line(s, text, here, (struct str){"", 0}, at);
		for (ptrdiff_t k = note->from; k < note->from + note->n_lines; k++) {
			struct md_line l = s->lines[k];
			ptrdiff_t end = k + 1 < clean_lines ? s->lines[k + 1].clean : s->clean.len;
			struct str rest, line = next_line(str_slice(s->clean, l.clean, end), &rest);
			ptrdiff_t cut = k == note->from ? definition(line) : indent_of(line);
			while (k == note->from && cut < line.len && line.ptr[cut] == ' ')
				cut++;
			l.clean += cut;
			l.col += (int)cut;
			add_line(s, text, l, str_from(line, cut), at);
		}
	}
}

void md_source_page(struct md_source *s, struct str text)
{
	ptrdiff_t lines = 1, at = 0;

	if (str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff"))) {
		diag_error(s->diag, s->start, "the file is UTF-16; save it as UTF-8");
		text.len = 0;
	}
	if (str_starts(text, STR("\xef\xbb\xbf")))
		text = str_from(text, 3);
	s->clean = clean_copy(s, text);
	bool notes = false;
	for (struct str rest = s->clean; rest.len; lines++)
		notes |= str_starts(next_line(rest, &rest), STR("[^"));
	/* A footnote adds three lines of its own and repeats its lines, so that there are at most five times as many. */
	ptrdiff_t most = notes ? 5 * lines + 4 : lines, bytes = notes ? 2 * s->clean.len + 8 * lines : s->clean.len + 1;
	s->lines = ARENA_NEW(s->arena, struct md_line, most);
	char *out = ARENA_NEW(s->arena, char, bytes);
	lay_text(s, out, &at);
	md_notes_index(s);
	lay_notes(s, out, &at);
	s->text = (struct str){out, at};
}

/* One paragraph whatever it begins with: the no-break space is what cmark sees as the line's white beginning, and the
 * walk drops it. */
void md_source_inline(struct md_source *s, struct str text)
{
	s->clean = clean_copy(s, str_trim(text));
	char *out = ARENA_NEW(s->arena, char, s->clean.len + 4);
	struct str line = s->clean;

	for (ptrdiff_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\n')
			((char *)(uintptr_t)line.ptr)[i] = ' ';
	out[0] = '\xc2';
	out[1] = '\xa0';
	mark_line(out + 2, line);
	s->text = (struct str){out, line.len + 2};
	s->lines = ARENA_NEW(s->arena, struct md_line, 1);
	s->lines[0] = (struct md_line){0, -2, s->start.line, s->start.col - 2};
	s->n_lines = 1;
}

struct pos md_source_pos(const struct md_source *s, int line, int col)
{
	if (line < 1 || line > s->n_lines)
		return s->start;
	return (struct pos){s->start.path, s->lines[line - 1].line, s->lines[line - 1].col + col - 1};
}

struct str md_source_line(const struct md_source *s, int line)
{
	struct str rest;

	if (line < 1 || line > s->n_lines)
		return (struct str){0};
	ptrdiff_t end = line < s->n_lines ? s->lines[line].at : s->text.len;
	return next_line(str_slice(s->text, s->lines[line - 1].at, end), &rest);
}

struct str md_content(const struct md_source *s, int line)
{
	struct str l = md_source_line(s, line);

	while (l.len && (l.ptr[0] == ' ' || l.ptr[0] == '\t' || l.ptr[0] == '>'))
		l = str_from(l, 1);
	return l;
}
