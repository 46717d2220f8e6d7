/* The reader of scenarios: what its files share. A parser points into the text; it stops at the first error. */
#ifndef RUNQ_SIM_PARSE_H
#define RUNQ_SIM_PARSE_H

#include "sim/sim.h"

/* kind: 'w' a word, ',' ':' themselves, ';' the end of a statement (also of a line), 0 the end of the text. */
struct sim_token {
	const char *ptr;
	size_t len;
	int32_t line, col;
	char kind;
};

struct sim_parser {
	const char *at, *end, *line_start;
	int32_t line;
	struct sim_token token; /* the next one */
	struct sim_scenario *sc;
	struct sim_error *error;
	uint32_t seen; /* settings given, by their place in the table */
	struct sim_token names[SIM_TASKS_MAX]; /* where the tasks' names stand */
};

/* Reads statements by a table: the word, and what follows it. */
struct sim_word {
	const char *name;
	bool (*read)(struct sim_parser *p);
};

void sim_parse_next(struct sim_parser *p);
struct sim_token sim_parse_take(struct sim_parser *p); /* the next one, consumed */
bool sim_token_is(struct sim_token t, const char *word);

/* Errors: "BEFORE'TOKEN'AFTER", or BEFORE alone without `after`. Return false. */
bool sim_parse_fail(struct sim_parser *p, struct sim_token t, const char *before, const char *after);
/* "unknown WHAT 'TOKEN'; did you mean 'NAME'?", or the list of names if none is near; names[n]. */
bool sim_parse_unknown(struct sim_parser *p, struct sim_token t, const char *what, const char *const *names, int n);

/* Values: from the next token. */
bool sim_parse_int(struct sim_parser *p, int64_t min, int64_t max, const char *what, int32_t *out);
bool sim_parse_time(struct sim_parser *p, int64_t min, const char *what, int64_t *out);
bool sim_time_of(const char *ptr, size_t len, int64_t *ns);
bool sim_number_of(const char *ptr, size_t len, int64_t *out);
bool sim_parse_name(struct sim_parser *p, const char *what, char out[SIM_NAME_BYTES]);
int sim_group_find(const struct sim_scenario *sc, struct sim_token t);
bool sim_parse_group_name(struct sim_parser *p, int32_t *out);

bool sim_parse_task(struct sim_parser *p);
bool sim_parse_group(struct sim_parser *p);
bool sim_parse_session(struct sim_parser *p);
bool sim_parse_program(struct sim_parser *p, struct sim_task *task);
bool sim_parse_finish(struct sim_parser *p); /* what needs the whole text: names of tasks woken */

#endif
