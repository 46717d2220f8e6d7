/* What a waiting user sees. */
#ifndef RUNQ_PROBE_PROGRESS_H
#define RUNQ_PROBE_PROGRESS_H

#include "probe/harness.h"

struct progress {
	bool terminal, open_line;
	int64_t later_ns; /* the budget of the tables after this one */
};
struct progress progress_new(void);
void progress_step(
	void *ctx, const struct probe_table *t, int pass, int position, int64_t left_ns); /* ctx: a struct progress */
void progress_end(struct progress *p); /* before anything else is printed */

#endif
