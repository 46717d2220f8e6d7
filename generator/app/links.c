/* Links are checked on the rendered pages, so that the checker cannot disagree with the writer about ids. */
#include <string.h>

#include "app/output.h"
#include "base/buf.h"

/* Paths of files and "path#id" of anchors; open addressing, never more than half full. */
struct name_set {
	struct str *slots;
	ptrdiff_t size;
};

static bool set_find(const struct name_set *s, struct str name, ptrdiff_t *slot)
{
	ptrdiff_t i = (ptrdiff_t)(str_hash(name) & (uint64_t)(s->size - 1));

	while (s->slots[i].ptr && !str_eq(s->slots[i], name))
		i = (i + 1) & (s->size - 1);
	*slot = i;
	return s->slots[i].ptr != NULL;
}

static bool set_add(struct name_set *s, struct str name)
{
	ptrdiff_t slot;

	if (set_find(s, name, &slot))
		return false;
	s->slots[slot] = name;
	return true;
}

static bool set_has(const struct name_set *s, struct str name)
{
	ptrdiff_t slot;

	return set_find(s, name, &slot);
}

/* The next ` name="value"` inside a tag from *at on; pages hold no "<" or ">" but those of tags. */
static bool next_attribute(struct str page, ptrdiff_t *at, struct str *name, struct str *value)
{
	ptrdiff_t i = *at;

	while (i + 1 < page.len && !(page.ptr[i] == '=' && page.ptr[i + 1] == '"'))
		i++;
	if (i + 1 >= page.len)
		return false;
	ptrdiff_t from = i;
	while (from > *at && page.ptr[from - 1] != ' ' && page.ptr[from - 1] != '<' && page.ptr[from - 1] != '\n')
		from--;
	ptrdiff_t end = i + 2 + str_find_char(str_from(page, i + 2), '"');
	*name = str_slice(page, from, i);
	*value = str_slice(page, i + 2, end < i + 2 ? page.len : end);
	*at = (end < i + 2 ? page.len : end) + 1;
	return true;
}

static struct str decode(struct arena *a, struct str url)
{
	struct buf b = buf_new(a);

	for (ptrdiff_t i = 0; i < url.len; i++) {
		int digits[2] = {-1, -1};
		for (int k = 0; k < 2 && url.ptr[i] == '%' && i + 2 < url.len; k++) {
			char c = url.ptr[i + 1 + k];
			digits[k] = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10
				: c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
		}
		bool escape = digits[0] >= 0 && digits[1] >= 0;
		buf_char(&b, escape ? (char)(digits[0] * 16 + digits[1]) : url.ptr[i]);
		i += escape ? 2 : 0;
	}
	return buf_str(&b);
}

static bool has_scheme(struct str url)
{
	static const char *const known[] = {"https:", "http:", "mailto:", "data:"};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_starts(url, str_of(known[i])))
			return true;
	return false;
}

/* "labs/x.html" and "../chapters/y.html" give "chapters/y.html"; empty when it leads out of the site. */
static struct str resolve(struct arena *a, struct str page, struct str path)
{
	struct buf b = buf_new(a);
	ptrdiff_t dir = page.len;

	while (dir > 0 && page.ptr[dir - 1] != '/')
		dir--;
	buf_add(&b, str_slice(page, 0, dir));
	while (path.len) {
		struct str part = str_cut(path, '/', &path);
		if (str_eq(part, STR("..")) && b.len == 0)
			return (struct str){0};
		if (str_eq(part, STR(".."))) {
			for (b.len--; b.len > 0 && b.ptr[b.len - 1] != '/';)
				b.len--;
		} else if (!str_eq(part, STR(".")) && part.len) {
			buf_add(&b, part);
			if (path.ptr)
				buf_char(&b, '/');
		}
	}
	return buf_str(&b);
}

/* NULL when the link is good, else what is wrong with it. */
static const char *fault(const struct name_set *names, struct str page, struct str url, struct arena scratch)
{
	struct str id, path = str_cut(url, '#', &id);
	struct buf key = buf_new(&scratch);

	if (has_scheme(url) || !url.len)
		return NULL;
	struct str target = path.len ? resolve(&scratch, page, decode(&scratch, path)) : page;
	if (!target.len || !set_has(names, target))
		return "no such page";
	if (!id.ptr)
		return NULL;
	buf_printf(&key, "%.*s#%.*s", STR_FMT(target), STR_FMT(decode(&scratch, id)));
	return set_has(names, buf_str(&key)) ? NULL : "the page has no such anchor";
}

static bool is_page(struct str path)
{
	return str_ends(path, STR(".html"));
}

static void collect(const struct outputs *o, struct name_set *names, struct diag *d, struct arena *a)
{
	for (ptrdiff_t i = 0; i < o->n; i++) {
		struct str name, value, page = o->items[i].path;
		set_add(names, page);
		for (ptrdiff_t at = 0; is_page(page) && next_attribute(o->items[i].bytes, &at, &name, &value);) {
			struct buf key = buf_new(a);
			if (!str_eq(name, STR("id")))
				continue;
			buf_printf(&key, "%.*s#%.*s", STR_FMT(page), STR_FMT(value));
			if (!set_add(names, buf_str(&key)))
				diag_error(d, (struct pos){.path = page}, "id '%.*s' occurs twice in this page; rename a heading or block of %.*s",
					STR_FMT(value), STR_FMT(o->items[i].from));
		}
	}
}

void outputs_check(const struct outputs *o, struct diag *d, struct arena scratch)
{
	struct name_set names = {.size = 1024};
	struct name_set reported = {.size = 1024};
	ptrdiff_t attributes = o->n;

	for (ptrdiff_t i = 0; i < o->n; i++)
		for (ptrdiff_t k = 0; is_page(o->items[i].path) && k + 5 < o->items[i].bytes.len; k++)
			attributes += o->items[i].bytes.ptr[k] == ' ' && memcmp(o->items[i].bytes.ptr + k, " id=\"", 5) == 0;
	while (names.size < 2 * attributes + 2)
		names.size *= 2;
	while (reported.size < 2 * o->n_links + 2)
		reported.size *= 2;
	names.slots = ARENA_NEW(&scratch, struct str, names.size);
	reported.slots = ARENA_NEW(&scratch, struct str, reported.size);
	collect(o, &names, d, &scratch);

	for (ptrdiff_t i = 0; i < o->n_links; i++) {
		const struct output_link *l = &o->links[i];
		const char *why = fault(&names, l->page, l->url, scratch);
		struct buf key = buf_new(&scratch);
		if (!why)
			continue;
		buf_printf(&key, "%.*s %.*s", STR_FMT(l->page), STR_FMT(l->url));
		set_add(&reported, buf_str(&key));
		diag_error(d, l->at, "broken link '%.*s': %s; correct the path or the anchor", STR_FMT(l->written), why);
	}
	for (ptrdiff_t i = 0; i < o->n; i++) {
		struct str name, value, page = o->items[i].path;
		for (ptrdiff_t at = 0; is_page(page) && next_attribute(o->items[i].bytes, &at, &name, &value);) {
			struct arena once = scratch;
			struct buf key = buf_new(&once);
			if (!str_eq(name, STR("href")) && !str_eq(name, STR("src")))
				continue;
			const char *why = fault(&names, page, value, once);
			buf_printf(&key, "%.*s %.*s", STR_FMT(page), STR_FMT(value));
			if (why && !set_has(&reported, buf_str(&key)))
				diag_error(d, (struct pos){.path = page}, "broken link '%.*s': %s; correct the template or the page's source",
					STR_FMT(value), why);
		}
	}
}
