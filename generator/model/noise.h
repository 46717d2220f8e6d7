/* The A/A noise of a run's table. */
#ifndef RUNQ_MODEL_NOISE_H
#define RUNQ_MODEL_NOISE_H

#include "model/run.h"

/* stats_noise of the table's twin and the case it repeats, in one metric: a fraction of that case's median. NaN without a twin,
 * when one of the two is not usable or lacks the metric, or when no pass has both. */
double table_noise(const struct run_table *t, struct str metric, struct arena scratch);
/* The same for a case whose median is `median`, in the metric's stored unit: that fraction of it. Where the repeated case's own median is
 * not above 0 there is no fraction, and it is the largest gap itself. NaN as above. */
double table_noise_at(const struct run_table *t, struct str metric, double median, struct arena scratch);

#endif
