/* JSON as runq uses it, strict: UTF-8, no duplicate keys, integers within +-(2^53 - 1) instead of numbers, no control characters
 * but newline and tab, no bidirectional overrides. A tree in the arena passed, texts copied there. Freestanding.
 * Objects are kept sorted by key, bytewise, so that json_write gives the canonical form. */
#ifndef RUNQ_TEXT_JSON_H
#define RUNQ_TEXT_JSON_H

#include "base/buf.h"

#define JSON_INT_MAX ((INT64_C(1) << 53) - 1)

enum json_kind { JSON_NULL, JSON_BOOL, JSON_INT, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_kind kind;
	bool yes;	    /* BOOL */
	int64_t num;	    /* INT */
	struct str text;    /* TEXT; ptr is never NULL then */
	struct json *first; /* ARRAY, OBJECT: the children, linked by next */
	ptrdiff_t n;	    /* how many */
	struct json *next;
	const struct json *parent;
	struct str key;	  /* of an object's child */
	ptrdiff_t index;  /* of an array's child */
	ptrdiff_t offset; /* of its first byte in the text */
};

struct json_limits {
	ptrdiff_t bytes, values;
	int depth; /* containers within each other */
};

/* code: NULL is fine, else one of too_large bad_json bad_utf8 bad_string bad_text number duplicate_key too_deep too_many
 * no_memory. field: path of the value, such as "tables[1].probe"; what: "what is wrong; what to do". line, col count from 1. */
struct json_error {
	const char *code;
	struct str field, what;
	int line, col;
};

struct json_result {
	const struct json *root; /* NULL on error */
	struct json_error error;
};

struct json_result json_read(struct arena *a, struct str text, struct json_limits limits);
const struct json *json_get(const struct json *object, struct str key); /* NULL if absent, or no object */
/* "tables[1].cases[0]" and, if `key` is not empty, ".key"; the root is "". Long keys are cut. */
struct str json_path(struct arena *a, const struct json *v, struct str key);
void json_place(struct str text, ptrdiff_t offset, int *line, int *col);
struct str json_kind_name(enum json_kind kind); /* with its article: "an integer" */

/* The canonical form: sorted keys, no spaces, only " \ newline and tab escaped. */
void json_write(struct buf *out, const struct json *v);
/* A quoted text. Bytes that json_read would refuse are written as U+FFFD, so that what was written can be read. */
void json_write_text(struct buf *out, struct str text);

/* The parts below serve the reader and the writer. */

/* The code point at the start of s and its length in bytes, 0 if it is not strict UTF-8. */
struct json_rune {
	uint32_t code;
	int bytes;
};
struct json_rune json_rune_at(struct str s);
bool json_rune_allowed(uint32_t code);

/* The quoted text that begins at `at`; `end` is the offset after its closing quote. On error code and what are set and
 * `end` is the offset of the fault. */
struct json_quoted {
	struct str text;
	ptrdiff_t end;
	const char *code, *what;
};
struct json_quoted json_quoted_read(struct arena *a, struct str in, ptrdiff_t at);

#endif
