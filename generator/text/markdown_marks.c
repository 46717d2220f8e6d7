/* Literals as the author wrote them. */
#include "text/markdown_int.h"

static bool has_marks(const char *s)
{
	for (; *s; s++)
		if (*s >= MARK_PIPE && *s <= MARK_CLOSE)
			return true;
	return false;
}

struct str md_literal(struct arena *a, const char *literal, bool table)
{
	struct str s = str_of(literal);

	if (!literal || !has_marks(literal))
		return str_copy(a, s);
	char *out = ARENA_NEW(a, char, s.len);
	ptrdiff_t n = 0;
	for (ptrdiff_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (c == MARK_PIPE && i + 1 < s.len && s.ptr[i + 1] == MARK_PIPE) {
			if (!table)
				out[n++] = '\\';
			out[n++] = '|';
			i++;
		} else {
			out[n++] = c == MARK_OPEN ? '[' : c == MARK_CLOSE ? ']' : c;
		}
	}
	return (struct str){out, n};
}

struct str md_excerpt(struct str s)
{
	enum { SHOWN = 60 };
	ptrdiff_t n = s.len < SHOWN ? s.len : SHOWN;

	while (n > 0 && n < s.len && (s.ptr[n] & 0xc0) == 0x80)
		n--;
	return str_slice(s, 0, n);
}

bool md_is_value(struct str code)
{
	if (code.len < 2 || code.ptr[0] != '=')
		return false;
	char c = code.ptr[1];
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '(' || c == '\'';
}

/* In text the pair is a bare pipe, as in CommonMark. */
struct str md_plain(struct arena *a, cmark_node *node, bool *value)
{
	struct buf out = buf_new(a);
	cmark_node *at = cmark_node_first_child(node);

	*value = false;
	while (at) {
		cmark_node_type type = cmark_node_get_type(at);
		if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) {
			struct str s = md_literal(a, cmark_node_get_literal(at), true);
			*value |= type == CMARK_NODE_CODE && md_is_value(s);
			buf_add(&out, s);
		} else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
			buf_char(&out, ' ');
		}
		cmark_node *next = cmark_node_first_child(at);
		while (!next && at != node) {
			next = cmark_node_next(at);
			if (!next)
				at = cmark_node_parent(at);
		}
		at = next;
	}
	return buf_str(&out);
}
