/* Links are checked on the rendered pages, so that the checker cannot disagree with the writer about ids. */
#include <string.h>

#include "app/output.h"
#include "base/buf.h"

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
static const char *fault(const struct str_map *names, struct str page, struct str url, struct arena scratch)
{
	struct str id, path = str_cut(url, '#', &id);
	struct buf key = buf_new(&scratch);

	if (has_scheme(url) || !url.len)
		return NULL;
	struct str target = path.len ? resolve(&scratch, page, decode(&scratch, path)) : page;
	if (!target.len || str_map_get(names, target) < 0)
		return "no such page";
	if (!id.ptr)
		return NULL;
	buf_printf(&key, "%.*s#%.*s", STR_FMT(target), STR_FMT(decode(&scratch, id)));
	return str_map_get(names, buf_str(&key)) >= 0 ? NULL : "the page has no such anchor";
}

static bool is_page(struct str path)
{
	return str_ends(path, STR(".html"));
}

/* Paths of files and "path#id" of anchors. */
static void collect(const struct outputs *o, struct str_map *names, struct diag *d, struct arena *a)
{
	for (ptrdiff_t i = 0; i < o->n; i++) {
		struct str name, value, page = o->items[i].path;
		str_map_put(names, a, page, i);
		for (ptrdiff_t at = 0; is_page(page) && next_attribute(o->items[i].bytes, &at, &name, &value);) {
			struct buf key = buf_new(a);
			if (!str_eq(name, STR("id")))
				continue;
			buf_printf(&key, "%.*s#%.*s", STR_FMT(page), STR_FMT(value));
			if (!str_map_put(names, a, buf_str(&key), i))
				diag_error(d, (struct pos){.path = page}, "id '%.*s' occurs twice in this page; rename a heading or block of %.*s",
					STR_FMT(value), STR_FMT(o->items[i].from));
		}
	}
}

void outputs_check(const struct outputs *o, struct diag *d, struct arena scratch)
{
	struct str_map names = {0}, reported = {0};

	collect(o, &names, d, &scratch);

	for (ptrdiff_t i = 0; i < o->n_links; i++) {
		const struct output_link *l = &o->links[i];
		const char *why = fault(&names, l->page, l->url, scratch);
		struct buf key = buf_new(&scratch);
		if (!why)
			continue;
		buf_printf(&key, "%.*s %.*s", STR_FMT(l->page), STR_FMT(l->url));
		str_map_put(&reported, &scratch, buf_str(&key), i);
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
			if (why && str_map_get(&reported, buf_str(&key)) < 0)
				diag_error(d, (struct pos){.path = page}, "broken link '%.*s': %s; correct the template or the page's source",
					STR_FMT(value), why);
		}
	}
}
