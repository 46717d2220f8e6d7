/* Contexts, and the set of templates: loading, finding, checking that partials exist. */
#include "text/template.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "text/template_ops.h"

enum { TEMPLATE_BYTES_MAX = 1 << 20, NAMES_MAX = 256 };

struct tobj *tobj_new(struct arena *a)
{
	struct tobj *o = ARENA_NEW(a, struct tobj, 1);

	o->arena = a;
	return o;
}

static struct tval *field_find(struct tobj *o, struct str name)
{
	struct tfield *f = o->fields;

	while (f && !str_eq(f->name, name))
		f = f->next;
	return f ? &f->value : NULL;
}

static struct tval *field_set(struct tobj *o, const char *name, struct tval value)
{
	struct tval *v = field_find(o, str_of(name));

	if (!v) {
		struct tfield *f = ARENA_NEW(o->arena, struct tfield, 1);
		f->next = o->fields;
		f->name = str_of(name);
		o->fields = f;
		v = &f->value;
	}
	*v = value;
	return v;
}

void tobj_text(struct tobj *o, const char *name, struct str text)
{
	field_set(o, name, (struct tval){.kind = TVAL_TEXT, .text = text});
}

void tobj_fmt(struct tobj *o, const char *name, const char *fmt, ...)
{
	struct buf b = buf_new(o->arena);
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	tobj_text(o, name, buf_str(&b));
}

void tobj_html(struct tobj *o, const char *name, struct html markup)
{
	field_set(o, name, (struct tval){.kind = TVAL_HTML, .text = markup.s});
}

void tobj_bool(struct tobj *o, const char *name, bool yes)
{
	field_set(o, name, (struct tval){.kind = TVAL_BOOL, .yes = yes});
}

struct tobj *tobj_object(struct tobj *o, const char *name)
{
	struct tobj *child = tobj_new(o->arena);

	field_set(o, name, (struct tval){.kind = TVAL_OBJECT, .object = child});
	return child;
}

void tobj_list(struct tobj *o, const char *name)
{
	field_set(o, name, (struct tval){.kind = TVAL_LIST});
}

struct tobj *tobj_item(struct tobj *o, const char *name)
{
	struct tval *v = field_find(o, str_of(name));

	if (!v || v->kind != TVAL_LIST)
		v = field_set(o, name, (struct tval){.kind = TVAL_LIST});
	if (v->n == v->cap) {
		v->cap = v->cap ? v->cap * 2 : 8;
		struct tobj **more = ARENA_NEW(o->arena, struct tobj *, v->cap);
		if (v->n)
			memcpy(more, v->items, (size_t)v->n * sizeof(struct tobj *));
		v->items = more;
	}
	return v->items[v->n++] = tobj_new(o->arena);
}

const struct template *template_find(const struct template_set *set, struct str name)
{
	const struct template *t = set->templates;

	while (t && !str_eq(t->name, name))
		t = t->next;
	return t;
}

void template_report_partial(const struct template_set *set, const struct op *op, struct diag *d)
{
	struct str names[NAMES_MAX];
	ptrdiff_t n = 0;

	for (const struct template *t = set->templates; t && n < NAMES_MAX; t = t->next)
		names[n++] = t->name;
	struct str near = str_nearest(op->text, names, n);
	if (near.len)
		diag_error(d, op->at, "no partial is named '%.*s'; did you mean '%.*s'?", STR_FMT(op->text),
			STR_FMT(near));
	else
		diag_error(d, op->at, "no partial is named '%.*s'; add %.*s.html to the templates", STR_FMT(op->text),
			STR_FMT(op->text));
}

bool template_add(struct template_set *set, struct diag *d, struct str name, struct pos start, struct str text)
{
	struct template *t = ARENA_NEW(set->arena, struct template, 1);
	bool ok = false;

	if (template_find(set, name)) {
		diag_error(d, start, "a template is named '%.*s' already; rename one of the two", STR_FMT(name));
		return false;
	}
	t->name = str_copy(set->arena, name);
	t->ops = template_parse(set->arena, d, start, str_copy(set->arena, text), &ok);
	t->next = set->templates;
	set->templates = t;
	return ok;
}

struct template_set *template_from(struct arena *a, struct diag *d, struct str name, struct str text)
{
	struct template_set *set = ARENA_NEW(a, struct template_set, 1);

	set->arena = a;
	return template_add(set, d, name, (struct pos){str_copy(a, name), 1, 1}, text) ? set : NULL;
}

static bool check_partials(const struct template_set *set, const struct op *ops, struct diag *d)
{
	bool ok = true;

	for (const struct op *op = ops; op; op = op->next) {
		if (op->kind == OP_PARTIAL && !template_find(set, op->text)) {
			template_report_partial(set, op, d);
			ok = false;
		}
		ok = check_partials(set, op->first, d) && ok;
	}
	return ok;
}

/* Names end so; anything else in the folder is none of ours. */
static struct str without_ending(struct str name)
{
	static const char *const endings[] = {".html", ".svg", ".txt", ".xml"};

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (str_ends(name, str_of(endings[i])))
			return str_slice(name, 0, name.len - str_of(endings[i]).len);
	return (struct str){0};
}

static bool load_file(struct template_set *set, struct diag *d, struct str path, struct str name)
{
	struct file_text file = file_read_inside(set->arena, set->folder, str_z(set->arena, path), TEMPLATE_BYTES_MAX);
	struct pos start = {path, 0, 0};

	if (file.err) {
		diag_error(d, start, "cannot read the template: %s; check the file", file_error(file.err));
		return false;
	}
	start.line = start.col = 1;
	return template_add(set, d, name, start, file.text);
}

/* `prefix` is what names get in front: "", "partials/". */
static bool load_folder(struct template_set *set, struct diag *d, struct str folder, struct str prefix)
{
	struct file_list list = file_list(set->arena, str_z(set->arena, folder));
	bool ok = true;

	if (list.err && !(prefix.len && list.err == ENOTDIR)) {
		diag_error(d, (struct pos){folder, 0, 0}, "cannot read the templates: %s; check the folder",
			strerror(list.err));
		return false;
	}
	for (ptrdiff_t i = 0; i < list.n; i++) {
		struct str path = str_printf(set->arena, "%.*s/%.*s", STR_FMT(folder), STR_FMT(list.names[i]));
		struct str name = str_printf(set->arena, "%.*s%.*s", STR_FMT(prefix), STR_FMT(list.names[i]));
		if (str_starts(list.names[i], STR(".")))
			continue;
		if (without_ending(name).len)
			ok = load_file(set, d, path, without_ending(name)) && ok;
		else
			ok = load_folder(set, d, path, str_printf(set->arena, "%.*s/", STR_FMT(name))) && ok;
	}
	return ok;
}

struct template_set *template_load(struct arena *a, struct diag *d, const char *folder)
{
	struct template_set *set = ARENA_NEW(a, struct template_set, 1);

	set->arena = a;
	set->folder = folder;
	if (!load_folder(set, d, str_of(folder), STR("")))
		return NULL;
	bool ok = true;
	for (const struct template *t = set->templates; t; t = t->next)
		ok = check_partials(set, t->ops, d) && ok;
	return ok ? set : NULL;
}
