/* A record for the eye: each row's default metric. */
#ifndef RUNQ_PROBE_SUMMARY_H
#define RUNQ_PROBE_SUMMARY_H

#include <stdio.h>

#include "model/run.h"

void summary_print(FILE *to, const struct run *r);
/* The median of the values that are not null (of an even number, between the middle two), and their range; n: how many. */
struct summary {
	int64_t median, min, max;
	int n;
};
struct summary summary_of(const struct run_metric *m);

#endif
