/* Inside the templates: what parsing makes and rendering runs. */
#ifndef RUNQ_TEXT_TEMPLATE_OPS_H
#define RUNQ_TEXT_TEMPLATE_OPS_H

#include "text/template.h"

enum op_kind { OP_LITERAL, OP_ESCAPED, OP_MARKUP, OP_SECTION, OP_INVERTED, OP_PARTIAL };

struct op {
	struct op *next;
	enum op_kind kind;
	struct str text; /* the literal, or the name */
	struct pos at; /* of the tag; unset for literals */
	struct op *first; /* of a section: what it holds */
};

struct template
{
	struct template *next;
	struct str name;
	struct op *ops;
};

struct template_set {
	struct arena *arena;
	const char *folder; /* the files lie below it */
	struct template *templates; /* newest first */
};

struct tfield {
	struct tfield *next;
	struct str name;
	struct tval value;
};

/* NULL, with diagnostics, when the text does not parse; *ok tells that from an empty template. */
struct op *template_parse(struct arena *a, struct diag *d, struct pos start, struct str text, bool *ok);
const struct template *template_find(const struct template_set *set, struct str name);
void template_report_partial(const struct template_set *set, const struct op *op, struct diag *d);

#endif
