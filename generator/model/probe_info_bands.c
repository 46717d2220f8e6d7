/* The registry's entries for bands: what a class, a group or a quota holds a task to. */
#include "model/probe_info_list.h"

static const struct case_info quota_cases[] = {
	{"1", "one spinner, 50 of 100 ms"},
	{"2", "two spinners, 50 of 100 ms"},
	{"n", "a spinner a CPU, 50 of 100 ms"},
	{"2n", "two spinners a CPU, 50 of 100 ms"},
	{"2-half", "two spinners, 25 of 50 ms"},
	{"2-fifth", "two spinners, 10 of 20 ms"},
	{"2-period-half", "two spinners, 50 of 50 ms"},
	{"1-quarter", "one spinner, 25 of 100 ms"},
	{"n-whole", "a spinner a CPU, 100 of 100 ms"},
	{"2-bursty", "bursty work, 50 of 100 ms"},
	{"2-bursty-burst", "bursty work, 50 of 100 ms, burst 50 ms"},
	{0},
};

/* A stall of a minute is beyond any quota that can be set; a CPU count of 10,000 beyond any machine. */
static const struct metric_info quota_metrics[] = {
	{"throttled", "periods that were throttled", RUN_UNIT_PPM, METRIC_BEHAVIOUR, 0, WHOLE_PPM},
	{"usage", "CPUs used", RUN_UNIT_MILLI, METRIC_BEHAVIOUR, 0, 10000000},
	{"stall", "stall seen by a spinner, median", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"longest", "stall seen by a spinner, longest", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 60 * SECOND},
	{"naive", "throttled time / nr_throttled (no stall)", RUN_UNIT_NS, METRIC_BEHAVIOUR, 0, 600 * SECOND},
	{"bursts", "periods that used a burst", RUN_UNIT_COUNT, METRIC_BEHAVIOUR, 0, 100000},
	{0},
};

const struct probe_info probe_info_quota = {
	.name = "quota",
	.title = "Throttled: a quota and its stalls",
	.what = "how often and for how long spinners stand still in a group that may use 50 ms of CPU in each 100 ms",
	.how = "spinning processes in a cgroup made for the measurement (v2 or v1 cpu controller), free to use every CPU; "
	       "each records the gaps in its own clock, cpu.stat gives the counts; throttled time is summed over CPUs, so "
	       "that its quotient by nr_throttled is no stall and is shown to be none; the first period is left out",
	.needs = "a cgroup that may be given children with the cpu controller: root, or a delegated scope; Linux 5.14 for "
		 "bursts",
	.sources = "Documentation/scheduler/sched-bwc.rst, Documentation/admin-guide/cgroup-v2.rst",
	.version = 1,
	.quick_ms = 8000,
	.full_ms = 32000,
	.cases = quota_cases,
	.metrics = quota_metrics,
};
