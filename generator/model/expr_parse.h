/* Between the files of the claim expressions: tokens and the parser's state. */
#ifndef RUNQ_MODEL_EXPR_PARSE_H
#define RUNQ_MODEL_EXPR_PARSE_H

#include "model/expr.h"

enum token { T_END, T_NUMBER, T_WORD, T_TEXT, T_SIGN };

struct parser {
	struct arena *a;
	struct diag *d;
	struct pos at;
	struct str text;
	ptrdiff_t i; /* of the byte after the current token */
	enum token token;
	struct str word; /* the current token's bytes */
	ptrdiff_t from; /* and where they begin */
	int depth;
	bool formatters;
	struct expr out;
	ptrdiff_t cap; /* of out.keys */
};

/* One error is enough: after it the parser stands at the end. `subject` is quoted unless empty. */
void expr_error(struct parser *p, ptrdiff_t offset, const char *what, struct str subject, const char *remedy);

void expr_advance(struct parser *p);
bool expr_same_word(struct str a, const char *b); /* SQL's words know no case */
bool expr_is_word(const struct parser *p, const char *word);
bool expr_is_sign(const struct parser *p, const char *sign);
bool expr_take_sign(struct parser *p, const char *sign); /* advances if it is there */
void expr_expect(struct parser *p, const char *sign, const char *remedy);

bool expr_is_measure(struct str name); /* med, lo, hi, noise */
/* Adds a key and checks it against the registry: unknown ones are errors and make out.ok false, but parsing goes on. */
void expr_add_key(struct parser *p, struct expr_key key);

#endif
