/* Mustache templates: interpolation, sections, inverted sections, partials, comments, set delimiters (the public
 * specification's core), with these differences: a name that no context knows is an error with its place, {{x}} escapes
 * always, {{{x}}} or {{&x}} takes only values of the markup type, and a partial is not indented like its tag.
 * Parsed once, rendered often. Templates and values live in the arena they were made in. */
#ifndef RUNQ_TEXT_TEMPLATE_H
#define RUNQ_TEXT_TEMPLATE_H

#include "base/diag.h"
#include "text/html.h"

/* A value a template can name. Objects are linked lists of named values; a list is an array of objects. */
enum tval_kind { TVAL_TEXT, TVAL_HTML, TVAL_BOOL, TVAL_OBJECT, TVAL_LIST };

struct tval {
	enum tval_kind kind;
	bool yes;	/* BOOL */
	struct str text;	/* TEXT, and HTML's bytes */
	struct tobj *object;	/* OBJECT */
	struct tobj **items;	/* LIST */
	ptrdiff_t n, cap;	/* LIST */
};

struct tfield;
/* A context: an arena to grow in and its fields. Names are literals or live in the arena. Setting twice replaces. */
struct tobj {
	struct arena *arena;
	struct tfield *fields;
};

struct tobj *tobj_new(struct arena *a);
void tobj_text(struct tobj *o, const char *name, struct str text);
void tobj_fmt(struct tobj *o, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void tobj_html(struct tobj *o, const char *name, struct html markup);
void tobj_bool(struct tobj *o, const char *name, bool yes);
struct tobj *tobj_object(struct tobj *o, const char *name);	/* a fresh object under `name` */
void tobj_list(struct tobj *o, const char *name);	/* an empty list under `name` */
struct tobj *tobj_item(struct tobj *o, const char *name);	/* appends a fresh object to list `name`, making the list if need be */

/* Section truth: BOOL its value; TEXT and HTML when not empty (so a text that may be absent is set to the empty text); OBJECT
 * always; LIST when it has items. Names are looked up from the innermost context outwards; a dotted name descends into
 * objects; `.` is the current item's field ".", or the text whose section this is. */

struct template_set;
/* Reads every *.html (and *.svg, *.txt, *.xml) file below `folder`; the name of a template or partial is its path without ending,
 * such as "chapter" or "partials/figure". NULL, with diagnostics, if one does not parse. */
struct template_set *template_load(struct arena *a, struct diag *d, const char *folder);
/* From one text, for tests; more are added under names of their own. False, with diagnostics, if it does not parse. */
struct template_set *template_from(struct arena *a, struct diag *d, struct str name, struct str text);
bool template_add(struct template_set *set, struct diag *d, struct str name, struct pos start, struct str text);
/* Renders to `out`; false, with diagnostics at the template's line and column, when a name is unknown, a {{{x}}} is not
 * markup or partials nest too deep. */
bool template_render(const struct template_set *set, const char *name, const struct tobj *context, struct buf *out, struct diag *d);

#endif
