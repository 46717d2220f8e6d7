#include "text/json.h"

void json_write_text(struct buf *out, struct str text)
{
	ptrdiff_t plain = 0, i = 0;

	buf_char(out, '"');
	while (i < text.len) {
		struct json_rune rune = json_rune_at(str_from(text, i));
		bool allowed = rune.bytes && json_rune_allowed(rune.code);
		struct str instead = !allowed		 ? STR("\xef\xbf\xbd")
				     : rune.code == '"'	 ? STR("\\\"")
				     : rune.code == '\\' ? STR("\\\\")
				     : rune.code == '\n' ? STR("\\n")
				     : rune.code == '\t' ? STR("\\t")
							 : STR("");
		ptrdiff_t next = i + (rune.bytes ? rune.bytes : 1);
		if (instead.len) {
			buf_add(out, str_slice(text, plain, i));
			buf_add(out, instead);
			plain = next;
		}
		i = next;
	}
	buf_add(out, str_from(text, plain));
	buf_char(out, '"');
}

static void write_children(struct buf *out, const struct json *v)
{
	for (const struct json *child = v->first; child; child = child->next) {
		if (child != v->first)
			buf_char(out, ',');
		if (v->kind == JSON_OBJECT) {
			json_write_text(out, child->key);
			buf_char(out, ':');
		}
		json_write(out, child);
	}
}

void json_write(struct buf *out, const struct json *v)
{
	switch (v->kind) {
	case JSON_NULL: buf_add(out, STR("null")); break;
	case JSON_BOOL: buf_add(out, v->yes ? STR("true") : STR("false")); break;
	case JSON_INT: buf_i64(out, v->num); break;
	case JSON_TEXT: json_write_text(out, v->text); break;
	case JSON_ARRAY:
		buf_char(out, '[');
		write_children(out, v);
		buf_char(out, ']');
		break;
	case JSON_OBJECT:
		buf_char(out, '{');
		write_children(out, v);
		buf_char(out, '}');
		break;
	}
}
