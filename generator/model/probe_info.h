/* The registry of probes, cases and metrics: the one place for names, labels, units and budgets. Freestanding; const. */
#ifndef RUNQ_MODEL_PROBE_INFO_H
#define RUNQ_MODEL_PROBE_INFO_H

#include "base/str.h"

enum run_unit { RUN_UNIT_NS, RUN_UNIT_COUNT, RUN_UNIT_BYTES, RUN_UNIT_PPM, RUN_UNIT_MILLI, RUN_UNIT_MAX };
extern const char *const run_unit_names[RUN_UNIT_MAX];	/* "ns" "count" "bytes" "ppm" "milli" */
/* Natural value per stored integer: 1 for ns, count, bytes; 1e-6 for ppm; 1e-3 for milli. */
double run_unit_scale(enum run_unit unit);

enum metric_class { METRIC_COST, METRIC_BEHAVIOUR };

struct metric_info {
	const char *name, *label;
	enum run_unit unit;
	enum metric_class class;
	int64_t lo, hi;	/* physical bounds of a value, inclusive, in the stored unit */
};

struct case_info {
	const char *name, *label;
};

struct probe_info {
	const char *name, *title, *what, *how, *needs, *sources;	/* `describe` prints them */
	int version;
	int quick_ms, full_ms;	/* budget */
	const struct case_info *cases;	/* ends with a NULL name; "aa" is implied and not listed */
	const struct metric_info *metrics;	/* ends with a NULL name; the first is the default */
};

extern const struct probe_info *const probe_infos[];	/* in the order of the course; ends with NULL */
const struct probe_info *probe_info_find(struct str name);
const struct case_info *probe_case_find(const struct probe_info *p, struct str name);
const struct metric_info *probe_metric_find(const struct probe_info *p, struct str name);
int probe_order(struct str probe, struct str case_name);	/* registry order, for sorting rows; INT_MAX unknown */

/* `probe/case[:metric]`; unknown parts leave NULLs. */
struct probe_key {
	const struct probe_info *probe;
	const struct case_info *kase;
	const struct metric_info *metric;
	bool ok;
};
struct probe_key probe_key_parse(struct str key);
/* The known key nearest to an unknown one, as text in the arena; empty if none is near. */
struct str probe_key_nearest(struct arena *a, struct str key);

#endif
