#include "model/course.h"

#include <string.h>

static const struct head_key course_keys[] = {
	{"title", true, false}, {"lede", true, false}, {"machine", false, false}, {"url", false, false},
	{"hero", false, false}, {0}};

static void add_part(struct arena *a, struct course *c, struct str title)
{
	ARENA_GROW(a, c->parts, c->n_parts, c->cap_parts);
	c->parts[c->n_parts++] = title;
}

static void add_chapter(struct arena *a, struct course *c, struct diag *d, struct str value, struct pos at)
{
	struct str number;
	struct course_chapter ch = {.slug = str_cut(value, ' ', &number), .part = (int)c->n_parts - 1, .at = at};
	int previous = c->n_chapters ? c->chapters[c->n_chapters - 1].n : 0;
	int64_t n = previous + 1;

	number = str_trim(number);
	if (c->n_parts == 0)
		diag_error(d, at, "chapter before the first part; put a `part: TITLE` line above it");
	if (number.len && (!str_int(number, &n) || n <= previous || n > 999))
		diag_error(d, at, "chapter number '%.*s' does not follow %d; write a larger whole number, or none", STR_FMT(number), previous);
	for (ptrdiff_t i = 0; i < c->n_chapters; i++)
		if (str_eq(c->chapters[i].slug, ch.slug)) {
			diag_error(d, at, "chapter '%.*s' is listed twice; remove one line", STR_FMT(ch.slug));
			return; /* a second copy would only repeat all its ids */
		}
	ch.n = (int)n;
	ARENA_GROW(a, c->chapters, c->n_chapters, c->cap_chapters);
	c->chapters[c->n_chapters++] = ch;
}

struct course course_parse(struct arena *a, struct diag *d, struct str path, struct str text)
{
	struct pos start = {path, 1, 1};
	struct head h = head_parse(a, d, start, text, false);
	struct course c = {.title = head_value(&h, "title"), .lede = head_value(&h, "lede"),
		.machine = head_value(&h, "machine"), .url = head_value(&h, "url"), .hero = head_value(&h, "hero")};
	struct str rest = str_from(text, h.body);
	struct pos at = h.body_at;
	const struct head_field *machine = head_get(&h, "machine");

	c.machine_at = machine ? machine->value_at : start;
	if (h.ok)
		head_text_ok(d, start, text);
	head_check(d, &h, start, "course.txt", course_keys);
	while (rest.len) {
		struct str value, line = str_trim(str_line(rest, &rest));
		struct str key = str_cut(line, ':', &value);

		value = str_trim(value);
		if (str_eq(key, STR("part")) && value.len)
			add_part(a, &c, value);
		else if (str_eq(key, STR("chapter")) && value.len)
			add_chapter(a, &c, d, value, at);
		else if (line.len && line.ptr[0] != '#')
			diag_error(d, at, "'%.*s' is neither `part: TITLE` nor `chapter: slug`; correct the line or start it with #",
				STR_FMT(line));
		at.line++;
	}
	if (!c.n_chapters)
		diag_error(d, start, "the course lists no chapter; add a `chapter: slug` line");
	return c;
}
