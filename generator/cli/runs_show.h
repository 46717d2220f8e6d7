/* One run, as `runq runs show` prints it: facts, then per case and metric n, min, median, max, with load and noise. */
#ifndef RUNQ_CLI_RUNS_SHOW_H
#define RUNQ_CLI_RUNS_SHOW_H

#include "model/run.h"

struct runs_show {
	const struct run *run;
	struct str id_hex, machine, flags;
};

/* n, min, median, max of a metric's passes in natural units; failed passes are left out. NaN when n is 0. */
struct runs_summary {
	ptrdiff_t n;
	double min, median, max;
};
struct runs_summary runs_summary_of(const struct run_metric *m, struct arena scratch);
/* A case's name for people: the registry's label, else as the record has it. */
struct str runs_case_label(const struct run_table *t, const struct run_case *c);

void runs_show_text(const struct runs_show *s, struct arena scratch);
void runs_show_json(const struct runs_show *s, struct arena scratch);

#endif
