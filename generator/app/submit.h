/* The one door for handing in: every channel (today the command line) goes through submit_accept. Results live in the arena. */
#ifndef RUNQ_APP_SUBMIT_H
#define RUNQ_APP_SUBMIT_H

#include "app/import.h"
#include "app/labs.h"

struct submit_outcome {
	enum import_status
		status; /* IMPORT_ADDED: handed in; IMPORT_ALREADY: this student had handed in this run for this lab */
	struct store_submission receipt; /* filled when handed in */
};

/* Reads the file at `path` and hands it in for a student and a lab at `now_ms` (UTC). A refusal is diagnosed as
 * `path: error: field: what; what to do` and kept as an attempt, so that the class's progress shows it. */
struct submit_outcome submit_accept(struct store *s, struct arena *a, struct diag *d, const struct labs *labs,
	const char *path, struct str student, struct str lab, int64_t now_ms);

/* A pseudonym: 1 to 64 of a-z A-Z 0-9 . _ -, so that it can stand in a table, a path or a command. */
bool submit_student_ok(struct str student);

#endif
