/* `runq runs diff A B`: what differs between two runs, of the database or in files. */
#ifndef RUNQ_CLI_RUNS_DIFF_H
#define RUNQ_CLI_RUNS_DIFF_H

#include "app/flips.h"
#include "cli/option.h"
#include "model/diff.h"

struct diff_side {
	struct run_result result;
	struct str id_hex, machine; /* machine: its key */
	bool emulated; /* says the database; files alone do not tell */
};
struct diff_report {
	struct diff_side sides[2]; /* as they were given: before, after */
	struct diff diff;
	struct flips flips;
	bool quick[2], other_days;
};

int runs_diff(struct args *args); /* the exit status */
void runs_diff_json(const struct diff_report *r, struct arena scratch);

#endif
