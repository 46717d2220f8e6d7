/* Running the operations against a stack of contexts. */
#include "text/template_ops.h"

enum { PARTIAL_DEPTH = 16, NAMES_MAX = 256 };

/* The contexts, innermost first: an object, or the text whose section this is. */
struct frame {
	const struct frame *up;
	const struct tobj *object;
	const struct tval *text;
};

struct render {
	const struct template_set *set;
	struct buf *out;
	struct diag *diag;
	int partials; /* open ones */
	bool ok;
};

static const struct tval *field_of(const struct tobj *o, struct str name)
{
	for (const struct tfield *f = o->fields; f; f = f->next)
		if (str_eq(f->name, name))
			return &f->value;
	return NULL;
}

static const struct tval *look_up(const struct frame *frame, struct str name)
{
	const struct tval *v = NULL;
	struct str rest;

	if (str_eq(name, STR(".")))
		return frame->text ? frame->text : field_of(frame->object, name);
	struct str part = str_cut(name, '.', &rest);
	for (; frame && !v; frame = frame->up)
		v = frame->object ? field_of(frame->object, part) : NULL;
	while (v && rest.len) {
		part = str_cut(rest, '.', &rest);
		v = v->kind == TVAL_OBJECT ? field_of(v->object, part) : NULL;
	}
	return v;
}

static void report_unknown(struct render *r, const struct op *op, const struct frame *frame)
{
	struct str names[NAMES_MAX];
	ptrdiff_t n = 0;

	for (; frame; frame = frame->up)
		for (const struct tfield *f = frame->object ? frame->object->fields : NULL; f && n < NAMES_MAX;
			f = f->next)
			names[n++] = f->name;
	struct str near = str_nearest(op->text, names, n);
	if (near.len)
		diag_error(r->diag, op->at, "no value is named '%.*s'; did you mean '%.*s'?", STR_FMT(op->text),
			STR_FMT(near));
	else
		diag_error(r->diag, op->at, "no value is named '%.*s'; set it, or remove the tag", STR_FMT(op->text));
	r->ok = false;
}

static const struct tval *need(struct render *r, const struct op *op, const struct frame *frame)
{
	const struct tval *v = look_up(frame, op->text);

	if (!v)
		report_unknown(r, op, frame);
	return v;
}

static void interpolate(struct render *r, const struct op *op, const struct frame *frame)
{
	const struct tval *v = need(r, op, frame);

	if (!v)
		return;
	if (v->kind != TVAL_TEXT && v->kind != TVAL_HTML) {
		diag_error(r->diag, op->at, "'%.*s' is no text; use a section: {{#%.*s}}", STR_FMT(op->text),
			STR_FMT(op->text));
		r->ok = false;
	} else if (op->kind == OP_ESCAPED) {
		html_escape(r->out, v->text);
	} else if (v->kind == TVAL_HTML) {
		buf_add(r->out, v->text);
	} else {
		diag_error(r->diag, op->at, "'%.*s' is plain text, not markup; write {{%.*s}}", STR_FMT(op->text),
			STR_FMT(op->text));
		r->ok = false;
	}
}

static bool is_true(const struct tval *v)
{
	switch (v->kind) {
	case TVAL_TEXT:
	case TVAL_HTML: return v->text.len > 0;
	case TVAL_BOOL: return v->yes;
	case TVAL_OBJECT: return true;
	case TVAL_LIST: return v->n > 0;
	}
	return false;
}

static void run(struct render *r, const struct op *ops, const struct frame *frame);

static void run_section(struct render *r, const struct op *op, const struct frame *frame)
{
	const struct tval *v = need(r, op, frame);

	if (!v || is_true(v) != (op->kind == OP_SECTION))
		return;
	struct frame inner = {.up = frame};
	if (op->kind == OP_INVERTED || v->kind == TVAL_BOOL) {
		run(r, op->first, frame);
	} else if (v->kind == TVAL_LIST) {
		/* What is wrong with the first item is wrong with all. */
		for (ptrdiff_t i = 0; i < v->n && r->ok; i++) {
			inner.object = v->items[i];
			run(r, op->first, &inner);
		}
	} else {
		inner.object = v->kind == TVAL_OBJECT ? v->object : NULL;
		inner.text = v->kind == TVAL_OBJECT ? NULL : v;
		run(r, op->first, &inner);
	}
}

static void run_partial(struct render *r, const struct op *op, const struct frame *frame)
{
	const struct template *t = template_find(r->set, op->text);

	if (!t) {
		template_report_partial(r->set, op, r->diag);
		r->ok = false;
		return;
	}
	if (r->partials == PARTIAL_DEPTH) {
		diag_error(r->diag, op->at, "partials nest deeper than %d; does '%.*s' include itself?", PARTIAL_DEPTH,
			STR_FMT(op->text));
		r->ok = false;
		return;
	}
	r->partials++;
	run(r, t->ops, frame);
	r->partials--;
}

static void run(struct render *r, const struct op *ops, const struct frame *frame)
{
	for (const struct op *op = ops; op; op = op->next) {
		switch (op->kind) {
		case OP_LITERAL: buf_add(r->out, op->text); break;
		case OP_ESCAPED:
		case OP_MARKUP: interpolate(r, op, frame); break;
		case OP_SECTION:
		case OP_INVERTED: run_section(r, op, frame); break;
		case OP_PARTIAL: run_partial(r, op, frame); break;
		}
	}
}

bool template_render(
	const struct template_set *set, const char *name, const struct tobj *context, struct buf *out, struct diag *d)
{
	struct render r = {.set = set, .out = out, .diag = d, .ok = true};
	struct frame frame = {.object = context};
	const struct template *t = template_find(set, str_of(name));

	if (!t) {
		diag_error(d, (struct pos){0}, "no template is named '%s'; add %s.html to the templates", name, name);
		return false;
	}
	run(&r, t->ops, &frame);
	return r.ok;
}
