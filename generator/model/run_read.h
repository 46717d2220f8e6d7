/* Inside the reader of run records: what run_read.c, run_fields.c and run_check.c share. The first refusal stays; after it every
 * function returns false or NULL. Freestanding. */
#ifndef RUNQ_MODEL_RUN_READ_H
#define RUNQ_MODEL_RUN_READ_H

#include "model/run.h"
#include "text/json.h"

enum run_flag {
	RUN_FLAG_UNKNOWN_PROBE,
	RUN_FLAG_UNKNOWN_CASE,
	RUN_FLAG_UNKNOWN_METRIC,
	RUN_FLAG_FEW_PASSES,
	RUN_FLAG_BAD_CLOCK,
	RUN_FLAG_MAX,
};
extern const char *const run_flag_names[RUN_FLAG_MAX];

struct run_reader {
	struct arena *arena;
	struct str in;
	struct run_error error;
	bool flags[RUN_FLAG_MAX];
};

/* Refuses v, or its absent child `key`; always false. `what`: "rule; remedy". */
bool run_refuse(struct run_reader *r, const struct json *v, struct str key, const char *code, struct str what);
bool run_refuse_memory(struct run_reader *r);
struct str run_join(struct arena *a, const struct str *parts, ptrdiff_t n);
#define RUN_JOIN(a, ...) \
	run_join((a), (const struct str[]){__VA_ARGS__}, (ptrdiff_t)(sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str)))
struct str run_int_text(struct arena *a, int64_t v);

/* Refuses keys that are not among `keys`, which end with NULL. */
bool run_keys_known(struct run_reader *r, const struct json *object, const char *const *keys);
const struct json *run_field(struct run_reader *r, const struct json *object, struct str key, enum json_kind kind);
const struct json *run_field_if(struct run_reader *r, const struct json *object, struct str key, enum json_kind kind);
bool run_read_kind(struct run_reader *r, const struct json *v, enum json_kind kind);
bool run_read_int(struct run_reader *r, const struct json *v, int64_t lo, int64_t hi, int64_t *out);
bool run_read_text(struct run_reader *r, const struct json *v, ptrdiff_t bytes_max, struct str *out);
/* `v` is the place, `name` its text or key. Lower case letters, digits and `joint`. */
bool run_name_ok(struct run_reader *r, const struct json *v, struct str name, char joint);
/* Index of the text among n names, or refused as unknown_word: -1. */
int run_read_word(struct run_reader *r, const struct json *v, const char *const *names, int n);
bool run_read_facts(struct run_reader *r, const struct json *v, bool integers_only, struct run_facts *out);

/* Cross-checks against the registry and between the parts of a case; `v` is the case. */
bool run_check_case(struct run_reader *r, const struct json *v, const struct run_table *t, const struct run_case *c);
/* Duplicates and twins; `v` is the table. */
bool run_check_table(struct run_reader *r, const struct json *v, const struct run_table *t);

#endif
