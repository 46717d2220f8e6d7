/* The one head format (pages, questions, labs, fenced blocks, course.txt): `key: value` lines, the value literal to the
 * end of its line; lines indented by spaces continue the value (joined by one space); a blank line ends it. A page fences it with `---` lines.
 * Slices point into the text passed; arrays live in the arena. */
#ifndef RUNQ_TEXT_HEAD_H
#define RUNQ_TEXT_HEAD_H

#include "base/diag.h"

struct head_field {
	struct str key, value;
	struct pos key_at, value_at;
};

struct head {
	struct head_field *fields;
	ptrdiff_t n;
	ptrdiff_t body;	/* offset in the text of the first byte after the head and its blank line or fence */
	struct pos body_at;
	bool ok;	/* false when diagnostics were added */
};

/* For heads that are files of their own (of a page, Markdown does this): false, with a diagnostic, at what is no UTF-8 and at control
 * and bidi characters. */
bool head_text_ok(struct diag *d, struct pos start, struct str text);
/* A head at the very start of `text`. With `fenced`, it must be enclosed in `---` lines (an unclosed fence is an error at
 * its first line). A leading BOM is skipped. */
struct head head_parse(struct arena *a, struct diag *d, struct pos start, struct str text, bool fenced);

/* A key that a head may have. */
struct head_key {
	const char *name;
	bool required, repeats;
};
/* Unknown key (with the nearest known), duplicate (naming both lines), missing key: an error each. `what` names the thing
 * in messages: "chart block". Keys end with a NULL name. */
bool head_check(struct diag *d, const struct head *h, struct pos start, const char *what, const struct head_key *keys);
const struct head_field *head_get(const struct head *h, const char *key);	/* NULL if absent */
struct str head_value(const struct head *h, const char *key);	/* empty if absent */

#endif
