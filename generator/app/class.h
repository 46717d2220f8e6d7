/* The class as its instructor sees it: students by pseudonym, labs, what was handed in. Results live in the arena. */
#ifndef RUNQ_APP_CLASS_H
#define RUNQ_APP_CLASS_H

#include "store/store.h"

struct class_entry {
	struct str student, lab;
	struct str run_id_hex; /* empty when the refused file was no run */
	struct str reason; /* why refused; empty: accepted */
	int64_t t_ms, times; /* times: how often it was refused so */
	bool late;
};
struct class_progress {
	/* By student and lab: first the submission that counts (the last on time, else the last), then each reason of a
	 * refusal once, with its latest time. */
	struct class_entry *entries;
	ptrdiff_t n;
	bool ok; /* false: store_error */
};

struct class_progress class_progress_read(struct store *s, struct arena *a);

#endif
